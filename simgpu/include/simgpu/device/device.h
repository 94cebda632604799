/* SPDX-License-Identifier: MIT */
/** @file device.h
 * The language of kernels: keywords, threadIdx and the like, shared memory, barriers, atomics,
 * shuffles, and the arithmetic functions that C++ does not have.
 *
 * Every function here is internal to its translation unit, so that one program can link both
 * the plain and the traced build of a source.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_DEVICE_H
#define SIMGPU_INCLUDE_SIMGPU_DEVICE_H

#ifndef __cplusplus
#error                                                                                         \
    "kernels are CUDA C++: compile them as .cu through simgpu_objects() (simgpu/simgpu.cmake)"
#endif

#include <cstddef>
#ifndef SIMGPU_STANDALONE
/* Leaves out the Bessel functions and the like, which take GNU's C++ library longer to read
 * than this whole header. */
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif
#include <math.h>
#include <string.h>
#include <time.h>
#include <type_traits>

#include "simgpu/device/half_bits.h"
#include "simgpu/device/vector_types.h"

#define SIMGPU_INLINE static inline __attribute__((always_inline, unused))
#define SIMGPU_METHOD __attribute__((always_inline)) inline
/* A function that newer C libraries declare, too (C23): theirs goes before a template. */
#define SIMGPU_INLINE_C23 template <typename...> SIMGPU_INLINE
/* The simulator's own code inside a kernel, which the tracer does not check. */
#define SIMGPU_UNTRACED  __attribute__((no_sanitize("thread")))
#define SIMGPU_TEXT(...) #__VA_ARGS__

/* ---- keywords ---- */

/* A kernel stays a separate function, so that its name and address are known. */
#define __global__ __attribute__((noinline))
/* Like nvcc, inline practically every device function: an array passed to one then stays in
 * registers, where the tracer does not look. GCC's warning about always_inline without `inline`
 * is switched off. */
#ifdef SIMGPU_STANDALONE
#define __device__ /* a user's program may have recursion and function pointers */
#else
#define __device__ __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wattributes"
#endif
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__    /* has no effect: see __device__ */
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
/* Kernels are compiled as for sm_90a. */
#define __CUDA_ARCH_FEAT_SM90_ALL 1
#define __align__(bytes)          __attribute__((aligned(bytes)))
/* All constants are in one section, so that the tracer knows their addresses. GCC refuses to
 * put const and other variables into one section: each gets a comment at the section's name. */
#ifdef __clang__
#define SIMGPU_CONSTANT_SECTION(n) "simgpu_constant"
#else
#define SIMGPU_CONSTANT_SECTION(n) "simgpu_constant,\"aw\",@progbits\n# " #n
#endif
#define SIMGPU_CONSTANT_NUMBER(n) section(SIMGPU_CONSTANT_SECTION(n))
#define __constant__              __attribute__((SIMGPU_CONSTANT_NUMBER(__COUNTER__), used))
#define __shared__                                                                             \
    static_assert(false,                                                                       \
                  "simgpu: __shared__ needs the rewriting step: build with simgpu_objects()");
/* Device variables are in a separate section, which is checked like device memory. */
#define SIMGPU_DEVICE_VARIABLE  __attribute__((section("simgpu_device"), used))
#define SIMGPU_MANAGED_VARIABLE __attribute__((section("simgpu_managed"), used))
#define __managed__
/* What the rewriting tool makes of inline PTX that it does not know: an error where it is
 * used, since libraries have more than a program needs. */
#define SIMGPU_REFUSAL(name)                                                                   \
    "simgpu: inline PTX is not simulated: " name "; guard it with #ifndef __SIMGPU__"
#define SIMGPU_NO_PTX(name)           SIMGPU_NO_PTX_HERE(name, __COUNTER__)
#define SIMGPU_NO_PTX_HERE(name, one) SIMGPU_NO_PTX_AS(name, one)
#define SIMGPU_NO_PTX_AS(name, one)                                                            \
    do {                                                                                       \
        void simgpu_refused_##one() __attribute__((error(SIMGPU_REFUSAL(name))));              \
        simgpu_refused_##one();                                                                \
    } while (0)
