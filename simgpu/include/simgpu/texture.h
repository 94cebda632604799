/* SPDX-License-Identifier: MIT */
/** @file texture.h
 * Texture fetches. Over linear and pitched memory: point sampling, coordinates in texels. Over
 * arrays also filtered, with coordinates in texels or normalised. Surfaces of arrays.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_TEXTURE_H
#define SIMGPU_INCLUDE_SIMGPU_TEXTURE_H

#include "device.h"

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

#define SIMGPU_SAMPLE(name, parameters, layer, ...)                                            \
    template <class T> SIMGPU_INLINE T name parameters                                         \
    {                                                                                          \
        T texel;                                                                               \
        const float point[3] = {__VA_ARGS__};                                                  \
        simgpu_texture_sample(object, point, layer, &texel, sizeof texel);                     \
        return texel;                                                                          \
    }
SIMGPU_SAMPLE(tex1D, (cudaTextureObject_t object, float x), 0, x, 0, 0)
SIMGPU_SAMPLE(tex3D, (cudaTextureObject_t object, float x, float y, float z), 0, x, y, z)
SIMGPU_SAMPLE(tex1DLayered, (cudaTextureObject_t object, float x, int layer), layer, x, 0, 0)
SIMGPU_SAMPLE(tex2DLayered, (cudaTextureObject_t object, float x, float y, int layer), layer, x,
              y, 0)
SIMGPU_SAMPLE(texCubemap, (cudaTextureObject_t object, float x, float y, float z), 0, x, y, z)

/* ---- surfaces: columns count bytes ---- */

#define SIMGPU_SURFACE(name, parameters, y, z)                                                 \
    template <class T>                                                                         \
    SIMGPU_INLINE T surf##name##read(cudaSurfaceObject_t surface, int x,                       \
                                     SIMGPU_TAKE parameters cudaSurfaceBoundaryMode mode =     \
                                         cudaBoundaryModeTrap)                                 \
    {                                                                                          \
        const T *from = (const T *)simgpu_surface_at(surface, x, y, z, sizeof(T), mode);       \
        return from ? *from : T();                                                             \
    }                                                                                          \
    template <class T>                                                                         \
    SIMGPU_INLINE void surf##name##read(T *value, cudaSurfaceObject_t surface, int x,          \
                                        SIMGPU_TAKE parameters cudaSurfaceBoundaryMode mode =  \
                                            cudaBoundaryModeTrap)                              \
    {                                                                                          \
        const T *from = (const T *)simgpu_surface_at(surface, x, y, z, sizeof(T), mode);       \
        *value = from ? *from : T();                                                           \
    }                                                                                          \
    template <class T>                                                                         \
    SIMGPU_INLINE void surf##name##write(T value, cudaSurfaceObject_t surface, int x,          \
                                         SIMGPU_TAKE parameters cudaSurfaceBoundaryMode mode = \
                                             cudaBoundaryModeTrap)                             \
    {                                                                                          \
        T *to = (T *)simgpu_surface_at(surface, x, y, z, sizeof(T), mode);                     \
        if (to)                                                                                \
            *to = value;                                                                       \
    }
#define SIMGPU_TAKE(...) __VA_ARGS__
SIMGPU_SURFACE(1D, (), 0, 0)
SIMGPU_SURFACE(2D, (int y, ), y, 0)
SIMGPU_SURFACE(3D, (int y, int z, ), y, z)
SIMGPU_SURFACE(2DLayered, (int y, int layer, ), y, layer)

#endif
