/* SPDX-License-Identifier: MIT */
/** @file tour.h
 * The result of one step on the tour, and how results are shown.
 */
#ifndef TOOLS_TOUR_TOUR_H
#define TOOLS_TOUR_TOUR_H

#include <stdio.h>

/** One step: its best right variant, and the verdict on all of them. NAN means a number
 * that is unknown, "" a text that is. */
struct row {
    char step[64];
    char idea[256];
    char backend[16];
    char device[128];
    char variant[64];
    double n;
    double threads; /**< of the host */
    double ms;
    double gflops;
    double vendor_gflops; /**< on the same problem */
    double ratio;         /**< the vendor's time over ours */
    double error;
    double transactions;
    double bytes;
    double fetches;   /**< of textures */
    char model[16];   /**< "equal" or "differs", if both are known */
    char vendor[128]; /**< the vendor library's name */
    char verdict[16]; /**< right, WRONG, skipped or failed */
    char note[1024];  /**< why it is not right */
};

/** As snprintf; a text that is too long is cut. */
void tour_fit(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Fills a row from the output of a step.
 * @param row    gets everything except the idea; its `step` is already set
 * @param json   the step's standard output: a JSON line for each variant
 * @param errors the first line of its standard error, or ""
 * @param status its exit status, 128 + N if signal N ended it */
void tour_summarise(struct row *row, FILE *json, const char *errors, int status);

/** Prints the ladder and its legend. If `columns` is too narrow for the table (0: never), each
 * step's numbers follow one another and are wrapped. */
void tour_print(FILE *out, const struct row *rows, int count, int columns);

/** Writes the plot's data in the current folder: `bars`, a line per timed step (y, step,
 * GFLOP/s, label, where the label begins), and `vendor`, two points per step for the library's
 * line.
 * @return the number of steps in the plot; -1 if the files cannot be written */
int tour_write_plot_data(const struct row *rows, int count);

#endif
