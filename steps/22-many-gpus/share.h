/**
 * @file share.h
 * How a matrix is spread over ranks, such that sums of quadrants need no message.
 *
 * The matrix is halved `levels` times in both directions, which gives 4^levels blocks, in the
 * order of the recursion: 11, 12, 21, 22, and each of these the same way inside. Every block is
 * cut by the same grid, and a rank has the same tile of every block. So its share of a quadrant
 * is a quarter of its share, one piece of memory; and the shares of two quadrants can be added
 * element by element.
 */
#ifndef STEPS_22_MANY_GPUS_SHARE_H
#define STEPS_22_MANY_GPUS_SHARE_H

#include "common/matrix/block.h"

/** A matrix on a grid of ranks. Rows and columns are multiples of 2^levels. */
struct layout {
    long rows, cols;
    int levels;
    int down, across; /**< the grid that cuts each block */
};

/** What the rank at (i, j) of the grid has of it. */
struct share {
    struct layout layout;
    int i, j;
    real *at;
};

/** Where piece i of n lines begins when they are cut into `parts`: pieces differ by one line at
 * most. */
static inline long cut(long n, int parts, int i) { return n * i / parts; }

static inline long piece(long n, int parts, int i)
{
    return cut(n, parts, i + 1) - cut(n, parts, i);
}

static inline long tile_rows(const struct share *x)
{
    return piece(x->layout.rows >> x->layout.levels, x->layout.down, x->i);
}

static inline long tile_cols(const struct share *x)
{
    return piece(x->layout.cols >> x->layout.levels, x->layout.across, x->j);
}

static inline long share_elements(const struct share *x)
{
    return tile_rows(x) * tile_cols(x) << 2 * x->layout.levels;
}

/// [quadrant]
/** The share of quadrant q (0: 11, 1: 12, 2: 21, 3: 22) of a matrix that has levels. */
static inline struct share quadrant_share(struct share x, int q)
{
    real *at = x.at + q * (share_elements(&x) / 4);
    struct layout half = {x.layout.rows / 2, x.layout.cols / 2, x.layout.levels - 1,
                          x.layout.down, x.layout.across};
    return (struct share){half, x.i, x.j, at};
}
/// [quadrant]

/** The tile of block b, counted in the order of the recursion. */
static inline struct block tile_of(const struct share *x, long b)
{
    long rows = tile_rows(x), cols = tile_cols(x);
    return (struct block){x->at + b * rows * cols, rows, cols, cols};
}

/** The row and the column of the whole matrix where the tile of block b begins. */
static inline void tile_origin(const struct share *x, long b, long *row, long *col)
{
    long rows = x->layout.rows >> x->layout.levels, cols = x->layout.cols >> x->layout.levels;
    *row = cut(rows, x->layout.down, x->i);
    *col = cut(cols, x->layout.across, x->j);
    for (int level = 0; level < x->layout.levels; level++, b >>= 2, rows *= 2, cols *= 2) {
        *row += (b & 2) ? rows : 0; /* the last digit of b is the innermost quadrant */
        *col += (b & 1) ? cols : 0;
    }
}

#endif
