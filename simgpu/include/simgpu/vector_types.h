/* SPDX-License-Identifier: MIT */
/** @file vector_types.h
 * CUDA's vector types: dim3, uint3, float2 ... and their make_ functions.
 *
 * On a GPU a float4 is loaded and stored by one 16-byte instruction. A host compiler is free to
 * split the copy into four, and the tracer would then count four accesses. In the traced build
 * the types of 8 and 16 bytes therefore copy themselves by a call into the runtime, which is
 * one access on each side.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_VECTOR_TYPES_H
#define SIMGPU_INCLUDE_SIMGPU_VECTOR_TYPES_H

#include <string.h>

#include "hooks.h"

#ifndef __cplusplus

struct dim3 {
    unsigned x, y, z;
};
typedef struct dim3 dim3;

#else

#define SIMGPU_VECTOR1(name, type)                                                             \
    struct name {                                                                              \
        type x;                                                                                \
    };
#define SIMGPU_VECTOR3(name, type)                                                             \
    struct name {                                                                              \
        type x, y, z;                                                                          \
    };
#define SIMGPU_FOR_ALL(macro, n)                                                               \
    macro(char##n, signed char) macro(uchar##n, unsigned char) macro(short##n, short)          \
        macro(ushort##n, unsigned short) macro(int##n, int) macro(uint##n, unsigned)           \
            macro(long##n, long) macro(ulong##n, unsigned long) macro(longlong##n, long long)  \
                macro(ulonglong##n, unsigned long long) macro(float##n, float)                 \
                    macro(double##n, double)
SIMGPU_FOR_ALL(SIMGPU_VECTOR1, 1)
SIMGPU_FOR_ALL(SIMGPU_VECTOR3, 3)

/** A grid's or block's shape: what is not said is 1. */
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

#ifdef SIMGPU_TRACED

#include <initializer_list>

/* Types of another build must not be taken for these: the traced ones live in their own
   namespace, which is part of every linker symbol that mentions them. */
