/**
 * @file texels.cuh
 * Matrices as textures of four-component texels (002 section 2.2): the two layouts, packing and
 * unpacking, fetching.
 */
#ifndef LADDER_TEXELS_CUH
#define LADDER_TEXELS_CUH

#include <stdio.h>
#include <stdlib.h>

#include "common/block.h"
#include "common/gpu.h"

/** Which rows x columns of a matrix make one texel; its elements lie row by row in x, y, z, w. */
struct layout {
    int rows, columns;
};
static const struct layout block_2x2 = {2, 2};  /* NV Single, after [HCH03] */
static const struct layout column_of_4 = {4, 1}; /* NV Multi, after [Mor03] */

/** A matrix in texels: texel (row, column) is texels[row * pitch + column]. */
struct texture {
    real4 *texels;
    int width, height; /**< texels */
    int pitch;         /**< texels from one row to the next; even: a row begins every 32 bytes */
    cudaTextureObject_t object; /**< f32 only: there are no textures of double */
};

/** Edge of the square blocks of threads, one thread a texel. */
enum { TEXEL_BLOCK = 16 };
static_assert(TEXEL_BLOCK % 16 == 0 && TEXEL_BLOCK * TEXEL_BLOCK <= 1024,
              "a row of a block must be whole half warps, and a block has at most 1024 threads");

static inline dim3 texel_block(void) { return dim3(TEXEL_BLOCK, TEXEL_BLOCK); }
static inline dim3 texel_grid(struct texture t)
{
    return dim3(blocks_for(t.width, TEXEL_BLOCK), blocks_for(t.height, TEXEL_BLOCK));
}

/** The texture of a rows x columns matrix, without its memory. */
static inline struct texture texture_shape(long rows, long columns, struct layout layout)
{
    struct texture t = {NULL, (int)blocks_for(columns, layout.columns),
                        (int)blocks_for(rows, layout.rows)};
    t.pitch = (t.width + 1) / 2 * 2;
    return t;
}

/** Elements of workspace for it: whole units of 512 bytes, the alignment that textures want. */
static inline size_t texture_elements(struct texture t)
{
    size_t unit = 512 / sizeof(real);
    return ((size_t)t.pitch * (size_t)t.height * 4 + unit - 1) / unit * unit;
}

/// [create]
/* Says so and ends the program where a texture in pitched memory cannot be as large (in double
   too, so that both precisions take the same sizes). */
static inline void check_texture_size(struct texture t)
{
    int width, height, pitch;
    CUDA_CHECK(cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture2DLinearWidth, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&height, cudaDevAttrMaxTexture2DLinearHeight, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&pitch, cudaDevAttrMaxTexture2DLinearPitch, 0));
    if (t.width <= width && t.height <= height && t.pitch <= pitch / (int)sizeof(real4))
        return;
    fprintf(stderr, "--n, --m, --k: they need a texture of %d x %d texels; this GPU's have at most "
                    "%d x %d (and %d in a row)\n",
            t.width, t.height, width, height, pitch / (int)sizeof(real4));
    exit(EXIT_RESOURCE);
}

/** Takes the texture's memory off the front of the workspace; texture_destroy() ends it. */
static inline struct texture texture_create(struct texture t, real **workspace)
{
    t.texels = (real4 *)*workspace;
    *workspace += texture_elements(t);
    check_texture_size(t);
#ifdef LADDER_F32
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypePitch2D;
    memory.res.pitch2D.devPtr = t.texels;
    memory.res.pitch2D.desc = cudaCreateChannelDesc<float4>();
    memory.res.pitch2D.width = t.width;
    memory.res.pitch2D.height = t.height;
    memory.res.pitch2D.pitchInBytes = t.pitch * sizeof(real4);
    cudaTextureDesc how = {}; /* all zero: the nearest texel, coordinates in texels */
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.readMode = cudaReadModeElementType;
    CUDA_CHECK(cudaCreateTextureObject(&t.object, &memory, &how, NULL));
#endif
    return t;
}
/// [create]

static inline void texture_destroy(struct texture t)
{
#ifdef LADDER_F32
    CUDA_CHECK(cudaDestroyTextureObject(t.object));
#endif
}

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

/// [pack]
/* Element (i, j) of a matrix; zero outside it. */
static __device__ __forceinline__ real element(const real *x, int ld, int rows, int columns, int i,
                                               int j)
{
    return i < rows && j < columns ? x[(size_t)i * ld + j] : 0;
}

static __global__ void pack_texels(const real *x, int ld, int rows, int columns,
                                   struct layout layout, struct texture t)
{
    int row = texel_row(), column = texel_column();
    if (row >= t.height || column >= t.width)
        return;
    int i = row * layout.rows, j = column * layout.columns;
    real v[4];
    for (int e = 0; e < 4; e++)
        v[e] = element(x, ld, rows, columns, i + e / layout.columns, j + e % layout.columns);
    real4 texel = {v[0], v[1], v[2], v[3]};
    t.texels[(size_t)row * t.pitch + column] = texel;
}

/** Packs a rows x columns matrix, rows `ld` apart; what a texel has beyond it becomes zero. */
static inline void pack(const real *x, long ld, long rows, long columns, struct layout layout,
                        struct texture t)
{
    pack_texels<<<texel_grid(t), texel_block()>>>(x, ld, rows, columns, layout, t);
    CHECK_LAUNCH();
}
/// [pack]

static __global__ void unpack_texels(struct texture t, struct layout layout, real *x, int ld,
                                     int rows, int columns)
{
    int j = blockIdx.x * TEXEL_BLOCK + threadIdx.x, i = blockIdx.y * TEXEL_BLOCK + threadIdx.y;
    if (i >= rows || j >= columns)
        return;
    const real *texel = (const real *)(t.texels + (size_t)(i / layout.rows) * t.pitch +
                                       j / layout.columns);
    x[(size_t)i * ld + j] = texel[i % layout.rows * layout.columns + j % layout.columns];
}

/** The way back, one thread an element. */
static inline void unpack(struct texture t, struct layout layout, real *x, long ld, long rows,
                          long columns)
{
    dim3 grid(blocks_for(columns, TEXEL_BLOCK), blocks_for(rows, TEXEL_BLOCK));
    unpack_texels<<<grid, texel_block()>>>(t, layout, x, ld, rows, columns);
    CHECK_LAUNCH();
}

#endif
