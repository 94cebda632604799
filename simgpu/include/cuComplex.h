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

SIMGPU_INLINE float2 make_cuFloatComplex(float re, float im) { return {re, im}; }
SIMGPU_INLINE double2 make_cuDoubleComplex(double re, double im) { return {re, im}; }

/* The functions of floats end in f. */
#define SIMGPU_COMPLEX(complex, real, f)                                                       \
    SIMGPU_INLINE real cuCreal##f(complex z) { return z.x; }                                   \
    SIMGPU_INLINE real cuCimag##f(complex z) { return z.y; }                                   \
    SIMGPU_INLINE real cuCabs##f(complex z) { return hypot##f(z.x, z.y); }                     \
    SIMGPU_INLINE complex cuConj##f(complex z) { return {z.x, -z.y}; }                         \
    SIMGPU_INLINE complex cuCadd##f(complex a, complex b) { return {a.x + b.x, a.y + b.y}; }   \
    SIMGPU_INLINE complex cuCsub##f(complex a, complex b) { return {a.x - b.x, a.y - b.y}; }   \
    SIMGPU_INLINE complex cuCmul##f(complex a, complex b)                                      \
    {                                                                                          \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                 \
    }                                                                                          \
    SIMGPU_INLINE complex cuCdiv##f(complex a, complex b)                                      \
    {                                                                                          \
        real size = b.x * b.x + b.y * b.y;                                                     \
        return {(a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size};               \
    }                                                                                          \
    SIMGPU_INLINE complex cuCfma##f(complex a, complex b, complex c)                           \
    {                                                                                          \
        return cuCadd##f(cuCmul##f(a, b), c);                                                  \
    }
SIMGPU_COMPLEX(float2, float, f)
SIMGPU_COMPLEX(double2, double, )

SIMGPU_INLINE cuComplex make_cuComplex(float re, float im) { return {re, im}; }
#endif
