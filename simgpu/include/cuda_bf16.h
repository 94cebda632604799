/* SPDX-License-Identifier: MIT */
/** @file cuda_bf16.h
 * bfloat16: __nv_bfloat16, __nv_bfloat162, their conversions and arithmetic, rounded to nearest
 * even.
 */
#ifndef SIMGPU_INCLUDE_CUDA_BF16_H
#define SIMGPU_INCLUDE_CUDA_BF16_H

#ifndef __cplusplus
#error "simgpu: <cuda_bf16.h> is for CUDA C++ sources (.cu), not for C"
#endif

#include "cuda_runtime.h"
#include "simgpu/device/numbers16.h"

struct __nv_bfloat16_raw {
    unsigned short x;
};

#ifdef SIMGPU_TRACED
inline namespace simgpu_traced
{
#endif

/** The upper 16 bits of a float. */
struct __attribute__((aligned(2))) __nv_bfloat16 : simgpu::number16<__nv_bfloat16> {
    unsigned short __x;
    __nv_bfloat16() = default;
    SIMGPU_METHOD __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x) {}
    template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    SIMGPU_METHOD __nv_bfloat16(T v, simgpu::Rounding how = simgpu::Rounding::nearest_even)
        : __x(simgpu::bfloat16_bits_of((double)v, how))
    {
    }
    SIMGPU_METHOD operator float() const { return simgpu::float_of_bfloat16_bits(__x); }
    SIMGPU_METHOD operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
};
typedef __nv_bfloat16 nv_bfloat16;

struct __nv_bfloat162 : simgpu::pair16<__nv_bfloat16, __nv_bfloat162> {
    using pair16::pair16;
};
typedef __nv_bfloat162 nv_bfloat162;

#ifdef SIMGPU_TRACED
} // namespace simgpu_traced
#endif

SIMGPU_NAMES16(__nv_bfloat16, __nv_bfloat162, bfloat16)

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
