/* SPDX-License-Identifier: MIT */
/** @file mma.cu
 * The hand-written product for compute capability 8.0 and up: a thread block for each tile, the
 * matrix instructions of a warp (mma.sync), copies by cp.async; see mma_tile.cuh. It reads the
 * same slices as wgmma.cu.
 */
#include "mma.h"

#include "mma_tile.cuh"
#include "tensor_leaf.h"
#include "steps/21-tensor-cores/operands/powers.cuh"

/* ---- A tile ---- */

/* The part of every slice that one thread copies: 16 bytes of every 32nd line of the tile, in
   the order in which they are stored. The lines of one tile here may be in two of B's tiles,
   which have 192 columns. */
struct copier {
    const unsigned char *a, *b[COPIES];
    unsigned to; /* in the first stage */
};

static __device__ __forceinline__ struct copier
copier_of(const struct arguments &g, struct product_tile at, unsigned memory)
{
    struct copier x;
    int line = threadIdx.x / 8, piece = threadIdx.x % 8 * 16;
    int last = (g.n + TILE_N - 1) / TILE_N * TILE_N - 1; /* the last line that exists */
    x.to = memory + line * SLICE + piece;
    x.a = g.left + at.product * g.left_stride + (size_t)at.row * g.slices * MMA_TILE * SLICE +
          line * SLICE + piece;
#pragma unroll
    for (int i = 0; i < COPIES; i++) {
        int col = min(at.col * MMA_TILE + line + i * LINES_AT_ONCE, last);
        x.b[i] = g.right + at.product * g.right_stride +
                 (size_t)(col / TILE_N) * g.slices * TILE_N * SLICE + col % TILE_N * SLICE +
                 piece;
    }
    return x;
}

static __device__ __forceinline__ void copy_slice(const struct copier &x, int slice, int slices)
{
    if (slice < slices) {
        unsigned to = x.to + slice % MMA_STAGES * MMA_STAGE_BYTES;
#pragma unroll
        for (int i = 0; i < COPIES; i++) {
            copy_16(to + i * LINES_AT_ONCE * SLICE,
                    x.a + (size_t)slice * MMA_TILE * SLICE + i * LINES_AT_ONCE * SLICE);
            copy_16(to + (MMA_TILE + i * LINES_AT_ONCE) * SLICE,
                    x.b[i] + (size_t)slice * TILE_N * SLICE);
        }
    }
    copies_end(); /* after the last slices an empty group, so that copies_wait() counts right */
}

/* Three products of 32 terms from one slice, as in wgmma.cu: lo hi, hi lo, hi hi. */
static __device__ __forceinline__ void multiply_two_halves(unsigned sums[4][4][4],
                                                           unsigned stage)
{
#pragma unroll
    for (int piece = 0; piece < 4; piece += 2) {
        unsigned a[4][4], a_lo[4][4], b[2][4], b_lo[2][4];
        load_left(a_lo, stage, piece + 4), load_right(b, stage, piece);
        multiply<mma_halves>(sums, a_lo, b);
        load_left(a, stage, piece), load_right(b_lo, stage, piece + 4);
        multiply<mma_halves>(sums, a, b_lo);
        multiply<mma_halves>(sums, a, b);
    }
}

/* One product of a whole slice: 64 terms of halves, or 128 of bytes. */
static __device__ __forceinline__ void multiply_one(unsigned sums[4][4][4], unsigned stage,
                                                    bool bytes)
{
#pragma unroll
    for (int piece = 0; piece < 8; piece += 2) {
        unsigned a[4][4], b[2][4];
        load_left(a, stage, piece), load_right(b, stage, piece);
        if (bytes)
            multiply<mma_bytes>(sums, a, b);
        else
            multiply<mma_halves>(sums, a, b);
    }
}