#define SIMGPU_ASM                                                                             \
    static_assert(false, SIMGPU_REFUSAL("no literal text"));                                   \
    __asm__

/** Defined when the source is compiled for the simulator, not for a GPU. */
#define __SIMGPU__ 1

/* Only the plain build unrolls loops, for speed. */
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

/* ---- the indices of a thread ---- */

/* Constant while one thread of the grid runs, and declared so: the compiler may keep the values
 * in registers. The runtime, which switches threads, sees the same object as a variable. */
extern "C" const __thread struct simgpu_builtins_t simgpu_builtins
    __attribute__((tls_model("initial-exec")));

#define SIMGPU_XYZ(type, member)                                                               \
    (type{simgpu_builtins.member[0], simgpu_builtins.member[1], simgpu_builtins.member[2]})
#define threadIdx SIMGPU_XYZ(uint3, thread_idx)
#define blockIdx  SIMGPU_XYZ(uint3, block_idx)
#define blockDim  SIMGPU_XYZ(::dim3, block_dim)
#define gridDim   SIMGPU_XYZ(::dim3, grid_dim)
/* What tools/rewrite makes of __CUDA_ARCH__ in device functions. */
#define SIMGPU_CUDA_ARCH 900
static const int warpSize __attribute__((unused)) = 32;

/* Functions that depend on the build are in an inline namespace. */
#ifdef SIMGPU_TRACED
#define SIMGPU_BUILD simgpu_traced
#else
#define SIMGPU_BUILD simgpu_plain
#endif

/* ---- shared memory: tools/rewrite inserts the calls ---- */

