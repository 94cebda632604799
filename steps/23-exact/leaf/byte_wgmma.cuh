/* SPDX-License-Identifier: MIT */
/** @file byte_wgmma.cuh
 * The hand-written product of bytes for compute capability 9.0, modelled on step 21's:
 * persistent thread blocks, two of them a cluster, compute tiles of 128 x 256 of all products
 * one after another, and reduce the sums before storing them. Only byte_leaf.cu includes it.
 */
#ifndef STEPS_23_EXACT_LEAF_BYTE_WGMMA_CUH
#define STEPS_23_EXACT_LEAF_BYTE_WGMMA_CUH

#include "steps/21-tensor-cores/leaf/stages.cuh"
#include "steps/21-tensor-cores/leaf/tile_order.cuh"

typedef struct stage_shape<LEFT_LINES * LINE_BYTES, RIGHT_LINES * LINE_BYTES, 4> byte_shape;
enum { BYTE_SUMS = RIGHT_LINES / 2 /* registers of a thread for 64 x 256 sums */ };
static_assert((int)TILES_TOGETHER == (int)CLUSTER,
              "copies go to both thread blocks of a cluster");

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* One thread fetches all slices of the tiles. */
static __device__ __forceinline__ void fetch_bytes(const struct byte_arguments &g,
                                                   struct ring<byte_shape> r)
{
    int tiles = g.down * g.across * g.problems, tile;
    claim_item(r, &g.progress->claimed);
    struct pace pace = pace_begin(g.progress);
    while ((tile = claimed_item(r)) < tiles) {
        struct product_tile at = product_tile_of(g.down, g.across, tile);
        size_t left = (size_t)(at.row * CLUSTER + rank_in_cluster()) * g.slices + g.begin,
               right = (size_t)at.col * g.slices + g.begin;
        fetch_slices<false>(
            r, g.left + at.product * g.left_stride + left * byte_shape::LEFT_BYTES,
            g.right + at.product * g.right_stride + right * byte_shape::RIGHT_BYTES,
            g.end - g.begin, pace);
        claim_item(r, &g.progress->claimed);
    }
    pace_end(pace);
}

static __device__ __forceinline__ void products_of_bytes(unsigned *sums, unsigned long long a,
                                                         unsigned long long b, int add)
{
#pragma unroll
    for (int i = 0; i < 8; i += 2)
        multiply_wide_bytes(sums, a + i, b + i, add | i);
}

/// [epilogue]
/* Reduces the sums of a warpgroup's 64 rows to bytes and stores them. Thread t holds columns 2
   (t % 4) and the next of every 8, in rows t / 4 % 8 and t / 4 % 8 + 8 of its warp's 16: 64
   bytes of each of two rows, which product_place() puts side by side. */
static __device__ __forceinline__ void store_bytes(const struct byte_arguments &g,
                                                   struct product_tile at, int warpgroup,
                                                   const unsigned sums[BYTE_SUMS])
{
    int t = threadIdx.x % WARPGROUP;
    long row = (at.row * CLUSTER + rank_in_cluster()) * (long)LEFT_LINES + warpgroup * 64 +
               t / 32 * 16 + t % 32 / 4;
    const struct modulus m = g.m[at.product / g.products];
    unsigned char *to = g.to + at.product * g.to_stride + row * g.row_bytes +
                        (size_t)at.col * RIGHT_LINES + t % 4 * (RIGHT_LINES / 4);
#pragma unroll
    for (int half = 0; half < 2; half++, to += 8 * g.row_bytes)
#pragma unroll
        for (int piece = 0; piece < 4; piece++) {
            unsigned word[4];
            uint4 before = make_uint4(0, 0, 0, 0);
            if (g.add)
                before = *(const uint4 *)(to + piece * 16);
            const unsigned old[4] = {before.x, before.y, before.z, before.w};
#pragma unroll
            for (int w = 0; w < 4; w++) {
                int j = piece * 8 + w * 2;
                word[w] = 0;
#pragma unroll
                for (int i = 0; i < 4; i++)
                    word[w] |= residue_of_sum((int)(sums[4 * (j + i / 2) + 2 * half + i % 2] +
                                                    (old[w] >> 8 * i & 255)),
                                              &m)
                               << 8 * i;
            }
            *(uint4 *)(to + piece * 16) = make_uint4(word[0], word[1], word[2], word[3]);
        }
}
/// [epilogue]

static __device__ __forceinline__ void multiply_byte_tiles(const struct byte_arguments &g)
{
    extern __shared__ unsigned char memory[];
    struct ring<byte_shape> r = ring_create<byte_shape>(memory);
    if (threadIdx.x < WARPGROUP) {
        warpgroup_gives_back_to<40>();
        if (threadIdx.x == 0)
            fetch_bytes(g, r);
        __syncwarp(); /* all lanes of a warp must be together in cluster_wait() */
    } else {
        warpgroup_takes<232>();
        int warpgroup = threadIdx.x / WARPGROUP - 1, tiles = g.down * g.across * g.problems,
            tile;
        while ((tile = claimed_item(r)) < tiles) {
            int before = -1;
            unsigned sums[BYTE_SUMS];
            multiply_slices<products_of_bytes>(r, g.end - g.begin, before, sums);
            release(r, before);
            store_bytes(g, product_tile_of(g.down, g.across, tile), warpgroup, sums);
        }
    }
    cluster_wait(); /* a thread block must not end before the other's last arrival here */
}

#endif

static __global__ void IN_CLUSTERS __launch_bounds__(LEAF_THREADS, 1)
    multiply_byte_tiles_kernel(const __grid_constant__ struct byte_arguments g)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    multiply_byte_tiles(g);
#endif
}

/* Launches the kernel above; returns false if it was not compiled for this GPU. */
static bool launch_byte_wgmma(const struct context *ctx, const struct byte_arguments *g)
{
#ifdef LADDER_SM90A
    if (ctx->gpu->capability == 90) {
        GPU_CALL(ctx, cudaMemsetAsync(g->progress, 0, sizeof *g->progress, ctx->stream));
        GPU_CALL(ctx, cudaFuncSetAttribute(multiply_byte_tiles_kernel,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           byte_shape::SHARED_BYTES));
        if (is_failed(ctx))
            return true;
        multiply_byte_tiles_kernel<<<ctx->gpu->multiprocessors / CLUSTER * CLUSTER,
                                     LEAF_THREADS, byte_shape::SHARED_BYTES, ctx->stream>>>(*g);
        GPU_CALL(ctx, launch_error(ctx));
        return true;
    }
#endif
    return false;
}

#endif