/* Stores two neighbouring elements of C, after undoing their scaling. */
static __device__ __forceinline__ void store_pair(const struct arguments &g, int product,
                                                  int row, int col, int lift, float first,
                                                  float second)
{
    if (row >= g.m || col >= g.n)
        return;
    int exponent = g.left_exponents[(long)product * g.m + row], of_row = exponent - 2 * lift;
    const int *of_cols = g.right_exponents + (long)product * g.n + col;
    if (g.means) {
        float mean = mean_in_units(g.means, row, exponent, lift);
        first = fmaf(mean, g.sums[col], first), second = fmaf(mean, g.sums[col + 1], second);
    }
    *(float2 *)(g.c + product * g.c_stride + row * g.ldc + col) = make_float2(
        unscaled(first, of_row + of_cols[0]), unscaled(second, of_row + of_cols[1]));
}

/* Computes one tile: while one slice is multiplied, two are being copied. */
static __device__ __forceinline__ void multiply_tile(const struct arguments &g,
                                                     enum format format)
{
    extern __shared__ __align__(128) unsigned char memory[];
    unsigned stages = (unsigned)__cvta_generic_to_shared(memory);
    struct product_tile at = product_tile_of(g.down, g.across, blockIdx.x);
    struct copier copier = copier_of(g, at, stages);
    unsigned sums[4][4][4] = {};
    float total[4][4][4] = {};
    int since = 0; /* added up in sums */
    for (int s = 0; s < MMA_STAGES - 1; s++)
        copy_slice(copier, s, g.slices);
    for (int s = 0; s < g.slices; s++) {
        bool bytes = format == FORMAT_HALF_AND_BYTES && s >= g.half_slices;
        copies_wait<MMA_STAGES - 2>();
        __syncthreads(); /* slice s has arrived, and all have multiplied the one before */
        copy_slice(copier, s + MMA_STAGES - 1, g.slices);
        unsigned stage = stages + s % MMA_STAGES * MMA_STAGE_BYTES;
        if (format == FORMAT_TWO_HALVES)
            multiply_two_halves(sums, stage);
        else if (bytes)
            multiply_one(sums, stage, true);
        else
            multiply_one(sums, stage, false);
        if (++since < (bytes ? (int)BYTE_SLICES : g.promote) && s + 1 != g.half_slices &&
            s + 1 != g.slices)
            continue;
        since = 0;
#pragma unroll
        for (int i = 0; i < 64; i++) {
            unsigned *sum = &sums[i / 16][i / 4 % 4][i % 4];
            total[i / 16][i / 4 % 4][i % 4] +=
                bytes ? of_bytes((int)*sum) : __uint_as_float(*sum);
            *sum = 0;
        }
    }
    int lift = lift_of(format);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row = at.row * MMA_TILE + warp / 4 * WARP_ROWS + lane / 4;
    int col = at.col * MMA_TILE + warp % 4 * WARP_COLS + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const float *t = total[i][j];
            store_pair(g, at.product, row + 16 * i, col + 8 * j, lift, t[0], t[1]);
            store_pair(g, at.product, row + 16 * i + 8, col + 8 * j, lift, t[2], t[3]);
        }
}

static __global__ void __launch_bounds__(MMA_THREADS, 1)
    mma_halves_kernel(const __grid_constant__ struct arguments g)
{
    if (HAS_MMA)
        multiply_tile(g, FORMAT_TWO_HALVES);
}

static __global__ void __launch_bounds__(MMA_THREADS, 1)
    mma_bytes_kernel(const __grid_constant__ struct arguments g)
{
    if (HAS_MMA)
        multiply_tile(g, FORMAT_HALF_AND_BYTES);
}

void launch_mma(const struct context *ctx, const struct batch *b, const struct arguments *g)
{
    void (*kernel)(struct arguments) =
        b->format == FORMAT_TWO_HALVES ? mma_halves_kernel : mma_bytes_kernel;
    GPU_CALL(ctx, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       MMA_SHARED_BYTES));
    if (is_failed(ctx))
        return;
    kernel<<<g->across * g->down * g->products, MMA_THREADS, MMA_SHARED_BYTES, ctx->stream>>>(
        *g);
    GPU_CALL(ctx, launch_error(ctx));
}

void load_mma(const struct context *ctx)
{
    struct cudaFuncAttributes attributes;
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)mma_halves_kernel));
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)mma_bytes_kernel));
}

const char *leaf_missing(void) { return mma_missing((const void *)mma_halves_kernel); }
