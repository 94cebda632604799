/* SPDX-License-Identifier: MIT */
/** @file wgmma.cu
 * The hand-written product for compute capability 9.0: persistent thread blocks, two of them a
 * cluster, that compute tiles of all products of a batch one after another. operands.h
 * describes the operands; mma.cu has the product for other GPUs.
 */
#include "steps/21-tensor-cores/leaf/tensor_leaf.h"

#include <cuda_fp16.h>

#include "launch.cuh"
#include "steps/21-tensor-cores/leaf/mma.h"
#include "steps/21-tensor-cores/operands/powers.cuh"

#include "steps/21-tensor-cores/leaf/stages.cuh"

typedef struct stage_shape<TILE_M * SLICE, TILE_N * SLICE, 5> leaf_shape;
enum { FOURS = TILE_N / 8 /* of the sums that a thread has: four for every 8 columns */ };
static_assert(TILE_M == MULTIPLIERS * 64, "a warpgroup multiplies 64 rows");

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* This thread block's tile among those that its cluster computes together. */
static __device__ __forceinline__ struct product_tile own_tile_of(const struct arguments &g,
                                                                  int number, int rank)
{
    struct product_tile at = product_tile_of(g.down, g.across, number);
    if (g.abreast)
        at.col = at.col * CLUSTER + rank;
    else
        at.row = at.row * CLUSTER + rank;
    return at;
}

/* One thread fetches all slices of the tiles. Parts of tiles do not keep pace: they begin
   anywhere in k. */
static __device__ __forceinline__ void fetch(const struct arguments &g,
                                             struct ring<leaf_shape> r)
{
    int last = (g.n - 1) / TILE_N, item;
    claim_item(r, &g.progress->claimed);
    struct pace pace = pace_begin(g.progress);
    while ((item = claimed_item(r)) < g.items) {
        struct work w = work_of(g, item);
        if (item >= g.whole)
            pace_end(pace);
        struct product_tile at = own_tile_of(g, w.tile, rank_in_cluster());
        size_t left = (size_t)at.row * g.slices + w.first,
               right = (size_t)min(at.col, last) * g.slices + w.first;
        const unsigned char *a =
            g.left + at.product * g.left_stride + left * leaf_shape::LEFT_BYTES;
        const unsigned char *b =
            g.right + at.product * g.right_stride + right * leaf_shape::RIGHT_BYTES;
        if (g.abreast)
            fetch_slices<true>(r, a, b, w.slices, pace);
        else
            fetch_slices<false>(r, a, b, w.slices, pace);
        claim_item(r, &g.progress->claimed);
    }
    pace_end(pace);
}

/* Where the sums of a thread go: thread t of a warpgroup holds columns 2 (t % 4) and the next
   of every 8, in rows t / 4 % 8 and t / 4 % 8 + 8 of its warp's 16. */
struct place {
    int row, col;             /* the first */
    int upper, lower;         /* exponents of the two rows */
    float of_upper, of_lower; /* the means that were subtracted from them */
    const int *cols;          /* exponents of the columns */
    float *c;
};

static __device__ __forceinline__ struct place
place_of(const struct arguments &g, struct product_tile at, int warpgroup, int lift)
{
    int t = threadIdx.x % WARPGROUP;
    struct place x;
    x.row = at.row * TILE_M + warpgroup * 64 + t / 32 * 16 + t % 32 / 4;
    x.col = at.col * TILE_N + t % 4 * 2;
    const int *rows = g.left_exponents + (long)at.product * g.m;
    bool has_upper = x.row < g.m, has_lower = x.row + 8 < g.m;
    x.upper = has_upper ? rows[x.row] - 2 * lift : 0;
    x.lower = has_lower ? rows[x.row + 8] - 2 * lift : 0;
    x.of_upper = has_upper ? mean_in_units(g.means, x.row, rows[x.row], lift) : 0;
    x.of_lower = has_lower ? mean_in_units(g.means, x.row + 8, rows[x.row + 8], lift) : 0;
    x.cols = g.right_exponents + (long)at.product * g.n + x.col;
    x.c = g.c + at.product * g.c_stride + x.row * g.ldc + x.col;
    return x;
}

