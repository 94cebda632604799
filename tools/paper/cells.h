/* SPDX-License-Identifier: MIT */
/** @file cells.h
 * What tools/paper/measure measured, by method, size and levels.
 */
#ifndef TOOLS_PAPER_CELLS_H
#define TOOLS_PAPER_CELLS_H

#include <stdbool.h>

/** A method with so many levels at one size; NAN where nothing was measured. */
struct cell {
    char method[96];
    int n;
    int levels;
    double ms, slowest, vendor_ms;
    double flops, transactions, volume; /**< by the model */
    double max_error, mean_error;       /**< on Kaporin's matrices */
};
/** Figure 44's errors over the mean of |C|, over all seeds. */
struct normal {
    double largest, sum;
    int runs;
};
/** Reads FOLDER/paper-NAME.jsonl and prints where it comes from; false if it is not there. */
bool read_cells(const char *folder, const char *name);

/** A cell without any number where nothing was measured. */
const struct cell *find_cell(const char *method, int n, int levels);

/** Of dStrassen (0) and dWinograd (1). */
struct normal normal_errors(int method);

/** How many results were wrong and are left out. */
int wrong_results(void);

#endif
