/* SPDX-License-Identifier: MIT */
/** @file numbers16.h
 * What __half and __nv_bfloat16 share: the functions of numbers and of pairs. Each operation is
 * computed in float, a fused multiply-add in double, and rounded once. The functions are found
 * by the type of their arguments.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_NUMBERS16_H
#define SIMGPU_INCLUDE_SIMGPU_NUMBERS16_H

#include "simgpu/device/half_bits.h"

namespace simgpu
{
inline namespace SIMGPU_BUILD
{
/** A base of the type H of 16 bits. */
template <class H> struct number16 {
    friend SIMGPU_METHOD H __hadd(H a, H b) { return H((float)a + (float)b); }
    friend SIMGPU_METHOD H __hsub(H a, H b) { return H((float)a - (float)b); }
    friend SIMGPU_METHOD H __hmul(H a, H b) { return H((float)a * (float)b); }
    friend SIMGPU_METHOD H __hdiv(H a, H b) { return H((float)a / (float)b); }
    friend SIMGPU_METHOD H __hfma(H a, H b, H c)
    {
        return H((double)(float)a * (float)b + (float)c);
    }
    friend SIMGPU_METHOD H operator+(const H &a, const H &b) { return __hadd(a, b); }
    friend SIMGPU_METHOD H operator-(const H &a, const H &b) { return __hsub(a, b); }
    friend SIMGPU_METHOD H operator*(const H &a, const H &b) { return __hmul(a, b); }
    friend SIMGPU_METHOD H operator/(const H &a, const H &b) { return __hdiv(a, b); }
    friend SIMGPU_METHOD H &operator+=(H &a, const H &b) { return a = a + b; }
    friend SIMGPU_METHOD H &operator-=(H &a, const H &b) { return a = a - b; }
    friend SIMGPU_METHOD H &operator*=(H &a, const H &b) { return a = a * b; }
    friend SIMGPU_METHOD H &operator/=(H &a, const H &b) { return a = a / b; }
    friend SIMGPU_METHOD H __hneg(H v) { return of_bits(v.__x ^ 0x8000); }
    friend SIMGPU_METHOD H __habs(H v) { return of_bits(v.__x & 0x7fff); }
    friend SIMGPU_METHOD H operator+(const H &v) { return v; }
    friend SIMGPU_METHOD H operator-(const H &v) { return __hneg(v); }

    friend SIMGPU_METHOD bool __heq(H a, H b) { return (float)a == (float)b; }
    friend SIMGPU_METHOD bool __hne(H a, H b)
    {
        return (float)a < (float)b || (float)a > (float)b;
    }
    friend SIMGPU_METHOD bool __hlt(H a, H b) { return (float)a < (float)b; }
    friend SIMGPU_METHOD bool __hle(H a, H b) { return (float)a <= (float)b; }
    friend SIMGPU_METHOD bool __hgt(H a, H b) { return (float)a > (float)b; }
    friend SIMGPU_METHOD bool __hge(H a, H b) { return (float)a >= (float)b; }
    friend SIMGPU_METHOD bool operator==(const H &a, const H &b) { return __heq(a, b); }
    friend SIMGPU_METHOD bool operator!=(const H &a, const H &b) { return !__heq(a, b); }
    friend SIMGPU_METHOD bool operator<(const H &a, const H &b) { return __hlt(a, b); }
    friend SIMGPU_METHOD bool operator<=(const H &a, const H &b) { return __hle(a, b); }
    friend SIMGPU_METHOD bool operator>(const H &a, const H &b) { return __hgt(a, b); }
    friend SIMGPU_METHOD bool operator>=(const H &a, const H &b) { return __hge(a, b); }
    friend SIMGPU_METHOD bool __hisnan(H v) { return (float)v != (float)v; }
    friend SIMGPU_METHOD int __hisinf(H v)
    {
        return (float)v == INFINITY ? 1 : (float)v == -INFINITY ? -1 : 0;
    }
    /* The larger and the smaller of two: a number wins against a NaN, but not where the name
     * ends with _nan. */
    friend SIMGPU_METHOD H __hmax(H a, H b) { return H(fmaxf((float)a, (float)b)); }
    friend SIMGPU_METHOD H __hmin(H a, H b) { return H(fminf((float)a, (float)b)); }
    friend SIMGPU_METHOD H __hmax_nan(H a, H b)
    {
        return either_nan(a, b) ? H(NAN) : __hmax(a, b);
    }
    friend SIMGPU_METHOD H __hmin_nan(H a, H b)
    {
        return either_nan(a, b) ? H(NAN) : __hmin(a, b);
    }

    friend SIMGPU_METHOD H hexp(H v) { return H(expf((float)v)); }
    friend SIMGPU_METHOD H hexp2(H v) { return H(exp2f((float)v)); }
    friend SIMGPU_METHOD H hexp10(H v) { return H(exp10f((float)v)); }
    friend SIMGPU_METHOD H hlog(H v) { return H(logf((float)v)); }
    friend SIMGPU_METHOD H hlog2(H v) { return H(log2f((float)v)); }
    friend SIMGPU_METHOD H hlog10(H v) { return H(log10f((float)v)); }
    friend SIMGPU_METHOD H hsin(H v) { return H(sinf((float)v)); }
    friend SIMGPU_METHOD H hcos(H v) { return H(cosf((float)v)); }
    friend SIMGPU_METHOD H htanh(H v) { return H(tanhf((float)v)); }
    friend SIMGPU_METHOD H htanh_approx(H v) { return H(tanhf((float)v)); }
    friend SIMGPU_METHOD H hrcp(H v) { return H(1 / (float)v); }
    friend SIMGPU_METHOD H hsqrt(H v) { return H(sqrtf((float)v)); }
    friend SIMGPU_METHOD H hrsqrt(H v) { return H(rsqrtf((float)v)); }
    friend SIMGPU_METHOD H hfloor(H v) { return H(floorf((float)v)); }
    friend SIMGPU_METHOD H hceil(H v) { return H(ceilf((float)v)); }
    friend SIMGPU_METHOD H htrunc(H v) { return H(truncf((float)v)); }
    friend SIMGPU_METHOD H hrint(H v) { return H(rintf((float)v)); }

  private:
    static SIMGPU_METHOD H of_bits(int bits)
    {
        H v;
        v.__x = (unsigned short)bits;
        return v;
    }
    static SIMGPU_METHOD bool either_nan(H a, H b) { return __hisnan(a) || __hisnan(b); }
};

