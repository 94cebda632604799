/* SPDX-License-Identifier: MIT */
/** @file peel.cu
 * Sizes that are not multiples of GPU8's tile times 2^levels, for steps 14 and 15. The runner
 * pads the operands with zeros. This is the alternative: the largest part that is such a
 * multiple goes to the method. The rest, the border, goes to a kernel that looks where the
 * matrices end.
 */
#include <stdio.h>

#include "common/check/pad.h"
#include "common/command/depth.h"
#include "common/command/options.h"
#include "common/device/backend.h"
#include "common/device/cublas.h"
#include "common/device/gpu.h"
#include "multilevel.h"
#include "common/matrix/block.h"

static_assert(CORE % WHOLE_M == 0 && CORE % WHOLE_N == 0 && CORE % WHOLE_K == 0, "whole tiles");

/* The method that takes whole tiles only: the first row of the step's table. */
static const struct variant *padded_method(void) { return &STEP.variants[0]; }

/// [core]
static long whole(long n, long multiple) { return n / multiple * multiple; }

/** The part of a product that is whole tiles on every one of its levels. */
struct core {
    long m, n, k;
    int levels;
};

/** If a dimension is too small for that many levels, the core takes fewer; without any whole
 * tile m, n and k are 0. */
static struct core core_of(struct product p, int levels)
{
    for (;; levels--) {
        long quadrants = 1L << levels;
        struct core core = {whole(p.c.rows, WHOLE_M * quadrants),
                            whole(p.c.cols, WHOLE_N * quadrants),
                            whole(p.a.cols, WHOLE_K * quadrants), levels};
        if (core.m && core.n && core.k)
            return core;
        if (levels == 0)
            return (struct core){0, 0, 0, 0};
    }
}
/// [core]

/* GPU8 reads four elements at a time and the sums two: every row must begin at a multiple of
 * four. */
static int core_in_place(struct product p)
{
    return p.a.ld % 4 == 0 && p.b.ld % 4 == 0 && p.c.ld % 4 == 0;
}

