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
SIMGPU_INLINE double norm4d(double a, double b, double c, double d)
{
    return hypot(hypot(a, b), hypot(c, d));
}
SIMGPU_INLINE double rnorm4d(double a, double b, double c, double d)
{
    return 1 / norm4d(a, b, c, d);
}
SIMGPU_INLINE float norm4df(float a, float b, float c, float d)
{
    return (float)norm4d(a, b, c, d);
}
SIMGPU_INLINE float rnorm4df(float a, float b, float c, float d)
{
    return (float)rnorm4d(a, b, c, d);
}
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

SIMGPU_INLINE float __int2float_rz(int v) { return simgpu::to_zero<float>(v); }
SIMGPU_INLINE float __int2float_ru(int v) { return simgpu::upwards<float>(v); }
SIMGPU_INLINE float __int2float_rd(int v) { return simgpu::downwards<float>(v); }
SIMGPU_INLINE float __uint2float_rz(unsigned v) { return simgpu::to_zero<float>(v); }
SIMGPU_INLINE float __uint2float_ru(unsigned v) { return simgpu::upwards<float>(v); }
SIMGPU_INLINE float __uint2float_rd(unsigned v) { return simgpu::downwards<float>(v); }
SIMGPU_INLINE float __ll2float_rn(long long v) { return (float)v; }
SIMGPU_INLINE float __ll2float_rz(long long v) { return simgpu::to_zero<float>(v); }
SIMGPU_INLINE float __ll2float_ru(long long v) { return simgpu::upwards<float>(v); }
SIMGPU_INLINE float __ll2float_rd(long long v) { return simgpu::downwards<float>(v); }
SIMGPU_INLINE float __ull2float_rn(unsigned long long v) { return (float)v; }
SIMGPU_INLINE float __ull2float_rz(unsigned long long v) { return simgpu::to_zero<float>(v); }
SIMGPU_INLINE float __ull2float_ru(unsigned long long v) { return simgpu::upwards<float>(v); }
SIMGPU_INLINE float __ull2float_rd(unsigned long long v) { return simgpu::downwards<float>(v); }
SIMGPU_INLINE double __uint2double_rn(unsigned v) { return v; }
SIMGPU_INLINE double __ll2double_rn(long long v) { return (double)v; }
SIMGPU_INLINE double __ll2double_rz(long long v) { return simgpu::to_zero<double>(v); }
SIMGPU_INLINE double __ll2double_ru(long long v) { return simgpu::upwards<double>(v); }
SIMGPU_INLINE double __ll2double_rd(long long v) { return simgpu::downwards<double>(v); }
SIMGPU_INLINE double __ull2double_rn(unsigned long long v) { return (double)v; }
SIMGPU_INLINE double __ull2double_rz(unsigned long long v)
{
    return simgpu::to_zero<double>(v);
}
SIMGPU_INLINE double __ull2double_ru(unsigned long long v)
{
    return simgpu::upwards<double>(v);
}
SIMGPU_INLINE double __ull2double_rd(unsigned long long v)
{
    return simgpu::downwards<double>(v);
}
SIMGPU_INLINE float __double2float_ru(double v) { return simgpu::upwards<float>(v); }
SIMGPU_INLINE float __double2float_rd(double v) { return simgpu::downwards<float>(v); }
SIMGPU_INLINE unsigned long long __float2ull_rn(float v)
{
    return (unsigned long long)rintf(v);
}
SIMGPU_INLINE unsigned long long __float2ull_rz(float v) { return (unsigned long long)v; }
SIMGPU_INLINE unsigned long long __float2ull_ru(float v)
{
    return (unsigned long long)ceilf(v);
}
SIMGPU_INLINE unsigned long long __float2ull_rd(float v)
{
    return (unsigned long long)floorf(v);
}
SIMGPU_INLINE unsigned long long __double2ull_rn(double v)
{
    return (unsigned long long)rint(v);
}
SIMGPU_INLINE unsigned long long __double2ull_rz(double v) { return (unsigned long long)v; }
SIMGPU_INLINE unsigned long long __double2ull_ru(double v)
{
    return (unsigned long long)ceil(v);
}
SIMGPU_INLINE unsigned long long __double2ull_rd(double v)
{
    return (unsigned long long)floor(v);
}
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

