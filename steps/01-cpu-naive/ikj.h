/* SPDX-License-Identifier: MIT */
/** @file ikj.h
 * The triple loop as later steps use it: in two orders as a leaf, and with every product and
 * every sum rounded by itself.
 */
#ifndef STEPS_01_CPU_NAIVE_IKJ_H
#define STEPS_01_CPU_NAIVE_IKJ_H

#include "common/step.h"

/* Element (i, j) of a block. */
#define AT(x, i, j) ((x).at[(i) * (x).ld + (j)])

/// [clear]
/* C starts at zero wherever k is not the innermost loop: there each c is visited n times. */
static inline void clear(struct block c)
{
    for (long i = 0; i < c.rows; i++)
        for (long j = 0; j < c.cols; j++)
            AT(c, i, j) = 0;
}
/// [clear]

/* The innermost statement of all six: c_ij += a_il * b_lj (Fatahalian et al. (2004), section
   2.1; the optimisation study and Musella, Algorithm 1). */
#define MULTIPLY_ADD(p, i, j, l) (AT(p.c, i, j) += AT(p.a, i, l) * AT(p.b, l, j))

/// [ijk]
/* A row of A, a column of B: every step of l jumps a whole row of B. */
static inline void multiply_ijk(const struct context *ctx, struct product p, int levels,
                                real *workspace)
{
    if (!p.accumulate)
        clear(p.c);
    for (long i = 0; i < p.c.rows; i++)
        for (long j = 0; j < p.c.cols; j++)
            for (long l = 0; l < p.a.cols; l++)
                MULTIPLY_ADD(p, i, j, l);
}
/// [ijk]

/// [ikj]
/* One a, a row of B, a row of C: both rows are walked along the cache lines. */
static inline void multiply_ikj(const struct context *ctx, struct product p, int levels,
                                real *workspace)
{
    if (!p.accumulate)
        clear(p.c);
    for (long i = 0; i < p.c.rows; i++)
        for (long l = 0; l < p.a.cols; l++)
            for (long j = 0; j < p.c.cols; j++)
                MULTIPLY_ADD(p, i, j, l);
}
/// [ikj]

#ifdef __cplusplus
extern "C" {
#endif

/** C = A * B without fused multiply-adds, on ctx->threads threads: see unfused.c. Each
 * element's sum runs over l = 0, 1, ... in order, so the bits are the triple loop's. */
void multiply_unfused(const struct context *ctx, struct product p, int levels, real *workspace);

/** Elements of its workspace, for the block of B in use. */
size_t workspace_unfused(const struct context *ctx, struct product p, int levels);

#ifdef __cplusplus
}
#endif

#endif
