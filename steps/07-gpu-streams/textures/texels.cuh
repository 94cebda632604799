/* SPDX-License-Identifier: MIT */
/** @file texels.cuh
 * Matrices as textures of four-component texels (Fatahalian et al. (2004), section 2.2): the
 * two layouts, packing and unpacking, fetching.
 */
#ifndef STEPS_07_GPU_STREAMS_TEXTURES_TEXELS_CUH
#define STEPS_07_GPU_STREAMS_TEXTURES_TEXELS_CUH

#include "common/matrix/block.h"
#include "common/device/gpu.h"

/** Which rows x columns of a matrix make one texel; its elements are stored row by row
 * in x, y, z, w. */
struct layout {
    int rows, columns;
};
static const struct layout block_2x2 = {2, 2};   /* NV Single, after [HCH03] */
static const struct layout column_of_4 = {4, 1}; /* NV Multi, after [Mor03] */

/** A matrix in texels: texel (row, column) is texels[row * pitch + column]. */
struct texture {
    real4 *texels;
    int width, height; /**< texels */
    int pitch; /**< texels from one row to the next; even: a row begins every 32 bytes */
    cudaTextureObject_t object; /**< f32 only: there are no textures of double */
};

/** Edge of the square thread blocks; each thread has one texel. */
enum { TEXEL_BLOCK = 16 };
static_assert(
    TEXEL_BLOCK % 16 == 0 && TEXEL_BLOCK * TEXEL_BLOCK <= 1024,
    "a row of a block must be whole half-warps, and a block has at most 1024 threads");

static inline dim3 texel_block(void) { return dim3(TEXEL_BLOCK, TEXEL_BLOCK); }
static inline dim3 texel_grid(struct texture t)
{
    return dim3(blocks_for(t.width, TEXEL_BLOCK), blocks_for(t.height, TEXEL_BLOCK));
}

/** The texture of a rows x columns matrix, without its memory. */
struct texture texture_shape(long rows, long columns, struct layout layout);

/** Elements of workspace for it: whole units of 512 bytes, the alignment that textures want. */
size_t texture_elements(struct texture t);

/** Takes the texture's memory off the front of the workspace; texture_destroy() ends its use.
 * Ends the program if a texture cannot be that large. */
struct texture texture_create(struct texture t, real **workspace);
void texture_destroy(struct texture t);

/** Packs a rows x columns matrix, rows `ld` apart; what a texel has beyond it becomes zero. */
void pack(const real *x, long ld, long rows, long columns, struct layout layout,
          struct texture t);

/** Unpacks into a matrix, one thread for each element. */
void unpack(struct texture t, struct layout layout, real *x, long ld, long rows, long columns);

/// [fetch]
/** The texel whose centre is (x, y): texel 0 has its centre at 0.5. In double, which no texture
 *  holds, a plain load. */
static __device__ __forceinline__ real4 fetch(struct texture t, float x, float y)
{
#ifdef LADDER_F32
    return tex2D<float4>(t.object, x, y);
#else
    return t.texels[(size_t)y * t.pitch + (size_t)x];
#endif
}
/// [fetch]

/** The texel that this thread is for. */
static __device__ __forceinline__ int texel_row(void)
{
    return blockIdx.y * TEXEL_BLOCK + threadIdx.y;
}
static __device__ __forceinline__ int texel_column(void)
{
    return blockIdx.x * TEXEL_BLOCK + threadIdx.x;
}

#endif
