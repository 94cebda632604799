/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 16-through-a-texture: B by texture fetches.
 */
#include <string.h>

#include "common/matrix/block.h"
#include "common/device/gpu.h"

static __global__ void yours(const real *a, int lda, cudaTextureObject_t texture, real *c,
                             int ldc, int m, int n, int k)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= m || j >= n)
        return;
    real sum = 0;
    /* YOUR CODE: the sum over l; B through the texture */
    /* x is the column, as in a picture. The fetch goes through the texture cache. */
    for (int l = 0; l < k; l++)
        sum += a[(size_t)i * lda + l] * tex2D<float>(texture, j, l);
    /* END */
    c[(size_t)i * ldc + j] = sum;
}

/* Rows of a texture begin at multiples of 32 bytes, the texture itself at a multiple of 512: B
   is copied to memory where that holds. */
static long pitch_of(struct product p) { return (p.c.cols + 63) / 64 * 64; }

static __global__ void copy(const real *b, int ldb, real *to, int ld, int rows, int cols)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i < rows && j < cols)
        to[(size_t)i * ld + j] = b[(size_t)i * ldb + j];
}

static cudaTextureObject_t texture_of(struct product p, real *copy)
{
    struct cudaResourceDesc resource;
    struct cudaTextureDesc description;
    cudaTextureObject_t texture = 0;
    memset(&resource, 0, sizeof resource);
    memset(&description, 0, sizeof description);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = copy;
    resource.res.pitch2D.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    resource.res.pitch2D.width = p.c.cols;
    resource.res.pitch2D.height = p.a.cols;
    resource.res.pitch2D.pitchInBytes = pitch_of(p) * sizeof(real);
    description.readMode = cudaReadModeElementType;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, NULL));
    return texture;
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    dim3 block(16, 16), grid(blocks_for(n, 16), blocks_for(m, 16));
    dim3 grid_b(blocks_for(n, 16), blocks_for(k, 16));
    real *b = (real *)(((size_t)workspace + 511) / 512 * 512);
    copy<<<grid_b, block>>>(p.b.at, p.b.ld, b, pitch_of(p), k, n);
    CHECK_LAUNCH();
    cudaTextureObject_t texture = texture_of(p, b);
    yours<<<grid, block>>>(p.a.at, p.a.ld, texture, p.c.at, p.c.ld, m, n, k);
    CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaDestroyTextureObject(texture));
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    return (size_t)(p.a.cols * pitch_of(p)) + 512 / sizeof(real);
}

/* Each half-warp reads one a for every l. The fetches of B are not counted, its copy is. */
static struct cost cost_yours(const struct context *ctx, struct product p, int levels)
{
    double m = (double)p.c.rows, n = (double)p.c.cols, k = (double)p.a.cols;
    return (struct cost){2 * m * n * k, m * n * k / 16 + m * n / 16 + 2 * k * n / 16, -1};
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your fetches",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .cost = cost_yours},
    {0},
};

const struct step STEP = {
    .name = "16-through-a-texture",
    .idea = "B by texture fetches",
    .variants = variants,
    .default_n = 64,
};