/* Stores the four sums of every 8 columns, number j. */
static __device__ __forceinline__ void store(const struct arguments &g, const struct place &x,
                                             int j, const float total[4])
{
    if (x.col + 8 * j >= g.n)
        return;
    int first = x.cols[8 * j], second = x.cols[8 * j + 1];
    float2 sum = g.means ? *(const float2 *)(g.sums + x.col + 8 * j) : make_float2(0, 0);
    if (x.row < g.m)
        *(float2 *)(x.c + 8 * j) =
            make_float2(unscaled(fmaf(x.of_upper, sum.x, total[0]), x.upper + first),
                        unscaled(fmaf(x.of_upper, sum.y, total[1]), x.upper + second));
    if (x.row + 8 < g.m)
        *(float2 *)(x.c + 8 * g.ldc + 8 * j) =
            make_float2(unscaled(fmaf(x.of_lower, sum.x, total[2]), x.lower + first),
                        unscaled(fmaf(x.of_lower, sum.y, total[3]), x.lower + second));
}

/// [halves]
/* Multiplies a stage of two halves per element: three products of 32 terms. The small products
   come first: while the accumulator is small, fewer of their bits are cut off. After the first
   stage it is large, and the order no longer matters. */
static __device__ __forceinline__ void products_of_halves(unsigned *sums, unsigned long long a,
                                                          unsigned long long b, int add)
{
    multiply_halves(sums, a + 4, b, add); /* lo hi */
    multiply_halves(sums, a + 6, b + 2, 1);
    multiply_halves(sums, a, b + 4, 1); /* hi lo */
    multiply_halves(sums, a + 2, b + 6, 1);
    multiply_halves(sums, a, b, 1); /* hi hi */
    multiply_halves(sums, a + 2, b + 2, 1);
}

/* Computes a tile of C from such stages, with promotion. `sums` is the tensor core's
   accumulator: the bits of floats here, integers in the kernel for bytes. */
static __device__ __forceinline__ void sum_halves(const struct arguments &g, struct work w,
                                                  struct ring<leaf_shape> &r, int &before,
                                                  float total[SUMS], unsigned sums[SUMS])
{
    for (int left = w.slices; left > 0; left -= g.promote) {
        multiply_slices<products_of_halves>(r, min(left, g.promote), before, sums);
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            total[i] += __uint_as_float(sums[i]);
    }
}
/// [halves]

/* The same with a half and two bytes: hi hi in halves, then lo hi and hi lo in bytes, whose
   sums are exact. */
static __device__ __forceinline__ void products_of_hi(unsigned *sums, unsigned long long a,
                                                      unsigned long long b, int add)
{
#pragma unroll
    for (int i = 0; i < 8; i += 2)
        multiply_halves(sums, a + i, b + i, add | i);
}

static __device__ __forceinline__ void products_of_bytes(unsigned *sums, unsigned long long a,
                                                         unsigned long long b, int add)
{
#pragma unroll
    for (int i = 0; i < 8; i += 2)
        multiply_bytes(sums, a + i, b + i, add | i);
}

static __device__ __forceinline__ void sum_bytes(const struct arguments &g, struct work w,
                                                 struct ring<leaf_shape> &r, int &before,
                                                 float total[SUMS], unsigned sums[SUMS])
{
    int halves = max(0, min(w.slices, g.half_slices - w.first));
    for (int left = halves; left > 0; left -= g.promote) {
        multiply_slices<products_of_hi>(r, min(left, g.promote), before, sums);
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            total[i] += __uint_as_float(sums[i]);
    }
    for (int left = w.slices - halves; left > 0; left -= BYTE_SLICES) {
        multiply_slices<products_of_bytes>(r, min(left, (int)BYTE_SLICES), before, sums);
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            total[i] += of_bytes((int)sums[i]);
    }
}

/* Stores a warpgroup's sums of a part for add_parts_kernel(). */
static __device__ __forceinline__ void keep_part(const struct arguments &g, struct work w,
                                                 int warpgroup, const float total[SUMS])
{
    int group = ((w.tile - g.whole) * CLUSTER + rank_in_cluster()) * MULTIPLIERS + warpgroup;
    float4 *partials = g.partials + ((size_t)group * g.parts + w.part) * FOURS * WARPGROUP +
                       threadIdx.x % WARPGROUP;
#pragma unroll
    for (int j = 0; j < FOURS; j++)
        partials[j * WARPGROUP] =
            make_float4(total[4 * j], total[4 * j + 1], total[4 * j + 2], total[4 * j + 3]);
}

