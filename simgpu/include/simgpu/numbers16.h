/* SPDX-License-Identifier: MIT */
/** @file numbers16.h
 * What __half and __nv_bfloat16 share: pairs, arithmetic and comparisons. Each operation is
 * computed in float and rounded once.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_NUMBERS16_H
#define SIMGPU_INCLUDE_SIMGPU_NUMBERS16_H

#include "half_bits.h"

namespace simgpu
{
inline namespace SIMGPU_BUILD
{
/** Two numbers, moved as one word of 4 bytes. */
template <class H> struct __attribute__((aligned(4))) pair16 {
    H x, y;
    pair16() = default;
    SIMGPU_METHOD pair16(const H &a, const H &b) : x(a), y(b) {}
    SIMGPU_METHOD pair16(const pair16 &v) { copy(v); }
    SIMGPU_METHOD pair16 &operator=(const pair16 &v)
    {
        copy(v);
        return *this;
    }

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

/* An operation on numbers H and on pairs H2. */
#define SIMGPU_BINARY16(H, H2, name, name2, op)                                                \
    SIMGPU_INLINE H name(H a, H b) { return H((float)a op(float) b); }                         \
    SIMGPU_INLINE H2 name2(H2 a, H2 b) { return H2(name(a.x, b.x), name(a.y, b.y)); }          \
    SIMGPU_INLINE H operator op(const H &a, const H &b) { return name(a, b); }                 \
    SIMGPU_INLINE H &operator op##=(H &a, const H &b) { return a = name(a, b); }               \
    SIMGPU_INLINE H2 operator op(const H2 &a, const H2 &b) { return name2(a, b); }             \
    SIMGPU_INLINE H2 &operator op##=(H2 &a, const H2 &b) { return a = name2(a, b); }
#define SIMGPU_COMPARE16(H, name, op)                                                          \
    SIMGPU_INLINE bool name(H a, H b) { return (float)a op(float) b; }                         \
    SIMGPU_INLINE bool operator op(const H &a, const H &b) { return name(a, b); }
#define SIMGPU_NUMBERS16(H, H2)                                                                \
    SIMGPU_BINARY16(H, H2, __hadd, __hadd2, +)                                                 \
    SIMGPU_BINARY16(H, H2, __hsub, __hsub2, -)                                                 \
    SIMGPU_BINARY16(H, H2, __hmul, __hmul2, *)                                                 \
    SIMGPU_BINARY16(H, H2, __hdiv, __h2div, /)                                                 \
    SIMGPU_COMPARE16(H, __heq, ==)                                                             \
    SIMGPU_COMPARE16(H, __hne, !=)                                                             \
    SIMGPU_COMPARE16(H, __hlt, <)                                                              \
    SIMGPU_COMPARE16(H, __hle, <=)                                                             \
    SIMGPU_COMPARE16(H, __hgt, >)                                                              \
    SIMGPU_COMPARE16(H, __hge, >=)                                                             \
    /** a * b + c, rounded once. */                                                            \
    SIMGPU_INLINE H __hfma(H a, H b, H c)                                                      \
    {                                                                                          \
        return H((double)(float)a * (float)b + (float)c);                                      \
    }                                                                                          \
    SIMGPU_INLINE H2 __hfma2(H2 a, H2 b, H2 c)                                                 \
    {                                                                                          \
        return H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                               \
    }                                                                                          \
    /** The larger of two; a number wins against a NaN. */                                     \
    SIMGPU_INLINE H __hmax(H a, H b) { return H(fmaxf((float)a, (float)b)); }                  \
    SIMGPU_INLINE H __hmin(H a, H b) { return H(fminf((float)a, (float)b)); }

#endif
