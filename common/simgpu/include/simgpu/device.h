/**
 * @file device.h
 * What kernels are written with: keywords, threadIdx and its like, shared memory, barriers,
 * atomics, shuffles, and the few arithmetic functions that C++ does not have.
 *
 * Every function here is internal to its translation unit, so that the plain and the traced build
 * of one source can be linked into one program.
 */
#ifndef SIMGPU_DEVICE_H
#define SIMGPU_DEVICE_H

#ifndef __cplusplus
#error                                                                                             \
    "kernels are CUDA C++: compile them as .cu through simgpu_objects() (common/simgpu/simgpu.cmake)"
#endif

#include <math.h>
#include <string.h>

#include "vector_types.h"

#define SIMGPU_INLINE static inline __attribute__((always_inline, unused))
#define SIMGPU_METHOD __attribute__((always_inline)) inline
/* Code of the simulator inside a kernel: not part of what the tracer looks at. */
#define SIMGPU_UNTRACED  __attribute__((no_sanitize("thread")))
#define SIMGPU_TEXT(...) #__VA_ARGS__

/* ---- keywords ---- */

/* A kernel stays a function of its own, so that its name and address can be told. */
#define __global__ __attribute__((noinline))
/* nvcc inlines practically every device function, and so does the simulator: an array passed to
   one then stays in registers, where the tracer has no business. The compiler's doubt about
   always_inline without `inline` is switched off for that. */
#define __device__ __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wattributes"
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__    /* has no effect: see __device__ */
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
/* One section for all, so that the tracer knows these addresses. */
#define __constant__ __attribute__((section("simgpu_constant"), used))
#define __shared__                                                                                 \
    static_assert(false,                                                                           \
                  "simgpu: __shared__ needs the rewriting step: build with simgpu_objects()");
#define __managed__                                                                                \
    static_assert(false, "simgpu: managed memory is not simulated: use cudaMalloc and "            \
                         "cudaMemcpy");
#define SIMGPU_DEVICE_VARIABLE                                                                     \
    static_assert(false, "simgpu: __device__ variables are not simulated: pass a pointer from "    \
                         "cudaMalloc to the kernel");
#define SIMGPU_ASM                                                                                 \
    _Pragma("GCC error \"simgpu: inline PTX is not simulated: guard it with #ifndef "              \
            "__SIMGPU__\"") __asm__

/** Defined when the source is compiled for the simulator, not for a GPU. */
#define __SIMGPU__ 1

/* Unrolling by hand matters for speed in the plain build; the traced build counts without it. */
#define SIMGPU_PRAGMA(text) _Pragma(#text)
#if defined(SIMGPU_TRACED)
#define SIMGPU_UNROLL
#define SIMGPU_UNROLL_BY(count)
#elif defined(__clang__)
#define SIMGPU_UNROLL           SIMGPU_PRAGMA(unroll)
#define SIMGPU_UNROLL_BY(count) SIMGPU_PRAGMA(unroll count)
#else
#define SIMGPU_UNROLL           SIMGPU_PRAGMA(GCC unroll 16)
#define SIMGPU_UNROLL_BY(count) SIMGPU_PRAGMA(GCC unroll count)
#endif

/* ---- who am I ---- */

/* Constant as long as one thread of the grid runs, and declared so: the compiler may keep the
   values in registers. The runtime, which moves from thread to thread, sees the same object as a
   variable. */
extern "C" const __thread struct simgpu_builtins_t simgpu_builtins
    __attribute__((tls_model("initial-exec")));

#define SIMGPU_XYZ(type, member)                                                                   \
    (type{simgpu_builtins.member[0], simgpu_builtins.member[1], simgpu_builtins.member[2]})
#define threadIdx SIMGPU_XYZ(uint3, thread_idx)
#define blockIdx  SIMGPU_XYZ(uint3, block_idx)
#define blockDim  SIMGPU_XYZ(dim3, block_dim)
#define gridDim   SIMGPU_XYZ(dim3, grid_dim)
static const int warpSize __attribute__((unused)) = 32;

/* ---- shared memory: see tools/rewrite.c for where the calls come from ---- */

