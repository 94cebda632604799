/**
 * @file peel.cuh
 * Sizes that are not multiples of GPU8's tile times 2^levels. The runner pads the operands with
 * zeros. This is the alternative: the largest part that is such a multiple goes to the method.
 * The rest, the border, goes to a kernel that looks where the matrices end. Step 15 uses it,
 * too.
 *
 * `padded` is a row of the table of variants: a method that takes whole tiles, and says which.
 */
#ifndef STEPS_14_STRASSEN_MULTILEVEL_PEEL_CUH
#define STEPS_14_STRASSEN_MULTILEVEL_PEEL_CUH

#include "common/device/backend.h"
#include "common/check/pad.h"
#include "steps/12-strassen-one-level/kernels.cuh"

enum { CORE = 128 }; /* a multiple of all three of GPU8's dimensions */
static_assert((int)CORE % (int)GPU8_M == 0 && (int)CORE % (int)GPU8_N == 0 &&
                  (int)CORE % (int)GPU8_K == 0,
              "whole tiles");

/// [core]
static inline long whole(long n, long multiple) { return n / multiple * multiple; }

/** The part of a product that is whole tiles on every level. If a dimension is too small for
 * that many levels, it takes fewer; without any whole tile m, n and k are 0. */
static inline struct problem core_of(const struct problem *p)
{
    struct problem core = *p;
    for (;; core.levels--) {
        long quadrants = 1L << core.levels;
        core.m = whole(p->m, GPU8_M * quadrants);
        core.n = whole(p->n, GPU8_N * quadrants);
        core.k = whole(p->k, GPU8_K * quadrants);
        if (core.m && core.n && core.k)
            return core;
        if (core.levels == 0) {
            core.m = core.n = core.k = 0;
            return core;
        }
    }
}
/// [core]

/* GPU8 reads four elements at a time and the sums two: every row must begin at a multiple of
 * four. */
static inline int core_in_place(const struct problem *p)
{
    return p->lda % 4 == 0 && p->ldb % 4 == 0 && p->ldc % 4 == 0;
}

static inline size_t core_copies(const struct problem *core)
{
    return (size_t)(core->m * core->k + core->k * core->n + core->m * core->n);
}

/// [border]
enum { BORDER_TILE = 16 };

/* C = A * B, or C += A * B, for any m, n and k: 16 x 16 tiles in shared memory as in step 08,
   filled up with zeros. */
