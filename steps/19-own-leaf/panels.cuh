/* SPDX-License-Identifier: MIT */
/** @file panels.cuh
 * The last one or two levels of Winograd's variant in one pass: every sum of A's and of B's
 * sub-blocks goes straight into the panels that the leaf reads, and C comes straight from all
 * the products. Each thread takes two neighbouring elements.
 */
#ifndef STEPS_19_OWN_LEAF_PANELS_CUH
#define STEPS_19_OWN_LEAF_PANELS_CUH

#include "steps/18-modern/modern.cuh"

/** What the hand-written leaf multiplies at a time: tiles of PANEL rows of A and PANEL columns
 * of B, DEPTH deep, of which it holds STAGES in shared memory. */
enum { PANEL = 128, DEPTH = 16, STAGES = 4 };

/// [panels]
/** The left or the right factors of several products, in panels. A panel of a left factor is
 * PANEL of its rows, stored column after column; of a right factor PANEL of its columns, stored
 * row after row: element (line, l) of factor p, l counting along k, is at[p * size + (line /
 * width * depth + l) * width + line % width], width = PANEL. In double the leaf is cuBLAS's and
 * wants rows: a right factor is one panel with all its columns, and a left one the same, where
 * l counts along m and the lines are its columns. Beyond the edges are zeros. */
struct panels {
    real *at;
    long size; /* elements of a factor */
    int panels, depth,
        factors; /* PANEL lines each; k in whole tiles, at least STAGES; factors */
};

static __host__ __device__ __forceinline__ int width_of(struct panels x)
{
#ifdef LADDER_F32
    (void)x;
    return PANEL;
#else
    return x.panels * PANEL;
#endif
}

static __device__ __forceinline__ real *in_panel(struct panels x, int line, int l)
{
    int width = width_of(x);
    return x.at + ((size_t)(line / width) * x.depth + l) * width + line % width;
}
/// [panels]

static inline struct panels panels_for(long lines, long k, int factors)
{
    struct panels x;
    x.at = NULL;
    x.panels = (int)pieces_of(lines, PANEL);
    x.depth = (int)pieces_of(k, DEPTH) * DEPTH;
    if (x.depth < STAGES * DEPTH)
        x.depth = STAGES * DEPTH;
    x.size = (long)x.panels * PANEL * x.depth;
    x.factors = factors;
    return x;
}

static inline size_t panel_elements(struct panels x) { return (size_t)x.factors * x.size; }

static __device__ __forceinline__ real2 add2(real2 x, real2 y)
{
    x.x += y.x, x.y += y.y;
    return x;
}

static __device__ __forceinline__ real2 sub2(real2 x, real2 y)
{
    x.x -= y.x, x.y -= y.y;
    return x;
}

/* These make the factors of M2, M3, M6, M7, M5, M1 and M4, in this order, from the quadrants
   11, 12, 21, 22, and C's quadrants from the products. */
static __device__ __forceinline__ void left_factors(const real2 *a, real2 *f)
{
    real2 s1 = add2(a[2], a[3]), s2 = sub2(s1, a[0]);
    f[0] = a[0], f[1] = a[1], f[2] = sub2(a[1], s2), f[3] = a[3];
    f[4] = s1, f[5] = s2, f[6] = sub2(a[0], a[2]);
}

static __device__ __forceinline__ void right_factors(const real2 *b, real2 *f)
{
    real2 t1 = sub2(b[1], b[0]), t2 = sub2(b[3], t1);
    f[0] = b[0], f[1] = b[2], f[2] = b[3], f[3] = sub2(t2, b[2]);
    f[4] = t1, f[5] = t2, f[6] = sub2(b[3], b[1]);
}

static __device__ __forceinline__ void combined(const real2 *p, real2 *c)
{
    real2 u2 = add2(p[0], p[5]), u3 = add2(u2, p[6]);
    c[0] = add2(p[0], p[1]), c[1] = add2(add2(u2, p[4]), p[2]);
    c[2] = sub2(u3, p[3]), c[3] = add2(u3, p[4]);
}

namespace
{
/** How a method adds on a level: the functions that the panels and the levels above them call.
 * Step 24 has another method with the same members. The namespace has no name because a program
 * may hold these functions in float and in double. */
struct winograd_method {
    typedef struct winograd_level level;
    enum { BEFORE_SUMS = WITHOUT_SUMS }; /* products of a level that do not need sum() */

    static __device__ __forceinline__ void left(const real2 *a, real2 *f)
    {
        left_factors(a, f);
    }
    static __device__ __forceinline__ void right(const real2 *b, real2 *f)
    {
        right_factors(b, f);
    }
    static __device__ __forceinline__ void combined(const real2 *p, real2 *c)
    {
        ::combined(p, c);
    }
    static size_t elements(long m, long n, long k) { return level_elements(m, n, k); }
    static level plan(struct product whole, real **workspace)
    {
        return plan_level(whole, workspace);
    }
    static void begin(const struct context *, const level *) {} /* nothing is needed at once */
    static void sum(const struct context *ctx, const level *x) { sum_level(ctx, x); }
    static void combine(const struct context *ctx, const level *x)
    {
        ::combine(ctx, x->p, x->c);
    }
};
} // namespace

