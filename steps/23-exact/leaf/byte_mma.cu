/* SPDX-License-Identifier: MIT */
/** @file byte_mma.cu
 * The product of bytes by mma.sync, for compute capability 8.0 and up: a thread block for each
 * tile of 128 x 128, from the same slices as byte_wgmma.cuh. Its tiles and instructions are
 * those of step 21's mma.cu.
 */
#include "byte_mma.h"

#include "steps/21-tensor-cores/leaf/mma_tile.cuh"

static_assert((int)LINE_BYTES == (int)SLICE && (int)RIGHT_LINES % (int)WARP_COLS == 0,
              "slices as in step 21, and a warp's columns in one tile of B");

/* Finds the part of every slice that this thread copies: 16 bytes of every 32nd line from
   `first` on. `factor` is the first slice of the first tile of LINES lines. */
template <int LINES>
static __device__ __forceinline__ void
find_lines(const unsigned char *at[COPIES], const unsigned char *factor, int first, int slices)
{
#pragma unroll
    for (int i = 0; i < COPIES; i++) {
        int line = first + (int)threadIdx.x / 8 + i * LINES_AT_ONCE;
        at[i] = factor + (size_t)(line / LINES) * slices * LINES * LINE_BYTES +
                line % LINES * LINE_BYTES + threadIdx.x % 8 * 16;
    }
}

static __device__ __forceinline__ void copy_bytes(unsigned stages,
                                                  const unsigned char *const a[COPIES],
                                                  const unsigned char *const b[COPIES],
                                                  int slice, int slices)
{
    if (slice < slices) {
        unsigned to = stages + slice % MMA_STAGES * MMA_STAGE_BYTES + threadIdx.x * 16;
#pragma unroll
        for (int i = 0; i < COPIES; i++) {
            copy_16(to + i * LINES_AT_ONCE * LINE_BYTES,
                    a[i] + (size_t)slice * LEFT_LINES * LINE_BYTES);
            copy_16(to + (MMA_TILE + i * LINES_AT_ONCE) * LINE_BYTES,
                    b[i] + (size_t)slice * RIGHT_LINES * LINE_BYTES);
        }
    }
    copies_end(); /* after the last slices an empty group, so that copies_wait() counts right */
}

/* Reduces four times two sums of a row and stores them: columns 2 (t % 4) and the next of every
   8, which product_place() puts next to each other. */
static __device__ __forceinline__ void store_eight(unsigned char *to, int add,
                                                   const unsigned sums[4][4], int half,
                                                   const struct modulus &m)
{
    uint2 before = make_uint2(0, 0);
    if (add)
        before = *(const uint2 *)to;
    const unsigned old[2] = {before.x, before.y};
    unsigned word[2] = {0, 0};
#pragma unroll
    for (int i = 0; i < 8; i++)
        word[i / 4] |=
            residue_of_sum(
                (int)(sums[i / 2][2 * half + i % 2] + (old[i / 4] >> i % 4 * 8 & 255)), &m)
            << i % 4 * 8;
    *(uint2 *)to = make_uint2(word[0], word[1]);
}

/* Computes one tile: while one slice is multiplied, two are being copied. */
static __device__ __forceinline__ void multiply_byte_tile(const struct byte_arguments &g)
{
    extern __shared__ __align__(128) unsigned char mma_memory[];
    unsigned stages = (unsigned)__cvta_generic_to_shared(mma_memory);
    struct product_tile at = product_tile_of(g.down, g.across, blockIdx.x);
    const unsigned char *a[COPIES], *b[COPIES];
    unsigned sums[4][4][4] = {};
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int slices = g.end - g.begin;
    int row = at.row * MMA_TILE + warp / 4 * WARP_ROWS,
        col = at.col * MMA_TILE + warp % 4 * WARP_COLS;
    find_lines<LEFT_LINES>(
        a, g.left + at.product * g.left_stride + (size_t)g.begin * LEFT_LINES * LINE_BYTES,
        at.row * MMA_TILE, g.slices);
    find_lines<RIGHT_LINES>(
        b, g.right + at.product * g.right_stride + (size_t)g.begin * RIGHT_LINES * LINE_BYTES,
        at.col * MMA_TILE, g.slices);
    for (int s = 0; s < MMA_STAGES - 1; s++)
        copy_bytes(stages, a, b, s, slices);
    for (int s = 0; s < slices; s++) {
        copies_wait<MMA_STAGES - 2>();
        __syncthreads(); /* slice s has arrived, and all have multiplied the one before */
        copy_bytes(stages, a, b, s + MMA_STAGES - 1, slices);
        unsigned stage = stages + s % MMA_STAGES * MMA_STAGE_BYTES;
#pragma unroll
        for (int piece = 0; piece < LINE_BYTES / 16; piece += 2) {
            unsigned left[4][4], right[2][4];
            load_left(left, stage, piece), load_right(right, stage, piece);
            multiply<mma_bytes>(sums, left, right);
        }
    }
    const struct modulus m = g.m[at.product / g.products];
    unsigned char *to = g.to + at.product * g.to_stride + product_place(col + lane % 4 * 2);
#pragma unroll
    for (int i = 0; i < 2 * 4; i++) { /* this thread's rows are 8 apart */
        int here = row + i * 8 + lane / 4;
        store_eight(to + here * g.row_bytes, g.add, sums[i / 2], i % 2, m);
    }
}

static __global__ void __launch_bounds__(MMA_THREADS, 1)
    multiply_byte_tile_kernel(const __grid_constant__ struct byte_arguments g)
{
    if (HAS_MMA)
        multiply_byte_tile(g);
}

void launch_byte_mma(const struct context *ctx, const struct byte_arguments *g)
{
    struct byte_arguments tiles = *g;
    tiles.down = (int)pieces_of(g->rows, MMA_TILE);
    tiles.across = (int)pieces_of((long)g->row_bytes, MMA_TILE);
    GPU_CALL(ctx, ctx->gpu->capability < 80 ? cudaErrorNotSupported : cudaSuccess);
    GPU_CALL(ctx, cudaFuncSetAttribute(multiply_byte_tile_kernel,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       MMA_SHARED_BYTES));
    if (is_failed(ctx))
        return;
    multiply_byte_tile_kernel<<<tiles.down * tiles.across * g->problems, MMA_THREADS,
                                MMA_SHARED_BYTES, ctx->stream>>>(tiles);
    GPU_CALL(ctx, launch_error(ctx));
}

const char *byte_mma_missing(void)
{
    return mma_missing((const void *)multiply_byte_tile_kernel);
}
