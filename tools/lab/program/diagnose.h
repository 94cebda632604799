/* SPDX-License-Identifier: MIT */
/** @file diagnose.h
 * What is known about a wrong C after it was computed again under other circumstances.
 */
#ifndef TOOLS_LAB_PROGRAM_DIAGNOSE_H
#define TOOLS_LAB_PROGRAM_DIAGNOSE_H

#include <stdio.h>

#include "common/check/trial.h"
#include "common/command/options.h"
#include "common/check/verify.h"
#include "simgpu/simgpu.h"

/** Bytes of a text. */
enum { DIAGNOSIS = 4096 };

/** Facts about a wrong C. */
struct diagnosis {
    const struct options *shown; /**< whose leading dimensions a sentence names */
    char unit;      /**< 'A' or 'B': in the next run it has a single 1 in each of its rows, or
                       columns, and the other matrix is coded */
    bool backwards; /**< these are on the other diagonal */
    bool nan;       /**< they are about NaN: the cell and matrix that it comes from */
    bool adds_to_c; /**< it comes from the old values of C */
    bool right;     /**< on the integers of this run every element was right */
    char text[DIAGNOSIS];    /**< sentences, or a map of the wrong elements; "" without any */
    char tile[DIAGNOSIS];    /**< in addition to a map: what shared arrays hold; "" if it is not
                                known */
    char probe[DIAGNOSIS];   /**< what comes of other numbers in A and B; "" without */
    char written[DIAGNOSIS]; /**< which lines of C alone were written; "" without */
    bool tiles_right; /**< these are all that there is of A and B, and hold what they should */
    long row, column; /**< the first wrong element */
    long block_x, block_y; /**< of the grid, whose arrays are looked at */
    bool differs;          /**< an array holds something else than the tile */
    long side[4]; /**< of a block's tiles: rows of A, columns of B, and along k those of A and
                     of B; 0: not known */
};

/** Examines what `yours` computes with these options, after the checker found it wrong. On the
 * processor it says where a NaN comes from (the simulated GPU names the line). If the checker
 * found no hypothesis for wrong numbers it draws a map of them and, on the simulated GPU, shows
 * what the learner's shared arrays hold where they hold elements of A or B. */
void diagnose(const struct options *options, const struct verdict *verdict,
              struct diagnosis *diagnosis);

/** Appends to one of the texts of a diagnosis. */
void diagnosis_say(char text[DIAGNOSIS], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** The most numbers that arrays.c writes; all of them are exact in float. */
static const double most_codes = 0x1p24;

/** Gives each element of A and B another number, from 1 on. */
void write_codes(struct trial *trial);

/** Compares the arrays that were kept of block (block_x, block_y) with the elements of A and B,
 * after a run on these numbers. */
void look_at_arrays(const struct trial *trial, struct diagnosis *diagnosis);

/* Of the simulated GPU; other programs do not link it. */
extern void simgpu_keep_shared(const char *file, unsigned x, unsigned y) __attribute__((weak));
extern int simgpu_get_kept_shared(int index, struct simgpu_kept_shared *kept)
    __attribute__((weak));

/** The largest m, n, k that fit a screen. */
enum { SHOW_MOST = 12 };

/** Runs `yours` once on small integers and prints A, B, its C and the right one side by side,
 * each line after "| ". The first difference is marked. Returns the exit status. */
int show_matrices(FILE *out, const struct options *options);

#endif
