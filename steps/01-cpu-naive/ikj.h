/**
 * @file ikj.h
 * The triple loop in the order that walks along the cache lines; later steps use it as their
 * leaf.
 */
#ifndef STEPS_01_CPU_NAIVE_IKJ_H
#define STEPS_01_CPU_NAIVE_IKJ_H

#include "common/step.h"

/* The elements of a problem: c(i, j), a(i, l), b(l, j). */
#define A_OF(p, i, l) (((const real *)(p)->a)[(i) * (p)->lda + (l)])
#define B_OF(p, l, j) (((const real *)(p)->b)[(l) * (p)->ldb + (j)])
#define C_OF(p, i, j) (((real *)(p)->c)[(i) * (p)->ldc + (j)])

/// [clear]
/* C starts at zero wherever k is not the innermost loop: there each c is visited n times. */
static inline void clear(const struct problem *p)
{
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            C_OF(p, i, j) = 0;
}
/// [clear]

/* What stands inside all six: c_ij += a_il * b_lj (Fatahalian et al. (2004), section 2.1; the
   optimisation study and Musella, Algorithm 1). */
#define MULTIPLY_ADD(p, i, j, l) (C_OF(p, i, j) += A_OF(p, i, l) * B_OF(p, l, j))

/// [ijk]
/* A row of A, a column of B: every step of l jumps a whole row of B. */
static inline void multiply_ijk(const struct problem *p, void *workspace)
{
    (void)workspace;
    if (!p->accumulate)
        clear(p);
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            for (long l = 0; l < p->k; l++)
                MULTIPLY_ADD(p, i, j, l);
}
/// [ijk]

/// [ikj]
/* One a, a row of B, a row of C: both rows are walked along the cache lines. */
static inline void multiply_ikj(const struct problem *p, void *workspace)
{
    (void)workspace;
    if (!p->accumulate)
        clear(p);
    for (long i = 0; i < p->m; i++)
        for (long l = 0; l < p->k; l++)
            for (long j = 0; j < p->n; j++)
                MULTIPLY_ADD(p, i, j, l);
}
/// [ikj]

#endif