namespace simgpu
{
inline namespace SIMGPU_BUILD
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

SIMGPU_INLINE void *dynamic_shared() { return simgpu_shared_dynamic(); }

/* tools/rewrite inserts this at the beginning of a kernel with __launch_bounds__. */
#define SIMGPU_LAUNCH_BOUND(most, ...) ::simgpu::launch_bound(most, __FILE__, __LINE__);
SIMGPU_INLINE void launch_bound(unsigned most, const char *file, int line)
{
    const unsigned *block = simgpu_builtins.block_dim;
    if (__builtin_expect(block[0] * block[1] * block[2] > most, 0))
        simgpu_beyond_bound(most, file, line);
}

/* ---- malloc, new, memcpy ... in kernels: tools/rewrite inserts these names ---- */

SIMGPU_INLINE void *kernel_malloc(size_t bytes) { return simgpu_heap_allocate(bytes); }

SIMGPU_INLINE void kernel_free(void *memory) { simgpu_heap_free(memory); }

SIMGPU_INLINE clock_t kernel_clock() { return (clock_t)simgpu_clock(); }

/* The tracer would not always see what the compiler makes of memcpy and the like. */
#ifdef SIMGPU_TRACED
#define SIMGPU_MEMORY(name) simgpu_traced_##name
extern "C" {
void *simgpu_traced_memcpy(void *, const void *, size_t);
void *simgpu_traced_memmove(void *, const void *, size_t);
void *simgpu_traced_memset(void *, int, size_t);
}
#if defined(__clang__) && __clang_major__ < 15
/* Clang before version 15 copies a structure by a call of memcpy, which the tracer would not
 * see. Later versions call these names themselves. */
__asm__("memcpy = __tsan_memcpy\n"
        "memmove = __tsan_memmove\n"
        "memset = __tsan_memset\n");
#endif
#else
#define SIMGPU_MEMORY(name) __builtin_##name
#endif

SIMGPU_INLINE void *kernel_memcpy(void *to, const void *from, size_t bytes)
{
    return SIMGPU_MEMORY(memcpy)(to, from, bytes);
}

SIMGPU_INLINE void *kernel_memmove(void *to, const void *from, size_t bytes)
{
    return SIMGPU_MEMORY(memmove)(to, from, bytes);
}

SIMGPU_INLINE void *kernel_memset(void *to, int value, size_t bytes)
{
    return SIMGPU_MEMORY(memset)(to, value, bytes);
}

/** `a << b` in a kernel becomes `a << shift() << b`: a GPU's shift by as many bits as the
 * number has, or more, leaves no bit of it, and the processor's would take b modulo the bits.
 * Operators of classes stay as they are. */
struct shift {
};
template <class T, bool number> struct to_shift {
    T value;
};
template <class T> constexpr bool is_number = std::is_integral_v<T> || std::is_enum_v<T>;
/* `none`: what is left of a number after all its bits were shifted out. */
#define SIMGPU_SHIFT(op, none)                                                                 \
    template <class T, class = std::enable_if_t<is_number<T>>>                                 \
    constexpr SIMGPU_INLINE to_shift<T, true> operator op(T value, shift)                      \
    {                                                                                          \
        return {value};                                                                        \
    }                                                                                          \
    template <class T, class = std::enable_if_t<!is_number<std::remove_reference_t<T>>>>       \
    constexpr SIMGPU_INLINE to_shift<T &&, false> operator op(T &&value, shift)                \
    {                                                                                          \
        return {static_cast<T &&>(value)};                                                     \
    }                                                                                          \
    template <class T, class B>                                                                \
    constexpr SIMGPU_INLINE auto operator op(to_shift<T, true> left, B by)                     \
    {                                                                                          \
        if constexpr (is_number<B>) {                                                          \
            using result = decltype(left.value op by);                                         \
            return (unsigned long long)by < sizeof(result) * 8 ? (result)(left.value op by)    \
                                                               : (result)(none);               \
        } else {                                                                               \
            return left.value op by;                                                           \
        }                                                                                      \
    }                                                                                          \
    template <class T, class B>                                                                \
    constexpr SIMGPU_INLINE decltype(auto) operator op(to_shift<T, false> left, B &&by)        \
    {                                                                                          \
        return static_cast<T>(left.value) op static_cast<B &&>(by);                            \
    }
SIMGPU_SHIFT(<<, 0)
SIMGPU_SHIFT(>>, (result)left.value < 0 ? -1 : 0)

/** `new (kernel_heap) T` */
static constexpr struct KernelHeap {
} kernel_heap __attribute__((unused)) = {};

/** `delete pointer` becomes `kernel_delete = pointer`, which needs no parentheses. */
static const struct KernelDelete {
    template <class T> SIMGPU_METHOD void operator=(T *object) const
    {
        if (object)
            object->~T();
        simgpu_heap_free((void *)object);
    }
} kernel_delete __attribute__((unused)) = {};

/** `delete[] pointer` */
static const struct KernelDeleteArray {
    template <class T> SIMGPU_METHOD void operator=(T *array) const
    {
        static_assert(
            std::is_trivially_destructible<T>::value,
            "simgpu: delete[] of objects that have a destructor is not simulated in kernels");
        simgpu_heap_free((void *)array);
    }
} kernel_delete_array __attribute__((unused)) = {};

} // namespace SIMGPU_BUILD
} // namespace simgpu

SIMGPU_METHOD void *operator new(size_t bytes, simgpu::KernelHeap) noexcept
{
    return simgpu_heap_allocate(bytes);
}
SIMGPU_METHOD void *operator new[](size_t bytes, simgpu::KernelHeap) noexcept
{
    return simgpu_heap_allocate(bytes);
}

/* ---- barriers ---- */

/** Waits for all threads of the block. The source line identifies the barrier. */
SIMGPU_INLINE void __syncthreads(SIMGPU_HERE) { simgpu_syncthreads(file, line); }

/** Waits for the lanes of the warp in `mask`. */
SIMGPU_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { simgpu_syncwarp(mask); }

SIMGPU_INLINE long long clock64() { return (long long)simgpu_clock(); }

