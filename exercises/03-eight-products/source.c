/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 03-eight-products: a recursion over quadrants that takes any size.
 */
#include "exercises/counted.h"

static long first_half(long n) { return (n + 1) / 2; }

/* Half `row_half` (0 or 1) of the rows and `col_half` of the columns of x; it may be empty. */
static struct block quarter(struct block x, int row_half, int col_half)
{
    long r = first_half(x.rows), c = first_half(x.cols);
    return part(x, row_half * r, col_half * c, row_half ? x.rows - r : r,
                col_half ? x.cols - c : c);
}

/* c += a * b */
static void multiply_add(struct block a, struct block b, struct block c, int levels)
{
    /* YOUR CODE: product_add(a, b, c) where no level is left */
    if (c.rows == 0 || c.cols == 0 || a.cols == 0)
        return;
    if (levels == 0) {
        product_add(a, b, c);
        return;
    }
    /* Both products are added to their quadrant of C directly: no temporary is needed. */
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int l = 0; l < 2; l++)
                multiply_add(quarter(a, i, l), quarter(b, l, j), quarter(c, i, j), levels - 1);
    /* END */
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    count_from_zero();
    clear_counted(p.c);
    multiply_add(p.a, p.b, p.c, levels);
}

static const struct variant variants[] = {
    {.name = "yours", .sentence = "your recursion", .multiply = multiply_yours}, {0}};

static const struct leaf leaves[] = {
    {.name = "ikj", .sentence = "the triple loop of step 01", .multiply = multiply_ikj}, {0}};

const struct step STEP = {
    .name = "03-eight-products",
    .idea = "eight products of quadrants, of any size",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 16,
    .note = counted_note,
};
