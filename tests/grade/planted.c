/* SPDX-License-Identifier: MIT */
/** @file planted.c
 * Products that the checker accepts and tools/measure/grade.py must judge: a step with a right
 * variant, and two that lose small numbers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "steps/01-cpu-naive/ikj.h"

static real largest(const real *x, long count)
{
    real most = 0;
    for (long i = 0; i < count; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* The triple loop over a changed copy of A: each element is rounded to a multiple of 2^-56
   times the largest one of its row, or of the whole matrix. */
static void multiply_rounded(struct product p, int by_rows)
{
    long k = p.a.cols, count = p.a.rows * k;
    real *copy = malloc(count * sizeof *copy);
    struct product q = p;
    if (!copy)
        exit(EXIT_RESOURCE);
    for (long i = 0; i < p.a.rows; i++)
        memcpy(copy + i * k, p.a.at + i * p.a.ld, k * sizeof *copy);
    real of_all = largest(copy, count);
    for (long i = 0; i < p.a.rows; i++) {
        real unit = (by_rows ? largest(copy + i * k, k) : of_all) * 0x1p-56;
        for (long l = 0; unit > 0 && l < k; l++)
            copy[i * k + l] = nearbyint(copy[i * k + l] / unit) * unit;
    }
    q.a.at = copy, q.a.ld = k;
    multiply_ikj(NULL, q, 0, NULL);
    free(copy);
}

static void drops_in_rows(struct block a, struct block b, struct block c)
{
    multiply_rounded((struct product){a, b, c, 0}, 1);
}

static void drops_in_all(struct block a, struct block b, struct block c)
{
    multiply_rounded((struct product){a, b, c, 0}, 0);
}

static void honest(struct block a, struct block b, struct block c)
{
    multiply_ikj(NULL, (struct product){a, b, c, 0}, 0, NULL);
}

static const struct variant variants[] = {
    {.name = "honest", .sentence = "the triple loop", .simple = honest},
    {.name = "rows", .sentence = "a fixed point in each row", .simple = drops_in_rows},
    {.name = "all",
     .sentence = "one fixed point",
     .simple = drops_in_all,
     .bound = {.split = 0x1p-50}},
    {0},
};

const struct step STEP = {
    .name = "planted",
    .idea = "products that lose small numbers",
    .variants = variants,
    .default_n = 40,
};
