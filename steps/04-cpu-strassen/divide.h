/**
 * @file divide.h
 * What every Strassen-like recursion needs around its idea: sizes that cannot be halved often
 * enough, by peeling or by padding.
 *
 * A method writes one level for even m, n, k (a `level_function`) and calls multiply_divided() for
 * its products. Steps 04 and 05 share this.
 */
#ifndef LADDER_DIVIDE_H
#define LADDER_DIVIDE_H

#include "common/sizes.h"
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
/* c = a * b, or c = c + a * b, by the leaf; nothing to do for an empty block. */
static inline void multiply_border(const struct problem *p, struct block a, struct block b,
                                   struct block c, int accumulate, real *leaf_workspace)
{
    struct problem border = problem_on(p, a, b, c);
    border.accumulate = accumulate;
    if (border.m && border.n && border.k)
        p->leaf->multiply(&border, leaf_workspace);
}

/* What the product of the first m x k and k x n elements left out: the last inner indices, columns
   and rows. At most 2^levels - 1 of each, in place. */
static inline void multiply_borders(const struct problem *p, long m, long n, long k, real *leaf)
{
    struct block a = block_a(p), b = block_b(p), c = block_c(p);
    multiply_border(p, part(a, 0, k, m, p->k - k), part(b, k, 0, p->k - k, n), part(c, 0, 0, m, n),
                    1, leaf);
    multiply_border(p, part(a, 0, 0, m, p->k), part(b, 0, n, p->k, p->n - n),
                    part(c, 0, n, m, p->n - n), p->accumulate, leaf);
    multiply_border(p, part(a, m, 0, p->m - m, p->k), b, part(c, m, 0, p->m - m, p->n),
                    p->accumulate, leaf);
}

/** C = A * B: the leaf when no level is left, otherwise one level on as many rows, columns and
 *  inner indices as can be halved `levels` times (so that deeper levels leave nothing out). */
static inline void multiply_divided(const struct problem *p, struct arena arena,
                                    level_function *level)
{
    struct problem even = *p;
    even.m = p->m >> p->levels << p->levels;
    even.n = p->n >> p->levels << p->levels;
    even.k = p->k >> p->levels << p->levels;
    if (p->levels == 0 || !even.m || !even.n || !even.k) {
        p->leaf->multiply(p, arena.leaf);
        return;
    }
    level(&even, arena);
    multiply_borders(p, even.m, even.n, even.k, arena.leaf);
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
