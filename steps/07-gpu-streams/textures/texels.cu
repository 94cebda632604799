/* SPDX-License-Identifier: MIT */
/** @file texels.cu
 * Textures over the workspace, and the kernels that pack matrices into them and unpack them.
 */
#include "texels.cuh"

#include <stdio.h>
#include <stdlib.h>

#include "common/device/host.h"

struct texture texture_shape(long rows, long columns, struct layout layout)
{
    struct texture t = {NULL, (int)pieces_of(columns, layout.columns),
                        (int)pieces_of(rows, layout.rows)};
    t.pitch = (t.width + 1) / 2 * 2;
    return t;
}

size_t texture_elements(struct texture t)
{
    size_t unit = 512 / sizeof(real);
    return ((size_t)t.pitch * (size_t)t.height * 4 + unit - 1) / unit * unit;
}

/* Ends the program with a message if a texture in pitched memory cannot be that large (in
   double, too, so that both precisions take the same sizes). */
static void check_texture_size(struct texture t)
{
    int width, height, pitch;
    CUDA_CHECK(cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture2DLinearWidth, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&height, cudaDevAttrMaxTexture2DLinearHeight, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&pitch, cudaDevAttrMaxTexture2DLinearPitch, 0));
    if (t.width <= width && t.height <= height && t.pitch <= pitch / (int)sizeof(real4))
        return;
    say(stderr,
        "--n, --m, --k: they need a texture of %d x %d texels; this GPU's have at most "
        "%d x %d (and %d in a row)\n",
        t.width, t.height, width, height, pitch / (int)sizeof(real4));
    exit(EXIT_RESOURCE);
}

struct texture texture_create(struct texture t, real **workspace)
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

void texture_destroy(struct texture t)
{
#ifdef LADDER_F32
    CUDA_CHECK(cudaDestroyTextureObject(t.object));
#else
    (void)t; /* textures of doubles are plain memory */
#endif
}

/// [pack]
/* Element (i, j) of a matrix; zero outside it. */
static __device__ __forceinline__ real element_or_zero(const real *x, int ld, int rows,
                                                       int columns, int i, int j)
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
        v[e] = element_or_zero(x, ld, rows, columns, i + e / layout.columns,
                               j + e % layout.columns);
    real4 texel = {v[0], v[1], v[2], v[3]};
    t.texels[(size_t)row * t.pitch + column] = texel;
}

/* What a texel has beyond the matrix becomes zero. */
void pack(const real *x, long ld, long rows, long columns, struct layout layout,
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
    const real *texel =
        (const real *)(t.texels + (size_t)(i / layout.rows) * t.pitch + j / layout.columns);
    x[(size_t)i * ld + j] = texel[i % layout.rows * layout.columns + j % layout.columns];
}

void unpack(struct texture t, struct layout layout, real *x, long ld, long rows, long columns)
{
    dim3 grid(blocks_for(columns, TEXEL_BLOCK), blocks_for(rows, TEXEL_BLOCK));
    unpack_texels<<<grid, texel_block()>>>(t, layout, x, ld, rows, columns);
    CHECK_LAUNCH();
}
