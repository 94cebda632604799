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

/** Says what will be done: the step, the size, the device. */
void report_start(const struct options *options, const char *vendor);

/** Says on standard error when fewer runs or levels are done than were asked for. */
void report_cuts(const struct options *options);

/** Says on standard error that a variant is left out, and what its workspace would take, or why
 * it cannot run on these ranks. */
void report_skip(const struct options *options, const struct result *result,
                 double matrix_bytes);

/** Says on standard error when levels pad the operands far beyond what was asked for, which may
 * take very long. */
void report_padding(const struct options *options, const struct result *results, int count);

/** One line of progress on a terminal, replaced by the next; nothing elsewhere. */
void report_progress(const struct options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** One JSON line, or a table row (and, for a wrong result, the reason under it). */
void report_result(const struct options *options, const struct result *result);

/** The last line: how many variants were right, and how many were left out. */
void report_end(const struct options *options, const struct outcome *outcome);

#ifdef __cplusplus
}
#endif
#endif
