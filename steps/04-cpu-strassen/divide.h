/**
 * @file divide.h
 * What every Strassen-like recursion needs around its idea: sizes that cannot be halved often
 * enough, by peeling or by padding.
 *
 * A method writes one level for even m, n, k (a `level_function`) and calls multiply_divided()
 * for its products. Steps 04 and 05 share this.
 */
#ifndef STEPS_04_CPU_STRASSEN_DIVIDE_H
#define STEPS_04_CPU_STRASSEN_DIVIDE_H

#include "steps/03-cpu-divide-conquer/sums.h"

/** One level of a method: rows, columns and inner indices are even, levels >= 1. */
typedef void level_function(const struct context *x, struct product p, int levels,
                            real *workspace);

/** Elements that the levels of an m x n x k product take, leaves not counted. */
typedef size_t level_workspace(long m, long n, long k, int levels);

/// [peel]
/* A border, or the rest of one, by the leaf; nothing to do for an empty block. */
static inline void multiply_border(const struct context *x, struct product p)
{
    if (p.c.rows && p.c.cols && p.a.cols)
        multiply_leaf(x, p);
}

/* What the product of the first m x k and k x n elements left out: the last inner indices,
   columns and rows. At most 2^levels - 1 of each, in place. */
static inline void multiply_borders(const struct context *x, struct product p, long m, long n,
                                    long k)
{
    struct block a = p.a, b = p.b, c = p.c;
    long rows = c.rows - m, cols = c.cols - n, inner = a.cols - k;
    struct product last_inner = {part(a, 0, k, m, inner), part(b, k, 0, inner, n),
                                 part(c, 0, 0, m, n), 1};
    struct product last_cols = {part(a, 0, 0, m, a.cols), part(b, 0, n, a.cols, cols),
                                part(c, 0, n, m, cols), p.accumulate};
    struct product last_rows = {part(a, m, 0, rows, a.cols), b, part(c, m, 0, rows, c.cols),
                                p.accumulate};
    multiply_border(x, last_inner);
    multiply_border(x, last_cols);
    multiply_border(x, last_rows);
}

/** C = A * B: the leaf when no level is left, otherwise one level on as many rows, columns and
 *  inner indices as can be halved `levels` times (so that deeper levels leave nothing out). */
static inline void multiply_divided(const struct context *x, struct product p, int levels,
                                    real *workspace, level_function *level)
{
    long m = p.c.rows >> levels << levels, n = p.c.cols >> levels << levels;
    long k = p.a.cols >> levels << levels;
    if (levels == 0 || !m || !n || !k) {
        multiply_leaf(x, p);
        return;
    }
    struct product even = {part(p.a, 0, 0, m, k), part(p.b, 0, 0, k, n), part(p.c, 0, 0, m, n),
                           p.accumulate};
    level(x, even, levels, workspace);
    multiply_borders(x, p, m, n, k);
}
/// [peel]

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
static inline size_t workspace_with_leaf(const struct problem *p, level_workspace *own)
{
    return whole_lines(leaf_workspace(p)) + own(p->m, p->n, p->k, p->levels);
}

/** Runs a method on this product, in a workspace of workspace_with_leaf() elements: the leaf's
 * part of it comes first and serves all leaves. */
static inline void multiply_product_with_borders(const struct problem *p, struct product whole,
                                                 real *workspace, level_function *level)
{
    struct context x = context_of(p);
    x.leaf_workspace = workspace;
    multiply_divided(&x, whole, p->levels, workspace + whole_lines(leaf_workspace(p)), level);
}

/** Runs a peeled method. */
static inline void multiply_with_borders(const struct problem *p, real *workspace,
                                         level_function *level)
{
    multiply_product_with_borders(p, product_of(p), workspace, level);
}

static inline size_t padded_elements(const struct problem *padded)
{
    return (size_t)(padded->m * padded->k + padded->k * padded->n + padded->m * padded->n);
}

/** Workspace of a padded method: its own at the padded size, and three padded matrices. */
static inline size_t padded_workspace(const struct problem *p, level_workspace *own)
{
    struct problem padded = padded_problem(p);
    return padded_elements(&padded) + workspace_with_leaf(&padded, own);
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

/** The product on copies with zeros around them: m x k, k x n and m x n. */
static inline struct product padded_product(const struct problem *p, long m, long n, long k,
                                            real **workspace)
{
    struct block a = padded_copy(block_a(p), workspace, m, k);
    struct block b = padded_copy(block_b(p), workspace, k, n);
    return product_on(a, b, take_block(workspace, m, n));
}

/** Runs a method on such copies, of the sizes in `padded`. */
static inline void multiply_in_copies(const struct problem *p, const struct problem *padded,
                                      real *workspace, level_function *level)
{
    struct product x = padded_product(p, padded->m, padded->n, padded->k, &workspace);
    multiply_product_with_borders(padded, x, workspace, level);
    copy(part(x.c, 0, 0, p->m, p->n), block_c(p));
}

/** Runs a method on copies padded to multiples of 2^levels: nothing is ever odd. */
static inline void multiply_padded(const struct problem *p, real *workspace,
                                   level_function *level)
{
    struct problem padded = padded_problem(p);
    multiply_in_copies(p, &padded, workspace, level);
}
/// [pad]

#endif
