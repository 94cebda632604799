/* SPDX-License-Identifier: MIT */
/** @file share.h
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
#include "place.h"

/** A matrix on a grid of ranks. Rows and columns are multiples of 2^levels. */
struct distribution {
    long rows, cols;
    int levels;
    int down, across; /**< the grid that cuts each block */
};

/** What the rank at (i, j) of the grid has of it. */
struct share {
    struct distribution layout;
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
    struct distribution half = {x.layout.rows / 2, x.layout.cols / 2, x.layout.levels - 1,
                                x.layout.down, x.layout.across};
    return (struct share){half, x.i, x.j, at};
}
/// [quadrant]

/** What one rank has of the operands of a product. */
struct shares {
    struct share a, b, c;
};

/** The same for a product of quadrants; each share is quadrant 11's. */
static inline struct shares quadrant_shares(const struct shares *s)
{
    return (struct shares){quadrant_share(s->a, 0), quadrant_share(s->b, 0),
                           quadrant_share(s->c, 0)};
}

static inline long shares_elements(const struct shares *s)
{
    return share_elements(&s->a) + share_elements(&s->b) + share_elements(&s->c);
}

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

/* ---- Strassen's seven products on shares: no sum needs a message ---- */

enum { PRODUCTS = 7 };

/// [table]
/** Product i is (a . quadrants of A) (b . quadrants of B) and goes to C's quadrants with the
 * signs c; quadrants are 11, 12, 21, 22. */
struct coefficients {
    signed char a[4], b[4], c[4];
};

static const struct coefficients strassen[PRODUCTS] = {
    {{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}},  /* M1 = (A11 + A22) (B11 + B22) */
    {{0, 0, 1, 1}, {1, 0, 0, 0}, {0, 0, 1, -1}}, /* M2 = (A21 + A22) B11         */
    {{1, 0, 0, 0}, {0, 1, 0, -1}, {0, 1, 0, 1}}, /* M3 = A11 (B12 - B22)         */
    {{0, 0, 0, 1}, {-1, 0, 1, 0}, {1, 0, 1, 0}}, /* M4 = A22 (B21 - B11)         */
    {{1, 1, 0, 0}, {0, 0, 0, 1}, {-1, 1, 0, 0}}, /* M5 = (A11 + A12) B22         */
    {{-1, 0, 1, 0}, {1, 1, 0, 0}, {0, 0, 0, 1}}, /* M6 = (A21 - A11) (B11 + B12) */
    {{0, 1, 0, -1}, {0, 0, 1, 1}, {1, 0, 0, 0}}, /* M7 = (A12 - A22) (B21 + B22) */
};
/// [table]

/** The sum of x's quadrants with these signs (at most two are not zero), into `to`. */
static inline void sum_quadrants(const struct place *place, const struct share *x,
                                 const signed char *signs, real *to)
{
    const real *term[2] = {NULL, NULL};
    real sign[2] = {0, 0};
    int terms = 0;
    for (int q = 0; q < 4; q++)
        if (signs[q])
            term[terms] = quadrant_share(*x, q).at, sign[terms++] = signs[q];
    place->sum(to, term[0], sign[0], term[1], sign[1], share_elements(x) / 4);
}

/** A factor that is one quadrant is used where it lies; another one is summed in `sum`. */
static inline real *quadrant_or_sum(const struct place *place, const struct share *x,
                                    const signed char *signs, real *sum)
{
    int terms = 0, last = 0;
    for (int q = 0; q < 4; q++)
        if (signs[q])
            terms++, last = q;
    if (terms == 1)
        return quadrant_share(*x, last).at;
    sum_quadrants(place, x, signs, sum);
    return sum;
}

/** Takes product i, of a quadrant's size, to its places in C: the first to come there sets
 * them. */
static inline void add_product(const struct place *place, const struct share *c, int i,
                               const real *m)
{
    for (int q = 0; q < 4; q++) {
        bool first = true;
        for (int before = 0; before < i; before++)
            first = first && !strassen[before].c[q];
        real *to = quadrant_share(*c, q).at, sign = strassen[i].c[q];
        if (sign != 0)
            place->sum(to, m, sign, first ? NULL : to, 1, share_elements(c) / 4);
    }
}

#endif