/* The body of both kernels, with the `format` as a constant. */
static __device__ __forceinline__ void multiply_tiles(const struct arguments &g,
                                                      enum format format)
{
    extern __shared__ unsigned char memory[];
    next_may_begin();
    struct ring<leaf_shape> r = ring_create<leaf_shape>(memory);
    wait_for_kernel_before();
    if (threadIdx.x < WARPGROUP) {
        warpgroup_gives_back_to<40>();
        if (threadIdx.x == 0)
            fetch(g, r);
        __syncwarp(); /* all lanes of a warp must be together in cluster_wait() */
    } else {
        warpgroup_takes<232>();
        int warpgroup = threadIdx.x / WARPGROUP - 1, item;
        while ((item = claimed_item(r)) < g.items) {
            struct work w = work_of(g, item);
            int before = -1;
            float total[SUMS];
            unsigned sums[SUMS];
#pragma unroll
            for (int i = 0; i < SUMS; i++)
                total[i] = 0;
            if (format == FORMAT_TWO_HALVES)
                sum_halves(g, w, r, before, total, sums);
            else
                sum_bytes(g, w, r, before, total, sums);
            release(r, before);
            if (item >= g.whole) {
                keep_part(g, w, warpgroup, total);
                continue;
            }
            struct place place = place_of(g, own_tile_of(g, w.tile, rank_in_cluster()),
                                          warpgroup, lift_of(format));
#pragma unroll
            for (int j = 0; j < FOURS; j++)
                store(g, place, j, total + 4 * j);
        }
    }
    cluster_wait(); /* a thread block must not end before the other's last arrival here */
}

#endif

static __global__ void IN_CLUSTERS __launch_bounds__(LEAF_THREADS, 1)
    multiply_halves_kernel(const __grid_constant__ struct arguments g)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    multiply_tiles(g, FORMAT_TWO_HALVES);
#endif
}

static __global__ void IN_CLUSTERS __launch_bounds__(LEAF_THREADS, 1)
    multiply_bytes_kernel(const __grid_constant__ struct arguments g)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    multiply_tiles(g, FORMAT_HALF_AND_BYTES);
#endif
}

/* Adds up the parts of the tiles that were cut, always in the same order, so that the result
   has the same bits every time. A thread block adds one warpgroup's rows of ADDED times 8
   columns. */
enum { ADDED = 2 };
static __global__ void __launch_bounds__(WARPGROUP)
    add_parts_kernel(const __grid_constant__ struct arguments g, int lift)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    next_may_begin();
    wait_for_kernel_before();
    int group = blockIdx.x, warpgroup = group % MULTIPLIERS;
    int rank = group / MULTIPLIERS % CLUSTER, tile = g.whole + group / MULTIPLIERS / CLUSTER;
    struct place place = place_of(g, own_tile_of(g, tile, rank), warpgroup, lift);
    int first = blockIdx.y * ADDED;
    const float4 *partials =
        g.partials + ((size_t)group * g.parts * FOURS + first) * WARPGROUP + threadIdx.x;
    float total[ADDED][4] = {};
#pragma unroll 4
    for (int part = 0; part < g.parts; part++, partials += FOURS * WARPGROUP)
#pragma unroll
        for (int j = 0; j < ADDED; j++) {
            float4 more = partials[j * WARPGROUP];
            total[j][0] += more.x, total[j][1] += more.y;
            total[j][2] += more.z, total[j][3] += more.w;
        }
#pragma unroll
    for (int j = 0; j < ADDED; j++)
        store(g, place, first + j, total[j]);
#endif
}

/* Chooses the number of parts to cut each of the last `rest` tiles into, so that `clusters`
   clusters take the least time. Each part costs extra time, measured on an H100, because its
   sums are written and read again. A part has at least the terms between two promotions. */
