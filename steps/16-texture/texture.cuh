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

/** The largest number of texels in a texture, in the table of settings. */
enum { SET_TEXEL_LIMIT };

/** The products of step 12 with such factors: those of this step's leaf. */
struct textured_products {
    struct fused_products launch; /**< first, so that a pointer to one points to the other */
    int sides;                    /**< LEFT + RIGHT */
    size_t texel_limit; /**< most texels a texture may have; 0: as many as the device allows */
};

/* A texture stays when it is made, and serves every product that has a factor in its place:
   making one takes the host microseconds, which would be seen beside small products. When the
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

/* The most texels for textures with `width` elements a texel. */
static size_t most_texels(const struct textured_products *t, int width)
{
    cudaChannelFormatDesc format = texel_format(width);
    size_t most = 0;
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&most, &format, device));
    return t->texel_limit && t->texel_limit < most ? t->texel_limit : most;
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

/** A factor as a kernel gets it, and the texture that it is read through. */
struct textured_factor {
    struct factor place;
    cudaTextureObject_t texture; /**< 0: none, it is read by pointer */
    int first;                   /**< element of the texture that lies at the place */
};

/* The factor through a texture if `wanted`, or by pointer where it is larger than a texture can
 * be.
 */
static struct textured_factor textured_factor_of(const struct textured_products *t,
                                                 struct block x, int width, int wanted)
{
    struct textured_factor factor = {left_factor(NULL, x), 0, 0};
    size_t before = elements_before(x), texels = texels_to_end(x, width);
    if (wanted && texels <= most_texels(t, width)) {
        factor.texture = texture_over(x.at - before, texels, width);
        factor.first = (int)before;
    }
    return factor;
}

/* Rows of a block that fit into a texture, a multiple of `multiple`; all when the block is not
   read through one. */
static long rows_that_fit(const struct textured_products *t, struct block x, int side,
                          int width, long multiple)
{
    if (!(t->sides & side) || texels_to_end(x, width) <= most_texels(t, width))
        return x.rows;
    size_t elements = most_texels(t, width) * width, before = ALIGNMENT / sizeof(real);
    long rows =
        elements > before ? (long)((elements - before) / x.ld) / multiple * multiple : 0;
    return rows ? rows : x.rows; /* not even one strip fits: read by pointer */
}

/* GPU8 reads its left factor by real4, its right one by real. */
static struct textured_factor left_textured_factor(const struct context *context,
                                                   struct block x)
{
    const struct textured_products *t =
        (const struct textured_products *)context->leaf->products;
    return textured_factor_of(t, x, 4, t->sides & LEFT);
}

static struct textured_factor right_textured_factor(const struct context *context,
                                                    struct block x)
{
    const struct textured_products *t =
        (const struct textured_products *)context->leaf->products;
    return textured_factor_of(t, x, 1, t->sides & RIGHT);
}
/// [factor]

/// [fetch]
/* How GPU8's main loop reads them, and moves on in them. */
static __device__ __forceinline__ real load_1_textured(const struct factor *x, size_t i,
                                                       const void *with)
{
    const struct textured_factor *t = (const struct textured_factor *)with;
    if (t->texture)
        return tex1Dfetch<real>(t->texture, t->first + (int)i);
    return x->at[i];
}

static __device__ __forceinline__ real4 load_4_textured(const struct factor *x, size_t i,
                                                        const void *with)
{
    const struct textured_factor *t = (const struct textured_factor *)with;
    if (t->texture)
        return tex1Dfetch<real4>(t->texture, (t->first + (int)i) / 4);
    return *(const real4 *)(x->at + i);
}

static __device__ __forceinline__ void move_textured(struct factor *x, size_t i, void *with)
{
    x->at += i;
    ((struct textured_factor *)with)->first += (int)i;
}
/// [fetch]

/// [products]
/* The products of step 12 with such factors: the same stores behind the same main loop. */
static __device__ __forceinline__ void main_loop_textured_factor(struct textured_factor w,
                                                                 struct textured_factor x,
                                                                 int k, real *as, real *cr)
{
    gpu8_main_loop(w.place, load_4_textured, &w, x.place, load_1_textured, &x, move_textured, k,
                   as, cr);
}

FUSED_PRODUCTS(by_texture, _textured, textured_factor)
/// [products]

/** The products with these factors through textures of at most this many texels. */
static struct textured_products textured_products(int sides, size_t texel_limit)
{
    struct textured_products t = {by_texture, sides, texel_limit};
    return t;
}

#endif
