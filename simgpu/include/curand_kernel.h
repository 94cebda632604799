/* SPDX-License-Identifier: MIT */
/** @file curand_kernel.h
 * Random numbers in kernels. XORWOW (Marsaglia, 2003) gives cuRAND's numbers from the same
 * seed, subsequence and offset; normal numbers differ from a GPU's in their last bits.
 */
#ifndef SIMGPU_INCLUDE_CURAND_KERNEL_H
#define SIMGPU_INCLUDE_CURAND_KERNEL_H

#ifndef __cplusplus
#error "simgpu: <curand_kernel.h> is for CUDA C++ sources (.cu), not for C"
#endif

#include "cuda_runtime.h"
#include "simgpu/unsupported.h"

/** The second normal number of a pair, where the first was asked for alone. */
struct simgpu_second_normal {
    int have = 0, have_double = 0;
    float value = 0;
    double value_double = 0;
};
/** A position in a sequence of XORWOW. */
struct curandStateXORWOW {
    unsigned d, v[5];
    simgpu_second_normal second;
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState, curandState_t;
SIMGPU_UNSUPPORTED_TYPE(curandStateMRG32k3a, ": use curandStateXORWOW");
SIMGPU_UNSUPPORTED_TYPE(curandStateMRG32k3a_t, ": use curandStateXORWOW");
SIMGPU_UNSUPPORTED_TYPE(curandStateSobol32, ": use curandStateXORWOW");
SIMGPU_UNSUPPORTED_TYPE(curandStateSobol32_t, ": use curandStateXORWOW");
SIMGPU_UNSUPPORTED_TYPE(curandStateSobol64, ": use curandStateXORWOW");
SIMGPU_UNSUPPORTED_TYPE(curandStateSobol64_t, ": use curandStateXORWOW");
SIMGPU_UNSUPPORTED_TYPE(curandStatePhilox4_32_10, ": use curandStateXORWOW");
SIMGPU_UNSUPPORTED_TYPE(curandStatePhilox4_32_10_t, ": use curandStateXORWOW");

namespace simgpu
{
/** In (0, 1], as cuRAND's. */
SIMGPU_INLINE float unit_float(unsigned bits) { return (float)bits * 0x1p-32f + 0x1p-33f; }
} // namespace simgpu

/* ---- XORWOW ---- */

SIMGPU_INLINE void skipahead(unsigned long long n, curandStateXORWOW *state)
{
    simgpu_xorwow_skip(state->v, n, 0);
    state->d += 362437 * (unsigned)n;
}
SIMGPU_INLINE void skipahead_sequence(unsigned long long n, curandStateXORWOW *state)
{
    simgpu_xorwow_skip(state->v, n, 67); /* a subsequence has 2^67 numbers */
}
SIMGPU_INLINE void curand_init(unsigned long long seed, unsigned long long sequence,
                               unsigned long long offset, curandStateXORWOW *state)
{
    unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u),
             high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    *state = {
        6615241 + high + low,
        {123456789 + low, 362436069 ^ low, 521288629 + high, 88675123 ^ high, 5783321 + low},
        {}};
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
}
SIMGPU_INLINE unsigned curand(curandStateXORWOW *state)
{
    unsigned *v = state->v, t = v[0] ^ v[0] >> 2;
    for (int i = 0; i < 4; i++)
        v[i] = v[i + 1];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
    state->d += 362437;
    return v[4] + state->d;
}
/** Uses 53 bits of two words. */
SIMGPU_INLINE double curand_uniform_double(curandStateXORWOW *state)
{
    unsigned long long x = curand(state), y = curand(state);
    return (double)(x ^ y << 21) * 0x1p-53 + 0x1p-54;
}

SIMGPU_INLINE uint4 curand4(curandState *state)
{
    unsigned x = curand(state), y = curand(state), z = curand(state), w = curand(state);
    return make_uint4(x, y, z, w);
}
SIMGPU_INLINE float curand_uniform(curandState *state)
{
    return simgpu::unit_float(curand(state));
}
SIMGPU_INLINE float4 curand_uniform4(curandState *state)
{
    uint4 v = curand4(state);
    return make_float4(simgpu::unit_float(v.x), simgpu::unit_float(v.y),
                       simgpu::unit_float(v.z), simgpu::unit_float(v.w));
}
/** Uses 53 bits of two words for each number. */
SIMGPU_INLINE double2 curand_uniform2_double(curandState *state)
{
    uint4 w = curand4(state);
    return make_double2((double)(w.x ^ (unsigned long long)w.y << 21) * 0x1p-53 + 0x1p-54,
                        (double)(w.z ^ (unsigned long long)w.w << 21) * 0x1p-53 + 0x1p-54);
}

/** Makes two normal numbers from two uniform ones by the method of Box and Muller. */
SIMGPU_INLINE float2 curand_normal2(curandState *state)
{
    float u = curand_uniform(state), v = 6.2831855f * curand_uniform(state),
          radius = sqrtf(-2 * logf(u));
    return make_float2(radius * sinf(v), radius * cosf(v));
}
SIMGPU_INLINE double2 curand_normal2_double(curandState *state)
{
    double2 u = curand_uniform2_double(state);
    double radius = sqrt(-2 * log(u.x)), v = 6.283185307179586 * u.y;
    return make_double2(radius * sin(v), radius * cos(v));
}
namespace simgpu
{
/** The first number of a new pair, or the second one of the last pair. */
template <class T, class F> SIMGPU_INLINE T one_of_pair(int &have, T &second, F new_pair)
{
    have = !have;
    if (!have)
        return second;
    auto both = new_pair();
    second = both.y;
    return both.x;
}
} // namespace simgpu
SIMGPU_INLINE float curand_normal(curandState *state)
{
    return simgpu::one_of_pair(state->second.have, state->second.value,
                               [=] { return curand_normal2(state); });
}
SIMGPU_INLINE double curand_normal_double(curandState *state)
{
    return simgpu::one_of_pair(state->second.have_double, state->second.value_double,
                               [=] { return curand_normal2_double(state); });
}
SIMGPU_INLINE float4 curand_normal4(curandState *state)
{
    float2 a = curand_normal2(state), b = curand_normal2(state);
    return make_float4(a.x, a.y, b.x, b.y);
}
SIMGPU_INLINE float curand_log_normal(curandState *state, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(state));
}

#endif
