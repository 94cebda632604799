/* SPDX-License-Identifier: MIT */
/** @file report.h
 * Prints a measured variant, as a JSON line or as a row of a table.
 */
#ifndef COMMON_MEASURE_REPORT_H
#define COMMON_MEASURE_REPORT_H

#include "common/measure/json.h"
#include "common/measure/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a step that runs its variants in its own way adds to reports (struct step). */
struct report_more {
    void (*introduce)(const struct options *options); /**< where it computes */
    /** Lines under a variant's row; fields of its JSON line, those known before it runs, in
     * the place of its levels and settings, and those known afterwards. */
    void (*row)(const struct options *options, const struct result *result);
    void (*json_before)(const struct options *options, struct json *json);
    void (*json_after)(const struct options *options, struct json *json);
};

/** Adds what is known of a variant to its JSON line.
 * @param json begun
 * @param options of the run
 * @param result the variant's */
void report_fields(struct json *json, const struct options *options,
                   const struct result *result);

/** Prints the step, the size and the device before the runs; on standard error, that fewer runs
 * or levels are done than the options ask for, or that levels pad the operands to a much larger
 * size, which may take very long.
 * @param options of the run
 * @param outcome has the vendor's library, and what is known of the variants
 * @param note the step's, or "" */
void report_start(const struct options *options, const struct outcome *outcome,
                  const char *note);

/** Prints on standard error that the simulated GPU may run for minutes or hours, as with a
 * command that a chapter gives for a GPU.
 * @param options of the run */
void report_size(const struct options *options);

/** Prints on standard error that a variant is left out, and the size of its workspace, or its
 * note, which says why it cannot run.
 * @param options of the run
 * @param result the variant's, as far as it is known
 * @param matrix_bytes of A, B and C together */
void report_skip(const struct options *options, const struct result *result,
                 double matrix_bytes);

/** Shows a line of progress on a terminal, which the next one replaces.
 * @param options of the run; with --quiet or --json nothing is shown
 * @param format as printf() takes it */
void report_progress(const struct options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Prints a JSON line, or a table row (with the reason below it if the result is wrong).
 * @param options of the run
 * @param result of a variant that has run */
void report_result(const struct options *options, const struct result *result);

/** Prints the last line: how many variants were right, and how many were left out.
 * @param options of the run
 * @param outcome of all variants */
void report_end(const struct options *options, const struct outcome *outcome);

#ifdef __cplusplus
}
#endif
#endif