/** A base of P, two numbers that are moved as one word of 4 bytes. */
template <class H, class P> struct __attribute__((aligned(4))) pair16 {
    H x, y;
    pair16() = default;
    SIMGPU_METHOD pair16(const H &a, const H &b) : x(a), y(b) {}
    SIMGPU_METHOD pair16(const pair16 &v) { copy(v); }
    SIMGPU_METHOD pair16 &operator=(const pair16 &v)
    {
        copy(v);
        return *this;
    }
    friend SIMGPU_METHOD P __hadd2(P a, P b) { return P(a.x + b.x, a.y + b.y); }
    friend SIMGPU_METHOD P __hsub2(P a, P b) { return P(a.x - b.x, a.y - b.y); }
    friend SIMGPU_METHOD P __hmul2(P a, P b) { return P(a.x * b.x, a.y * b.y); }
    friend SIMGPU_METHOD P __h2div(P a, P b) { return P(a.x / b.x, a.y / b.y); }
    friend SIMGPU_METHOD P __hfma2(P a, P b, P c)
    {
        return P(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
    }
    friend SIMGPU_METHOD P operator+(const P &a, const P &b) { return __hadd2(a, b); }
    friend SIMGPU_METHOD P operator-(const P &a, const P &b) { return __hsub2(a, b); }
    friend SIMGPU_METHOD P operator*(const P &a, const P &b) { return __hmul2(a, b); }
    friend SIMGPU_METHOD P operator/(const P &a, const P &b) { return __h2div(a, b); }
    friend SIMGPU_METHOD P &operator+=(P &a, const P &b) { return a = a + b; }
    friend SIMGPU_METHOD P &operator-=(P &a, const P &b) { return a = a - b; }
    friend SIMGPU_METHOD P &operator*=(P &a, const P &b) { return a = a * b; }
    friend SIMGPU_METHOD P &operator/=(P &a, const P &b) { return a = a / b; }
    friend SIMGPU_METHOD P __hneg2(P v) { return P(-v.x, -v.y); }
    friend SIMGPU_METHOD P __habs2(P v) { return P(__habs(v.x), __habs(v.y)); }
    friend SIMGPU_METHOD P operator+(const P &v) { return v; }
    friend SIMGPU_METHOD P operator-(const P &v) { return __hneg2(v); }
    friend SIMGPU_METHOD P __hmax2(P a, P b) { return P(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
    friend SIMGPU_METHOD P __hmin2(P a, P b) { return P(__hmin(a.x, b.x), __hmin(a.y, b.y)); }

    /* 1 for each number of which it is true, or 0. */
    friend SIMGPU_METHOD P __heq2(P a, P b) { return P(a.x == b.x, a.y == b.y); }
    friend SIMGPU_METHOD P __hne2(P a, P b) { return P(__hne(a.x, b.x), __hne(a.y, b.y)); }
    friend SIMGPU_METHOD P __hlt2(P a, P b) { return P(a.x < b.x, a.y < b.y); }
    friend SIMGPU_METHOD P __hle2(P a, P b) { return P(a.x <= b.x, a.y <= b.y); }
    friend SIMGPU_METHOD P __hgt2(P a, P b) { return P(a.x > b.x, a.y > b.y); }
    friend SIMGPU_METHOD P __hge2(P a, P b) { return P(a.x >= b.x, a.y >= b.y); }
    friend SIMGPU_METHOD bool operator==(const P &a, const P &b)
    {
        return a.x == b.x && a.y == b.y;
    }

    friend SIMGPU_METHOD P h2exp(P v) { return P(hexp(v.x), hexp(v.y)); }
    friend SIMGPU_METHOD P h2exp2(P v) { return P(hexp2(v.x), hexp2(v.y)); }
    friend SIMGPU_METHOD P h2exp10(P v) { return P(hexp10(v.x), hexp10(v.y)); }
    friend SIMGPU_METHOD P h2log(P v) { return P(hlog(v.x), hlog(v.y)); }
    friend SIMGPU_METHOD P h2log2(P v) { return P(hlog2(v.x), hlog2(v.y)); }
    friend SIMGPU_METHOD P h2log10(P v) { return P(hlog10(v.x), hlog10(v.y)); }
    friend SIMGPU_METHOD P h2sin(P v) { return P(hsin(v.x), hsin(v.y)); }
    friend SIMGPU_METHOD P h2cos(P v) { return P(hcos(v.x), hcos(v.y)); }
    friend SIMGPU_METHOD P h2tanh(P v) { return P(htanh(v.x), htanh(v.y)); }
    friend SIMGPU_METHOD P h2tanh_approx(P v) { return h2tanh(v); }
    friend SIMGPU_METHOD P h2rcp(P v) { return P(hrcp(v.x), hrcp(v.y)); }
    friend SIMGPU_METHOD P h2sqrt(P v) { return P(hsqrt(v.x), hsqrt(v.y)); }
    friend SIMGPU_METHOD P h2rsqrt(P v) { return P(hrsqrt(v.x), hrsqrt(v.y)); }
    friend SIMGPU_METHOD P h2floor(P v) { return P(hfloor(v.x), hfloor(v.y)); }
    friend SIMGPU_METHOD P h2ceil(P v) { return P(hceil(v.x), hceil(v.y)); }
    friend SIMGPU_METHOD P h2trunc(P v) { return P(htrunc(v.x), htrunc(v.y)); }
    friend SIMGPU_METHOD P h2rint(P v) { return P(hrint(v.x), hrint(v.y)); }

    friend SIMGPU_METHOD float __low2float(P v) { return (float)v.x; }
    friend SIMGPU_METHOD float __high2float(P v) { return (float)v.y; }
    friend SIMGPU_METHOD P __lowhigh2highlow(P v) { return P(v.y, v.x); }

  private:
    SIMGPU_METHOD void copy(const pair16 &v)
    {
        unsigned word;
        memcpy(&word, (const void *)&v, sizeof word);
        memcpy((void *)this, &word, sizeof word);
    }
};
} // namespace SIMGPU_BUILD
} // namespace simgpu

/* From other types, rounded to nearest, towards zero, up, down; and to integers. */
#define SIMGPU_FROM(H, half, from, type, suffix, how)                                          \
    SIMGPU_INLINE H __##from##2##half##_##suffix(type v) { return H(v, simgpu::Rounding::how); }
#define SIMGPU_FROM_ANY(H, half, suffix, how)                                                  \
    SIMGPU_FROM(H, half, float, float, suffix, how)                                            \
    SIMGPU_FROM(H, half, int, int, suffix, how)                                                \
    SIMGPU_FROM(H, half, uint, unsigned, suffix, how)                                          \
    SIMGPU_FROM(H, half, short, short, suffix, how)                                            \
    SIMGPU_FROM(H, half, ushort, unsigned short, suffix, how)                                  \
    SIMGPU_FROM(H, half, ll, long long, suffix, how)                                           \
    SIMGPU_FROM(H, half, ull, unsigned long long, suffix, how)
#define SIMGPU_CONVERSIONS16(H, half)                                                          \
    SIMGPU_FROM_ANY(H, half, rn, nearest_even)                                                 \
    SIMGPU_FROM_ANY(H, half, rz, to_zero)                                                      \
    SIMGPU_FROM_ANY(H, half, ru, up)                                                           \
    SIMGPU_FROM_ANY(H, half, rd, down)                                                         \
    SIMGPU_TO_INTEGER(half, int, H, int)                                                       \
    SIMGPU_TO_INTEGER(half, uint, H, unsigned)                                                 \
    SIMGPU_TO_INTEGER(half, short, H, short)                                                   \
    SIMGPU_TO_INTEGER(half, ushort, H, unsigned short)                                         \
    SIMGPU_TO_INTEGER(half, ll, H, long long)                                                  \
    SIMGPU_TO_INTEGER(half, ull, H, unsigned long long)

/* The names that have the type in them: from and to float and bits, and those of pairs P. */
#define SIMGPU_NAMES16(H, P, half)                                                             \
    SIMGPU_INLINE float __##half##2float(H v) { return (float)v; }                             \
    SIMGPU_INLINE H __float2##half(float v) { return H(v); }                                   \
    SIMGPU_INLINE H __double2##half(double v) { return H(v); }                                 \
    SIMGPU_INLINE unsigned short __##half##_as_ushort(H v) { return v.__x; }                   \
    SIMGPU_INLINE short __##half##_as_short(H v) { return (short)v.__x; }                      \
    SIMGPU_INLINE H __ushort_as_##half(unsigned short bits) { return H(H##_raw{bits}); }       \
    SIMGPU_INLINE H __short_as_##half(short bits) { return __ushort_as_##half(bits); }         \
    SIMGPU_CONVERSIONS16(H, half)                                                              \
    SIMGPU_INLINE P __halves2##half##2(H low, H high) { return P(low, high); }                 \
    SIMGPU_INLINE P make_##half##2(H low, H high) { return P(low, high); }                     \
    SIMGPU_INLINE P __##half##2##half##2(H v) { return P(v, v); }                              \
    SIMGPU_INLINE P __float2##half##2_rn(float v) { return P(H(v), H(v)); }                    \
    SIMGPU_INLINE P __floats2##half##2_rn(float low, float high)                               \
    {                                                                                          \
        return P(H(low), H(high));                                                             \
    }                                                                                          \
    SIMGPU_INLINE P __float22##half##2_rn(float2 v) { return P(H(v.x), H(v.y)); }              \
    SIMGPU_INLINE float2 __##half##22float2(P v)                                               \
    {                                                                                          \
        return make_float2((float)v.x, (float)v.y);                                            \
    }                                                                                          \
    SIMGPU_INLINE H __low2##half(P v) { return v.x; }                                          \
    SIMGPU_INLINE H __high2##half(P v) { return v.y; }                                         \
    SIMGPU_INLINE P __low2##half##2(P v) { return P(v.x, v.x); }                               \
    SIMGPU_INLINE P __high2##half##2(P v) { return P(v.y, v.y); }                              \
    SIMGPU_INLINE P __lows2##half##2(P a, P b) { return P(a.x, b.x); }                         \
    SIMGPU_INLINE P __highs2##half##2(P a, P b) { return P(a.y, b.y); }

#endif