static size_t core_copies(struct core core)
{
    return (size_t)(core.m * core.k + core.k * core.n + core.m * core.n);
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

static void multiply_border_tiles(struct block a, struct block b, struct block c,
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
static void copy_core(struct block from, struct block to, long rows, long cols)
{
    backend.copy_2d(to.at, to.ld * sizeof(real), from.at, from.ld * sizeof(real),
                    cols * sizeof(real), rows);
}

/// [peel]
/* The core by the method, in place or, where rows begin at odd places, in copies; then the last
   inner indices, the last columns and the last rows. */
void multiply_peeled(const struct context *ctx, struct product p, int levels, real *workspace)
{
    struct core core = core_of(p, levels);
    struct block a = p.a, b = p.b, c = p.c;
    long m = core.m, n = core.n, k = core.k;
    long rest_m = c.rows - m, rest_n = c.cols - n, rest_k = a.cols - k;
    if (m && core_in_place(p)) {
        struct product there =
            product_on(part(a, 0, 0, m, k), part(b, 0, 0, k, n), part(c, 0, 0, m, n));
        padded_method()->multiply(ctx, there, core.levels, workspace);
    } else if (m) {
        struct block to_a = take_block(&workspace, m, k), to_b = take_block(&workspace, k, n);
        struct block to_c = take_block(&workspace, m, n);
        copy_core(a, to_a, m, k);
        copy_core(b, to_b, k, n);
        padded_method()->multiply(ctx, product_on(to_a, to_b, to_c), core.levels, workspace);
        copy_core(to_c, c, m, n);
    }
    if (m)
        multiply_border_tiles(part(a, 0, k, m, rest_k), part(b, k, 0, rest_k, n),
                              part(c, 0, 0, m, n), 1);
    multiply_border_tiles(part(a, 0, 0, m, a.cols), part(b, 0, n, a.cols, rest_n),
                          part(c, 0, n, m, rest_n), 0);
    multiply_border_tiles(part(a, m, 0, rest_m, a.cols), b, part(c, m, 0, rest_m, c.cols), 0);
}
/// [peel]

size_t workspace_peeled(const struct context *ctx, struct product p, int levels)
{
    struct core core = core_of(p, levels);
    if (!core.m)
        return 0;
    return (core_in_place(p) ? 0 : core_copies(core)) +
           padded_method()->workspace(ctx, product_of_size(core.m, core.n, core.k),
                                      core.levels);
}

int levels_peeled(const struct context *, struct product p, int levels)
{
    return core_of(p, levels).levels;
}

/// [choice]
/** What padding and peeling multiply, in the units of one GPU8 multiplication. */
struct edges {
    double asked, padded, peeled;
};

/* Blocks of the border that the 132 multiprocessors of an H100 run at a time, with 2048 threads
 * each. */
enum { BORDER_BLOCKS_AT_ONCE = 132 * 2048 / (BORDER_TILE * BORDER_TILE) };

/* A border of one column takes as long as one of sixteen. A block takes the same time however
   many others run, so a launch that does not fill the GPU costs as much as a full one. */
static double border_multiplications(long m, long n, long k)
{
    const double tile = BORDER_TILE, at_once = BORDER_BLOCKS_AT_ONCE;
    double blocks = (double)blocks_for(m, BORDER_TILE) * blocks_for(n, BORDER_TILE);
    if (blocks == 0 || k == 0)
        return 0;
    return (blocks < at_once ? at_once : blocks) * tile * tile * round_up(k, BORDER_TILE);
}

/* The border's kernel needs about three times GPU8's time for a multiplication (steps 08 and
 * 10). */
static struct edges edges_of(struct product p, int levels)
{
    const double slower = 3;
    struct core core = core_of(p, levels);
    struct product shape = pad_shape(padded_method(), p, levels);
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    double left = 1, left_core = 1;
    for (int level = 0; level < levels; level++)
        left *= 7 / 8.0;
    for (int level = 0; level < core.levels; level++)
        left_core *= 7 / 8.0;
    double inner = border_multiplications(core.m, core.n, k - core.k);
    double cols = border_multiplications(core.m, n - core.n, k);
    double rows = border_multiplications(m - core.m, n, k);
    struct edges e = {left * m * n * k, left * shape.c.rows * shape.c.cols * shape.a.cols,
                      left_core * core.m * core.n * core.k + slower * (inner + cols + rows)};
    return e;
}

static int should_peel(struct product p, int levels)
{
    struct edges e = edges_of(p, levels);
    return e.peeled < e.padded;
}
/// [choice]

/* The cheaper of the two. */
void multiply_either(const struct context *ctx, struct product p, int levels, real *workspace)
{
    const enum precision precision = sizeof(real) == 4 ? PRECISION_F32 : PRECISION_F64;
    const struct variant *method = padded_method();
    if (should_peel(p, levels)) {
        multiply_peeled(ctx, p, levels, workspace);
        return;
    }
    struct product padded = pad_begin(method, p, levels, precision, &workspace);
    method->multiply(ctx, padded, levels, workspace);
    pad_end(padded, p, precision);
}

size_t workspace_either(const struct context *ctx, struct product p, int levels)
{
    return should_peel(p, levels) ? workspace_peeled(ctx, p, levels)
                                  : pad_workspace(padded_method(), ctx, p, levels);
}

int levels_either(const struct context *ctx, struct product p, int levels)
{
    return should_peel(p, levels) ? levels_peeled(ctx, p, levels) : levels;
}

/* What padding and peeling cost at sizes just below, at and above the size asked for. */
static int print_edges(const struct options *o)
{
    static const long around[] = {-63, -1, 0, 1, 8, 64, 127};
    printf("Padding and peeling, in multiplications of GPU8 over those that the size itself "
           "needs:\n"
           "%8s %7s %20s %20s %8s %8s  %s\n",
           "n", "levels", "padded to", "core", "padding", "peeling", "cheaper");
    for (int i = 0; i < 7; i++) {
        struct options there = *o;
        there.m = there.n = there.k = o->n + around[i];
        if (there.n < 1)
            continue;
        int levels = depth_of(&there).levels;
        struct product p = product_of_size(there.m, there.n, there.k);
        struct product padded = pad_shape(padded_method(), p, levels);
        struct core core = core_of(p, levels);
        struct edges e = edges_of(p, levels);
        char to[64], of[64];
        snprintf(to, sizeof to, "%ld x %ld x %ld", padded.c.rows, padded.c.cols, padded.a.cols);
        snprintf(of, sizeof of, "%ld x %ld x %ld", core.m, core.n, core.k);
        printf("%8ld %7d %20s %20s %8.3f %8.3f  %s\n", there.n, levels, to, of,
               e.padded / e.asked, e.peeled / e.asked,
               e.peeled < e.padded ? "peeling" : "padding");
    }
    return EXIT_RIGHT;
}

const struct leaf multilevel_leaves[] = {
    {.name = "gpu8",
     .sentence = "GPU8 of step 10, with sums fused into it",
     .simple = multiply_by_gpu8,
     .kernels = &gpu8_kernels},
    {.name = "cublas",
     .sentence = "cublasSgemm or Dgemm; sums by separate kernels",
     .multiply = multiply_cublas},
    {0},
};

const struct action multilevel_actions[] = {
    {.name = "edges",
     .help = "measure what padding and peeling cost around this size",
     .run = print_edges,
     .heeds = "n,levels,tau1,tau2"},
    {0},
};
