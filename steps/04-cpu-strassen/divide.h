/**
 * @file divide.h
 * What every Strassen-like recursion needs around its idea: odd sizes, by peeling or by padding.
 *
 * A method writes one level for even m, n, k (a `level_function`) and calls multiply_divided() for
 * its products. Steps 04 and 05 share this.
 */
#ifndef LADDER_DIVIDE_H
#define LADDER_DIVIDE_H

#include "steps/03-cpu-divide-conquer/sums.h"

/** Workspace of a recursion: the leaf's, shared by all products, and what is still free. */
struct arena {
    real *leaf;
    real *next;
};

/** One level of a method: p->m, p->n and p->k are even, p->levels >= 1. */
typedef void level_function(const struct problem *p, struct arena arena);

/** Elements one level takes for itself and its products, leaves not counted. */
typedef size_t level_workspace(const struct problem *p);

/// [peel]
/* The last row, column and inner index that an even-sized product left out. Only the borders of C
   and one product of a column by a row: 2n^2-ish operations, no copy. */
static inline void add_peeled_borders(const struct problem *p, long m, long n, long k)
{
    if (k < p->k) /* the inner index: a column of A times a row of B */
        for (long i = 0; i < m; i++)
            for (long j = 0; j < n; j++)
                p->c[i * p->ldc + j] += p->a[i * p->lda + k] * p->b[k * p->ldb + j];
    for (long i = n < p->n ? 0 : m; i < p->m; i++) /* the last column, the last row */
        for (long j = i < m ? n : 0; j < p->n; j++)
            p->c[i * p->ldc + j] = 0;
    if (n < p->n)
        for (long i = 0; i < m; i++)
            for (long l = 0; l < p->k; l++)
                p->c[i * p->ldc + n] += p->a[i * p->lda + l] * p->b[l * p->ldb + n];
    if (m < p->m)
        for (long l = 0; l < p->k; l++)
            for (long j = 0; j < p->n; j++)
                p->c[m * p->ldc + j] += p->a[m * p->lda + l] * p->b[l * p->ldb + j];
}

/** C = A * B: the leaf when no level is left, otherwise one level on the even part and the rest. */
static inline void multiply_divided(const struct problem *p, struct arena arena,
                                    level_function *level)
{
    if (p->levels == 0 || p->m < 2 || p->n < 2 || p->k < 2) {
        p->leaf->multiply(p, arena.leaf);
        return;
    }
    struct problem even = *p;
    even.m &= ~1L;
    even.n &= ~1L;
    even.k &= ~1L;
    level(&even, arena);
    add_peeled_borders(p, even.m, even.n, even.k);
}
/// [peel]

/** The sub-problem c = a * b one level down. */
static inline void multiply_blocks(const struct problem *p, struct block a, struct block b,
                                   struct block c, struct arena arena, level_function *level)
{
    struct problem sub = problem_on(p, a, b, c);
    sub.levels = p->levels - 1;
    multiply_divided(&sub, arena, level);
}

/** The shape of the seven products of `p` (for workspace formulas; no pointers in it). */
static inline struct problem half_problem(const struct problem *p)
{
    struct problem half = *p;
    half.m /= 2;
    half.n /= 2;
    half.k /= 2;
    half.levels = p->levels - 1;
    return half;
}

static inline long round_up(long n, long multiple) { return (n + multiple - 1) / multiple * multiple; }

/** `p` with every dimension rounded up to a multiple of 2^levels. */
static inline struct problem padded_problem(const struct problem *p)
{
    struct problem padded = *p;
    padded.m = round_up(p->m, 1L << p->levels);
    padded.n = round_up(p->n, 1L << p->levels);
    padded.k = round_up(p->k, 1L << p->levels);
    return padded;
}

/* A size in elements rounded up so that what follows it starts on a cache line. */
static inline size_t whole_lines(size_t elements) { return (elements + 15) / 16 * 16; }

/** Workspace of a peeled method: its own and the leaf's. */
static inline size_t peeled_workspace(const struct problem *p, level_workspace *own)
{
    return whole_lines(leaf_workspace(p)) + own(p);
}

/** Runs a peeled method in a workspace of peeled_workspace() elements. */
static inline void multiply_peeled(const struct problem *p, real *workspace, level_function *level)
{
    struct arena arena = {workspace, workspace + whole_lines(leaf_workspace(p))};
    multiply_divided(p, arena, level);
}

static inline size_t padded_elements(const struct problem *padded)
{
    return (size_t)(padded->m * padded->k + padded->k * padded->n + padded->m * padded->n);
}

/** Workspace of a padded method: its own at the padded size, and three padded matrices. */
static inline size_t padded_workspace(const struct problem *p, level_workspace *own)
{
    struct problem padded = padded_problem(p);
    return padded_elements(&padded) + peeled_workspace(&padded, own);
}

/// [pad]
/* Copies x into the corner of a block of zeros. */
static inline struct block padded_copy(struct block x, real **workspace, long rows, long cols)
{
    struct block z = take_block(workspace, rows, cols);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++)
            z.at[i * cols + j] = i < x.rows && j < x.cols ? x.at[i * x.ld + j] : 0;
    return z;
}

/** Runs a method on copies padded with zeros to multiples of 2^levels: nothing is ever odd. */
static inline void multiply_padded(const struct problem *p, real *workspace, level_function *level)
{
    struct problem shape = padded_problem(p);
    struct block a = padded_copy(block_a(p), &workspace, shape.m, shape.k);
    struct block b = padded_copy(block_b(p), &workspace, shape.k, shape.n);
    struct block c = take_block(&workspace, shape.m, shape.n);
    struct problem padded = problem_on(p, a, b, c);
    multiply_peeled(&padded, workspace, level);
    copy(c, block_c(p));
}
/// [pad]

#endif