inline namespace simgpu_traced
{

#define SIMGPU_LIST_ITEM(list, i) ((list).size() > (i) ? (list).begin()[i] : 0)

#define SIMGPU_VECTOR2(name, type, bytes)                                                      \
    struct __attribute__((aligned(bytes))) name {                                              \
        type x, y;                                                                             \
        name() = default;                                                                      \
        __attribute__((always_inline)) name(std::initializer_list<type> list)                  \
            : x(SIMGPU_LIST_ITEM(list, 0)), y(SIMGPU_LIST_ITEM(list, 1))                       \
        {                                                                                      \
        }                                                                                      \
        __attribute__((always_inline)) name(const name &v) { simgpu_copy##bytes(this, &v); }   \
        __attribute__((always_inline)) name &operator=(const name &v)                          \
        {                                                                                      \
            simgpu_copy##bytes(this, &v);                                                      \
            return *this;                                                                      \
        }                                                                                      \
    }

#define SIMGPU_VECTOR4(name, type, copy) SIMGPU_VECTOR4_OF(name, type, copy, 16)
#define SIMGPU_VECTOR4_OF(name, type, copy, bytes)                                             \
    struct __attribute__((aligned(bytes))) name {                                              \
        type x, y, z, w;                                                                       \
        name() = default;                                                                      \
        __attribute__((always_inline)) name(std::initializer_list<type> list)                  \
            : x(SIMGPU_LIST_ITEM(list, 0)), y(SIMGPU_LIST_ITEM(list, 1)),                      \
              z(SIMGPU_LIST_ITEM(list, 2)), w(SIMGPU_LIST_ITEM(list, 3))                       \
        {                                                                                      \
        }                                                                                      \
        __attribute__((always_inline)) name(const name &v) { copy(this, &v); }                 \
        __attribute__((always_inline)) name &operator=(const name &v)                          \
        {                                                                                      \
            copy(this, &v);                                                                    \
            return *this;                                                                      \
        }                                                                                      \
    }

/* 32 bytes are two accesses of 16 bytes on a GPU too. */
#define SIMGPU_COPY32(to, from)                                                                \
    (simgpu_copy16((to), (from)), simgpu_copy16((char *)(to) + 16, (const char *)(from) + 16))

/* Up to four bytes the compiler moves as one word by itself, if told so. */
#define simgpu_copy2(to, from) memcpy((void *)(to), (const void *)(from), 2)
#define simgpu_copy4(to, from) memcpy((void *)(to), (const void *)(from), 4)
SIMGPU_VECTOR2(char2, signed char, 2);
SIMGPU_VECTOR2(uchar2, unsigned char, 2);
SIMGPU_VECTOR2(short2, short, 4);
SIMGPU_VECTOR2(ushort2, unsigned short, 4);
SIMGPU_VECTOR4_OF(char4, signed char, simgpu_copy4, 4);
SIMGPU_VECTOR4_OF(uchar4, unsigned char, simgpu_copy4, 4);
SIMGPU_VECTOR4_OF(short4, short, simgpu_copy8, 8);
SIMGPU_VECTOR4_OF(ushort4, unsigned short, simgpu_copy8, 8);
SIMGPU_VECTOR2(long2, long, 16);
SIMGPU_VECTOR2(ulong2, unsigned long, 16);
SIMGPU_VECTOR2(longlong2, long long, 16);
SIMGPU_VECTOR2(ulonglong2, unsigned long long, 16);
SIMGPU_VECTOR4(long4, long, SIMGPU_COPY32);
SIMGPU_VECTOR4(ulong4, unsigned long, SIMGPU_COPY32);
SIMGPU_VECTOR4(longlong4, long long, SIMGPU_COPY32);
SIMGPU_VECTOR4(ulonglong4, unsigned long long, SIMGPU_COPY32);
#undef simgpu_copy2
#undef simgpu_copy4
SIMGPU_VECTOR2(int2, int, 8);
SIMGPU_VECTOR2(uint2, unsigned, 8);
SIMGPU_VECTOR2(float2, float, 8);
SIMGPU_VECTOR2(double2, double, 16);
SIMGPU_VECTOR4(int4, int, simgpu_copy16);
SIMGPU_VECTOR4(uint4, unsigned, simgpu_copy16);
SIMGPU_VECTOR4(float4, float, simgpu_copy16);
SIMGPU_VECTOR4(double4, double, SIMGPU_COPY32);

} // namespace simgpu_traced

#else

#define SIMGPU_VECTOR2(name, type, bytes)                                                      \
    struct __attribute__((aligned(bytes))) name {                                              \
        type x, y;                                                                             \
    }
#define SIMGPU_VECTOR4(name, type) SIMGPU_VECTOR4_OF(name, type, 16)
#define SIMGPU_VECTOR4_OF(name, type, bytes)                                                   \
    struct __attribute__((aligned(bytes))) name {                                              \
        type x, y, z, w;                                                                       \
    }

SIMGPU_VECTOR2(char2, signed char, 2);
SIMGPU_VECTOR2(uchar2, unsigned char, 2);
SIMGPU_VECTOR2(short2, short, 4);
SIMGPU_VECTOR2(ushort2, unsigned short, 4);
SIMGPU_VECTOR4_OF(char4, signed char, 4);
SIMGPU_VECTOR4_OF(uchar4, unsigned char, 4);
SIMGPU_VECTOR4_OF(short4, short, 8);
SIMGPU_VECTOR4_OF(ushort4, unsigned short, 8);
SIMGPU_VECTOR2(long2, long, 16);
SIMGPU_VECTOR2(ulong2, unsigned long, 16);
SIMGPU_VECTOR2(longlong2, long long, 16);
SIMGPU_VECTOR2(ulonglong2, unsigned long long, 16);
SIMGPU_VECTOR4(long4, long);
SIMGPU_VECTOR4(ulong4, unsigned long);
SIMGPU_VECTOR4(longlong4, long long);
SIMGPU_VECTOR4(ulonglong4, unsigned long long);
SIMGPU_VECTOR2(int2, int, 8);
SIMGPU_VECTOR2(uint2, unsigned, 8);
SIMGPU_VECTOR2(float2, float, 8);
SIMGPU_VECTOR2(double2, double, 16);
SIMGPU_VECTOR4(int4, int);
SIMGPU_VECTOR4(uint4, unsigned);
SIMGPU_VECTOR4(float4, float);
SIMGPU_VECTOR4(double4, double);

#endif

#define SIMGPU_MAKE2(name, type)                                                               \
    static inline __attribute__((always_inline, unused)) name make_##name(type x, type y)      \
    {                                                                                          \
        return {x, y};                                                                         \
    }
#define SIMGPU_MAKE3(name, type)                                                               \
    static inline __attribute__((always_inline, unused))                                       \
    name make_##name(type x, type y, type z)                                                   \
    {                                                                                          \
        return {x, y, z};                                                                      \
    }
#define SIMGPU_MAKE4(name, type)                                                               \
    static inline __attribute__((always_inline, unused))                                       \
    name make_##name(type x, type y, type z, type w)                                           \
    {                                                                                          \
        return {x, y, z, w};                                                                   \
    }

#define SIMGPU_MAKE1(name, type)                                                               \
    static inline __attribute__((always_inline, unused)) name make_##name(type x)              \
    {                                                                                          \
        return {x};                                                                            \
    }
SIMGPU_FOR_ALL(SIMGPU_MAKE1, 1)
SIMGPU_FOR_ALL(SIMGPU_MAKE2, 2)
SIMGPU_FOR_ALL(SIMGPU_MAKE3, 3)
SIMGPU_FOR_ALL(SIMGPU_MAKE4, 4)

#undef SIMGPU_MAKE1
#undef SIMGPU_FOR_ALL
#undef SIMGPU_VECTOR1
#undef SIMGPU_VECTOR3
#undef SIMGPU_MAKE2
#undef SIMGPU_MAKE3
#undef SIMGPU_MAKE4
#undef SIMGPU_VECTOR2
#undef SIMGPU_VECTOR4

#endif
#endif
