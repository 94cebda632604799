/* SPDX-License-Identifier: MIT */
/** @file 02-cpu-blocked.c
 * Blocking for the caches, then for the registers: from the triple loop to the
 * vendor's speed. */
#include "packed.h"

/* Three square blocks of 64, one of each matrix, fit a first-level cache of 48 KiB and more. */
enum { BLOCK = 64 };
_Static_assert(3 * BLOCK * BLOCK * sizeof(float) <= 48 << 10, "three blocks fit the cache");

/// [blocked]
/* By square blocks: three are in use at a time and fit in the cache together. Inside a block
   the order is i, l, j, along the rows of B and C (Fatahalian et al. (2004), section 2.1; the
   optimisation study, Algorithm 3). */
static void multiply_blocked(struct block A, struct block B, struct block C)
{
    const real *a = A.at, *b = B.at;
    real *c = C.at;
    for (long i = 0; i < C.rows; i++)
        for (long j = 0; j < C.cols; j++)
            c[i * C.ld + j] = 0;

    for (long i0 = 0; i0 < C.rows; i0 += BLOCK)
        for (long l0 = 0; l0 < A.cols; l0 += BLOCK)
            for (long j0 = 0; j0 < C.cols; j0 += BLOCK)

                for (long i = i0; i < smaller(i0 + BLOCK, C.rows); i++)
                    for (long l = l0; l < smaller(l0 + BLOCK, A.cols); l++) {
                        real ail = a[i * A.ld + l];
                        for (long j = j0; j < smaller(j0 + BLOCK, C.cols); j++)
                            c[i * C.ld + j] += ail * b[l * B.ld + j];
                    }
}
/// [blocked]

/* C fixes the order of a floating-point sum, and a sum in order cannot be vectorised: the
   pragma allows a partial sum for each vector lane, added at the end. */
static real dot(long k, const real *x, const real *y)
{
    real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long l = 0; l < k; l++)
        sum += x[l] * y[l];
    return sum;
}

static size_t workspace_transposed(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)levels; /* the sizes decide */
    return (size_t)(p.c.cols * p.a.cols);
}

/// [transposed]
/* B is transposed first, so that both factors of a dot product are along cache lines; then
   BLOCK rows of A meet BLOCK rows of B^T before the next are fetched. */
static void multiply_transposed(const struct context *ctx, struct product p, int levels,
                                real *workspace)
{
    (void)ctx, (void)levels; /* other variants need more */
    const real *a = p.a.at, *b = p.b.at;
    real *c = p.c.at, *bt = workspace;
    for (long l0 = 0; l0 < p.a.cols; l0 += BLOCK) /* by blocks: one side is read across rows */
        for (long j = 0; j < p.c.cols; j++)
            for (long l = l0; l < smaller(l0 + BLOCK, p.a.cols); l++)
                bt[j * p.a.cols + l] = b[l * p.b.ld + j];

    for (long i0 = 0; i0 < p.c.rows; i0 += BLOCK)
        for (long j0 = 0; j0 < p.c.cols; j0 += BLOCK)
            for (long i = i0; i < smaller(i0 + BLOCK, p.c.rows); i++)
                for (long j = j0; j < smaller(j0 + BLOCK, p.c.cols); j++)
                    c[i * p.c.ld + j] = dot(p.a.cols, a + i * p.a.ld, bt + j * p.a.cols);
}
/// [transposed]

static const struct variant variants[] = {
    {.name = "blocked", .sentence = "tiled by square blocks", .simple = multiply_blocked},
    {.name = "transposed",
     .sentence = "B transposed, dot products by blocks",
     .multiply = multiply_transposed,
     .workspace = workspace_transposed},
    {.name = "packed",
     .sentence =
         "packed panels and a register-blocked micro-kernel, on up to --threads threads",
     .multiply = multiply_packed,
     .workspace = workspace_packed},
    {0},
};

const struct step STEP = {
    .name = "02-cpu-blocked",
    .idea = "blocks for the caches and the registers; a micro-kernel at the vendor's speed",
    .variants = variants,
    .default_n = 1024,
    .note = packed_note,
};
