/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 11-a-check-that-can-fail: a checker that accepts products and nothing else.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exercises/apart.h"
#include "exercises/questions.h"
#include "steps/01-cpu-naive/ikj.h"

/* c = a * b in float, no gaps between rows: a correct product, up to its own round-off error.
 */
static void trusted_product(const real *a, const real *b, real *c, long m, long n, long k)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            real sum = 0;
            for (long l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}

/* Whether c is the product of a (m x k) and b (k x n), as precisely as float allows: each
   element within (k + 1) u sum |a_il| |b_lj| of the exact one, with u = 2^-24. There are no
   gaps between rows. */
static bool is_product(const real *a, const real *b, real *c, long m, long n, long k)
{
    /* YOUR CODE: true for a product, false for anything else; c comes back as it came */
    /* STUB: real *reference = c; */
    /* STUB: trusted_product(a, b, reference, m, n, k); */
    /* STUB: for (long i = 0; i < m * n; i++) */
    /* STUB:     if (fabs(reference[i] - c[i]) > 1e-3) */
    /* STUB:         return false; */
    /* STUB: return true; */
    /* In double the sums are right to far beyond float's last bit. The comparison is written so
       that it is false for NaN, which is neither larger nor smaller than anything. */
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            double sum = 0, size = 0;
            for (long l = 0; l < k; l++) {
                double term = (double)a[i * k + l] * b[l * n + j];
                sum += term;
                size += fabs(term);
            }
            if (!(fabs(c[i * n + j] - sum) <= (double)(k + 1) * 0x1p-24 * size))
                return false;
        }
    return true;
    /* END */
}

/* The checker makes the samples (exercises/questions.c), and keeps what is right. */
static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    struct question_sample *s;
    bool accepted = false;
    apart_begin(sizeof(real), ONLY_ASK);
    while ((s = apart_next(QUESTION_SAMPLE, accepted, 0))) {
        real *a = s->numbers, *b = a + s->m * s->k, *c = b + s->k * s->n;
        accepted = is_product(a, b, c, s->m, s->n, s->k);
    }
    multiply_ikj(ctx, p, levels, workspace);
}

static const struct variant variants[] = {
    {.name = "yours", .sentence = "your checker, on 48 samples", .multiply = multiply_yours},
    {0},
};

const struct step STEP = {
    .name = "11-a-check-that-can-fail",
    .idea = "a checker that accepts products and nothing else",
    .variants = variants,
    .default_n = 16,
    .note = apart_note,
};
