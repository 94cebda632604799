/* SPDX-License-Identifier: MIT */
/** @file curand_kernel.h
 * Random numbers in kernels. Every generator is the same here, a hash of a counter: the numbers
 * have cuRAND's distributions, but are other numbers. The quasi-random sequences are Sobol's,
 * of up to eight dimensions.
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

/** A position in one dimension of a Sobol sequence: its number, its value, and what to add
 * (xor) when a bit of the number's Gray code changes. */
struct curandStateSobol32 {
    unsigned next, value, directions[32];
};
struct curandStateSobol64 {
    unsigned long long next, value, directions[64];
};
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

#define SIMGPU_SOBOL(State, Number, bits)                                                      \
    SIMGPU_INLINE void skipahead(unsigned long long n, State *state)                           \
    {                                                                                          \
        state->next += (Number)n;                                                              \
        Number gray = state->next ^ state->next >> 1;                                          \
        state->value = 0;                                                                      \
        for (int bit = 0; bit < bits; bit++)                                                   \
            if (gray >> bit & 1)                                                               \
                state->value ^= state->directions[bit];                                        \
    }                                                                                          \
    SIMGPU_INLINE void curand_init(const Number *directions, Number offset, State *state)      \
    {                                                                                          \
        for (int bit = 0; bit < bits; bit++)                                                   \
            state->directions[bit] = directions[bit];                                          \
        state->next = 0;                                                                       \
        skipahead(offset, state);                                                              \
    }                                                                                          \
    SIMGPU_INLINE Number curand(State *state)                                                  \
    {                                                                                          \
        Number value = state->value;                                                           \
        int zero = __builtin_ctzll(~(unsigned long long)state->next);                          \
        state->value ^= state->directions[zero % bits];                                        \
        state->next++;                                                                         \
        return value;                                                                          \
    }                                                                                          \
    SIMGPU_INLINE float curand_uniform(State *state)                                           \
    {                                                                                          \
        return simgpu::unit_float((unsigned)(curand(state) >> (bits - 32)));                   \
    }                                                                                          \
    SIMGPU_INLINE double curand_uniform_double(State *state)                                   \
    {                                                                                          \
        return simgpu::unit_double((unsigned long long)curand(state) << (64 - bits));          \
    }
SIMGPU_SOBOL(curandStateSobol32, unsigned, 32)
SIMGPU_SOBOL(curandStateSobol64, unsigned long long, 64)
#undef SIMGPU_SOBOL

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
