/* SPDX-License-Identifier: MIT */
/** @file cuda_fp16.h
 * Half precision: __half, __half2, their conversions and arithmetic.
 *
 * As on a GPU, every operation rounds once, to nearest even unless its name says otherwise.
 * Sums, products and quotients are computed in float and then rounded to half. Float has at
 * least two digits more than twice those of half, so the second rounding does no harm. A fused
 * multiply-add is computed in double, which holds every digit that can decide the rounding.
 */
#ifndef SIMGPU_INCLUDE_CUDA_FP16_H
#define SIMGPU_INCLUDE_CUDA_FP16_H

#ifndef __cplusplus
#error "simgpu: <cuda_fp16.h> is for CUDA C++ sources (.cu), not for C"
#endif

#include "cuda_runtime.h"
#include "simgpu/half_bits.h"

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

#ifdef SIMGPU_TRACED
inline namespace simgpu_traced
{
#endif

/** One number of 16 bits. */
struct __attribute__((aligned(2))) __half {
    unsigned short __x;
    __half() = default;
    SIMGPU_METHOD __half(const __half_raw &raw) : __x(raw.x) {}
    SIMGPU_METHOD __half(float v) : __x(simgpu::half_bits_of(v)) {}
    SIMGPU_METHOD __half(double v) : __x(simgpu::half_bits_of(v)) {}
    SIMGPU_METHOD __half(int v) : __x(simgpu::half_bits_of(v)) {}
    SIMGPU_METHOD __half(unsigned v) : __x(simgpu::half_bits_of(v)) {}
    SIMGPU_METHOD __half(short v) : __x(simgpu::half_bits_of(v)) {}
    SIMGPU_METHOD __half(unsigned short v) : __x(simgpu::half_bits_of(v)) {}
    SIMGPU_METHOD __half(long long v) : __x(simgpu::half_bits_of((double)v)) {}
    SIMGPU_METHOD __half(unsigned long long v) : __x(simgpu::half_bits_of((double)v)) {}
    SIMGPU_METHOD operator float() const { return simgpu::float_of_half_bits(__x); }
    SIMGPU_METHOD operator __half_raw() const { return __half_raw{__x}; }
};
typedef __half half;

/** Two of them, moved as one word of 4 bytes. */
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    SIMGPU_METHOD __half2(const __half &a, const __half &b) : x(a), y(b) {}
    SIMGPU_METHOD __half2(const __half2 &v) { copy(v); }
    SIMGPU_METHOD __half2 &operator=(const __half2 &v)
    {
        copy(v);
        return *this;
    }

  private:
    SIMGPU_METHOD void copy(const __half2 &v)
    {
        unsigned word;
        memcpy(&word, (const void *)&v, sizeof word);
        memcpy((void *)this, &word, sizeof word);
    }
};
typedef __half2 half2;

#ifdef SIMGPU_TRACED
} // namespace simgpu_traced
#endif

/* ---- bits ---- */

SIMGPU_INLINE unsigned short __half_as_ushort(__half v) { return v.__x; }
SIMGPU_INLINE short __half_as_short(__half v) { return (short)v.__x; }
SIMGPU_INLINE __half __ushort_as_half(unsigned short bits) { return __half(__half_raw{bits}); }
SIMGPU_INLINE __half __short_as_half(short bits)
{
    return __half(__half_raw{(unsigned short)bits});
}

/* ---- conversions ---- */

SIMGPU_INLINE float __half2float(__half v) { return simgpu::float_of_half_bits(v.__x); }
SIMGPU_INLINE __half __float2half(float v) { return __half(v); }
SIMGPU_INLINE __half __double2half(double v) { return __half(v); }
#define SIMGPU_TO_HALF(suffix, rounding)                                                       \
    SIMGPU_INLINE __half __float2half_##suffix(float v)                                        \
    {                                                                                          \
        return __half(__half_raw{simgpu::half_bits_of(v, simgpu::Rounding::rounding)});        \
    }                                                                                          \
    SIMGPU_INLINE __half __int2half_##suffix(int v)                                            \
    {                                                                                          \
        return __half(__half_raw{simgpu::half_bits_of(v, simgpu::Rounding::rounding)});        \
    }                                                                                          \
    SIMGPU_INLINE __half __uint2half_##suffix(unsigned v)                                      \
    {                                                                                          \
        return __half(__half_raw{simgpu::half_bits_of(v, simgpu::Rounding::rounding)});        \
    }
