/**
 * @file ikj.h
 * The triple loop in the order that walks along the cache lines; later steps use it as their leaf.
 */
#ifndef LADDER_IKJ_H
#define LADDER_IKJ_H

#include "common/step.h"

/// [clear]
/* C starts at zero wherever k is not the innermost loop: there each c is visited n times. */
static inline void clear(const struct problem *p)
{
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            p->c[i * p->ldc + j] = 0;
}
/// [clear]

/* What stands inside all six: c_ij += a_il * b_lj (002 section 2.1; 003 and 004, Algorithm 1). */
#define MULTIPLY_ADD(p, i, j, l) \
    ((p)->c[(i) * (p)->ldc + (j)] += (p)->a[(i) * (p)->lda + (l)] * (p)->b[(l) * (p)->ldb + (j)])

/// [ikj]
/* One a, a row of B, a row of C: both rows are walked along the cache lines. */
static inline void multiply_ikj(const struct problem *p, real *workspace)
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
