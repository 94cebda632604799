/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 05-sum-in-packing: a sum of two quadrants of A that is never stored as a matrix.
 */
#include "exercises/packed_level.h"

/* Packs rows [i, i + ROWS) of x + sign * y into `packed`, column by column, with zeros below
   the last row of x. If y.at is NULL, packs x alone. */
static void pack_sum(struct block x, struct block y, real sign, long i, real *packed)
{
    /* YOUR CODE: ROWS * x.cols elements of packed */
    for (long l = 0; l < x.cols; l++)
        for (long r = 0; r < ROWS; r++) {
            real value = 0;
            if (i + r < x.rows) {
                value = x.at[(i + r) * x.ld + l];
                if (y.at)
                    value += sign * y.at[(i + r) * y.ld + l];
            }
            /* The tile's loop reads one element after the other from here, ROWS for each step
             * of k. */
            packed[l * ROWS + r] = value;
        }
    /* END */
}

static void update(const real *tile, long rows, long cols, long i, long j, struct block c1,
                   real sign1, struct block c2, real sign2)
{
    for (long r = 0; r < rows; r++)
        for (long s = 0; s < cols; s++) {
            c1.at[(i + r) * c1.ld + j + s] += sign1 * tile[r * COLS + s];
            if (c2.at)
                c2.at[(i + r) * c2.ld + j + s] += sign2 * tile[r * COLS + s];
        }
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    count_in_the_open();
    packed_level(p, workspace, false, pack_sum, update);
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    long n = p.c.cols, k = p.a.cols;
    return (size_t)(ROWS * (k / 2) + k / 2 * (n / 2));
}

static int one(const struct context *ctx, struct product p, int levels) { return 1; }

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your sum in the packing",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .bound = {.scheme = &strassen_scheme},
     .levels = one,
     .shapes = {.multiple = 1}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "ikj", .sentence = "the triple loop of step 01", .multiply = multiply_ikj}, {0}};

const struct step STEP = {
    .name = "05-sum-in-packing",
    .idea = "a sum of two quadrants that is never stored as a matrix",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 1,
    .note = counted_note,
};