/* The two elements at (row, col) of sub-block s after `levels` levels. In base 4, the quadrant
 * of the first level is the highest digit of s. */
static __device__ __forceinline__ real2 *pair_in(struct block x, int levels, int s, int row,
                                                 int col)
{
    int down = 0, right = 0;
#pragma unroll
    for (int level = 0; level < levels; level++) {
        down += (s >> (2 * level + 1) & 1) << level;
        right += (s >> 2 * level & 1) << level;
    }
    long rows = x.rows >> levels, cols = x.cols >> levels;
    return (real2 *)(x.at + (size_t)(down * rows + row) * x.ld + right * cols + col);
}

/// [two levels]
/* Two elements of every sub-block; zeros outside. */
static __device__ __forceinline__ void load_pairs(struct block x, int levels, int row, int col,
                                                  real2 *pairs)
{
    bool inside = row < x.rows >> levels && col < x.cols >> levels;
    real2 zero = {0, 0};
#pragma unroll
    for (int s = 0; s < 1 << 2 * levels; s++)
        pairs[s] = inside ? *pair_in(x, levels, s, row, col) : zero;
}

template <class method>
static __device__ __forceinline__ void factors(bool right, const real2 *x, real2 *f)
{
    if (right)
        method::right(x, f);
    else
        method::left(x, f);
}

/* Two levels at once: first the first level's factors of the sub-blocks at one place in each
   quadrant, then the second level's factors of those. 16 numbers become 49 without leaving the
   registers. */
template <class method>
static __device__ __forceinline__ void all_factors(bool right, int levels, const real2 *x,
                                                   real2 *f)
{
    if (levels == 0)
        f[0] = x[0];
    if (levels == 1)
        factors<method>(right, x, f);
    if (levels < 2)
        return;
    real2 first[4][7];
#pragma unroll
    for (int s = 0; s < 4; s++) {
        real2 quadrants[4] = {x[s], x[4 + s], x[8 + s], x[12 + s]};
        factors<method>(right, quadrants, first[s]);
    }
#pragma unroll
    for (int p = 0; p < 7; p++) {
        real2 quadrants[4] = {first[0][p], first[1][p], first[2][p], first[3][p]};
        factors<method>(right, quadrants, f + 7 * p);
    }
}
/// [two levels]

enum { PACK_THREADS = 128, PACK_ROWS = 32, PACK_COLS = 8 };

/* All factors of two neighbouring lines, from these two elements of every sub-block. */
template <class method>
static __device__ __forceinline__ void write_factors(bool right, int levels, const real2 *pairs,
                                                     struct panels to, int line, int l)
{
    real2 f[49];
    all_factors<method>(right, levels, pairs, f);
    real *at = in_panel(to, line, l);
    const int products = products_of(levels);
#pragma unroll
    for (int p = 0; p < products; p++)
        *(real2 *)(at + p * to.size) = f[p];
}

/* A block reads two rows of 128 columns in every sub-block and writes them as they are. */
static __host__ __device__ __forceinline__ long tiles_of_rows(struct panels to)
{
    return (long)to.panels * (to.depth / 2);
}

template <class method>
static __device__ __forceinline__ void pack_rows(struct block x, bool right, struct panels to,
                                                 int levels, int tile)
{
    int row = tile % (to.depth / 2) * 2 + threadIdx.x / 64;
    int col = tile / (to.depth / 2) * PANEL + threadIdx.x % 64 * 2;
    real2 pairs[16];
    load_pairs(x, levels, row, col, pairs);
    write_factors<method>(right, levels, pairs, to, col, row);
}

#ifdef LADDER_F32
/* A block reads a tile of 32 rows by 8 columns in every sub-block of A, two columns a thread,
   and turns it in shared memory: then a thread has two rows, and 16 threads write 32 rows of a
   column, which are neighbours in the panel. */
static __host__ __device__ __forceinline__ long left_tiles(struct panels to)
{
    return (long)to.panels * ((int)PANEL / PACK_ROWS) * (to.depth / PACK_COLS);
}

template <class method>
static __device__ __forceinline__ void pack_left(struct block A, struct panels to, int levels,
                                                 int tile)
{
    __shared__ real turned[16][PACK_COLS][PACK_ROWS + 4]; /* 4: no two threads meet in a bank */
    int across = to.depth / PACK_COLS, i = threadIdx.x;
    int row = tile / across * PACK_ROWS, col = tile % across * PACK_COLS;
    real2 pairs[16];
    load_pairs(A, levels, row + i / 4, col + i % 4 * 2, pairs);
    __syncthreads(); /* all have read the tile before */
#pragma unroll
    for (int s = 0; s < 1 << 2 * levels; s++) {
        turned[s][i % 4 * 2][i / 4] = pairs[s].x;
        turned[s][i % 4 * 2 + 1][i / 4] = pairs[s].y;
    }
    __syncthreads();
#pragma unroll
    for (int s = 0; s < 1 << 2 * levels; s++)
        pairs[s] = *(real2 *)&turned[s][i / 16][i % 16 * 2];
    write_factors<method>(false, levels, pairs, to, row + i % 16 * 2, col + i / 16);
}
#else
static __host__ __device__ __forceinline__ long left_tiles(struct panels to)
{
    return tiles_of_rows(to);
}

