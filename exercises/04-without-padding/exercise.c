/**
 * @file
 * Exercise 04-without-padding: what a product of the even part leaves out.
 */
#include "exercises/counted.h"

static void multiply_yours(const struct problem *p, void *workspace)
{
    struct block a = block_a(p), b = block_b(p), c = block_c(p);
    long m = p->m, n = p->n, k = p->k;
    long em = m / 2 * 2, en = n / 2 * 2, ek = k / 2 * 2;
    count_from_zero();
    product(part(a, 0, 0, em, ek), part(b, 0, 0, ek, en), part(c, 0, 0, em, en));
    /* YOUR CODE: the last inner index, the last column, the last row, where there is one */
    /* END */
}

static const struct variant variants[] = {{"yours", "your border", multiply_yours}, {0}};

const struct step STEP = {
    .name = "04-without-padding",
    .idea = "what a product of the even part leaves out",
    .variants = variants,
    .default_n = 33,
    .note = counted_note,
};
