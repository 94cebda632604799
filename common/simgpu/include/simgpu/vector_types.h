/**
 * @file vector_types.h
 * CUDA's vector types: dim3, uint3, float2 ... and their make_ functions.
 *
 * On a GPU a float4 is loaded and stored by one 16-byte instruction. A host compiler is free to
 * split the copy into four, and the tracer would then count four accesses. In the traced build the
 * types of 8 and 16 bytes therefore copy themselves by a call into the runtime, which is one
 * access on each side.
 */
#ifndef SIMGPU_VECTOR_TYPES_H
#define SIMGPU_VECTOR_TYPES_H

#include "hooks.h"

#ifndef __cplusplus

struct dim3 {
    unsigned x, y, z;
};
typedef struct dim3 dim3;

#else

struct uint3 {
    unsigned x, y, z;
};
struct int3 {
    int x, y, z;
};
struct float3 {
    float x, y, z;
};
struct double3 {
    double x, y, z;
};

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

#define SIMGPU_VECTOR2(name, type, bytes)                                                          \
    struct __attribute__((aligned(bytes))) name {                                                  \
        type x, y;                                                                                 \
        name() = default;                                                                          \
        __attribute__((always_inline)) name(std::initializer_list<type> list)                      \
            : x(SIMGPU_LIST_ITEM(list, 0)), y(SIMGPU_LIST_ITEM(list, 1))                           \
        {                                                                                          \
        }                                                                                          \
        __attribute__((always_inline)) name(const name &v) { simgpu_copy##bytes(this, &v); }       \
        __attribute__((always_inline)) name &operator=(const name &v)                              \
        {                                                                                          \
            simgpu_copy##bytes(this, &v);                                                          \
            return *this;                                                                          \
        }                                                                                          \
    }

#define SIMGPU_VECTOR4(name, type, copy)                                                           \
    struct __attribute__((aligned(16))) name {                                                     \
        type x, y, z, w;                                                                           \
        name() = default;                                                                          \
        __attribute__((always_inline)) name(std::initializer_list<type> list)                      \
            : x(SIMGPU_LIST_ITEM(list, 0)), y(SIMGPU_LIST_ITEM(list, 1)),                          \
              z(SIMGPU_LIST_ITEM(list, 2)), w(SIMGPU_LIST_ITEM(list, 3))                           \
        {                                                                                          \
        }                                                                                          \
        __attribute__((always_inline)) name(const name &v) { copy(this, &v); }                     \
        __attribute__((always_inline)) name &operator=(const name &v)                              \
        {                                                                                          \
            copy(this, &v);                                                                        \
            return *this;                                                                          \
        }                                                                                          \
    }

/* 32 bytes are two accesses of 16 bytes on a GPU too. */
#define SIMGPU_COPY32(to, from)                                                                    \
    (simgpu_copy16((to), (from)), simgpu_copy16((char *)(to) + 16, (const char *)(from) + 16))

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

#define SIMGPU_VECTOR2(name, type, bytes)                                                          \
    struct __attribute__((aligned(bytes))) name {                                                  \
        type x, y;                                                                                 \
    }
#define SIMGPU_VECTOR4(name, type)                                                                 \
    struct __attribute__((aligned(16))) name {                                                     \
        type x, y, z, w;                                                                           \
    }

SIMGPU_VECTOR2(int2, int, 8);
SIMGPU_VECTOR2(uint2, unsigned, 8);
SIMGPU_VECTOR2(float2, float, 8);
SIMGPU_VECTOR2(double2, double, 16);
SIMGPU_VECTOR4(int4, int);
SIMGPU_VECTOR4(uint4, unsigned);
SIMGPU_VECTOR4(float4, float);
SIMGPU_VECTOR4(double4, double);

#endif

#define SIMGPU_MAKE2(name, type)                                                                   \
    static inline __attribute__((always_inline, unused)) name make_##name(type x, type y)          \
    {                                                                                              \
        return {x, y};                                                                             \
    }
#define SIMGPU_MAKE3(name, type)                                                                   \
    static inline __attribute__((always_inline, unused)) name make_##name(type x, type y, type z)  \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }
#define SIMGPU_MAKE4(name, type)                                                                   \
    static inline __attribute__((always_inline, unused))                                           \
    name make_##name(type x, type y, type z, type w)                                               \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }

SIMGPU_MAKE2(int2, int)
SIMGPU_MAKE2(uint2, unsigned)
SIMGPU_MAKE2(float2, float)
SIMGPU_MAKE2(double2, double)
SIMGPU_MAKE3(int3, int)
SIMGPU_MAKE3(uint3, unsigned)
SIMGPU_MAKE3(float3, float)
SIMGPU_MAKE3(double3, double)
SIMGPU_MAKE4(int4, int)
SIMGPU_MAKE4(uint4, unsigned)
SIMGPU_MAKE4(float4, float)
SIMGPU_MAKE4(double4, double)

#undef SIMGPU_MAKE2
#undef SIMGPU_MAKE3
#undef SIMGPU_MAKE4
#undef SIMGPU_VECTOR2
#undef SIMGPU_VECTOR4

#endif
#endif
