/* SPDX-License-Identifier: MIT */
/** @file ikj.h
 * The triple loop as later steps use it: in two orders as a leaf, and with every term and
 * every sum rounded by itself.
 */
#ifndef STEPS_01_CPU_NAIVE_IKJ_H
#define STEPS_01_CPU_NAIVE_IKJ_H

#include "common/step.h"

/* C starts at zero wherever k is not the innermost loop: there each c is visited n times. */
static inline void clear(struct block C)
{
    for (long i = 0; i < C.rows; i++)
        for (long j = 0; j < C.cols; j++)
            C.at[i * C.ld + j] = 0;
}

/// [ijk]
/* C += A * B: a row of A, a column of B. Every step of l jumps a whole row of B. The innermost
   statement is that of all six orders (Fatahalian et al. (2004), section 2.1; the optimisation
   study and Musella, Algorithm 1). */
static inline void add_ijk(struct block A, struct block B, struct block C)
{
    for (long i = 0; i < C.rows; i++)
        for (long j = 0; j < C.cols; j++)
            for (long l = 0; l < A.cols; l++)
                C.at[i * C.ld + j] += A.at[i * A.ld + l] * B.at[l * B.ld + j];
}
/// [ijk]

/// [ikj]
/* C += A * B: one a, a row of B, a row of C. Both rows are walked along the cache lines. */
static inline void add_ikj(struct block A, struct block B, struct block C)
{
    for (long i = 0; i < C.rows; i++)
        for (long l = 0; l < A.cols; l++)
            for (long j = 0; j < C.cols; j++)
                C.at[i * C.ld + j] += A.at[i * A.ld + l] * B.at[l * B.ld + j];
}
/// [ikj]

/** add_ijk() as the leaf of a recursion, for C = A * B or C += A * B. */
static inline void multiply_ijk(const struct context *ctx, struct product p, int levels,
                                real *workspace)
{
    (void)ctx, (void)levels, (void)workspace; /* a leaf that can add has the long form */
    if (!p.accumulate)
        clear(p.c);
    add_ijk(p.a, p.b, p.c);
}

/** add_ikj() as a leaf. */
static inline void multiply_ikj(const struct context *ctx, struct product p, int levels,
                                real *workspace)
{
    (void)ctx, (void)levels, (void)workspace; /* see multiply_ijk() */
    if (!p.accumulate)
        clear(p.c);
    add_ikj(p.a, p.b, p.c);
}

#endif
