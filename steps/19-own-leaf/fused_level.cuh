/* SPDX-License-Identifier: MIT */
/** @file fused_level.cuh
 * One level of Winograd's variant in one kernel without a temporary: the sums of A's and B's
 * quadrants are made on the way into shared memory, those of C in the registers of the
 * products.
 *
 * A block of 128 threads computes the same 128 x 128 of all four quadrants of C, one product
 * after another, each thread 8 x 16 in registers as in leaf.cuh. Tiles of the factors are 16
 * deep.
 */
#ifndef STEPS_19_OWN_LEAF_FUSED_LEVEL_CUH
#define STEPS_19_OWN_LEAF_FUSED_LEVEL_CUH

#include "leaf.cuh"
#include "recipes.h"
#include "steps/18-modern/modern.cuh"

enum {
    FUSED_THREADS = 128,
    FUSED_SIDE = 128, /* rows and columns of a block's tile of C */
    FUSED_DEPTH = 16, /* of a tile of the left or right factor */
    FUSED_GAP = 8, /* elements after each four columns of the left one: see fused_left_row() */
    FUSED_LEFT = FUSED_DEPTH * FUSED_SIDE + FUSED_DEPTH / 4 * FUSED_GAP,
    FUSED_RIGHT = FUSED_DEPTH * FUSED_SIDE,
    FUSED_BOTH = FUSED_LEFT + FUSED_RIGHT,
    FUSED_HIGH = 16 /* consecutive blocks are in columns of this many tiles */
};

/* A recipe with addresses: a factor is term[0] + sign[1] * term[1] + ... */
struct fused_factor {
    const real *term[4];
    real sign[4];
    int terms;
};
struct fused_product {
    struct fused_factor a, b;
    real *c;
    bool adds, clears;
};
/* m, n and k are those of a quadrant, multiples of 4. Elements of A and B are counted in 32
   bits, so that addresses take fewer instructions: see fused_fits(). */
struct fused_level {
    struct fused_product product[7];
    int m, n, k;
    unsigned lda, ldb;
    long ldc;
};

static struct fused_factor fused_factor_of(struct quadrants x, const int *signs)
{
    const real *at[4] = {x.q11.at, x.q12.at, x.q21.at, x.q22.at};
    struct fused_factor f = {{NULL}, {0}, 0};
    for (int negative = 0; negative < 2; negative++) /* the first one has the sign + */
        for (int q = 0; q < 4; q++)
            if (signs[q] == (negative ? -1 : 1)) {
                f.term[f.terms] = at[q];
                f.sign[f.terms++] = (real)signs[q];
            }
    return f;
}

/// [fetch]
/* A thread's half of its share of a tile: two times four elements of each term. */
struct fused_share {
    real4 of[4][2];
};

static __device__ __forceinline__ void fused_fetch(const struct fused_factor *f, unsigned first,
                                                   unsigned second, struct fused_share *x)
{
#pragma unroll
    for (int t = 0; t < 4; t++) {
        x->of[t][0] = *(const real4 *)(f->term[t] + first);
        x->of[t][1] = *(const real4 *)(f->term[t] + second);
        if (t == f->terms - 1)
            return;
    }
}

/* The sum of the terms is left in the first one. */
static __device__ __forceinline__ void fused_sum(const struct fused_factor *f,
                                                 struct fused_share *x)
{
#pragma unroll
    for (int t = 1; t < 4; t++) {
        if (t == f->terms)
            return;
        real sign = f->sign[t];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            x->of[0][i].x += sign * x->of[t][i].x, x->of[0][i].y += sign * x->of[t][i].y;
            x->of[0][i].z += sign * x->of[t][i].z, x->of[0][i].w += sign * x->of[t][i].w;
        }
    }
}
/// [fetch]

static __device__ __forceinline__ real4 fused_zero_unless(bool inside, real4 x)
{
    real4 zero = {0, 0, 0, 0};
    return inside ? x : zero;
}

/// [store]
/* Four neighbours in a row of the left factor go into four rows of the tile. The threads of a
   warp hold 8 rows of 16; without the gaps the four that share a row would meet in one bank. */
static __device__ __forceinline__ int fused_left_row(int l)
{
    return l * FUSED_SIDE + l / 4 * FUSED_GAP;
}

static __device__ __forceinline__ void fused_store_left(real *to, real4 x)
{
    to[0] = x.x, to[FUSED_SIDE] = x.y, to[2 * FUSED_SIDE] = x.z, to[3 * FUSED_SIDE] = x.w;
}
/// [store]

static __device__ __forceinline__ int at_most(int x, int limit)
{
    return x < limit ? x : limit;
}

/* Where a thread reads and stores. Beyond the edge it reads other rows of the left factor and
   columns of the right one again, whose results are not stored. Beyond k it reads the last
   ones, and stores zeros.
 */
struct fused_thread {
    int left_col, left_row;   /* in a tile; its rows are 32 apart */
    int right_row, right_col; /* its rows are 4 apart */
    unsigned left_at[4];      /* its rows of A, in elements from a quadrant's first */
    unsigned right_at;        /* its column of B */
};

