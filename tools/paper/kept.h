/* SPDX-License-Identifier: MIT */
/** @file kept.h
 * Looks numbers up in results files (JSON lines that tools/measure/programs keeps).
 */
#ifndef TOOLS_PAPER_KEPT_H
#define TOOLS_PAPER_KEPT_H

#include <stdbool.h>

/** Where results files are looked for: in `folder`, then in the folders inside it.
 *  @param latest of several lines that fit, the last one counts instead of the first */
void kept_in(const char *folder, bool latest);

/**
 * A number from the line of FILE.jsonl, or of what step STEP has in it (FILE:STEP), whose
 * fields are as asked for; NAN where there is none. Wrong results do not count.
 * @param fields what the line must have: "step=16-texture variant=strassen n=4096 levels=1"
 */
double kept_number(const char *file, const char *field, const char *fields, ...)
    __attribute__((format(printf, 3, 4)));

/** Line `number` of FILE.jsonl; line 0 has the conditions. NULL behind the last one. */
const char *kept_line(const char *file, int number);

/** On what the results of a file were measured: "NVIDIA H100, driver ..., 2026-11-22"; "" if it
 * is not there. */
const char *kept_conditions(const char *file);

/** One of the commands that a file's results come from, counted from 0; NULL behind the last.
 */
const char *kept_command(const char *file, int number);

/** The file's path from the results folder: "h100/paper-times.jsonl". */
const char *kept_path(const char *file);

/** A number of a method of Li et al. (2011), by the document's name for it, at the beginning of
 * `method` ("tStrassen 2048", "dStrassen less than dgemm"), or by ours where the document has
 * no name.
 * @param file NULL: where the method was timed
 * @param more what else the line must have, or NULL */
double method_number(const char *method, long n, int levels, const char *field,
                     const char *file, const char *more);

/** Milliseconds that a method takes. Without levels it is GPU8, with a texture if it has one.
 */
double method_ms(const char *method, long n, int levels);

/** How many percent x is less than y. */
double percent_less(double x, double y);

/** The levels that tau1 = tau2 / 2 leaves at n; none for tau2 = 0. */
int levels_of(long n, long tau2);

/** As snprintf into one of some buffers that are used in turn. */
const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
