/**
 * @file block.h
 * A block of a matrix and its quadrants: what every recursive step is written with. A block holds
 * a pointer and never follows it, so it may as well be a device pointer.
 */
#ifndef LADDER_BLOCK_H
#define LADDER_BLOCK_H

#include "common/step.h"

/** A rows x cols block of a row-major matrix: element (i, j) is at[i * ld + j]. */
struct block {
    real *at;
    long rows, cols, ld;
};

/** The block of x that starts at (i, j). */
static inline struct block part(struct block x, long i, long j, long rows, long cols)
{
    return (struct block){x.at + i * x.ld + j, rows, cols, x.ld};
}

/** The quadrants of a block whose rows and columns are even. */
struct quadrants {
    struct block q11, q12, q21, q22;
};

static inline struct quadrants quadrants_of(struct block x)
{
    long r = x.rows / 2, c = x.cols / 2;
    return (struct quadrants){part(x, 0, 0, r, c), part(x, 0, c, r, c), part(x, r, 0, r, c),
                              part(x, r, c, r, c)};
}

/** The operands of a problem as blocks. A and B are only read, whatever their type says. */
static inline struct block block_a(const struct problem *p)
{
    return (struct block){(real *)p->a, p->m, p->k, p->lda};
}

static inline struct block block_b(const struct problem *p)
{
    return (struct block){(real *)p->b, p->k, p->n, p->ldb};
}

static inline struct block block_c(const struct problem *p)
{
    return (struct block){p->c, p->m, p->n, p->ldc};
}

/** The problem C = A * B on blocks, with what `like` says of leaves, levels and threads. */
static inline struct problem problem_on(const struct problem *like, struct block a, struct block b,
                                        struct block c)
{
    struct problem p = *like;
    p.m = c.rows;
    p.n = c.cols;
    p.k = a.cols;
    p.a = a.at;
    p.lda = a.ld;
    p.b = b.at;
    p.ldb = b.ld;
    p.c = c.at;
    p.ldc = c.ld;
    return p;
}

/** Takes a contiguous rows x cols block off the front of the workspace. */
static inline struct block take_block(real **workspace, long rows, long cols)
{
    struct block x = {*workspace, rows, cols, cols};
    *workspace += rows * cols;
    return x;
}

#endif