/* Part 0 or 1 of a thread's share of the left factor, columns l to l + 15. */
static __device__ __forceinline__ void fused_fetch_left(const struct fused_level *level,
                                                        const struct fused_thread *me,
                                                        int product, int l, int part,
                                                        struct fused_share *x)
{
    int col = at_most(l + me->left_col, level->k - 4);
    fused_fetch(&level->product[product].a, me->left_at[2 * part] + col,
                me->left_at[2 * part + 1] + col, x);
}

static __device__ __forceinline__ void fused_keep_left(const struct fused_level *level,
                                                       const struct fused_thread *me,
                                                       int product, int l, int part,
                                                       struct fused_share *x, real *tile)
{
    fused_sum(&level->product[product].a, x);
    real *to = tile + fused_left_row(me->left_col) + me->left_row + 64 * part;
    if (l + FUSED_DEPTH > level->k)
#pragma unroll
        for (int i = 0; i < 2; i++)
            x->of[0][i] = fused_zero_unless(l + me->left_col < level->k, x->of[0][i]);
    fused_store_left(to, x->of[0][0]);
    fused_store_left(to + 32, x->of[0][1]);
}

static __device__ __forceinline__ void fused_fetch_right(const struct fused_level *level,
                                                         const struct fused_thread *me,
                                                         int product, int l, int part,
                                                         struct fused_share *x)
{
    int row = l + me->right_row + 8 * part;
    fused_fetch(&level->product[product].b,
                me->right_at + at_most(row, level->k - 1) * level->ldb,
                me->right_at + at_most(row + 4, level->k - 1) * level->ldb, x);
}

static __device__ __forceinline__ void fused_keep_right(const struct fused_level *level,
                                                        const struct fused_thread *me,
                                                        int product, int l, int part,
                                                        struct fused_share *x, real *tile)
{
    fused_sum(&level->product[product].b, x);
    int row = me->right_row + 8 * part;
    real *to = tile + FUSED_LEFT + row * FUSED_SIDE + me->right_col;
    if (l + FUSED_DEPTH > level->k)
#pragma unroll
        for (int i = 0; i < 2; i++)
            x->of[0][i] = fused_zero_unless(l + row + 4 * i < level->k, x->of[0][i]);
    *(real4 *)to = x->of[0][0];
    *(real4 *)(to + 4 * FUSED_SIDE) = x->of[0][1];
}

/// [fused]
static __global__ void __launch_bounds__(FUSED_THREADS, 2)
    fused_kernel(const __grid_constant__ struct fused_level level)
{
    __shared__ __align__(16) real tiles[2 * FUSED_BOTH];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    /* Which tile of C: columns of FUSED_HIGH tiles, so that the blocks at work at one time
       share rows of A and columns of B. */
    int across = (level.n + FUSED_SIDE - 1) / FUSED_SIDE;
    int down = (level.m + FUSED_SIDE - 1) / FUSED_SIDE;
    int above = blockIdx.x / (FUSED_HIGH * across) * FUSED_HIGH;
    int high = at_most(FUSED_HIGH, down - above), inside = blockIdx.x % (FUSED_HIGH * across);
    int top = (above + inside % high) * FUSED_SIDE, side = inside / high * FUSED_SIDE;

    struct fused_thread me;
    me.left_col = threadIdx.x % 4 * 4, me.left_row = threadIdx.x / 4;
    me.right_col = lane * 4, me.right_row = warp;
#pragma unroll
    for (int i = 0; i < 4; i++)
        me.left_at[i] = at_most(top + me.left_row + 32 * i, level.m - 1) * level.lda;
    me.right_at = at_most(side + me.right_col, level.n - 4);

    int m = warp / 2 * 64 + lane / 4 * 4, n = warp % 2 * 64 + lane % 4 * 4; /* as in leaf.cuh */
    real sums[8][16], as[2][8], bs[2][16];
    struct fused_share x = {};
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 16; j++)
            sums[i][j] = 0;
#pragma unroll
    for (int part = 0; part < 2; part++) {
        fused_fetch_left(&level, &me, 0, 0, part, &x);
        fused_keep_left(&level, &me, 0, 0, part, &x, tiles);
        fused_fetch_right(&level, &me, 0, 0, part, &x);
        fused_keep_right(&level, &me, 0, 0, part, &x, tiles);
    }
    __syncthreads();
    real *tile = tiles, *other = tiles + FUSED_BOTH;
    leaf_fragments(tile + m, tile + FUSED_LEFT + n, as[0], bs[0]);

