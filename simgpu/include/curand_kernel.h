/* SPDX-License-Identifier: MIT */
/** @file curand_kernel.h
 * Random numbers in kernels. Every generator is the same here, a hash of a counter: the numbers
 * have cuRAND's distributions, but are other numbers. Quasi-random ones are not simulated.
 */
#ifndef SIMGPU_INCLUDE_CURAND_KERNEL_H
#define SIMGPU_INCLUDE_CURAND_KERNEL_H

#ifndef __cplusplus
#error "simgpu: <curand_kernel.h> is for CUDA C++ sources (.cu), not for C"
#endif

#include "cuda_runtime.h"

/** A position in a sequence. */
struct curandStateXORWOW {
    unsigned long long key, next;
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState, curandState_t, curandStateMRG32k3a,
    curandStateMRG32k3a_t, curandStatePhilox4_32_10, curandStatePhilox4_32_10_t;

namespace simgpu
{
/** 64 bits from a key and a counter; each bit of the result depends on all of theirs. */
SIMGPU_INLINE unsigned long long random_bits(unsigned long long key, unsigned long long counter)
{
    unsigned long long v = key + counter * 0x9e3779b97f4a7c15ull;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9ull;
    v = (v ^ v >> 27) * 0x94d049bb133111ebull;
    return v ^ v >> 31;
}
/** In (0, 1], as cuRAND's. */
SIMGPU_INLINE float unit_float(unsigned bits)
{
    return (float)((double)bits * 0x1p-32 + 0x1p-33);
}
SIMGPU_INLINE double unit_double(unsigned long long bits)
{
    return (double)(bits >> 11) * 0x1p-53 + 0x1p-54;
}
} // namespace simgpu

SIMGPU_INLINE void curand_init(unsigned long long seed, unsigned long long sequence,
                               unsigned long long offset, curandState *state)
{
    state->key = simgpu::random_bits(simgpu::random_bits(seed, 1), sequence);
    state->next = offset;
}
SIMGPU_INLINE void skipahead(unsigned long long n, curandState *state) { state->next += n; }
SIMGPU_INLINE unsigned curand(curandState *state)
{
    return (unsigned)(simgpu::random_bits(state->key, state->next++) >> 32);
}
SIMGPU_INLINE float curand_uniform(curandState *state)
{
    return simgpu::unit_float(curand(state));
}
SIMGPU_INLINE double curand_uniform_double(curandState *state)
{
    return simgpu::unit_double(simgpu::random_bits(state->key, state->next++));
}
SIMGPU_INLINE double2 curand_normal2_double(curandState *state)
{
    double radius = sqrt(-2 * log(curand_uniform_double(state)));
    double angle = 6.283185307179586 * curand_uniform_double(state);
    return make_double2(radius * cos(angle), radius * sin(angle));
}
SIMGPU_INLINE float2 curand_normal2(curandState *state)
{
    double2 both = curand_normal2_double(state);
    return make_float2((float)both.x, (float)both.y);
}
SIMGPU_INLINE double curand_normal_double(curandState *state)
{
    return curand_normal2_double(state).x;
}
SIMGPU_INLINE float curand_normal(curandState *state)
{
    return (float)curand_normal_double(state);
}
SIMGPU_INLINE float curand_log_normal(curandState *state, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(state));
}
SIMGPU_INLINE uint4 curand4(curandState *state)
{
    unsigned x = curand(state), y = curand(state), z = curand(state), w = curand(state);
    return make_uint4(x, y, z, w);
}
SIMGPU_INLINE float4 curand_uniform4(curandState *state)
{
    uint4 v = curand4(state);
    return make_float4(simgpu::unit_float(v.x), simgpu::unit_float(v.y),
                       simgpu::unit_float(v.z), simgpu::unit_float(v.w));
}
SIMGPU_INLINE float4 curand_normal4(curandState *state)
{
    float2 a = curand_normal2(state), b = curand_normal2(state);
    return make_float4(a.x, a.y, b.x, b.y);
}

#endif