namespace simgpu
{
#ifdef SIMGPU_TRACED
inline namespace traced
#else
inline namespace plain
#endif
{

SIMGPU_INLINE void *shared_at(simgpu_shared_site *site)
{
#ifndef SIMGPU_TRACED
    uint64_t placed = __atomic_load_n(&site->placed, __ATOMIC_ACQUIRE);
    if (placed >> 32 == simgpu_builtins.launch)
        return simgpu_builtins.shared + (uint32_t)placed;
#endif
    return simgpu_shared_place(site);
}

SIMGPU_INLINE void *dynamic_shared()
{
    return simgpu_shared_dynamic();
}

} // namespace
} // namespace simgpu

/* ---- barriers ---- */

/** Waits for all threads of the block. Barriers are told apart by their source line. */
SIMGPU_INLINE void __syncthreads(const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    simgpu_syncthreads(file, line);
}

/** Waits for the lanes of the warp that are named in `mask`. */
SIMGPU_INLINE void __syncwarp(unsigned mask = 0xffffffffu)
{
    simgpu_syncwarp(mask);
}

SIMGPU_INLINE void __threadfence_block()
{
    simgpu_threadfence(1);
}
SIMGPU_INLINE void __threadfence()
{
    simgpu_threadfence(2);
}
SIMGPU_INLINE void __threadfence_system()
{
    simgpu_threadfence(3);
}

/* ---- warps ---- */

namespace simgpu
{
#ifdef SIMGPU_TRACED
inline namespace traced
#else
inline namespace plain
#endif
{

SIMGPU_INLINE unsigned lane_of_thread()
{
    return (simgpu_builtins.thread_idx[0] +
            simgpu_builtins.block_dim[0] *
                (simgpu_builtins.thread_idx[1] +
                 simgpu_builtins.block_dim[1] * simgpu_builtins.thread_idx[2])) %
           32;
}

template <class T> SIMGPU_INLINE T shuffle(unsigned mask, T value, unsigned source)
{
    static_assert(sizeof(T) <= 8, "simgpu: shuffles move at most 8 bytes");
    uint64_t bits = 0;
    memcpy(&bits, (const void *)&value, sizeof value);
    bits = simgpu_shuffle(mask, bits, source);
    memcpy((void *)&value, &bits, sizeof value);
    return value;
}

} // namespace
} // namespace simgpu

/** The value of lane `source` of this lane's group of `width`. */
template <class T> SIMGPU_INLINE T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
    unsigned first = simgpu::lane_of_thread() / width * width;
    return simgpu::shuffle(mask, value, first + (unsigned)source % width);
}

/** The value of the lane `delta` below; lanes without one keep their own. */
template <class T>
SIMGPU_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    unsigned lane = simgpu::lane_of_thread();
    return simgpu::shuffle(mask, value, lane % width >= delta ? lane - delta : lane);
}

/** The value of the lane `delta` above; lanes without one keep their own. */
template <class T>
SIMGPU_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    unsigned lane = simgpu::lane_of_thread();
    return simgpu::shuffle(mask, value,
                           lane % width + delta < (unsigned)width ? lane + delta : lane);
}

/** The value of the lane whose number differs in the bits of `bits`. */
template <class T> SIMGPU_INLINE T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32)
{
    unsigned lane = simgpu::lane_of_thread(), source = lane ^ (unsigned)bits;
    return simgpu::shuffle(mask, value, source / width == lane / width ? source : lane);
}

SIMGPU_INLINE unsigned __ballot_sync(unsigned mask, int predicate)
{
    return simgpu_ballot(mask, predicate);
}
SIMGPU_INLINE int __any_sync(unsigned mask, int predicate)
{
    return simgpu_ballot(mask, predicate) != 0;
}
SIMGPU_INLINE int __all_sync(unsigned mask, int predicate)
{
    return simgpu_ballot(mask, !predicate) == 0;
}

/* ---- atomics: they return the old value ---- */

