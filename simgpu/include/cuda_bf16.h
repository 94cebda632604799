/* SPDX-License-Identifier: MIT */
/** @file cuda_bf16.h
 * bfloat16: __nv_bfloat16, __nv_bfloat162, their conversions and arithmetic, each operation
 * computed in float and rounded once, to nearest even.
 */
#ifndef SIMGPU_INCLUDE_CUDA_BF16_H
#define SIMGPU_INCLUDE_CUDA_BF16_H

#ifndef __cplusplus
#error "simgpu: <cuda_bf16.h> is for CUDA C++ sources (.cu), not for C"
#endif

#include "cuda_runtime.h"
#include "simgpu/half_bits.h"

struct __nv_bfloat16_raw {
    unsigned short x;
};

#ifdef SIMGPU_TRACED
inline namespace simgpu_traced
{
#endif

/** The upper 16 bits of a float. */
struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short __x;
    __nv_bfloat16() = default;
    SIMGPU_METHOD __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x) {}
    template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    SIMGPU_METHOD __nv_bfloat16(T v)
    {
        unsigned bits = __builtin_bit_cast(unsigned, simgpu::rounded_fraction((float)v, 7));
        __x = (unsigned short)(bits >> 16);
    }
    SIMGPU_METHOD operator float() const
    {
        return __builtin_bit_cast(float, (unsigned)__x << 16);
    }
    SIMGPU_METHOD operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
};
typedef __nv_bfloat16 nv_bfloat16;

/** Two of them, moved as one word of 4 bytes. */
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    SIMGPU_METHOD __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b) {}
    SIMGPU_METHOD __nv_bfloat162(const __nv_bfloat162 &v) { copy(v); }
    SIMGPU_METHOD __nv_bfloat162 &operator=(const __nv_bfloat162 &v)
    {
        copy(v);
        return *this;
    }

  private:
    SIMGPU_METHOD void copy(const __nv_bfloat162 &v)
    {
        unsigned word;
        memcpy(&word, (const void *)&v, sizeof word);
        memcpy((void *)this, &word, sizeof word);
    }
};
typedef __nv_bfloat162 nv_bfloat162;

#ifdef SIMGPU_TRACED
} // namespace simgpu_traced
#endif

SIMGPU_INLINE float __bfloat162float(__nv_bfloat16 v) { return v; }
SIMGPU_INLINE __nv_bfloat16 __float2bfloat16(float v) { return v; }
SIMGPU_INLINE __nv_bfloat16 __float2bfloat16_rn(float v) { return v; }
SIMGPU_INLINE __nv_bfloat16 __double2bfloat16(double v) { return v; }
SIMGPU_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
    return __nv_bfloat16(__nv_bfloat16_raw{bits});
}
SIMGPU_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 v)
{
    return __nv_bfloat16_raw(v).x;
}
SIMGPU_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high)
{
    return __nv_bfloat162(low, high);
}
SIMGPU_INLINE __nv_bfloat162 __floats2bfloat162_rn(float low, float high)
{
    return __nv_bfloat162(low, high);
}
SIMGPU_INLINE __nv_bfloat162 __float2bfloat162_rn(float v) { return __nv_bfloat162(v, v); }
SIMGPU_INLINE float2 __bfloat1622float2(__nv_bfloat162 v)
{
    return make_float2((float)v.x, (float)v.y);
}
SIMGPU_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
SIMGPU_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }

#define SIMGPU_BFLOAT_BINARY(name, name2, op)                                                  \
    SIMGPU_INLINE __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b)                         \
    {                                                                                          \
        return (float)a op(float) b;                                                           \
    }                                                                                          \
    SIMGPU_INLINE __nv_bfloat162 name2(__nv_bfloat162 a, __nv_bfloat162 b)                     \
    {                                                                                          \
        return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                 \
    }                                                                                          \
    SIMGPU_INLINE __nv_bfloat16 operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b)    \
    {                                                                                          \
        return name(a, b);                                                                     \
    }                                                                                          \
    SIMGPU_INLINE __nv_bfloat16 &operator op##=(__nv_bfloat16 &a, const __nv_bfloat16 &b)      \
    {                                                                                          \
        return a = name(a, b);                                                                 \
    }                                                                                          \
    SIMGPU_INLINE __nv_bfloat162 operator op(const __nv_bfloat162 &a, const __nv_bfloat162 &b) \
    {                                                                                          \
        return name2(a, b);                                                                    \
    }
SIMGPU_BFLOAT_BINARY(__hadd, __hadd2, +)
SIMGPU_BFLOAT_BINARY(__hsub, __hsub2, -)
SIMGPU_BFLOAT_BINARY(__hmul, __hmul2, *)
SIMGPU_BFLOAT_BINARY(__hdiv, __h2div, /)
#undef SIMGPU_BFLOAT_BINARY

SIMGPU_INLINE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    return (double)(float)a * (float)b + (float)c;
}
SIMGPU_INLINE __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return fmaxf((float)a, (float)b);
}
SIMGPU_INLINE __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return fminf((float)a, (float)b);
}
#define SIMGPU_BFLOAT_COMPARE(name, op)                                                        \
    SIMGPU_INLINE bool name(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a op(float) b; } \
    SIMGPU_INLINE bool operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b)             \
    {                                                                                          \
        return name(a, b);                                                                     \
    }
SIMGPU_BFLOAT_COMPARE(__heq, ==)
SIMGPU_BFLOAT_COMPARE(__hne, !=)
SIMGPU_BFLOAT_COMPARE(__hlt, <)
SIMGPU_BFLOAT_COMPARE(__hle, <=)
SIMGPU_BFLOAT_COMPARE(__hgt, >)
SIMGPU_BFLOAT_COMPARE(__hge, >=)
#undef SIMGPU_BFLOAT_COMPARE

/** Retries until the compare-and-swap succeeds: the runtime has no such addition. */
SIMGPU_INLINE __nv_bfloat16 atomicAdd(__nv_bfloat16 *address, __nv_bfloat16 v)
{
    unsigned short seen = simgpu::atomic((unsigned short *)address, SIMGPU_OR,
                                         (unsigned short)0, 2),
                   before;
    do {
        before = seen;
        __nv_bfloat16 sum = __hadd(__nv_bfloat16(__nv_bfloat16_raw{before}), v);
        seen = atomicCAS((unsigned short *)address, before, sum.__x);
    } while (seen != before);
    return __nv_bfloat16(__nv_bfloat16_raw{before});
}
SIMGPU_INLINE __nv_bfloat162 atomicAdd(__nv_bfloat162 *address, __nv_bfloat162 v)
{
    return __nv_bfloat162(atomicAdd(&address->x, v.x), atomicAdd(&address->y, v.y));
}

#endif
