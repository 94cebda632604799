/* SPDX-License-Identifier: MIT */
/** @file kept.h
 * Looks numbers up in results files (JSON lines that tools/measure/programs keeps).
 */
#ifndef TOOLS_PAPER_KEPT_H
#define TOOLS_PAPER_KEPT_H

/** Where results files are looked for: in `folder`, then in the folders inside it. */
void kept_in(const char *folder);

/**
 * A number from the first line of FILE.jsonl whose fields are as asked for; NAN where there is
 * none.
 * @param fields what the line must have: "step=16-texture variant=strassen n=4096 levels=1"
 */
double kept_number(const char *file, const char *field, const char *fields, ...)
    __attribute__((format(printf, 3, 4)));

/** Line `number` of FILE.jsonl; line 0 has the conditions. NULL behind the last one. */
const char *kept_line(const char *file, int number);

/** On what the results of a file were measured: "NVIDIA H100, driver ..., 2026-11-22"; "" if it
 * is not there. */
const char *kept_conditions(const char *file);

#endif