SIMGPU_INLINE void __threadfence_block() { simgpu_threadfence(1); }
SIMGPU_INLINE void __threadfence() { simgpu_threadfence(2); }
SIMGPU_INLINE void __threadfence_system() { simgpu_threadfence(3); }

#include "simgpu/device/warp.h"

#include "simgpu/device/ptx.h"

#ifdef SIMGPU_HOST_SOURCE /* where the names may be those of variables */
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim
#endif

/* ---- atomics: they return the old value ---- */

namespace simgpu
{
inline namespace SIMGPU_BUILD
{

template <class T>
SIMGPU_INLINE T atomic(T *address, simgpu_atomic_op op, T operand, int scope, T compare = T())
{
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                  "simgpu: atomics work on 2, 4 or 8 bytes");
    uint64_t bits = 0, other = 0;
    memcpy(&bits, (const void *)&operand, sizeof operand);
    memcpy(&other, (const void *)&compare, sizeof compare);
    bits = simgpu_atomic((void *)address, sizeof(T), op, bits, other, scope);
    memcpy((void *)&operand, &bits, sizeof operand);
    return operand;
}

} // namespace SIMGPU_BUILD
} // namespace simgpu

/* Each atomic also has a form for the block (_block) and for the host too (_system). */
#define SIMGPU_ATOMIC_SCOPE(name, type, expression, level)                                     \
    SIMGPU_INLINE type name(type *p, type v)                                                   \
    {                                                                                          \
        const int scope = level;                                                               \
        return expression;                                                                     \
    }
