/* SPDX-License-Identifier: MIT */
/** @file texture.cuh
 * Factors of a product read through texture objects over linear memory.
 */
#ifndef STEPS_16_TEXTURE_TEXTURE_CUH
#define STEPS_16_TEXTURE_TEXTURE_CUH

#include <stdint.h>

#include "steps/12-strassen-one-level/one-level.cuh"

/** Which factors of a product a variant reads through a texture: a sum of these. */
enum { LEFT = 1, RIGHT = 2 };

/** The step's numbers in a context: the largest number of texels in a texture, which is the
 * table's, and the sides, which multiply_textured() sets for the calls below it. */
enum { SET_TEXEL_LIMIT, SET_SIDES };

/** The context for products with these factors as textures. */
static struct context with_sides(const struct context *ctx, int sides)
{
    struct context below = *ctx;
    below.settings[SET_SIDES] = sides;
    return below;
}

/* A texture is kept, and used for every product that has a factor in its place:
   making one takes the host microseconds, which matters with small products. When the
   table is full, all are destroyed. */
enum {
    TEXTURES = 512,
    ALIGNMENT = 512 /* bytes: every GPU's textureAlignment is that or less */
};

static struct made_texture {
    const real *from;
    size_t texels;
    int width; /* elements of a texel */
    cudaTextureObject_t object;
} textures[TEXTURES];
static int textures_made;

static cudaChannelFormatDesc texel_format(int width)
{
    return width == 4 ? cudaCreateChannelDesc<real4>() : cudaCreateChannelDesc<real>();
}

/* The most texels for textures with `width` elements per texel. */
static size_t most_texels(const struct context *ctx, int width)
{
    cudaChannelFormatDesc format = texel_format(width);
    size_t most = 0, limit = (size_t)ctx->settings[SET_TEXEL_LIMIT];
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&most, &format, device));
    return limit && limit < most ? limit : most;
}

static void forget_textures(void)
{
    CUDA_CHECK(cudaDeviceSynchronize()); /* a kernel may still be reading */
    for (int i = 0; i < textures_made; i++)
        CUDA_CHECK(cudaDestroyTextureObject(textures[i].object));
    textures_made = 0;
}

/// [make texture]
static cudaTextureObject_t make_texture(const real *from, size_t texels, int width)
{
    struct cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = (void *)from;
    memory.res.linear.desc = texel_format(width);
    memory.res.linear.sizeInBytes = texels * width * sizeof(real);
    struct cudaTextureDesc reading = {};
    reading.readMode = cudaReadModeElementType;
    cudaTextureObject_t object = 0;
    CUDA_CHECK(cudaCreateTextureObject(&object, &memory, &reading, NULL));
    return object;
}
/// [make texture]

static cudaTextureObject_t texture_over(const real *from, size_t texels, int width)
{
    for (int i = 0; i < textures_made; i++)
        if (textures[i].from == from && textures[i].texels == texels &&
            textures[i].width == width)
            return textures[i].object;
    if (textures_made == TEXTURES)
        forget_textures();
    struct made_texture made = {from, texels, width, make_texture(from, texels, width)};
    textures[textures_made++] = made;
    return made.object;
}

/// [fetch]
/** A factor of a product that GPU8 reads like a pointer, but through a texture if it has one.
 */
struct textured {
    const real *at;
    cudaTextureObject_t texture; /**< 0: none, it is read by pointer */
    int first;                   /**< element of the texture that `at` points to */

    __device__ __forceinline__ real operator[](size_t i) const
    {
        return texture ? tex1Dfetch<real>(texture, first + (int)i) : at[i];
    }
    __device__ __forceinline__ textured operator+(size_t i) const
    {
        return {at + i, texture, first + (int)i};
    }
    __device__ __forceinline__ void operator+=(size_t i) { *this = *this + i; }
};

static __device__ __forceinline__ real4 load4(textured a)
{
    return a.texture ? tex1Dfetch<real4>(a.texture, a.first / 4) : *(const real4 *)a.at;
}
/// [fetch]

/// [factor]
/* Elements in front of a block that its texture begins with: textures begin at
   aligned places. */
static size_t elements_before(struct block x)
{
    return (uintptr_t)x.at % ALIGNMENT / sizeof(real);
}

/* Texels from there to the block's end. */
static size_t texels_to_end(struct block x, int width)
{
    return (elements_before(x) + (size_t)(x.rows - 1) * x.ld + x.cols) / width;
}

/* The factor through a texture if `wanted`, or by pointer where it is larger than a texture can
 * be. */
static struct textured textured_factor(const struct context *ctx, struct block x, int width,
                                       int wanted)
{
    size_t before = elements_before(x), texels = texels_to_end(x, width);
    if (!wanted || texels > most_texels(ctx, width))
        return {x.at, 0, 0};
    return {x.at, texture_over(x.at - before, texels, width), (int)before};
}

/** How the kernels of step 12 read their factors here. GPU8 reads the left one by real4, the
 * right one by real. */
struct by_texture {
    static struct textured left(const struct context *ctx, struct block w)
    {
        return textured_factor(ctx, w, 4, ctx->settings[SET_SIDES] & LEFT);
    }
    static struct textured right(const struct context *ctx, struct block x)
    {
        return textured_factor(ctx, x, 1, ctx->settings[SET_SIDES] & RIGHT);
    }
};

/* Rows of a block that fit into a texture, a multiple of `multiple`; all when the block is not
   read through one. */
static long rows_that_fit(const struct context *ctx, struct block x, int side, int width,
                          long multiple)
{
    size_t most = most_texels(ctx, width);
    if (!(ctx->settings[SET_SIDES] & side) || texels_to_end(x, width) <= most)
        return x.rows;
    size_t elements = most * width, before = ALIGNMENT / sizeof(real);
    long rows =
        elements > before ? (long)((elements - before) / x.ld) / multiple * multiple : 0;
    return rows ? rows : x.rows; /* not even one strip fits: read by pointer */
}
/// [factor]

#endif
