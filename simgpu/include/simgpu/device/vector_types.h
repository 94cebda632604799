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

#include "simgpu/hooks.h"

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

/** The shape of a grid or block; a missing extent is 1. */
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

#ifdef SIMGPU_TRACED
#include <initializer_list>

/* A namespace is part of every linker symbol, so types of the two builds are never mixed up. */
inline namespace simgpu_traced
{

#define SIMGPU_LIST_ITEM(list, i) ((list).size() > (i) ? (list).begin()[i] : 0)
/* The rest of a type, which copies itself by `copy`. */
#define SIMGPU_COPIED_BY(name, copy)                                                           \
    name() = default;                                                                          \
    __attribute__((always_inline)) name(const name &v) { copy(this, &v); }                     \
    __attribute__((always_inline)) name &operator=(const name &v)                              \
    {                                                                                          \
        copy(this, &v);                                                                        \
        return *this;                                                                          \
    }
#define SIMGPU_VECTOR2(name, type, bytes)                                                      \
    struct __attribute__((aligned(bytes))) name {                                              \
        type x, y;                                                                             \
        __attribute__((always_inline)) name(std::initializer_list<type> list)                  \
            : x(SIMGPU_LIST_ITEM(list, 0)), y(SIMGPU_LIST_ITEM(list, 1))                       \
        {                                                                                      \
        }                                                                                      \
        SIMGPU_COPIED_BY(name, simgpu_copy##bytes)                                             \
    };
#define SIMGPU_VECTOR4(name, type, bytes, copy)                                                \
    struct __attribute__((aligned(bytes))) name {                                              \
        type x, y, z, w;                                                                       \
        __attribute__((always_inline)) name(std::initializer_list<type> list)                  \
            : x(SIMGPU_LIST_ITEM(list, 0)), y(SIMGPU_LIST_ITEM(list, 1)),                      \
              z(SIMGPU_LIST_ITEM(list, 2)), w(SIMGPU_LIST_ITEM(list, 3))                       \
        {                                                                                      \
        }                                                                                      \
        SIMGPU_COPIED_BY(name, copy)                                                           \
    };

/* 32 bytes are two accesses of 16 bytes on a GPU too. */
#define SIMGPU_COPY32(to, from)                                                                \
    (simgpu_copy16((to), (from)), simgpu_copy16((char *)(to) + 16, (const char *)(from) + 16))
/* The compiler moves up to four bytes as one word, if asked to. */
#define simgpu_copy2(to, from) memcpy((void *)(to), (const void *)(from), 2)
#define simgpu_copy4(to, from) memcpy((void *)(to), (const void *)(from), 4)

#else
#define SIMGPU_VECTOR2(name, type, bytes)                                                      \
    struct __attribute__((aligned(bytes))) name {                                              \
        type x, y;                                                                             \
    };
#define SIMGPU_VECTOR4(name, type, bytes, copy)                                                \
    struct __attribute__((aligned(bytes))) name {                                              \
        type x, y, z, w;                                                                       \
    };
#endif

SIMGPU_VECTOR2(char2, signed char, 2)
SIMGPU_VECTOR2(uchar2, unsigned char, 2)
SIMGPU_VECTOR2(short2, short, 4)
SIMGPU_VECTOR2(ushort2, unsigned short, 4)
SIMGPU_VECTOR2(int2, int, 8)
SIMGPU_VECTOR2(uint2, unsigned, 8)
SIMGPU_VECTOR2(float2, float, 8)
SIMGPU_VECTOR2(long2, long, 16)
SIMGPU_VECTOR2(ulong2, unsigned long, 16)
SIMGPU_VECTOR2(longlong2, long long, 16)
SIMGPU_VECTOR2(ulonglong2, unsigned long long, 16)
SIMGPU_VECTOR2(double2, double, 16)
SIMGPU_VECTOR4(char4, signed char, 4, simgpu_copy4)
SIMGPU_VECTOR4(uchar4, unsigned char, 4, simgpu_copy4)
SIMGPU_VECTOR4(short4, short, 8, simgpu_copy8)
SIMGPU_VECTOR4(ushort4, unsigned short, 8, simgpu_copy8)
SIMGPU_VECTOR4(int4, int, 16, simgpu_copy16)
SIMGPU_VECTOR4(uint4, unsigned, 16, simgpu_copy16)
SIMGPU_VECTOR4(float4, float, 16, simgpu_copy16)
SIMGPU_VECTOR4(long4, long, 16, SIMGPU_COPY32)
SIMGPU_VECTOR4(ulong4, unsigned long, 16, SIMGPU_COPY32)
SIMGPU_VECTOR4(longlong4, long long, 16, SIMGPU_COPY32)
SIMGPU_VECTOR4(ulonglong4, unsigned long long, 16, SIMGPU_COPY32)
SIMGPU_VECTOR4(double4, double, 16, SIMGPU_COPY32)

#ifdef SIMGPU_TRACED
} // namespace simgpu_traced
#endif

#define SIMGPU_MAKE static inline __attribute__((always_inline, unused))
#define SIMGPU_MAKE1(name, type)                                                               \
    SIMGPU_MAKE name make_##name(type x) { return {x}; }
#define SIMGPU_MAKE2(name, type)                                                               \
    SIMGPU_MAKE name make_##name(type x, type y) { return {x, y}; }
#define SIMGPU_MAKE3(name, type)                                                               \
    SIMGPU_MAKE name make_##name(type x, type y, type z) { return {x, y, z}; }
#define SIMGPU_MAKE4(name, type)                                                               \
    SIMGPU_MAKE name make_##name(type x, type y, type z, type w) { return {x, y, z, w}; }
SIMGPU_FOR_ALL(SIMGPU_MAKE1, 1)
SIMGPU_FOR_ALL(SIMGPU_MAKE2, 2)
SIMGPU_FOR_ALL(SIMGPU_MAKE3, 3)
SIMGPU_FOR_ALL(SIMGPU_MAKE4, 4)

#endif
#endif