#define SIMGPU_ATOMIC_SCOPES(name, type, expression)                                           \
    SIMGPU_ATOMIC_SCOPE(name, type, expression, 2)                                             \
    SIMGPU_ATOMIC_SCOPE(name##_block, type, expression, 1)                                     \
    SIMGPU_ATOMIC_SCOPE(name##_system, type, expression, 3)
#define SIMGPU_ATOMIC(name, type, op)                                                          \
    SIMGPU_ATOMIC_SCOPES(name, type, simgpu::atomic(p, op, v, scope))
#define SIMGPU_ATOMIC_INTEGERS(name, op)                                                       \
    SIMGPU_ATOMIC(name, int, op)                                                               \
    SIMGPU_ATOMIC(name, unsigned, op) SIMGPU_ATOMIC(name, unsigned long long, op)
SIMGPU_ATOMIC_INTEGERS(atomicAdd, SIMGPU_ADD)
SIMGPU_ATOMIC(atomicAdd, float, SIMGPU_ADD_FLOAT)
SIMGPU_ATOMIC(atomicAdd, double, SIMGPU_ADD_DOUBLE)
SIMGPU_ATOMIC_SCOPES(atomicSub, int,
                     simgpu::atomic(p, SIMGPU_ADD, (int)(0u - (unsigned)v), scope))
SIMGPU_ATOMIC_SCOPES(atomicSub, unsigned, simgpu::atomic(p, SIMGPU_ADD, 0u - v, scope))
SIMGPU_ATOMIC_INTEGERS(atomicExch, SIMGPU_EXCHANGE)
SIMGPU_ATOMIC(atomicExch, float, SIMGPU_EXCHANGE)
SIMGPU_ATOMIC(atomicMin, int, SIMGPU_MIN_SIGNED)
SIMGPU_ATOMIC(atomicMin, unsigned, SIMGPU_MIN_UNSIGNED)
SIMGPU_ATOMIC(atomicMin, long long, SIMGPU_MIN_SIGNED)
SIMGPU_ATOMIC(atomicMin, unsigned long long, SIMGPU_MIN_UNSIGNED)
SIMGPU_ATOMIC(atomicMax, int, SIMGPU_MAX_SIGNED)
SIMGPU_ATOMIC(atomicMax, unsigned, SIMGPU_MAX_UNSIGNED)
SIMGPU_ATOMIC(atomicMax, long long, SIMGPU_MAX_SIGNED)
SIMGPU_ATOMIC(atomicMax, unsigned long long, SIMGPU_MAX_UNSIGNED)
SIMGPU_ATOMIC(atomicInc, unsigned, SIMGPU_INCREMENT)
SIMGPU_ATOMIC(atomicDec, unsigned, SIMGPU_DECREMENT)
SIMGPU_ATOMIC_INTEGERS(atomicAnd, SIMGPU_AND)
SIMGPU_ATOMIC_INTEGERS(atomicOr, SIMGPU_OR)
SIMGPU_ATOMIC_INTEGERS(atomicXor, SIMGPU_XOR)
#undef SIMGPU_ATOMIC
#define SIMGPU_ATOMIC_CAS(name, type, scope)                                                   \
    SIMGPU_INLINE type name(type *p, type expected, type v)                                    \
    {                                                                                          \
        return simgpu::atomic(p, SIMGPU_COMPARE_AND_SWAP, v, scope, expected);                 \
    }
#define SIMGPU_ATOMIC_CAS_SCOPES(type)                                                         \
    SIMGPU_ATOMIC_CAS(atomicCAS, type, 2)                                                      \
    SIMGPU_ATOMIC_CAS(atomicCAS_block, type, 1) SIMGPU_ATOMIC_CAS(atomicCAS_system, type, 3)
SIMGPU_ATOMIC_CAS_SCOPES(int)
SIMGPU_ATOMIC_CAS_SCOPES(unsigned)
SIMGPU_ATOMIC_CAS_SCOPES(unsigned long long)
SIMGPU_ATOMIC_CAS_SCOPES(unsigned short)

/** Waits a little; the other threads continue anyway. */
SIMGPU_INLINE void __nanosleep(unsigned) {}
SIMGPU_INLINE void __trap(SIMGPU_HERE) { simgpu_trap(file, line); }

/* ---- memory and arithmetic ---- */

/** Loads and stores with a hint for the caches; counted like any other. */
#define SIMGPU_LOAD(name)                                                                      \
    template <class T> SIMGPU_INLINE T name(const T *address) { return *address; }
#define SIMGPU_STORE(name)                                                                     \
    template <class T> SIMGPU_INLINE void name(T *address, std::common_type_t<T> value)        \
    {                                                                                          \
        *address = value;                                                                      \
    }
SIMGPU_LOAD(__ldg)
SIMGPU_LOAD(__ldca)
SIMGPU_LOAD(__ldcg)
SIMGPU_LOAD(__ldcs)
SIMGPU_LOAD(__ldlu)
SIMGPU_LOAD(__ldcv)
SIMGPU_STORE(__stwb)
SIMGPU_STORE(__stcg)
SIMGPU_STORE(__stcs)
SIMGPU_STORE(__stwt)

SIMGPU_INLINE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
SIMGPU_INLINE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
SIMGPU_INLINE_C23 float rsqrtf(float v) { return 1 / sqrtf(v); }
SIMGPU_INLINE_C23 double rsqrt(double v) { return 1 / sqrt(v); }
SIMGPU_INLINE int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
SIMGPU_INLINE float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
SIMGPU_INLINE int __popc(unsigned v) { return __builtin_popcount(v); }
SIMGPU_INLINE int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
SIMGPU_INLINE int __ffs(int v) { return __builtin_ffs(v); }

/* Rounded separately, never fused into a multiply-add, as the names promise on a GPU. The empty
 * asm hides the product from the compiler. */
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
SIMGPU_INLINE float __fadd_rn(float a, float b) { return a + b; }
SIMGPU_INLINE float __fsub_rn(float a, float b) { return a - b; }
SIMGPU_INLINE double __dadd_rn(double a, double b) { return a + b; }

SIMGPU_INLINE float __fmaf_rz(float a, float b, float c)
{
    return simgpu::float_to_zero((double)a * b + c);
}
SIMGPU_INLINE double __drcp_rn(double v) { return 1 / v; }
SIMGPU_INLINE double __dsub_rn(double a, double b) { return a - b; }
SIMGPU_INLINE float __fdiv_rn(float a, float b) { return a / b; }
SIMGPU_INLINE double __ddiv_rn(double a, double b) { return a / b; }
SIMGPU_INLINE float __fdividef(float a, float b) { return a / b; }
SIMGPU_INLINE float fdividef(float a, float b) { return a / b; }
SIMGPU_INLINE float __frcp_rn(float v) { return 1 / v; }
/* Rounded towards zero, up and down: the result to nearest, moved to its neighbour if the sign
 * of the error asks for it. The errors of sum and product are computed exactly; that of a
 * quotient has the sign of its remainder. */
namespace simgpu
{
SIMGPU_INLINE float next(float v, float to) { return nextafterf(v, to); }
SIMGPU_INLINE double next(double v, double to) { return nextafter(v, to); }
SIMGPU_INLINE float fused(float a, float b, float c) { return fmaf(a, b, c); }
SIMGPU_INLINE double fused(double a, double b, double c) { return fma(a, b, c); }
template <class T> SIMGPU_INLINE T sum_error(T a, T b, T sum)
{
    T part = sum - a;
    return (a - (sum - part)) + (b - part);
}
} // namespace simgpu
#define SIMGPU_DIRECTED(name, type, result, error)                                             \
    SIMGPU_INLINE type name##_ru(type a, type b)                                               \
    {                                                                                          \
        type r = result;                                                                       \
        return error > 0 ? simgpu::next(r, (type)INFINITY) : r;                                \
    }                                                                                          \
    SIMGPU_INLINE type name##_rd(type a, type b)                                               \
    {                                                                                          \
        type r = result;                                                                       \
        return error < 0 ? simgpu::next(r, -(type)INFINITY) : r;                               \
    }                                                                                          \
    SIMGPU_INLINE type name##_rz(type a, type b)                                               \
    {                                                                                          \
        return result < 0 ? name##_ru(a, b) : name##_rd(a, b);                                 \
    }
#define SIMGPU_DIRECTED_ALL(letter, type)                                                      \
    SIMGPU_DIRECTED(__##letter##add, type, a + b, simgpu::sum_error(a, b, r))                  \
    SIMGPU_DIRECTED(__##letter##sub, type, a - b, simgpu::sum_error(a, -b, r))                 \
    SIMGPU_DIRECTED(__##letter##mul, type, a *b, simgpu::fused(a, b, -r))                      \
    SIMGPU_DIRECTED(__##letter##div, type, a / b, simgpu::fused(-r, b, a) * (b < 0 ? -1 : 1))
SIMGPU_DIRECTED_ALL(f, float)
SIMGPU_DIRECTED_ALL(d, double)
SIMGPU_INLINE float __frcp_ru(float v) { return __fdiv_ru(1, v); }
SIMGPU_INLINE float __frcp_rd(float v) { return __fdiv_rd(1, v); }
SIMGPU_INLINE float __frcp_rz(float v) { return __fdiv_rz(1, v); }
SIMGPU_INLINE double __drcp_ru(double v) { return __ddiv_ru(1, v); }
SIMGPU_INLINE double __drcp_rd(double v) { return __ddiv_rd(1, v); }
/* The remainder of a square root has its sign. */
#define SIMGPU_DIRECTED_ROOT(name, type, root)                                                 \
    SIMGPU_INLINE type name##_rd(type v)                                                       \
    {                                                                                          \
        type r = root(v);                                                                      \
        return simgpu::fused(-r, r, v) < 0 ? simgpu::next(r, (type)0) : r;                     \
    }                                                                                          \
    SIMGPU_INLINE type name##_ru(type v)                                                       \
    {                                                                                          \
        type r = root(v);                                                                      \
        return simgpu::fused(-r, r, v) > 0 ? simgpu::next(r, (type)INFINITY) : r;              \
    }                                                                                          \
    SIMGPU_INLINE type name##_rz(type v) { return name##_rd(v); }
SIMGPU_DIRECTED_ROOT(__fsqrt, float, sqrtf)
SIMGPU_DIRECTED_ROOT(__dsqrt, double, sqrt)
SIMGPU_INLINE float __fsqrt_rn(float v) { return sqrtf(v); }
SIMGPU_INLINE double __dsqrt_rn(double v) { return sqrt(v); }
SIMGPU_INLINE float __frsqrt_rn(float v) { return 1 / sqrtf(v); }
/* The fast intrinsics are as exact as the slow functions here. They are macros because the C
 * library declares functions of these names. */
#define __expf(v)                  expf(v)
#define __exp10f(v)                exp10f(v)
#define __logf(v)                  logf(v)
#define __log2f(v)                 log2f(v)
#define __log10f(v)                log10f(v)
#define __sinf(v)                  sinf(v)
#define __cosf(v)                  cosf(v)
#define __tanf(v)                  tanf(v)
#define __powf(a, b)               powf(a, b)
#define __sincosf(v, sine, cosine) sincosf(v, sine, cosine)
SIMGPU_INLINE float __saturatef(float v) { return v > 1 ? 1 : v > 0 ? v : 0; }
SIMGPU_INLINE_C23 double sinpi(double v) { return sin(3.14159265358979323846 * fmod(v, 2)); }
SIMGPU_INLINE_C23 double cospi(double v) { return cos(3.14159265358979323846 * fmod(v, 2)); }
SIMGPU_INLINE_C23 float sinpif(float v) { return (float)sinpi(v); }
SIMGPU_INLINE_C23 float cospif(float v) { return (float)cospi(v); }
SIMGPU_INLINE void sincospif(float v, float *sine, float *cosine)
{
    *sine = sinpif(v);
    *cosine = cospif(v);
}
SIMGPU_INLINE float rcbrtf(float v) { return 1 / cbrtf(v); }
SIMGPU_INLINE double rcbrt(double v) { return 1 / cbrt(v); }
SIMGPU_INLINE float normcdff(float v) { return 0.5f * erfcf(-v * 0.70710678f); }
SIMGPU_INLINE double normcdf(double v) { return 0.5 * erfc(-v * 0.70710678118654752); }
SIMGPU_INLINE float rhypotf(float a, float b) { return 1 / hypotf(a, b); }
SIMGPU_INLINE float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
SIMGPU_INLINE float rnorm3df(float a, float b, float c) { return 1 / norm3df(a, b, c); }
SIMGPU_INLINE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
SIMGPU_INLINE unsigned __umul24(unsigned a, unsigned b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}
SIMGPU_INLINE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
SIMGPU_INLINE unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}
SIMGPU_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
SIMGPU_INLINE long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
SIMGPU_INLINE unsigned __brev(unsigned v)
{
    unsigned r = 0;
    for (int i = 0; i < 32; i++)
        r = r << 1 | (v >> i & 1);
    return r;
}
SIMGPU_INLINE unsigned long long __brevll(unsigned long long v)
{
    return (unsigned long long)__brev((unsigned)v) << 32 | __brev((unsigned)(v >> 32));
}
SIMGPU_INLINE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
SIMGPU_INLINE int __clzll(long long v)
{
    return v ? __builtin_clzll((unsigned long long)v) : 64;
}
SIMGPU_INLINE int __ffsll(long long v) { return __builtin_ffsll(v); }
SIMGPU_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    unsigned long long both = (unsigned long long)b << 32 | a;
    unsigned r = 0;
    for (int i = 0; i < 4; i++)
        r |= (unsigned)(both >> (selector >> 4 * i & 7) * 8 & 255) << 8 * i;
    return r;
}
SIMGPU_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by)
{
    return (unsigned)(((unsigned long long)high << 32 | low) << (by & 31) >> 32);
}
SIMGPU_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
SIMGPU_INLINE int __dp4a(int a, int b, int sum)
{
    for (int i = 0; i < 4; i++)
        sum += (int)(signed char)(a >> 8 * i) * (signed char)(b >> 8 * i);
    return sum;
}
SIMGPU_INLINE unsigned __float_as_uint(float v) { return __builtin_bit_cast(unsigned, v); }
SIMGPU_INLINE float __uint_as_float(unsigned v) { return __builtin_bit_cast(float, v); }
SIMGPU_INLINE long long __double_as_longlong(double v)
{
    return __builtin_bit_cast(long long, v);
}
SIMGPU_INLINE double __longlong_as_double(long long v) { return __builtin_bit_cast(double, v); }
SIMGPU_INLINE int __double2loint(double v) { return (int)__double_as_longlong(v); }
SIMGPU_INLINE int __double2hiint(double v) { return (int)(__double_as_longlong(v) >> 32); }
SIMGPU_INLINE double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)high << 32 | (unsigned)low);
}
namespace simgpu
{
/** An integer from a float or double that was rounded to one: the nearest of its type's, and of
 * a NaN 0, or only the highest bit if one of the two types has 64 bits (PTX, cvt). */
template <class Integer, class Source> SIMGPU_INLINE Integer integer_of(double rounded)
{
    const int bits = sizeof(Integer) * 8;
    const Integer least = Integer(-1) < 0 ? Integer(1ull << (bits - 1)) : 0;
    const double end = (Integer(-1) < 0 ? 0.5 : 1) * 0x1p32 *
                       (bits == 64   ? 0x1p32
                        : bits == 16 ? 0x1p-16
                                     : 1);
    if (rounded != rounded)
        return bits < 64 && sizeof(Source) < 8 ? 0 : Integer(1ull << (bits - 1));
    return rounded >= end             ? Integer(~least)
           : rounded <= (double)least ? least
                                      : (Integer)rounded;
}
} // namespace simgpu
/* Conversions to nearest, towards zero, up, down. */
#define SIMGPU_TO_INTEGER_BY(suffix, round, from, to, type, result)                            \
    SIMGPU_INLINE result __##from##2##to##_##suffix(type v)                                    \
    {                                                                                          \
        return simgpu::integer_of<result, type>(round((double)v));                             \
    }
