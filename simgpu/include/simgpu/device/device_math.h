/* SPDX-License-Identifier: MIT */
/** @file device_math.h
 * Functions of CUDA's mathematics that C does not have: inverse error functions, norms,
 * directed conversions, and products of halves and bytes. device.h includes it.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_DEVICE_MATH_H
#define SIMGPU_INCLUDE_SIMGPU_DEVICE_MATH_H

/* ---- error functions ---- */

namespace simgpu
{
/** Improves y by Halley's method; `error` is the excess of the function, whose derivative is
 * `sign` times 2 / sqrt(pi) exp(-y y). */
SIMGPU_INLINE double erf_step(double y, double error, double sign)
{
    double u = sign * error * 0.88622692545275801 * exp(y * y);
    return y - u / (1 + y * u);
}
/** Winitzki's approximation of the inverse of erf; `product` is (1 - x) (1 + x). */
SIMGPU_INLINE double erf_start(double product)
{
    double l = log(product), t = 4.3307467508 + l / 2;
    return sqrt(sqrt(t * t - l / 0.147) - t);
}
} // namespace simgpu

SIMGPU_INLINE double erfcinv(double p)
{
    if (p > 1)
        return p < 2 ? -erfcinv(2 - p) : p == 2 ? -INFINITY : NAN;
    if (!(p > 0))
        return p == 0 ? INFINITY : NAN;
    double y = simgpu::erf_start(p * (2 - p));
    for (int i = 0; i < 3; i++)
        y = simgpu::erf_step(y, erfc(y) - p, -1);
    return y;
}
SIMGPU_INLINE double erfinv(double x)
{
    if (!(fabs(x) < 0.5))
        return x < 0 ? -erfcinv(1 + x) : erfcinv(1 - x);
    double y = copysign(simgpu::erf_start((1 - x) * (1 + x)), x);
    for (int i = 0; i < 3; i++)
        y = simgpu::erf_step(y, erf(y) - x, 1);
    return y;
}
SIMGPU_INLINE double normcdfinv(double p) { return -1.4142135623730951 * erfcinv(2 * p); }
SIMGPU_INLINE float erfcinvf(float p) { return (float)erfcinv(p); }
SIMGPU_INLINE float erfinvf(float x) { return (float)erfinv(x); }
SIMGPU_INLINE float normcdfinvf(float p) { return (float)normcdfinv(p); }

/* ---- norms ---- */

SIMGPU_INLINE double rhypot(double a, double b) { return 1 / hypot(a, b); }
SIMGPU_INLINE double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
SIMGPU_INLINE double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
SIMGPU_INLINE void sincospi(double v, double *sine, double *cosine)
{
    *sine = sinpi(v);
    *cosine = cospi(v);
}

/* ---- conversions to nearest, towards zero, up, down ---- */

namespace simgpu
{
/* A long double holds all bits of the integers, and so shows on which side the result is. */
template <class R, class T> SIMGPU_INLINE R upwards(T v)
{
    R r = (R)v;
    return (long double)r < (long double)v ? next(r, (R)INFINITY) : r;
}
template <class R, class T> SIMGPU_INLINE R downwards(T v)
{
    R r = (R)v;
    return (long double)r > (long double)v ? next(r, -(R)INFINITY) : r;
}
template <class R, class T> SIMGPU_INLINE R to_zero(T v)
{
    return v < 0 ? upwards<R>(v) : downwards<R>(v);
}
/** On which side of r is a b + c? */
SIMGPU_INLINE double fused_error(float a, float b, float c, float r)
{
    double product = (double)a * b, sum = product + c;
    return (sum - r) + sum_error(product, (double)c, sum);
}
} // namespace simgpu

#define SIMGPU_CONVERT(from, to, type, result)                                                 \
    SIMGPU_INLINE result __##from##2##to##_rn(type v) { return (result)v; }                    \
    SIMGPU_INLINE result __##from##2##to##_rz(type v) { return simgpu::to_zero<result>(v); }   \
    SIMGPU_INLINE result __##from##2##to##_ru(type v) { return simgpu::upwards<result>(v); }   \
    SIMGPU_INLINE result __##from##2##to##_rd(type v) { return simgpu::downwards<result>(v); }
SIMGPU_CONVERT(int, float, int, float)
SIMGPU_CONVERT(uint, float, unsigned, float)
SIMGPU_CONVERT(ll, float, long long, float)
SIMGPU_CONVERT(ull, float, unsigned long long, float)
SIMGPU_CONVERT(ll, double, long long, double)
SIMGPU_CONVERT(ull, double, unsigned long long, double)
SIMGPU_CONVERT(double, float, double, float)
#undef SIMGPU_CONVERT
SIMGPU_INLINE double __int2double_rn(int v) { return v; }
SIMGPU_INLINE double __uint2double_rn(unsigned v) { return v; }

SIMGPU_INLINE float __fmaf_ru(float a, float b, float c)
{
    float r = fmaf(a, b, c);
    return simgpu::fused_error(a, b, c, r) > 0 ? nextafterf(r, INFINITY) : r;
}
SIMGPU_INLINE float __fmaf_rd(float a, float b, float c)
{
    float r = fmaf(a, b, c);
    return simgpu::fused_error(a, b, c, r) < 0 ? nextafterf(r, -INFINITY) : r;
}

/* ---- integers ---- */

SIMGPU_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned sum)
{
    for (int i = 0; i < 32; i += 8)
        sum += (a >> i & 255) * (b >> i & 255);
    return sum;
}
/* The halves of a times the bytes 0 and 1 of b, or its bytes 2 and 3. */
SIMGPU_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned sum)
{
    return sum + (a & 0xffff) * (b & 255) + (a >> 16) * (b >> 8 & 255);
}
SIMGPU_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned sum)
{
    return __dp2a_lo(a, b >> 16, sum);
}

/** A promise to nvcc's optimiser, which needs none here. */
#if !defined(__clang__)
#define __builtin_assume(condition) ((void)0)
#endif

#endif
