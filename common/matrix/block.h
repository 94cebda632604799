/* SPDX-License-Identifier: MIT */
/** @file block.h
 * A block of a matrix and its quadrants, for the recursive steps. The functions here never
 * dereference a block's pointer, so it may be a device pointer.
 */
#ifndef COMMON_MATRIX_BLOCK_H
#define COMMON_MATRIX_BLOCK_H

#include "common/sizes.h"
#include "common/step.h"

/** The block of x that starts at (i, j).
 * @param x a block of any size
 * @param i first row, from 0
 * @param j first column, from 0
 * @param rows of the part; i + rows is at most x.rows
 * @param cols likewise
 * @return a view of x's elements with x's leading dimension */
static inline struct block part(struct block x, long i, long j, long rows, long cols)
{
    return (struct block){x.at + i * x.ld + j, rows, cols, x.ld};
}

/** The quadrants of a block whose rows and columns are even. */
struct quadrants {
    struct block q11, q12, q21, q22;
};

/** The four quadrants of a block.
 * @param x rows and columns even
 * @return views of x's elements, each of half the order */
static inline struct quadrants quadrants_of(struct block x)
{
    long r = x.rows / 2, c = x.cols / 2;
    return (struct quadrants){part(x, 0, 0, r, c), part(x, 0, c, r, c), part(x, r, 0, r, c),
                              part(x, r, c, r, c)};
}

/** The product C = A * B on these blocks.
 * @param A m x k
 * @param B k x n
 * @param C m x n
 * @return the product, which does not accumulate */
static inline struct product product_on(struct block A, struct block B, struct block C)
{
    return (struct product){A, B, C, 0};
}

/** Multiplies by the leaf: the end of every recursion.
 * @param ctx has a leaf
 * @param p C is overwritten, or added to if it accumulates, which needs a leaf with
 * `multiply` */
static inline void multiply_leaf(const struct context *ctx, struct product p)
{
    if (ctx->leaf->simple)
        ctx->leaf->simple(p.a, p.b, p.c);
    else
        ctx->leaf->multiply(ctx, p, 0, ctx->leaf_workspace);
}

/// [borders]
/** Multiplies a border, or the rest of one, by the leaf; of an empty block nothing.
 * @param ctx has a leaf
 * @param p as in multiply_leaf() */
static inline void multiply_border(const struct context *ctx, struct product p)
{
    if (p.c.rows && p.c.cols && p.a.cols)
        multiply_leaf(ctx, p);
}

/** Multiplies what a product of the first m x k and k x n elements left out: the last inner
 * indices, columns and rows, in place.
 * @param ctx has a leaf
 * @param p the whole product
 * @param m rows of C that are done
 * @param n columns of C that are done
 * @param k inner indices that are done */
static inline void multiply_borders(const struct context *ctx, struct product p, long m, long n,
                                    long k)
{
    struct block A = p.a, B = p.b, C = p.c;
    long rows = C.rows - m, cols = C.cols - n, inner = A.cols - k;
    struct product last_inner = {part(A, 0, k, m, inner), part(B, k, 0, inner, n),
                                 part(C, 0, 0, m, n), 1};
    struct product last_cols = {part(A, 0, 0, m, A.cols), part(B, 0, n, A.cols, cols),
                                part(C, 0, n, m, cols), p.accumulate};
    struct product last_rows = {part(A, m, 0, rows, A.cols), B, part(C, m, 0, rows, C.cols),
                                p.accumulate};
    multiply_border(ctx, last_inner);
    multiply_border(ctx, last_cols);
    multiply_border(ctx, last_rows);
}
/// [borders]

/** Elements of workspace for all levels of `p`, each with a separate part.
 * @param p only its sizes are used; multiples of 2^levels
 * @param levels 0 or more
 * @param level returns the elements for one level with quadrants m x k, k x n and m x n
 * @return elements of `real` */
static inline size_t workspace_of_levels(struct product p, int levels,
                                         size_t (*level)(long m, long n, long k))
{
    size_t elements = 0;
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    for (int i = 0; i < levels; i++) {
        m /= 2, n /= 2, k /= 2;
        elements += level(m, n, k);
    }
    return elements;
}

/** Takes a contiguous rows x cols block off the front of the workspace.
 * @param workspace moved to the end of the block
 * @param rows,cols of the block
 * @return a block whose leading dimension is `cols` */
static inline struct block take_block(real **workspace, long rows, long cols)
{
    struct block x = {*workspace, rows, cols, cols};
    *workspace += rows * cols;
    return x;
}

/* A block that starts at least nine cache lines (f32) off the end of the last one. Steps 05 and
   24 read many blocks at the same time; when their starts differ by a power of two, or nearly,
   they compete for the same few places in the level 1 cache. Without this, with everything in
   the level 3 cache, step 05's quadrants of 512 x 512 take 1.4 times, of 512 x 528 even six
   times as long. */
enum { STAGGER = 144 };

/** Elements of the workspace that take_staggered() takes.
 * @param rows of the block
 * @param cols of the block
 * @return elements of `real`, in whole cache lines */
static inline size_t staggered(long rows, long cols)
{
    return (size_t)round_up(rows * cols, 16) + STAGGER;
}

/** As take_block(), with a gap after the block.
 * @param workspace moved to the end of the gap
 * @param rows of the block
 * @param cols of the block
 * @return a block whose leading dimension is `cols` */
static inline struct block take_staggered(real **workspace, long rows, long cols)
{
    struct block x = take_block(workspace, rows, cols);
    *workspace = x.at + staggered(rows, cols);
    return x;
}

/** Takes bytes off the front of the memory at *front. If that is aligned to 256, so is the
 * rest: a GPU reads and copies whole lines of 128 bytes.
 * @param front moved to the end of the bytes
 * @param bytes to take
 * @return where they begin */
static inline void *take_bytes(char **front, size_t bytes)
{
    char *at = *front;
    *front += (bytes + 255) / 256 * 256;
    return at;
}

#endif