static int parts_of(int rest, int clusters, int slices, int promote, int room)
{
    const int part_costs = 4, adding_costs = 8; /* in slices */
    int best = 1;
    double least = slices;
    for (int parts = 2; parts <= 2 * TILE_PARTS && rest * parts <= room; parts++) {
        double time = adding_costs + (double)pieces_of((long)rest * parts, clusters) *
                                         ((double)slices / parts + part_costs);
        if (time < least && slices / parts >= promote)
            least = time, best = parts;
    }
    return best;
}

static void cut_last_tiles(struct arguments *g, int clusters, int room)
{
    int tiles = g->down * g->across * g->products, rest = tiles % clusters;
    g->parts = parts_of(rest, clusters, g->slices, g->promote, room);
    g->whole = g->parts > 1 ? tiles - rest : tiles;
    g->items = g->whole + (tiles - g->whole) * g->parts;
}

static void launch(const struct context *ctx, const struct batch *b, struct arguments *g)
{
    void (*kernel)(struct arguments) =
        b->format == FORMAT_TWO_HALVES ? multiply_halves_kernel : multiply_bytes_kernel;
    GPU_CALL(ctx, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       leaf_shape::SHARED_BYTES));
    if (is_failed(ctx))
        return;
    int processors = (ctx->gpu->multiprocessors - b->spare) / CLUSTER * CLUSTER;
    cut_last_tiles(g, processors / CLUSTER, parts_of_batch(b));
    int blocks =
        (int)smaller(processors, (long)g->items * CLUSTER); /* the others have no work */
    bool early = b->spare == 0; /* otherwise it follows an event, not our own kernel */
    launch_early(ctx, early, kernel, blocks, LEAF_THREADS, leaf_shape::SHARED_BYTES, *g);
    int cut = (g->items - g->whole) / g->parts;
    if (cut == 0)
        return;
    dim3 grid(cut * (int)CLUSTER * (int)MULTIPLIERS, (int)FOURS / (int)ADDED);
    /* Launched early, it would wait on the spare multiprocessors and keep the sums out. */
    launch_early(ctx, early, add_parts_kernel, grid, WARPGROUP, 0, *g, lift_of(b->format));
}

/* Whether the kernels of this file run here: they are compiled for sm_90a only. */
static bool is_hopper(const struct context *ctx)
{
#ifdef LADDER_SM90A
    return ctx->gpu->capability == 90;
#else
    return false;
#endif
}

void load_leaf(const struct context *ctx)
{
    struct cudaFuncAttributes attributes;
    if (is_hopper(ctx)) {
        GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)multiply_halves_kernel));
        GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)multiply_bytes_kernel));
        GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)add_parts_kernel));
    }
    load_mma(ctx);
}

void multiply_batch(const struct context *ctx, const struct batch *b, enum tensor_leaf leaf)
{
    int terms = b->format == FORMAT_TWO_HALVES ? 32 : 64; /* of hi in a slice */
    struct arguments g;
    g.left = b->left.slices, g.right = b->right.slices;
    g.left_stride = b->left.stride, g.right_stride = b->right.stride, g.c_stride = b->stride_c;
    g.left_exponents = b->left.exponents, g.right_exponents = b->right.exponents;
    g.means = b->levels ? NULL : b->left.means, g.sums = b->right.sums;
    g.c = b->c, g.ldc = b->ldc;
    g.m = b->m, g.n = b->n, g.products = b->products;
    g.slices = b->k_padded / 32, g.half_slices = b->k_padded / terms;
    g.promote = (int)larger(1, b->promote / terms);
    g.progress = b->progress;
    g.partials = (float4 *)b->partials;
    if (leaf == LEAF_MMA || !is_hopper(ctx)) {
        g.across = (int)pieces_of(b->n, MMA_TILE), g.down = (int)pieces_of(b->m, MMA_TILE);
        launch_mma(ctx, b, &g);
        return;
    }
    g.across = (int)pieces_of(b->n, TILE_N), g.down = (int)pieces_of(b->m, CLUSTER * TILE_M);
    long rows = pieces_of(b->m, TILE_M), pairs = pieces_of(b->n, CLUSTER * TILE_N);
    g.abreast = rows * pairs < (long)g.across * g.down;
    if (g.abreast)
        g.across = (int)pairs, g.down = (int)rows;
    launch(ctx, b, &g);
}
