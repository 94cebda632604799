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

namespace simgpu
{
template <class complex> SIMGPU_INLINE complex complex_product(complex a, complex b)
{
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

template <class complex> SIMGPU_INLINE complex complex_quotient(complex a, complex b)
{
    auto size = b.x * b.x + b.y * b.y;
    return {(a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size};
}
} // namespace simgpu

SIMGPU_INLINE float2 make_cuFloatComplex(float re, float im) { return {re, im}; }
SIMGPU_INLINE float cuCrealf(float2 z) { return z.x; }
SIMGPU_INLINE float cuCimagf(float2 z) { return z.y; }
SIMGPU_INLINE float cuCabsf(float2 z) { return hypotf(z.x, z.y); }
SIMGPU_INLINE float2 cuConjf(float2 z) { return {z.x, -z.y}; }
SIMGPU_INLINE float2 cuCaddf(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
SIMGPU_INLINE float2 cuCsubf(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
SIMGPU_INLINE float2 cuCmulf(float2 a, float2 b) { return simgpu::complex_product(a, b); }
SIMGPU_INLINE float2 cuCdivf(float2 a, float2 b) { return simgpu::complex_quotient(a, b); }
SIMGPU_INLINE float2 cuCfmaf(float2 a, float2 b, float2 c) { return cuCaddf(cuCmulf(a, b), c); }

SIMGPU_INLINE double2 make_cuDoubleComplex(double re, double im) { return {re, im}; }
SIMGPU_INLINE double cuCreal(double2 z) { return z.x; }
SIMGPU_INLINE double cuCimag(double2 z) { return z.y; }
SIMGPU_INLINE double cuCabs(double2 z) { return hypot(z.x, z.y); }
SIMGPU_INLINE double2 cuConj(double2 z) { return {z.x, -z.y}; }
SIMGPU_INLINE double2 cuCadd(double2 a, double2 b) { return {a.x + b.x, a.y + b.y}; }
SIMGPU_INLINE double2 cuCsub(double2 a, double2 b) { return {a.x - b.x, a.y - b.y}; }
SIMGPU_INLINE double2 cuCmul(double2 a, double2 b) { return simgpu::complex_product(a, b); }
SIMGPU_INLINE double2 cuCdiv(double2 a, double2 b) { return simgpu::complex_quotient(a, b); }
SIMGPU_INLINE double2 cuCfma(double2 a, double2 b, double2 c)
{
    return cuCadd(cuCmul(a, b), c);
}

SIMGPU_INLINE cuComplex make_cuComplex(float re, float im) { return {re, im}; }
#endif
