/* SPDX-License-Identifier: MIT */
/** @file texture.h
 * Texture fetches. Over linear and pitched memory: point sampling, coordinates in texels. Over
 * arrays also filtered, with coordinates in texels or normalised.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_TEXTURE_H
#define SIMGPU_INCLUDE_SIMGPU_TEXTURE_H

#include "simgpu/device/device.h"

/** The texel with index x; 0 outside the texture. */
template <class T> SIMGPU_INLINE T tex1Dfetch(cudaTextureObject_t object, int x)
{
    T texel;
    simgpu_texture_fetch_1d(object, x, &texel, sizeof texel);
    return texel;
}

template <class T> SIMGPU_INLINE void tex1Dfetch(T *texel, cudaTextureObject_t object, int x)
{
    *texel = tex1Dfetch<T>(object, x);
}

/** The texel in column floor(x) and row floor(y). */
template <class T> SIMGPU_INLINE T tex2D(cudaTextureObject_t object, float x, float y)
{
    T texel;
    simgpu_texture_fetch_2d(object, x, y, &texel, sizeof texel);
    return texel;
}

template <class T>
SIMGPU_INLINE void tex2D(T *texel, cudaTextureObject_t object, float x, float y)
{
    *texel = tex2D<T>(object, x, y);
}

#define SIMGPU_SAMPLE(name, parameters, ...)                                                   \
    template <class T> SIMGPU_INLINE T name parameters                                         \
    {                                                                                          \
        T texel;                                                                               \
        const float point[3] = {__VA_ARGS__};                                                  \
        simgpu_texture_sample(object, point, &texel, sizeof texel);                            \
        return texel;                                                                          \
    }
SIMGPU_SAMPLE(tex1D, (cudaTextureObject_t object, float x), x, 0, 0)
SIMGPU_SAMPLE(tex3D, (cudaTextureObject_t object, float x, float y, float z), x, y, z)

#endif
