/**
 * @file
 * Exercise 01-row-order: the triple loop in an order that walks along the rows.
 */
#include "common/step.h"

/* ijk of step 01: every step of l jumps a whole row of B. */
static void multiply_before(const struct problem *p, void *workspace)
{
    const real *a = p->a, *b = p->b;
    real *c = p->c;
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            c[i * p->ldc + j] = 0;
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            for (long l = 0; l < p->k; l++)
                c[i * p->ldc + j] += a[i * p->lda + l] * b[l * p->ldb + j];
}

static void multiply_yours(const struct problem *p, void *workspace)
{
    const real *a = p->a, *b = p->b;
    real *c = p->c;
    /* YOUR CODE: C = A * B, m x k times k x n */
    /* With j innermost a row of B and a row of C are walked along the cache lines, and the
       processor multiplies several neighbours at once; `a` stays in a register. */
    for (long i = 0; i < p->m; i++) {
        for (long j = 0; j < p->n; j++)
            c[i * p->ldc + j] = 0;
        for (long l = 0; l < p->k; l++) {
            real ail = a[i * p->lda + l];
            for (long j = 0; j < p->n; j++)
                c[i * p->ldc + j] += ail * b[l * p->ldb + j];
        }
    }
    /* END */
}

static const struct variant variants[] = {
    {"yours", "your triple loop", multiply_yours},
    {"before", "ijk of step 01", multiply_before},
    {0},
};

const struct step STEP = {
    .name = "01-row-order",
    .idea = "the triple loop in an order that walks along the rows",
    .variants = variants,
    .default_n = 256,
};