static __global__ void border_kernel(const real *a, int lda, const real *b, int ldb, real *c,
                                     int ldc, int m, int n, int k, int accumulate)
{
    __shared__ real as[BORDER_TILE][BORDER_TILE], bs[BORDER_TILE][BORDER_TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int i = blockIdx.y * BORDER_TILE + y, j = blockIdx.x * BORDER_TILE + x;
    real sum = 0;
    for (int first = 0; first < k; first += BORDER_TILE) {
        as[y][x] = i < m && first + x < k ? a[(size_t)i * lda + first + x] : 0;
        bs[y][x] = first + y < k && j < n ? b[(size_t)(first + y) * ldb + j] : 0;
        __syncthreads();
        for (int l = 0; l < BORDER_TILE; l++)
            sum += as[y][l] * bs[l][x];
        __syncthreads();
    }
    if (i < m && j < n)
        c[(size_t)i * ldc + j] = accumulate ? c[(size_t)i * ldc + j] + sum : sum;
}

static inline void multiply_border_tiles(struct block a, struct block b, struct block c,
                                         int accumulate)
{
    if (!c.rows || !c.cols || !a.cols)
        return;
    dim3 block(BORDER_TILE, BORDER_TILE);
    dim3 grid(blocks_for(c.cols, BORDER_TILE), blocks_for(c.rows, BORDER_TILE));
    border_kernel<<<grid, block>>>(a.at, a.ld, b.at, b.ld, c.at, c.ld, c.rows, c.cols, a.cols,
                                   accumulate);
    CHECK_LAUNCH();
}
/// [border]

/* Copies a block's first rows x cols elements to or from contiguous rows. */
static inline void copy_core(struct block from, struct block to, long rows, long cols)
{
    backend.copy_2d(to.at, to.ld * sizeof(real), from.at, from.ld * sizeof(real),
                    cols * sizeof(real), rows);
}

/// [peel]
/* The core by the method, in place or, where rows begin at odd places, in copies; then the last
   inner indices, the last columns and the last rows. */
static inline void peel_multiply(const struct variant *padded, const struct problem *p,
                                 real *workspace)
{
    struct problem core = core_of(p);
    struct block a = block_a(p), b = block_b(p), c = block_c(p);
    long m = core.m, n = core.n, k = core.k;
    if (m && core_in_place(p)) {
        padded->multiply(&core, workspace);
    } else if (m) {
        struct block to_a = take_block(&workspace, m, k), to_b = take_block(&workspace, k, n);
        struct block to_c = take_block(&workspace, m, n);
        copy_core(a, to_a, m, k);
        copy_core(b, to_b, k, n);
        core.a = to_a.at, core.b = to_b.at, core.c = to_c.at;
        core.lda = k, core.ldb = core.ldc = n;
        padded->multiply(&core, workspace);
        copy_core(to_c, c, m, n);
    }
    if (m)
        multiply_border_tiles(part(a, 0, k, m, p->k - k), part(b, k, 0, p->k - k, n),
                              part(c, 0, 0, m, n), 1);
    multiply_border_tiles(part(a, 0, 0, m, p->k), part(b, 0, n, p->k, p->n - n),
                          part(c, 0, n, m, p->n - n), 0);
    multiply_border_tiles(part(a, m, 0, p->m - m, p->k), b, part(c, m, 0, p->m - m, p->n), 0);
}
/// [peel]

static inline size_t peel_workspace(const struct variant *padded, const struct problem *p)
{
    struct problem core = core_of(p);
    if (!core.m)
        return 0;
    return (core_in_place(p) ? 0 : core_copies(&core)) + padded->workspace(&core);
}

/// [choice]
/** What padding and peeling multiply, in the units of one GPU8 multiplication. */
struct edges {
    double asked, padded, peeled;
};

/* 132 multiprocessors of an H100 with 2048 threads each run so many of the border's blocks at a
 * time. */
enum { BORDER_BLOCKS_AT_ONCE = 132 * 2048 / (BORDER_TILE * BORDER_TILE) };

/* A border of one column takes as long as one of sixteen. And a block takes its time however
   many run beside it, so a launch that does not fill the GPU costs what a full one does. */
static inline double border_multiplications(long m, long n, long k)
{
    const double tile = BORDER_TILE, at_once = BORDER_BLOCKS_AT_ONCE;
    double blocks = (double)blocks_for(m, BORDER_TILE) * blocks_for(n, BORDER_TILE);
    if (blocks == 0 || k == 0)
        return 0;
    return (blocks < at_once ? at_once : blocks) * tile * tile * round_up(k, BORDER_TILE);
}

/* The border's kernel needs about three times GPU8's time for a multiplication (steps 08 and
 * 10). */
static inline struct edges edges_of(const struct variant *padded, const struct problem *p)
{
    const double slower = 3;
    struct problem core = core_of(p), shape = pad_shape(padded, p);
    double left = 1, left_core = 1;
    for (int level = 0; level < p->levels; level++)
        left *= 7 / 8.0;
    for (int level = 0; level < core.levels; level++)
        left_core *= 7 / 8.0;
    double inner = border_multiplications(core.m, core.n, p->k - core.k);
    double cols = border_multiplications(core.m, p->n - core.n, p->k);
    double rows = border_multiplications(p->m - core.m, p->n, p->k);
    struct edges e = {left * p->m * p->n * p->k, left * shape.m * shape.n * shape.k,
                      left_core * core.m * core.n * core.k + slower * (inner + cols + rows)};
    return e;
}

static inline int should_peel(const struct variant *padded, const struct problem *p)
{
    struct edges e = edges_of(padded, p);
    return e.peeled < e.padded;
}
/// [choice]

/* The cheaper of the two. */
static inline size_t either_workspace(const struct variant *padded, const struct problem *p)
{
    return should_peel(padded, p) ? peel_workspace(padded, p) : pad_workspace(padded, p);
}

static inline void either_multiply(const struct variant *padded, const struct problem *p,
                                   real *workspace)
{
    if (should_peel(padded, p))
        peel_multiply(padded, p, workspace);
    else
        pad_multiply(padded, p, sizeof(real) == 4 ? PRECISION_F32 : PRECISION_F64, workspace);
}

static inline int either_levels(const struct variant *padded, const struct problem *p)
{
    return should_peel(padded, p) ? core_of(p).levels : p->levels;
}

#endif
