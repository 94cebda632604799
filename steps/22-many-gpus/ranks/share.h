/* SPDX-License-Identifier: MIT */
/** @file share.h
 * How a matrix is spread over ranks so that sums of quadrants need no message.
 *
 * The matrix is halved `levels` times in both directions. That gives 4^levels blocks in the
 * order of the recursion: 11, 12, 21, 22, and inside each of these the same again. Every block
 * is cut by the same grid, and a rank has the same tile of every block. It stores them below
 * each other, as one tall block. So its share of a quadrant is a quarter of the rows of its
 * share, and the shares of two quadrants can be added element by element.
 */
#ifndef STEPS_22_MANY_GPUS_RANKS_SHARE_H
#define STEPS_22_MANY_GPUS_RANKS_SHARE_H

#include "common/matrix/block.h"
#include "common/scheme.h"
#include "steps/22-many-gpus/places/place.h"

/** A matrix whose rows and columns are multiples of 2^levels, and a rank's share of it. */
struct share {
    long rows, cols;
    int levels;
    int down, across; /**< the grid that cuts each block */
    int i, j;         /**< which of its tiles the rank has */
};

/** What one rank has of the operands of a product. */
struct shares {
    struct share a, b, c;
};

/** Where piece i begins when n lines are cut into `parts`: the pieces differ by at most one
 * line. */
static inline long cut(long n, int parts, int i) { return n * i / parts; }

static inline long piece(long n, int parts, int i)
{
    return cut(n, parts, i + 1) - cut(n, parts, i);
}

/** The share as a block at `at`: all tiles, one below the other. */
static inline struct block share_at(const struct share *x, real *at)
{
    long cols = piece(x->cols >> x->levels, x->across, x->j);
    return (struct block){at, piece(x->rows >> x->levels, x->down, x->i) << 2 * x->levels, cols,
                          cols};
}

static inline long block_elements(struct block x) { return x.rows * x.cols; }

static inline long share_elements(const struct share *x)
{
    return block_elements(share_at(x, NULL));
}

static inline long shares_elements(const struct shares *s)
{
    return share_elements(&s->a) + share_elements(&s->b) + share_elements(&s->c);
}

/** One tile of a share, and the place of its first element in the whole matrix. */
struct tile {
    struct block at;
    long row, col;
};

static inline long tile_count(const struct share *x) { return 1L << 2 * x->levels; }

/** The tile of block b, counted in the order of the recursion. */
static inline struct tile tile_of(const struct share *x, struct block share, long b)
{
    long rows = x->rows >> x->levels, cols = x->cols >> x->levels;
    long height = share.rows / tile_count(x);
    struct tile tile = {part(share, b * height, 0, height, share.cols),
                        cut(rows, x->down, x->i), cut(cols, x->across, x->j)};
    for (int level = 0; level < x->levels; level++, b >>= 2, rows *= 2, cols *= 2) {
        tile.row += (b & 2) ? rows : 0; /* the last digit of b is the innermost quadrant */
        tile.col += (b & 1) ? cols : 0;
    }
    return tile;
}

/* ---- Strassen's seven products (strassen_scheme) on shares: no sum needs a message ---- */

enum { PRODUCTS = 7 };

/// [quadrant]
/** The rank's share of quadrant q (0: 11, 1: 12, 2: 21, 3: 22), given its share x of the whole
 * matrix: a quarter of the rows. */
static inline struct block quadrant_share(struct block x, int q)
{
    return part(x, q * (x.rows / 4), 0, x.rows / 4, x.cols);
}
/// [quadrant]

/** The sum of x's quadrants with these signs (at most two are not zero), into `to`. */
static inline struct block sum_quadrants(const struct place *place, struct block x,
                                         const double *signs, real *to)
{
    const real *term[2] = {NULL, NULL};
    real sign[2] = {0, 0};
    int terms = 0;
    for (int q = 0; q < 4; q++)
        if (signs[q])
            term[terms] = quadrant_share(x, q).at, sign[terms++] = (real)signs[q];
    place->sum(to, term[0], sign[0], term[1], sign[1], block_elements(x) / 4);
    return (struct block){to, x.rows / 4, x.cols, x.cols};
}

/** Returns a factor that is one quadrant in place; sums any other one in `sum`. */
static inline struct block quadrant_or_sum(const struct place *place, struct block x,
                                           const double *signs, real *sum)
{
    int terms = 0, last = 0;
    for (int q = 0; q < 4; q++)
        if (signs[q])
            terms++, last = q;
    return terms == 1 ? quadrant_share(x, last) : sum_quadrants(place, x, signs, sum);
}

/** Adds product i, of a quadrant's size, to its quadrants of C: a quadrant's first product sets
 * it. */
static inline void add_product(const struct place *place, struct block C, int i, const real *m)
{
    for (int q = 0; q < 4; q++) {
        bool first = true;
        for (int before = 0; before < i; before++)
            first = first && strassen_scheme.product[before].c[q] == 0;
        real *to = quadrant_share(C, q).at, sign = (real)strassen_scheme.product[i].c[q];
        if (sign != 0)
            place->sum(to, m, sign, first ? NULL : to, 1, block_elements(C) / 4);
    }
}

#endif
