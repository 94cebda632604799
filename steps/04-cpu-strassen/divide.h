/* SPDX-License-Identifier: MIT */
/** @file divide.h
 * What every Strassen-like recursion needs around its idea: sizes that cannot be halved often
 * enough, by peeling or by padding.
 *
 * A method writes one level for even m, n, k (a `level_function`) and calls multiply_divided()
 * for its products. Steps 04 and 05 share this.
 */
#ifndef STEPS_04_CPU_STRASSEN_DIVIDE_H
#define STEPS_04_CPU_STRASSEN_DIVIDE_H

#include "common/matrix/sums.h"

/** One level of a method: rows, columns and inner indices are even, levels >= 1. */
typedef void level_function(const struct context *ctx, struct product p, int levels,
                            real *workspace);

/** Elements that the levels of an m x n x k product take, leaves not counted. */
typedef size_t level_workspace(long m, long n, long k, int levels);

/// [peel]
/** C = A * B: the leaf when no level is left, otherwise one level on as many rows, columns and
 *  inner indices as can be halved `levels` times (so that deeper levels leave nothing out). */
static inline void multiply_divided(const struct context *ctx, struct product p, int levels,
                                    real *workspace, level_function *level)
{
    long m = p.c.rows >> levels << levels, n = p.c.cols >> levels << levels;
    long k = p.a.cols >> levels << levels;
    if (levels == 0 || !m || !n || !k) {
        multiply_leaf(ctx, p);
        return;
    }
    struct product even = {part(p.a, 0, 0, m, k), part(p.b, 0, 0, k, n), part(p.c, 0, 0, m, n),
                           p.accumulate};
    level(ctx, even, levels, workspace);
    multiply_borders(ctx, p, m, n, k);
}
/// [peel]

/** The sizes of `p`, each rounded up to a multiple of 2^levels. */
static inline struct product padded_size(struct product p, int levels)
{
    long multiple = 1L << levels;
    return product_of_size(round_up(p.c.rows, multiple), round_up(p.c.cols, multiple),
                           round_up(p.a.cols, multiple));
}

/* A size in elements rounded up so that what follows it starts on a cache line. */
static inline size_t whole_lines(size_t elements) { return (elements + 15) / 16 * 16; }

/** Workspace of a peeled method: its own and the leaf's. */
static inline size_t workspace_with_leaf(const struct context *ctx, struct product p,
                                         int levels, level_workspace *own)
{
    return whole_lines(leaf_workspace(ctx, p)) + own(p.c.rows, p.c.cols, p.a.cols, levels);
}

/** Runs a peeled method in a workspace of workspace_with_leaf() elements: the leaf's part of it
 * comes first and serves all leaves. */
static inline void multiply_with_borders(const struct context *ctx, struct product p,
                                         int levels, real *workspace, level_function *level)
{
    struct context below = *ctx;
    below.leaf_workspace = workspace;
    workspace += whole_lines(leaf_workspace(ctx, p));
    multiply_divided(&below, p, levels, workspace, level);
}

static inline size_t padded_elements(struct product size)
{
    return (size_t)(size.a.rows * size.a.cols + size.b.rows * size.b.cols +
                    size.c.rows * size.c.cols);
}

/** Workspace of a padded method: its own at the padded size, and three padded matrices. */
static inline size_t padded_workspace(const struct context *ctx, struct product p, int levels,
                                      level_workspace *own)
{
    struct product size = padded_size(p, levels);
    return padded_elements(size) + workspace_with_leaf(ctx, size, levels, own);
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

/** The product on copies of this size, with zeros around them. */
static inline struct product padded_product(struct product p, struct product size,
                                            real **workspace)
{
    struct block A = padded_copy(p.a, workspace, size.a.rows, size.a.cols);
    struct block B = padded_copy(p.b, workspace, size.b.rows, size.b.cols);
    return product_on(A, B, take_block(workspace, size.c.rows, size.c.cols));
}

/** Runs a method on such copies. */
static inline void multiply_in_copies(const struct context *ctx, struct product p,
                                      struct product size, int levels, real *workspace,
                                      level_function *level)
{
    struct product copies = padded_product(p, size, &workspace);
    multiply_with_borders(ctx, copies, levels, workspace, level);
    copy(part(copies.c, 0, 0, p.c.rows, p.c.cols), p.c);
}

/** Runs a method on copies padded to multiples of 2^levels, so that all sizes can be halved. */
static inline void multiply_padded(const struct context *ctx, struct product p, int levels,
                                   real *workspace, level_function *level)
{
    multiply_in_copies(ctx, p, padded_size(p, levels), levels, workspace, level);
}
/// [pad]

#endif
