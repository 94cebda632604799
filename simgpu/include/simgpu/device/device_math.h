/* SPDX-License-Identifier: MIT */
/** @file device_math.h
 * Functions of CUDA's mathematics that C does not have: inverse error functions, norms,
 * directed conversions, and arithmetic on the bytes and halves of a word. device.h includes it.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_DEVICE_MATH_H
#define SIMGPU_INCLUDE_SIMGPU_DEVICE_MATH_H

/* ---- error functions and Bessel functions ---- */

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
/** The modified Bessel function of order 0 or 1, by its power series. */
SIMGPU_INLINE double bessel_i(int order, double x)
{
    double term = order ? x / 2 : 1, sum = term;
    for (int k = 1; fabs(term) > fabs(sum) * 1e-17; k++) {
        term *= x * x / 4 / ((double)k * (k + order));
        sum += term;
    }
    return sum;
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
SIMGPU_INLINE double erfcx(double x)
{
    if (x < 25)
        return exp(x * x) * erfc(x);
    double sum = 1; /* the asymptotic series */
    for (int odd = 13; odd > 0; odd -= 2)
        sum = 1 - odd / (2 * x * x) * sum;
    return sum / (x * 1.7724538509055160);
}
SIMGPU_INLINE double normcdfinv(double p) { return -1.4142135623730951 * erfcinv(2 * p); }
SIMGPU_INLINE double cyl_bessel_i0(double x) { return simgpu::bessel_i(0, x); }
SIMGPU_INLINE double cyl_bessel_i1(double x) { return simgpu::bessel_i(1, x); }
SIMGPU_INLINE float erfcinvf(float p) { return (float)erfcinv(p); }
SIMGPU_INLINE float erfinvf(float x) { return (float)erfinv(x); }
SIMGPU_INLINE float erfcxf(float x) { return (float)erfcx(x); }
SIMGPU_INLINE float normcdfinvf(float p) { return (float)normcdfinv(p); }
SIMGPU_INLINE float cyl_bessel_i0f(float x) { return (float)cyl_bessel_i0(x); }
SIMGPU_INLINE float cyl_bessel_i1f(float x) { return (float)cyl_bessel_i1(x); }

/* ---- norms ---- */

SIMGPU_INLINE double rhypot(double a, double b) { return 1 / hypot(a, b); }
SIMGPU_INLINE double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
SIMGPU_INLINE double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
#define SIMGPU_NORM4D(name, type, result)                                                      \
    SIMGPU_INLINE type name(type a, type b, type c, type d) { return (type)(result); }
SIMGPU_NORM4D(norm4d, double, hypot(hypot(a, b), hypot(c, d)))
SIMGPU_NORM4D(rnorm4d, double, 1 / norm4d(a, b, c, d))
SIMGPU_NORM4D(norm4df, float, norm4d(a, b, c, d))
SIMGPU_NORM4D(rnorm4df, float, rnorm4d(a, b, c, d))
SIMGPU_INLINE double norm(int count, const double *v)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum = hypot(sum, v[i]);
    return sum;
}
SIMGPU_INLINE double rnorm(int count, const double *v) { return 1 / norm(count, v); }
SIMGPU_INLINE float normf(int count, const float *v)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)v[i] * v[i];
    return (float)sqrt(sum);
}
SIMGPU_INLINE float rnormf(int count, const float *v) { return 1 / normf(count, v); }
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

SIMGPU_INLINE unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
/** The position of the offset-th bit that is set, counted from bit `base` upwards, or downwards
 * if the offset is negative; ~0u if there is none. */
SIMGPU_INLINE unsigned __fns(unsigned mask, unsigned base, int offset)
{
    int left = offset < 0 ? -offset : offset ? offset : 1, step = offset < 0 ? -1 : 1;
    for (int bit = (int)base; bit >= 0 && bit < 32; bit += step) {
        if ((mask >> bit & 1) && --left == 0)
            return (unsigned)bit;
        if (offset == 0)
            break;
    }
    return 0xffffffffu;
}
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

/* Functions of the bytes (4) and of the halves (2) of words, without and with a sign (u, s). */
namespace simgpu
{
template <class T, class F> SIMGPU_INLINE unsigned by_parts(unsigned a, unsigned b, F f)
{
    constexpr int bits = 8 * sizeof(T);
    unsigned result = 0;
    for (int i = 0; i < 32; i += bits)
        result |= (f((int)(T)(a >> i), (int)(T)(b >> i)) & ((1u << bits) - 1)) << i;
    return result;
}
template <class T> SIMGPU_INLINE unsigned sum_of_parts(unsigned v)
{
    unsigned sum = 0;
    for (int i = 0; i < 32; i += 8 * (int)sizeof(T))
        sum += (T)(v >> i);
    return sum;
}
} // namespace simgpu
#define SIMGPU_PARTS(name, type, expression)                                                   \
    SIMGPU_INLINE unsigned name(unsigned a, unsigned b)                                        \
    {                                                                                          \
        return simgpu::by_parts<type>(a, b,                                                    \
                                      [](int x, int y) { return (unsigned)(expression); });    \
    }
/* A comparison sets all bits of a part where it holds. */
#define SIMGPU_PARTS_SIGNED(sign, type)                                                        \
    SIMGPU_PARTS(__vmin##sign, type, x < y ? x : y)                                            \
    SIMGPU_PARTS(__vmax##sign, type, x > y ? x : y)                                            \
    SIMGPU_PARTS(__vabsdiff##sign, type, x > y ? x - y : y - x)                                \
    SIMGPU_PARTS(__vavg##sign, type, (x + y + 1) >> 1)                                         \
    SIMGPU_PARTS(__vcmpgt##sign, type, x > y ? ~0u : 0)                                        \
    SIMGPU_PARTS(__vcmpge##sign, type, x >= y ? ~0u : 0)                                       \
    SIMGPU_PARTS(__vcmplt##sign, type, x < y ? ~0u : 0)                                        \
    SIMGPU_PARTS(__vcmple##sign, type, x <= y ? ~0u : 0)
SIMGPU_PARTS_SIGNED(u2, uint16_t)
SIMGPU_PARTS_SIGNED(s2, int16_t)
SIMGPU_PARTS_SIGNED(u4, uint8_t)
SIMGPU_PARTS_SIGNED(s4, int8_t)
#define SIMGPU_PARTS_ANY(number, type)                                                         \
    SIMGPU_PARTS(__vadd##number, type, x + y)                                                  \
    SIMGPU_PARTS(__vsub##number, type, x - y)                                                  \
    SIMGPU_PARTS(__vcmpeq##number, type, x == y ? ~0u : 0)                                     \
    SIMGPU_PARTS(__vcmpne##number, type, x != y ? ~0u : 0)                                     \
    SIMGPU_INLINE unsigned __vneg##number(unsigned a) { return __vsub##number(0, a); }         \
    SIMGPU_INLINE unsigned __vsadu##number(unsigned a, unsigned b)                             \
    {                                                                                          \
        return simgpu::sum_of_parts<type>(__vabsdiffu##number(a, b));                          \
    }                                                                                          \
    SIMGPU_INLINE unsigned __vsads##number(unsigned a, unsigned b)                             \
    {                                                                                          \
        return simgpu::sum_of_parts<type>(__vabsdiffs##number(a, b));                          \
    }
SIMGPU_PARTS_ANY(2, uint16_t)
SIMGPU_PARTS_ANY(4, uint8_t)

/** A promise to nvcc's optimiser, which needs none here. */
#if !defined(__clang__)
#define __builtin_assume(condition) ((void)0)
#endif

#endif
