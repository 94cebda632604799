/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 01-row-order: the triple loop in an order that walks along the rows.
 */
#include "common/step.h"

/* ijk of step 01: every step of l jumps a whole row of B. */
static void multiply_before(const struct context *ctx, struct product p, int levels,
                            real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    const real *a = p.a.at, *b = p.b.at;
    real *c = p.c.at;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            c[i * p.c.ld + j] = 0;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            for (long l = 0; l < k; l++)
                c[i * p.c.ld + j] += a[i * p.a.ld + l] * b[l * p.b.ld + j];
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    const real *a = p.a.at, *b = p.b.at;
    real *c = p.c.at;
    /* YOUR CODE: C = A * B, m x k times k x n */
    /* With j innermost the loop walks along a row of B and a row of C, and the processor
       multiplies several neighbours at once; `a` stays in a register. */
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < n; j++)
            c[i * p.c.ld + j] = 0;
        for (long l = 0; l < k; l++) {
            real ail = a[i * p.a.ld + l];
            for (long j = 0; j < n; j++)
                c[i * p.c.ld + j] += ail * b[l * p.b.ld + j];
        }
    }
    /* END */
}

static const struct variant variants[] = {
    {.name = "yours", .sentence = "your triple loop", .multiply = multiply_yours},
    {.name = "before", .sentence = "ijk of step 01", .multiply = multiply_before},
    {0},
};

const struct step STEP = {
    .name = "01-row-order",
    .idea = "the triple loop in an order that walks along the rows",
    .variants = variants,
    .default_n = 256,
};
