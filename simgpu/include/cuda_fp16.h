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
#include "simgpu/device/numbers16.h"

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
struct __attribute__((aligned(2))) __half : simgpu::number16<__half> {
    unsigned short __x;
    __half() = default;
    SIMGPU_METHOD __half(const __half_raw &raw) : __x(raw.x) {}
    SIMGPU_METHOD __half(float v) : __x(simgpu::half_bits_of(v)) {}
    template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
    SIMGPU_METHOD __half(T v, simgpu::Rounding how = simgpu::Rounding::nearest_even)
        : __x(simgpu::half_bits_of((double)v, how))
    {
    }
    SIMGPU_METHOD operator float() const { return simgpu::float_of_half_bits(__x); }
    SIMGPU_METHOD operator __half_raw() const { return __half_raw{__x}; }
};
typedef __half half;

struct __half2 : simgpu::pair16<__half, __half2> {
    using pair16::pair16;
};
typedef __half2 half2;

#ifdef SIMGPU_TRACED
} // namespace simgpu_traced
#endif

SIMGPU_NAMES16(__half, __half2, half)

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