/** Applies a function to each byte (or half, by the type) of two words. */
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
template <class T> SIMGPU_INLINE unsigned add_parts(unsigned a, unsigned b)
{
    return by_parts<T>(a, b, [](int x, int y) { return (unsigned)(x + y); });
}
template <class T> SIMGPU_INLINE unsigned subtract_parts(unsigned a, unsigned b)
{
    return by_parts<T>(a, b, [](int x, int y) { return (unsigned)(x - y); });
}
template <class T> SIMGPU_INLINE unsigned smaller_parts(unsigned a, unsigned b)
{
    return by_parts<T>(a, b, [](int x, int y) { return (unsigned)(x < y ? x : y); });
}
template <class T> SIMGPU_INLINE unsigned larger_parts(unsigned a, unsigned b)
{
    return by_parts<T>(a, b, [](int x, int y) { return (unsigned)(x > y ? x : y); });
}
template <class T> SIMGPU_INLINE unsigned distances(unsigned a, unsigned b)
{
    return by_parts<T>(a, b, [](int x, int y) { return (unsigned)(x > y ? x - y : y - x); });
}
template <class T> SIMGPU_INLINE unsigned averages(unsigned a, unsigned b)
{
    return by_parts<T>(a, b, [](int x, int y) { return (unsigned)((x + y + 1) >> 1); });
}
/** All bits of a part are set where the comparison holds. */
template <class T> SIMGPU_INLINE unsigned equal_parts(unsigned a, unsigned b)
{
    return by_parts<T>(a, b, [](int x, int y) { return x == y ? ~0u : 0; });
}
template <class T> SIMGPU_INLINE unsigned greater_parts(unsigned a, unsigned b)
{
    return by_parts<T>(a, b, [](int x, int y) { return x > y ? ~0u : 0; });
}
template <class T> SIMGPU_INLINE unsigned sum_of_parts(unsigned v)
{
    unsigned sum = 0;
    for (int i = 0; i < 32; i += 8 * (int)sizeof(T))
        sum += (T)(v >> i);
    return sum;
}
} // namespace simgpu

