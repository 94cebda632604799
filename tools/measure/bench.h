/* SPDX-License-Identifier: MIT */
/** @file bench.h
 * What ./ladder bench measures, and how two of its results files are compared.
 *
 * A results file belongs to one machine and holds JSON lines. A measurement is one line of
 * conditions,
 *   {"conditions":{"command":[...],"revision":"...","device":"...","date":"...","seconds":12.5}}
 * and behind it the lines that the program printed. It is appended when the program has ended,
 * so a file has only complete measurements, and a later call appends to them.
 */
#ifndef TOOLS_MEASURE_BENCH_H
#define TOOLS_MEASURE_BENCH_H

#include <stdio.h>

enum { BENCH_WRONG = 1, BENCH_USAGE = 2, BENCH_RESOURCE = 3 };

/**
 * Prints the results of A and B side by side: those of one step, variant, precision and size in
 * a line.
 * @param a, b  results files, or folders with such files; FILE@REVISION for those of one
 * revision
 * @return the exit status
 */
int bench_compare(const char *a, const char *b);

/** Prints a table of the results files in a folder and the folders in it: machines, dates and
 * steps. */
int bench_index(const char *folder);

#endif