#define SIMGPU_TO_INTEGER(...)                                                                 \
    SIMGPU_TO_INTEGER_BY(rn, rint, __VA_ARGS__)                                                \
    SIMGPU_TO_INTEGER_BY(rz, trunc, __VA_ARGS__)                                               \
    SIMGPU_TO_INTEGER_BY(ru, ceil, __VA_ARGS__)                                                \
    SIMGPU_TO_INTEGER_BY(rd, floor, __VA_ARGS__)
SIMGPU_TO_INTEGER(float, int, float, int)
SIMGPU_TO_INTEGER(float, uint, float, unsigned)
SIMGPU_TO_INTEGER(float, ll, float, long long)
SIMGPU_TO_INTEGER(double, int, double, int)
SIMGPU_TO_INTEGER(double, uint, double, unsigned)
SIMGPU_TO_INTEGER(double, ll, double, long long)
SIMGPU_TO_INTEGER(float, ull, float, unsigned long long)
SIMGPU_TO_INTEGER(double, ull, double, unsigned long long)

#define SIMGPU_MIN_MAX(result, a_type, b_type)                                                 \
    SIMGPU_INLINE result min(a_type a, b_type b) { return (result)a < (result)b ? a : b; }     \
    SIMGPU_INLINE result max(a_type a, b_type b) { return (result)a > (result)b ? a : b; }
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
#define SIMGPU_MIN_MAX_OF(letters, type)                                                       \
    SIMGPU_INLINE type letters##min(type a, type b) { return a < b ? a : b; }                  \
    SIMGPU_INLINE type letters##max(type a, type b) { return a > b ? a : b; }
SIMGPU_MIN_MAX_OF(u, unsigned)
SIMGPU_MIN_MAX_OF(ll, long long)
SIMGPU_MIN_MAX_OF(ull, unsigned long long)

#include "simgpu/device/device_math.h"

#endif