SIMGPU_INLINE unsigned __vadd2(unsigned a, unsigned b)
{
    return simgpu::add_parts<uint16_t>(a, b);
}
SIMGPU_INLINE unsigned __vsub2(unsigned a, unsigned b)
{
    return simgpu::subtract_parts<uint16_t>(a, b);
}
SIMGPU_INLINE unsigned __vminu2(unsigned a, unsigned b)
{
    return simgpu::smaller_parts<uint16_t>(a, b);
}
SIMGPU_INLINE unsigned __vmins2(unsigned a, unsigned b)
{
    return simgpu::smaller_parts<int16_t>(a, b);
}
SIMGPU_INLINE unsigned __vmaxu2(unsigned a, unsigned b)
{
    return simgpu::larger_parts<uint16_t>(a, b);
}
SIMGPU_INLINE unsigned __vmaxs2(unsigned a, unsigned b)
{
    return simgpu::larger_parts<int16_t>(a, b);
}
SIMGPU_INLINE unsigned __vabsdiffu2(unsigned a, unsigned b)
{
    return simgpu::distances<uint16_t>(a, b);
}
SIMGPU_INLINE unsigned __vabsdiffs2(unsigned a, unsigned b)
{
    return simgpu::distances<int16_t>(a, b);
}
SIMGPU_INLINE unsigned __vavgu2(unsigned a, unsigned b)
{
    return simgpu::averages<uint16_t>(a, b);
}
SIMGPU_INLINE unsigned __vavgs2(unsigned a, unsigned b)
{
    return simgpu::averages<int16_t>(a, b);
}
SIMGPU_INLINE unsigned __vcmpeq2(unsigned a, unsigned b)
{
    return simgpu::equal_parts<uint16_t>(a, b);
}
SIMGPU_INLINE unsigned __vcmpgtu2(unsigned a, unsigned b)
{
    return simgpu::greater_parts<uint16_t>(a, b);
}
SIMGPU_INLINE unsigned __vcmpgts2(unsigned a, unsigned b)
{
    return simgpu::greater_parts<int16_t>(a, b);
}
SIMGPU_INLINE unsigned __vcmpne2(unsigned a, unsigned b) { return ~__vcmpeq2(a, b); }
SIMGPU_INLINE unsigned __vcmpltu2(unsigned a, unsigned b) { return __vcmpgtu2(b, a); }
SIMGPU_INLINE unsigned __vcmplts2(unsigned a, unsigned b) { return __vcmpgts2(b, a); }
SIMGPU_INLINE unsigned __vcmpgeu2(unsigned a, unsigned b) { return ~__vcmpgtu2(b, a); }
SIMGPU_INLINE unsigned __vcmpges2(unsigned a, unsigned b) { return ~__vcmpgts2(b, a); }
SIMGPU_INLINE unsigned __vcmpleu2(unsigned a, unsigned b) { return ~__vcmpgtu2(a, b); }
SIMGPU_INLINE unsigned __vcmples2(unsigned a, unsigned b) { return ~__vcmpgts2(a, b); }
SIMGPU_INLINE unsigned __vsadu2(unsigned a, unsigned b)
{
    return simgpu::sum_of_parts<uint16_t>(__vabsdiffu2(a, b));
}
SIMGPU_INLINE unsigned __vsads2(unsigned a, unsigned b)
{
    return simgpu::sum_of_parts<uint16_t>(__vabsdiffs2(a, b));
}
SIMGPU_INLINE unsigned __vneg2(unsigned a) { return simgpu::subtract_parts<uint16_t>(0, a); }
SIMGPU_INLINE unsigned __vadd4(unsigned a, unsigned b)
{
    return simgpu::add_parts<uint8_t>(a, b);
}
SIMGPU_INLINE unsigned __vsub4(unsigned a, unsigned b)
{
    return simgpu::subtract_parts<uint8_t>(a, b);
}
SIMGPU_INLINE unsigned __vminu4(unsigned a, unsigned b)
{
    return simgpu::smaller_parts<uint8_t>(a, b);
}
SIMGPU_INLINE unsigned __vmins4(unsigned a, unsigned b)
{
    return simgpu::smaller_parts<int8_t>(a, b);
}
SIMGPU_INLINE unsigned __vmaxu4(unsigned a, unsigned b)
{
    return simgpu::larger_parts<uint8_t>(a, b);
}
SIMGPU_INLINE unsigned __vmaxs4(unsigned a, unsigned b)
{
    return simgpu::larger_parts<int8_t>(a, b);
}
SIMGPU_INLINE unsigned __vabsdiffu4(unsigned a, unsigned b)
{
    return simgpu::distances<uint8_t>(a, b);
}
SIMGPU_INLINE unsigned __vabsdiffs4(unsigned a, unsigned b)
{
    return simgpu::distances<int8_t>(a, b);
}
SIMGPU_INLINE unsigned __vavgu4(unsigned a, unsigned b)
{
    return simgpu::averages<uint8_t>(a, b);
}
SIMGPU_INLINE unsigned __vavgs4(unsigned a, unsigned b)
{
    return simgpu::averages<int8_t>(a, b);
}
SIMGPU_INLINE unsigned __vcmpeq4(unsigned a, unsigned b)
{
    return simgpu::equal_parts<uint8_t>(a, b);
}
SIMGPU_INLINE unsigned __vcmpgtu4(unsigned a, unsigned b)
{
    return simgpu::greater_parts<uint8_t>(a, b);
}
SIMGPU_INLINE unsigned __vcmpgts4(unsigned a, unsigned b)
{
    return simgpu::greater_parts<int8_t>(a, b);
}
SIMGPU_INLINE unsigned __vcmpne4(unsigned a, unsigned b) { return ~__vcmpeq4(a, b); }
SIMGPU_INLINE unsigned __vcmpltu4(unsigned a, unsigned b) { return __vcmpgtu4(b, a); }
SIMGPU_INLINE unsigned __vcmplts4(unsigned a, unsigned b) { return __vcmpgts4(b, a); }
SIMGPU_INLINE unsigned __vcmpgeu4(unsigned a, unsigned b) { return ~__vcmpgtu4(b, a); }
SIMGPU_INLINE unsigned __vcmpges4(unsigned a, unsigned b) { return ~__vcmpgts4(b, a); }
SIMGPU_INLINE unsigned __vcmpleu4(unsigned a, unsigned b) { return ~__vcmpgtu4(a, b); }
SIMGPU_INLINE unsigned __vcmples4(unsigned a, unsigned b) { return ~__vcmpgts4(a, b); }
SIMGPU_INLINE unsigned __vsadu4(unsigned a, unsigned b)
{
    return simgpu::sum_of_parts<uint8_t>(__vabsdiffu4(a, b));
}
SIMGPU_INLINE unsigned __vsads4(unsigned a, unsigned b)
{
    return simgpu::sum_of_parts<uint8_t>(__vabsdiffs4(a, b));
}
SIMGPU_INLINE unsigned __vneg4(unsigned a) { return simgpu::subtract_parts<uint8_t>(0, a); }

/** A promise to nvcc's optimiser, which needs none here. */
#if !defined(__clang__)
#define __builtin_assume(condition) ((void)0)
#endif

#endif
