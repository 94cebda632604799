/**
 * @file
 * Exercise 02-packed-block: blocks of B, copied to where they lie close together.
 */
#include <stdio.h>

#include "common/step.h"

enum { BLOCK = 64 };

static long smaller(long x, long y) { return x < y ? x : y; }

/* ijk of step 01. */
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

/* Element (l, j) of B: the only way to it, so that the check can count how often B is read. */
static const real *matrix_b;
static long reads_of_b;
static inline real element_of_b(const struct problem *p, long l, long j)
{
    reads_of_b++;
    return matrix_b[l * p->ldb + j];
}

/* Here p->b is NULL. */
static void multiply_in_blocks(const struct problem *p, real *workspace)
{
    const real *a = p->a;
    real *c = p->c;
    /* YOUR CODE: workspace holds BLOCK * BLOCK elements */
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            c[i * p->ldc + j] = 0;
    for (long first = 0; first < p->k; first += BLOCK)
        for (long left = 0; left < p->n; left += BLOCK) {
            long rows = smaller(BLOCK, p->k - first), cols = smaller(BLOCK, p->n - left);
            for (long l = 0; l < rows; l++)
                for (long j = 0; j < cols; j++)
                    workspace[l * cols + j] = element_of_b(p, first + l, left + j);
            /* Every element of the block is now used m times, from a cache that holds it. */
            for (long i = 0; i < p->m; i++)
                for (long l = 0; l < rows; l++) {
                    real ail = a[i * p->lda + first + l];
                    for (long j = 0; j < cols; j++)
                        c[i * p->ldc + left + j] += ail * workspace[l * cols + j];
                }
        }
    /* END */
}

static void multiply_yours(const struct problem *p, void *workspace)
{
    struct problem hidden = *p;
    matrix_b = p->b, reads_of_b = 0, hidden.b = NULL;
    multiply_in_blocks(&hidden, workspace);
}

static size_t workspace_yours(const struct problem *p) { return BLOCK * BLOCK; }

static const char *note(void)
{
    static char text[32];
    snprintf(text, sizeof text, "reads_of_B=%ld", reads_of_b);
    return text;
}

static const struct variant variants[] = {
    {"yours", "your blocks", multiply_yours, workspace_yours},
    {"before", "ijk of step 01", multiply_before},
    {0},
};

const struct step STEP = {
    .name = "02-packed-block",
    .idea = "blocks of B, copied to where they lie close together",
    .variants = variants,
    .default_n = 256,
    .note = note,
};
