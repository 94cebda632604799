/**
 * @file 02-cpu-blocked.c
 * Blocking for the caches, then for the registers: from the triple loop to the vendor's speed.
 */
#include "packed.h"
#include "tune.h"

/* Three square blocks of 64, one of each matrix, fit a first-level cache of 48 KiB and more. */
enum { BLOCK = 64 };
_Static_assert(3 * BLOCK * BLOCK * sizeof(float) <= 48 << 10, "three blocks fit the cache");

/// [blocked]
/* By square blocks: three are in use at a time and fit in the cache together. Inside a block
   the order is i, l, j, along the rows of B and C (Fatahalian et al. (2004), section 2.1; the
   optimisation study, Algorithm 3). */
static void multiply_blocked(const struct problem *p, void *workspace)
{
    const real *a = p->a, *b = p->b;
    real *c = p->c;
    (void)workspace;
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            c[i * p->ldc + j] = 0;

    for (long i0 = 0; i0 < p->m; i0 += BLOCK)
        for (long l0 = 0; l0 < p->k; l0 += BLOCK)
            for (long j0 = 0; j0 < p->n; j0 += BLOCK)

                for (long i = i0; i < smaller(i0 + BLOCK, p->m); i++)
                    for (long l = l0; l < smaller(l0 + BLOCK, p->k); l++) {
                        real ail = a[i * p->lda + l];
                        for (long j = j0; j < smaller(j0 + BLOCK, p->n); j++)
                            c[i * p->ldc + j] += ail * b[l * p->ldb + j];
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

static size_t workspace_transposed(const struct problem *p) { return (size_t)(p->n * p->k); }

/// [transposed]
/* B is transposed first, so that both factors of a dot product lie along cache lines; then
   BLOCK rows of A meet BLOCK rows of B^T before the next are fetched. */
static void multiply_transposed(const struct problem *p, void *workspace)
{
    const real *a = p->a, *b = p->b;
    real *c = p->c, *bt = workspace;
    for (long l0 = 0; l0 < p->k; l0 += BLOCK) /* by blocks: one side is read across rows */
        for (long j = 0; j < p->n; j++)
            for (long l = l0; l < smaller(l0 + BLOCK, p->k); l++)
                bt[j * p->k + l] = b[l * p->ldb + j];

    for (long i0 = 0; i0 < p->m; i0 += BLOCK)
        for (long j0 = 0; j0 < p->n; j0 += BLOCK)
            for (long i = i0; i < smaller(i0 + BLOCK, p->m); i++)
                for (long j = j0; j < smaller(j0 + BLOCK, p->n); j++)
                    c[i * p->ldc + j] = dot(p->k, a + i * p->lda, bt + j * p->k);
}
/// [transposed]

static const struct variant variants[] = {
    {"blocked", "tiled by square blocks", multiply_blocked},
    {"transposed", "B transposed, dot products by blocks", multiply_transposed,
     workspace_transposed},
    {"packed", "packed panels and a register-blocked micro-kernel, on --threads threads",
     multiply_packed, workspace_packed},
    {0},
};

static const struct action actions[] = {
    {"tune", "measure which block sizes are best here, keep them, and stop", tune},
    {0},
};

const struct step STEP = {
    .name = "02-cpu-blocked",
    .idea = "blocks for the caches and the registers; a micro-kernel at the vendor's speed",
    .variants = variants,
    .actions = actions,
    .default_n = 1024,
    .note = packed_note,
};