#pragma unroll 1
    for (int product = 0; product < 7; product++) {
#pragma unroll 1
        for (int l = 0; l < level.k; l += FUSED_DEPTH) {
            /* The next tile, of this product or of the next one; after the very
               last some tile. */
            bool last = l + FUSED_DEPTH >= level.k;
            int next_l = last ? 0 : l + FUSED_DEPTH,
                next = last ? at_most(product + 1, 6) : product;
#pragma unroll
            for (int i = 0; i < FUSED_DEPTH; i++) {
                if (i == 0)
                    fused_fetch_left(&level, &me, next, next_l, 0, &x);
                if (i == 4) {
                    fused_keep_left(&level, &me, next, next_l, 0, &x, other);
                    fused_fetch_left(&level, &me, next, next_l, 1, &x);
                }
                if (i == 7) {
                    fused_keep_left(&level, &me, next, next_l, 1, &x, other);
                    fused_fetch_right(&level, &me, next, next_l, 0, &x);
                }
                if (i == 11) {
                    fused_keep_right(&level, &me, next, next_l, 0, &x, other);
                    fused_fetch_right(&level, &me, next, next_l, 1, &x);
                }
                if (i == 14)
                    fused_keep_right(&level, &me, next, next_l, 1, &x, other);
                if (i == FUSED_DEPTH -
                             1) { /* the next tile is there, and all are done with this one */
                    __syncthreads();
                    real *done = tile;
                    tile = other, other = done;
                }
                int ahead = (i + 1) % FUSED_DEPTH;
                leaf_fragments(tile + fused_left_row(ahead) + m,
                               tile + FUSED_LEFT + ahead * FUSED_SIDE + n, as[(i + 1) % 2],
                               bs[(i + 1) % 2]);
#pragma unroll
                for (int v = 0; v < 16; v++)
#pragma unroll
                    for (int u = 0; u < 8; u++) {
                        int serpentine = v % 2 ? 7 - u : u;
                        sums[serpentine][v] += as[i % 2][serpentine] * bs[i % 2][v];
                    }
            }
        }
        real *c = level.product[product].c;
        bool adds = level.product[product].adds, clears = level.product[product].clears;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            int row = top + m + i % 4 + i / 4 * 32;
#pragma unroll
            for (int j = 0; j < 4; j++) {
                int col = side + n + 16 * j;
                real4 *out = (real4 *)(c + (size_t)row * level.ldc + col);
                real4 four_sums = {sums[i][4 * j], sums[i][4 * j + 1], sums[i][4 * j + 2],
                                   sums[i][4 * j + 3]};
                if (row < level.m && col < level.n)
                    *out = adds ? plus(*out, four_sums) : four_sums;
            }
#pragma unroll
            for (int j = 0; j < 16; j++)
                sums[i][j] = clears ? 0 : sums[i][j];
        }
    }
}

/** Whether quadrants of this many rows, with this leading dimension, are not too large. */
static inline bool fused_fits(long rows, long ld) { return (size_t)rows * ld <= 0xffffffffu; }

/** C (m x n) = A (m x k) * B (k x n) by one level of Winograd's variant; m, n and k
 * multiples of 8, leading dimensions of 4, and A and B fit. One launch, no workspace. */
static inline void multiply_fused_level(const struct context *ctx, struct product p, int levels,
                                        real *workspace)
{
    struct block a = p.a, b = p.b, c = p.c;
    struct quadrants A = quadrants_of(a), B = quadrants_of(b), C = quadrants_of(c);
    real *out[4] = {C.q11.at, C.q12.at, C.q21.at, C.q22.at};
    struct fused_level level;
    level.m = (int)C.q11.rows, level.n = (int)C.q11.cols, level.k = (int)A.q11.cols;
    level.lda = (unsigned)a.ld, level.ldb = (unsigned)b.ld, level.ldc = c.ld;
    for (int i = 0; i < 7; i++) {
        struct fused_product *product = &level.product[i];
        product->a = fused_factor_of(A, recipes[i].a);
        product->b = fused_factor_of(B, recipes[i].b);
        product->c = out[recipes[i].c];
        product->adds = recipes[i].adds, product->clears = recipes[i].clears;
    }
    unsigned blocks = blocks_for(level.m, FUSED_SIDE) * blocks_for(level.n, FUSED_SIDE);
    fused_kernel<<<blocks, FUSED_THREADS, 0, ctx->stream>>>(level);
    GPU_CALL(ctx, cudaGetLastError());
}
/// [fused]

/// [fused levels]
static const struct leaf fused_leaf = {.name = "fused", .multiply = multiply_fused_level};

/** Winograd's variant with its innermost level in one kernel and the levels above it plain. To
 * those the innermost one is a leaf. Where it does not fit there is one level less. */
static inline void fused(const struct context *ctx, struct product p, int levels,
                         real *workspace)
{
    struct context above = *ctx;
    if (levels > 0 && fused_fits(p.c.rows >> levels, p.a.ld) &&
        fused_fits(p.a.cols >> levels, p.b.ld))
        above.leaf = &fused_leaf;
    plain(&above, p, levels > 0 ? levels - 1 : 0, workspace);
}

/** The two temporaries of each level above it. */
static inline size_t workspace_fused(const struct context *ctx, struct product p, int levels)
{
    return workspace_plain(ctx, p, levels - 1);
}
/// [fused levels]

#endif
