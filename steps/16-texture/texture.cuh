/**
 * @file texture.cuh
 * Factors of a product read through texture objects over linear memory. Included before the kernels
 * of step 12, it replaces their left_factor() and right_factor().
 */
#ifndef LADDER_TEXTURE_CUH
#define LADDER_TEXTURE_CUH

#include <stdint.h>

#define GPU8_TEXTURES
#include "common/block.h"
#include "steps/10-gpu8/gpu8.cuh"

/** Which factors of a product a variant reads through a texture: a sum of these. */
enum { LEFT = 1, RIGHT = 2 };
static int textured;

/** Most texels a texture may have; 0: as many as the device allows. */
static size_t texel_limit;

/* A texture stays when it is made, and serves every product that has a factor in its place: making
   one takes the host microseconds, which would be seen beside small products. When there is no more
   room, all are destroyed. */
enum { TEXTURES = 512, ALIGNMENT = 512 /* bytes: every GPU's textureAlignment is that or less */ };

static struct texture {
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
static size_t most_texels(int width)
{
    cudaChannelFormatDesc format = texel_format(width);
    size_t most = 0;
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&most, &format, device));
    return texel_limit && texel_limit < most ? texel_limit : most;
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
        if (textures[i].from == from && textures[i].texels == texels && textures[i].width == width)
            return textures[i].object;
    if (textures_made == TEXTURES)
        forget_textures();
    struct texture made = {from, texels, width, make_texture(from, texels, width)};
    textures[textures_made++] = made;
    return made.object;
}

/// [factor]
/* Elements in front of a block that its texture begins with: textures begin at aligned places. */
static size_t elements_before(struct block x)
{
    return (uintptr_t)x.at % ALIGNMENT / sizeof(real);
}

/* Texels from there to the block's end. */
static size_t texels_of(struct block x, int width)
{
    return (elements_before(x) + (size_t)(x.rows - 1) * x.ld + x.cols) / width;
}

/* The factor through a texture, or by pointer where it is larger than a texture can be. */
static struct factor factor_through_texture(struct block x, int width)
{
    struct factor factor = {x.at, (int)x.ld};
    size_t before = elements_before(x), texels = texels_of(x, width);
    if (texels <= most_texels(width)) {
        factor.texture = texture_over(x.at - before, texels, width);
        factor.first = (int)before;
    }
    return factor;
}

/** GPU8 reads its left factor by real4, its right one by real. */
static struct factor left_factor(struct block x)
{
    struct factor by_pointer = {x.at, (int)x.ld};
    return textured & LEFT ? factor_through_texture(x, 4) : by_pointer;
}

static struct factor right_factor(struct block x)
{
    struct factor by_pointer = {x.at, (int)x.ld};
    return textured & RIGHT ? factor_through_texture(x, 1) : by_pointer;
}
/// [factor]

#endif
