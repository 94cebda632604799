/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 04-without-padding: adds what a product of the even part leaves out.
 */
#include "exercises/counted.h"

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    struct block a = p.a, b = p.b, c = p.c;
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    long em = m / 2 * 2, en = n / 2 * 2, ek = k / 2 * 2;
    count_from_zero();
    product(part(a, 0, 0, em, ek), part(b, 0, 0, ek, en), part(c, 0, 0, em, en));
    /* YOUR CODE: the last inner index, the last column, the last row, where there is one */
    /* The last row takes all columns, the last column only the first em rows, so that the
       corner is computed once. Blocks without rows or columns cost nothing. */
    product_add(part(a, 0, ek, em, k - ek), part(b, ek, 0, k - ek, en), part(c, 0, 0, em, en));
    product(part(a, 0, 0, em, k), part(b, 0, en, k, n - en), part(c, 0, en, em, n - en));
    product(part(a, em, 0, m - em, k), b, part(c, em, 0, m - em, n));
    /* END */
}

static const struct variant variants[] = {
    {.name = "yours", .sentence = "your border", .multiply = multiply_yours}, {0}};

const struct step STEP = {
    .name = "04-without-padding",
    .idea = "what a product of the even part leaves out",
    .variants = variants,
    .default_n = 33,
    .note = counted_note,
};