SIMGPU_TO_HALF(rn, nearest_even)
SIMGPU_TO_HALF(rz, to_zero)
SIMGPU_TO_HALF(ru, up)
SIMGPU_TO_HALF(rd, down)
#undef SIMGPU_TO_HALF
SIMGPU_INLINE int __half2int_rn(__half v) { return (int)rintf(__half2float(v)); }
SIMGPU_INLINE int __half2int_rz(__half v) { return (int)__half2float(v); }
SIMGPU_INLINE int __half2int_ru(__half v) { return (int)ceilf(__half2float(v)); }
SIMGPU_INLINE int __half2int_rd(__half v) { return (int)floorf(__half2float(v)); }
SIMGPU_INLINE unsigned __half2uint_rz(__half v) { return (unsigned)__half2float(v); }

/* ---- pairs ---- */

SIMGPU_INLINE __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
SIMGPU_INLINE __half2 make_half2(__half low, __half high) { return __half2(low, high); }
SIMGPU_INLINE __half2 __half2half2(__half v) { return __half2(v, v); }
SIMGPU_INLINE __half2 __float2half2_rn(float v) { return __half2(__half(v), __half(v)); }
SIMGPU_INLINE __half2 __floats2half2_rn(float low, float high)
{
    return __half2(__half(low), __half(high));
}
SIMGPU_INLINE __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
SIMGPU_INLINE float2 __half22float2(__half2 v)
{
    return make_float2(__half2float(v.x), __half2float(v.y));
}
SIMGPU_INLINE float __low2float(__half2 v) { return __half2float(v.x); }
SIMGPU_INLINE float __high2float(__half2 v) { return __half2float(v.y); }
SIMGPU_INLINE __half __low2half(__half2 v) { return v.x; }
SIMGPU_INLINE __half __high2half(__half2 v) { return v.y; }
SIMGPU_INLINE __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
SIMGPU_INLINE __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
SIMGPU_INLINE __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
SIMGPU_INLINE __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
SIMGPU_INLINE __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

/* ---- arithmetic ---- */

#define SIMGPU_HALF_BINARY(name, name2, op)                                                    \
    SIMGPU_INLINE __half name(__half a, __half b)                                              \
    {                                                                                          \
        return __half(__half2float(a) op __half2float(b));                                     \
    }                                                                                          \
    SIMGPU_INLINE __half2 name2(__half2 a, __half2 b)                                          \
    {                                                                                          \
        return __half2(name(a.x, b.x), name(a.y, b.y));                                        \
    }                                                                                          \
    SIMGPU_INLINE __half operator op(const __half &a, const __half &b) { return name(a, b); }  \
    SIMGPU_INLINE __half &operator op##=(__half &a, const __half &b)                           \
    {                                                                                          \
        return a = name(a, b);                                                                 \
    }                                                                                          \
    SIMGPU_INLINE __half2 operator op(const __half2 &a, const __half2 &b)                      \
    {                                                                                          \
        return name2(a, b);                                                                    \
    }                                                                                          \
    SIMGPU_INLINE __half2 &operator op##=(__half2 &a, const __half2 &b)                        \
    {                                                                                          \
        return a = name2(a, b);                                                                \
    }
SIMGPU_HALF_BINARY(__hadd, __hadd2, +)
SIMGPU_HALF_BINARY(__hsub, __hsub2, -)
SIMGPU_HALF_BINARY(__hmul, __hmul2, *)
SIMGPU_HALF_BINARY(__hdiv, __h2div, /)
#undef SIMGPU_HALF_BINARY