SIMGPU_INLINE int atomicAdd(int *p, int v)
{
    return simgpu_atomic_add_int(p, v);
}
SIMGPU_INLINE unsigned atomicAdd(unsigned *p, unsigned v)
{
    return simgpu_atomic_add_unsigned(p, v);
}
SIMGPU_INLINE unsigned long long atomicAdd(unsigned long long *p, unsigned long long v)
{
    return simgpu_atomic_add_ull(p, v);
}
SIMGPU_INLINE float atomicAdd(float *p, float v)
{
    return simgpu_atomic_add_float(p, v);
}
SIMGPU_INLINE double atomicAdd(double *p, double v)
{
    return simgpu_atomic_add_double(p, v);
}
SIMGPU_INLINE int atomicMax(int *p, int v)
{
    return simgpu_atomic_max_int(p, v);
}
SIMGPU_INLINE int atomicMin(int *p, int v)
{
    return simgpu_atomic_min_int(p, v);
}
SIMGPU_INLINE int atomicExch(int *p, int v)
{
    return simgpu_atomic_exchange_int(p, v);
}
SIMGPU_INLINE int atomicCAS(int *p, int expected, int v)
{
    return simgpu_atomic_cas_int(p, expected, v);
}

/* ---- memory and arithmetic ---- */

/** A load through the read-only cache; counted as any other load. */
template <class T> SIMGPU_INLINE T __ldg(const T *address)
{
    return *address;
}

SIMGPU_INLINE float __fmaf_rn(float a, float b, float c)
{
    return fmaf(a, b, c);
}
SIMGPU_INLINE double __fma_rn(double a, double b, double c)
{
    return fma(a, b, c);
}
SIMGPU_INLINE float rsqrtf(float v)
{
    return 1 / sqrtf(v);
}
SIMGPU_INLINE double rsqrt(double v)
{
    return 1 / sqrt(v);
}
SIMGPU_INLINE int __float_as_int(float v)
{
    return __builtin_bit_cast(int, v);
}
SIMGPU_INLINE float __int_as_float(int v)
{
    return __builtin_bit_cast(float, v);
}
SIMGPU_INLINE int __popc(unsigned v)
{
    return __builtin_popcount(v);
}
SIMGPU_INLINE int __clz(int v)
{
    return v ? __builtin_clz((unsigned)v) : 32;
}
SIMGPU_INLINE int __ffs(int v)
{
    return __builtin_ffs(v);
}

/* Separate roundings, never fused into a multiply-add: what the names promise on a GPU. The empty
   asm hides the product from the compiler. */
SIMGPU_INLINE float __fmul_rn(float a, float b)
{
    float product = a * b;
    __asm__("" : "+m"(product));
    return product;
}
SIMGPU_INLINE double __dmul_rn(double a, double b)
{
    double product = a * b;
    __asm__("" : "+m"(product));
    return product;
}
SIMGPU_INLINE float __fadd_rn(float a, float b)
{
    return a + b;
}
SIMGPU_INLINE float __fsub_rn(float a, float b)
{
    return a - b;
}
SIMGPU_INLINE double __dadd_rn(double a, double b)
{
    return a + b;
}

#define SIMGPU_MIN_MAX(result, a_type, b_type)                                                     \
    SIMGPU_INLINE result min(a_type a, b_type b)                                                   \
    {                                                                                              \
        return (result)a < (result)b ? a : b;                                                      \
    }                                                                                              \
    SIMGPU_INLINE result max(a_type a, b_type b)                                                   \
    {                                                                                              \
        return (result)a > (result)b ? a : b;                                                      \
    }
SIMGPU_MIN_MAX(int, int, int)
SIMGPU_MIN_MAX(unsigned, unsigned, unsigned)
SIMGPU_MIN_MAX(unsigned, unsigned, int)
SIMGPU_MIN_MAX(unsigned, int, unsigned)
SIMGPU_MIN_MAX(long, long, long)
SIMGPU_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMGPU_MIN_MAX(long long, long long, long long)
SIMGPU_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SIMGPU_MIN_MAX(float, float, float)
SIMGPU_MIN_MAX(double, double, double)
SIMGPU_MIN_MAX(double, float, double)
SIMGPU_MIN_MAX(double, double, float)
#undef SIMGPU_MIN_MAX

#endif
