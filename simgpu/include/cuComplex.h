/* SPDX-License-Identifier: MIT */
/** @file cuComplex.h
 * Complex numbers as float2 and double2, with CUDA's names for their arithmetic.
 */
#ifndef SIMGPU_INCLUDE_CUCOMPLEX_H
#define SIMGPU_INCLUDE_CUCOMPLEX_H

#include <math.h>

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

#define SIMGPU_COMPLEX(complex, real, name, root)                                              \
    SIMGPU_INLINE complex make_##complex(real re, real im) { return complex{re, im}; }         \
    SIMGPU_INLINE real cuCreal##name(complex z) { return z.x; }                                \
    SIMGPU_INLINE real cuCimag##name(complex z) { return z.y; }                                \
    SIMGPU_INLINE complex cuConj##name(complex z) { return complex{z.x, -z.y}; }               \
    SIMGPU_INLINE complex cuCadd##name(complex a, complex b)                                   \
    {                                                                                          \
        return complex{a.x + b.x, a.y + b.y};                                                  \
    }                                                                                          \
    SIMGPU_INLINE complex cuCsub##name(complex a, complex b)                                   \
    {                                                                                          \
        return complex{a.x - b.x, a.y - b.y};                                                  \
    }                                                                                          \
    SIMGPU_INLINE complex cuCmul##name(complex a, complex b)                                   \
    {                                                                                          \
        return complex{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                          \
    }                                                                                          \
    SIMGPU_INLINE complex cuCdiv##name(complex a, complex b)                                   \
    {                                                                                          \
        real size = b.x * b.x + b.y * b.y;                                                     \
        return complex{(a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size};        \
    }                                                                                          \
    SIMGPU_INLINE complex cuCfma##name(complex a, complex b, complex c)                        \
    {                                                                                          \
        return cuCadd##name(cuCmul##name(a, b), c);                                            \
    }                                                                                          \
    SIMGPU_INLINE real cuCabs##name(complex z) { return root(z.x, z.y); }
SIMGPU_COMPLEX(cuFloatComplex, float, f, hypotf)
SIMGPU_COMPLEX(cuDoubleComplex, double, , hypot)

SIMGPU_INLINE cuComplex make_cuComplex(float re, float im) { return cuComplex{re, im}; }
#endif
