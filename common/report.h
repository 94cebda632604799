/**
 * @file report.h
 * What a program prints about a measured variant: a JSON line, or a row for people.
 */
#ifndef LADDER_REPORT_H
#define LADDER_REPORT_H

#include "backend.h"
#include "options.h"
#include "timer.h"
#include "verify.h"

/** Everything known about one variant when it has run. */
struct result {
    const struct variant *variant;
    int levels;
    bool padded;          /**< it ran on operands padded to `shape` */
    struct problem shape; /**< the sizes its kernels got */
    size_t workspace_bytes;
    struct timing timing;           /**< reps 0: not timed */
    const char *reference;          /**< the vendor's library, NULL: none */
    struct timing reference_timing; /**< reps 0: not timed */
    struct verdict verdict;
    struct counts counts; /**< measured on the simulated GPU; negative: not counted */
    struct cost cost;     /**< by the variant's model; negative: not modelled */
};

/** Says what will be done: the step, the size, the device. */
void report_start(const struct options *options, const char *vendor);

/** One line of progress on a terminal, replaced by the next; nothing elsewhere. */
void report_progress(const struct options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** One JSON line, or a table row (and, for a wrong result, the reason under it). */
void report_result(const struct options *options, const struct result *result);

/** The last line: how many variants were right. */
void report_end(const struct options *options, int right, int wrong);

/** A size in bytes as people write it: "1.50 GiB". Two may be used in one call of printf. */
const char *readable_bytes(double bytes);

#endif
