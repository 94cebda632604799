/**
 * @file block.h
 * A block of a matrix and its quadrants, in which every recursive step is written. The
 * functions here never follow a block's pointer, so it may be a device pointer as well.
 */
#ifndef COMMON_MATRIX_BLOCK_H
#define COMMON_MATRIX_BLOCK_H

#include "common/sizes.h"
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

/// [product]
/** One multiplication inside a step: C = A * B. A and B are only read, whatever their type
 * says. */
struct product {
    struct block a, b, c;
    int accumulate; /**< C = C + A * B instead */
};

/**
 * What all products of a recursion have in common. It goes down the recursion unchanged; a
 * function that needs another one below (another stream, say) passes on a changed copy. A step
 * fills in what it uses.
 *
 * Every recursive step has the same form, `workspace` being the part that is still free:
 *
 *     void method(const struct context *x, struct product p, int levels, real *workspace);
 */
struct context {
    const struct variant *leaf; /**< what multiplies when no level is left */
    real *leaf_workspace;       /**< the leaf's, shared by all its products; NULL: none */
    int threads;                /**< host threads a CPU step may use */
    int fused;                  /**< the last level may fuse its sums into its products */
    const struct fused_products *products; /**< the kernels that do; NULL: none */
};
/// [product]

/** The product C = A * B on these blocks. */
static inline struct product product_on(struct block a, struct block b, struct block c)
{
    return (struct product){a, b, c, 0};
}

/** The problem's operands as blocks. */
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
    return (struct block){(real *)p->c, p->m, p->n, p->ldc};
}

static inline struct product product_of(const struct problem *p)
{
    return (struct product){block_a(p), block_b(p), block_c(p), p->accumulate};
}

/** Everything that the problem says, except its operands and its levels. */
static inline struct context context_of(const struct problem *p)
{
    struct context x = {p->leaf, NULL, p->threads, p->fused, NULL};
    return x;
}

/** Turns a product into a problem again, which is what a leaf is called with. */
static inline struct problem problem_of(const struct context *x, struct product p)
{
    struct problem leaf = {p.c.rows, p.c.cols, p.a.cols, p.a.at, p.a.ld,
                           p.b.at,   p.b.ld,   p.c.at,   p.c.ld};
    leaf.accumulate = p.accumulate;
    leaf.threads = x->threads;
    return leaf;
}

/** Multiplies by the leaf: the end of every recursion. */
static inline void multiply_leaf(const struct context *x, struct product p)
{
    struct problem leaf = problem_of(x, p);
    x->leaf->multiply(&leaf, x->leaf_workspace);
}

/** Elements of workspace for all levels of `p`, where each level keeps its own: `level` says
 * how many one takes whose quadrants are m x k, k x n and m x n. */
static inline size_t workspace_of_levels(const struct problem *p,
                                         size_t (*level)(long m, long n, long k))
{
    size_t elements = 0;
    long m = p->m, n = p->n, k = p->k;
    for (int i = 0; i < p->levels; i++) {
        m /= 2, n /= 2, k /= 2;
        elements += level(m, n, k);
    }
    return elements;
}

/** Takes a contiguous rows x cols block off the front of the workspace. */
static inline struct block take_block(real **workspace, long rows, long cols)
{
    struct block x = {*workspace, rows, cols, cols};
    *workspace += rows * cols;
    return x;
}

#endif