template <class method>
static __device__ __forceinline__ void pack_left(struct block A, struct panels to, int levels,
                                                 int tile)
{
    pack_rows<method>(A, false, to, levels, tile);
}
#endif

template <class method>
static __device__ __forceinline__ void
pack_both(struct block A, struct panels left, struct block B, struct panels right, int levels)
{
    int lefts = (int)left_tiles(left), tiles = lefts + (int)tiles_of_rows(right);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
        if (tile < lefts)
            pack_left<method>(A, left, levels, tile);
        else
            pack_rows<method>(B, true, right, levels, tile - lefts);
}

/* The 4 or 16 results of 7 or 49 products that are `size` pairs apart: first those of the
   second level, then the first level's of these. */
template <class method>
static __device__ __forceinline__ void results(const real2 *at, size_t size, int levels,
                                               real2 *x)
{
    real2 first[4][7], p[7];
    const int products = products_of(levels - 1);
#pragma unroll
    for (int i = 0; i < products; i++) {
#pragma unroll
        for (int j = 0; j < 7; j++)
            p[j] = at[(7 * i + j) * size];
        method::combined(p, x);
#pragma unroll
        for (int s = 0; s < 4; s++)
            first[s][i] = x[s];
    }
    if (levels == 2) {
#pragma unroll
        for (int s = 0; s < 4; s++) {
            method::combined(first[s], p);
#pragma unroll
            for (int quadrant = 0; quadrant < 4; quadrant++)
                x[4 * quadrant + s] = p[quadrant];
        }
    }
}

/* C from its 7 or 49 products, which are stored one after another. */
template <class method>
static __device__ __forceinline__ void combine_pairs(const real *products, struct block C,
                                                     int levels)
{
    int rows = (int)(C.rows >> levels), pairs = (int)(C.cols >> levels) / 2;
    size_t size = (size_t)rows * pairs;
    for (long t = blockIdx.x * (long)PACK_THREADS + threadIdx.x; t < rows * (long)pairs;
         t += gridDim.x * (long)PACK_THREADS) {
        const real2 *at = (const real2 *)products + t;
        int row = (int)(t / pairs), col = (int)(t % pairs) * 2;
        real2 x[16];
        results<method>(at, size, levels, x);
#pragma unroll
        for (int s = 0; s < 1 << 2 * levels; s++)
            *pair_in(C, levels, s, row, col) = x[s];
    }
}

/* A thread takes 64 registers in float and 128 in double, and twice as many to combine 49
   products. */
enum { PACK_BLOCKS = 32 / sizeof(real), COMBINE_BLOCKS = 16 / sizeof(real) };
template <int levels, class method = winograd_method>
static __global__ void __launch_bounds__(PACK_THREADS, PACK_BLOCKS)
    pack_kernel(struct block A, struct panels left, struct block B, struct panels right)
{
    pack_both<method>(A, left, B, right, levels);
}

template <int levels, class method = winograd_method>
static __global__ void __launch_bounds__(PACK_THREADS,
                                         levels == 2 ? COMBINE_BLOCKS : PACK_BLOCKS)
    combine_all_kernel(const real *products, struct block C)
{
    combine_pairs<method>(products, C, levels);
}

/** The factors of the 7^levels products that A (m x k) and B (k x n) give after 0, 1 or 2
 * levels; m, n and k are multiples of 2^levels, k / 2^levels and n / 2^levels
 * even. One launch. */
template <class method>
static inline void pack(const struct context *ctx, struct block A, struct panels left,
                        struct block B, struct panels right, int levels)
{
    unsigned grid = sum_blocks(ctx, left_tiles(left) + tiles_of_rows(right));
    if (levels == 0)
        pack_kernel<0, method><<<grid, PACK_THREADS, 0, ctx->stream>>>(A, left, B, right);
    else if (levels == 1)
        pack_kernel<1, method><<<grid, PACK_THREADS, 0, ctx->stream>>>(A, left, B, right);
    else
        pack_kernel<2, method><<<grid, PACK_THREADS, 0, ctx->stream>>>(A, left, B, right);
    GPU_CALL(ctx, launch_error(ctx));
}

/** C (m x n) from its 7 or 49 products of m / 2^levels x n / 2^levels each. */
template <class method>
static inline void combine_all(const struct context *ctx, const real *products, struct block C,
                               int levels)
{
    long pairs = (C.rows >> levels) * (C.cols >> levels) / 2;
    unsigned grid = sum_blocks(ctx, pieces_of(pairs, PACK_THREADS));
    if (levels == 1)
        combine_all_kernel<1, method><<<grid, PACK_THREADS, 0, ctx->stream>>>(products, C);
    else
        combine_all_kernel<2, method><<<grid, PACK_THREADS, 0, ctx->stream>>>(products, C);
    GPU_CALL(ctx, launch_error(ctx));
}

#endif
