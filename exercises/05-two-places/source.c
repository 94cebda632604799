/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 05-two-places: one tile of a product, added to two quadrants of C.
 */
#include "exercises/packed_level.h"

static void pack(struct block x, struct block y, real sign, long i, real *packed)
{
    for (long l = 0; l < x.cols; l++)
        for (long r = 0; r < ROWS; r++)
            packed[l * ROWS + r] = i + r < x.rows ? x.at[(i + r) * x.ld + l] : 0;
}

/* Adds sign1 * tile to c1 and sign2 * tile to c2, both from row i and column j on. The tile has
   COLS elements in a row; only its upper left rows x cols belong to C. If c2.at is NULL, adds
   to c1 alone. */
static void update_two(const real *tile, long rows, long cols, long i, long j, struct block c1,
                       real sign1, struct block c2, real sign2)
{
    /* YOUR CODE: read every element of the tile once */
    for (long r = 0; r < rows; r++)
        for (long s = 0; s < cols; s++) {
            real value = tile[r * COLS + s];
            c1.at[(i + r) * c1.ld + j + s] += sign1 * value;
            /* The value is still in a register: the second place costs no product, and no
             * second pass over the tile. */
            if (c2.at)
                c2.at[(i + r) * c2.ld + j + s] += sign2 * value;
        }
    /* END */
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    count_in_the_open();
    packed_level(p, workspace, true, pack, update_two);
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    return (size_t)(ROWS * (k / 2) + k / 2 * (n / 2) + m / 2 * (k / 2));
}

static int one(const struct context *ctx, struct product p, int levels) { return 1; }

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your two places",
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
    .name = "05-two-places",
    .idea = "one tile of a product, added to two quadrants of C",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 1,
    .note = counted_note,
};
