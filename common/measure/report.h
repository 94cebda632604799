/* SPDX-License-Identifier: MIT */
/** @file report.h
 * What a program prints about a measured variant: a JSON line, or a row for people.
 */
#ifndef COMMON_MEASURE_REPORT_H
#define COMMON_MEASURE_REPORT_H

#include "common/measure/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Says what will be done: the step, the size, the device.
 * @param options of the run
 * @param vendor the library that is timed beside, or NULL
 */
void report_start(const struct options *options, const char *vendor);

/**
 * Says on standard error when fewer runs or levels are done than were asked for.
 * @param options of the run
 */
void report_cuts(const struct options *options);

/**
 * Says on standard error that a variant is left out, and what its workspace would take, or why
 * it cannot run on these ranks.
 * @param options of the run
 * @param result the variant's, as far as it is known
 * @param matrix_bytes of A, B and C together
 */
void report_skip(const struct options *options, const struct result *result,
                 double matrix_bytes);

/**
 * Says on standard error when levels pad the operands far beyond what was asked for, which may
 * take very long.
 * @param options of the run
 * @param results of the variants that will run
 * @param count of the results
 */
void report_padding(const struct options *options, const struct result *results, int count);

/**
 * One line of progress on a terminal, replaced by the next; nothing elsewhere.
 * @param options of the run; with --quiet or --json nothing is shown
 * @param format as printf() takes it
 */
void report_progress(const struct options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/**
 * One JSON line, or a table row (and, for a wrong result, the reason under it).
 * @param options of the run
 * @param result of a variant that has run
 */
void report_result(const struct options *options, const struct result *result);

/**
 * The last line: how many variants were right, and how many were left out.
 * @param options of the run
 * @param outcome of all variants
 */
void report_end(const struct options *options, const struct outcome *outcome);

#ifdef __cplusplus
}
#endif
#endif