/* Never fused with an addition, as the _rn names promise. */
SIMGPU_INLINE __half __hadd_rn(__half a, __half b) { return __hadd(a, b); }
SIMGPU_INLINE __half __hsub_rn(__half a, __half b) { return __hsub(a, b); }
SIMGPU_INLINE __half __hmul_rn(__half a, __half b) { return __hmul(a, b); }
/** a * b + c, rounded once. */
SIMGPU_INLINE __half __hfma(__half a, __half b, __half c)
{
    return __half((double)__half2float(a) * __half2float(b) + __half2float(c));
}
SIMGPU_INLINE __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
SIMGPU_INLINE __half __hneg(__half v)
{
    return __half(__half_raw{(unsigned short)(v.__x ^ 0x8000)});
}
SIMGPU_INLINE __half __habs(__half v)
{
    return __half(__half_raw{(unsigned short)(v.__x & 0x7fff)});
}
SIMGPU_INLINE __half2 __hneg2(__half2 v) { return __half2(__hneg(v.x), __hneg(v.y)); }
SIMGPU_INLINE __half2 __habs2(__half2 v) { return __half2(__habs(v.x), __habs(v.y)); }
SIMGPU_INLINE __half operator-(const __half &v) { return __hneg(v); }
SIMGPU_INLINE __half2 operator-(const __half2 &v) { return __hneg2(v); }
SIMGPU_INLINE __half hsqrt(__half v) { return __half(sqrtf(__half2float(v))); }

/* ---- comparisons ---- */

#define SIMGPU_HALF_COMPARE(name, op)                                                          \
    SIMGPU_INLINE bool name(__half a, __half b) { return __half2float(a) op __half2float(b); } \
    SIMGPU_INLINE bool operator op(const __half &a, const __half &b) { return name(a, b); }
SIMGPU_HALF_COMPARE(__heq, ==)
SIMGPU_HALF_COMPARE(__hne, !=)
SIMGPU_HALF_COMPARE(__hlt, <)
SIMGPU_HALF_COMPARE(__hle, <=)
SIMGPU_HALF_COMPARE(__hgt, >)
SIMGPU_HALF_COMPARE(__hge, >=)
#undef SIMGPU_HALF_COMPARE
SIMGPU_INLINE bool __hisnan(__half v) { return (v.__x & 0x7fff) > 0x7c00; }
SIMGPU_INLINE int __hisinf(__half v)
{
    return (v.__x & 0x7fff) != 0x7c00 ? 0 : v.__x & 0x8000 ? -1 : 1;
}
/** The larger of two; a number wins against a NaN. */
SIMGPU_INLINE __half __hmax(__half a, __half b)
{
    return __half(fmaxf(__half2float(a), __half2float(b)));
}
SIMGPU_INLINE __half __hmin(__half a, __half b)
{
    return __half(fminf(__half2float(a), __half2float(b)));
}

/* ---- functions ---- */

#define SIMGPU_HALF_FUNCTION(name, function)                                                   \
    SIMGPU_INLINE __half h##name(__half v) { return __half(function(__half2float(v))); }       \
    SIMGPU_INLINE __half2 h2##name(__half2 v) { return __half2(h##name(v.x), h##name(v.y)); }
SIMGPU_HALF_FUNCTION(exp, expf)
SIMGPU_HALF_FUNCTION(exp2, exp2f)
SIMGPU_HALF_FUNCTION(log, logf)
SIMGPU_HALF_FUNCTION(log2, log2f)
SIMGPU_HALF_FUNCTION(sin, sinf)
SIMGPU_HALF_FUNCTION(cos, cosf)
SIMGPU_HALF_FUNCTION(rcp, 1 /)
SIMGPU_HALF_FUNCTION(rsqrt, rsqrtf)
SIMGPU_HALF_FUNCTION(floor, floorf)
SIMGPU_HALF_FUNCTION(ceil, ceilf)
SIMGPU_HALF_FUNCTION(trunc, truncf)
SIMGPU_HALF_FUNCTION(rint, rintf)
#undef SIMGPU_HALF_FUNCTION

/* ---- atomics ---- */

SIMGPU_INLINE __half atomicAdd(__half *address, __half v)
{
    return simgpu::atomic(address, SIMGPU_ADD_HALF, v, 2);
}
/** Adds each half by its own atomic; CUDA promises no more. */
SIMGPU_INLINE __half2 atomicAdd(__half2 *address, __half2 v)
{
    return __half2(atomicAdd(&address->x, v.x), atomicAdd(&address->y, v.y));
}

#endif
