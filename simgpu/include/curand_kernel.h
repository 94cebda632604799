/* SPDX-License-Identifier: MIT */
/** @file curand_kernel.h
 * Random numbers in kernels. XORWOW (Marsaglia, 2003) and Philox4x32-10 (Salmon et al., 2011)
 * give cuRAND's numbers from the same seed, subsequence and offset; normal numbers differ from
 * a GPU's in their last bits.
 */
#ifndef SIMGPU_INCLUDE_CURAND_KERNEL_H
#define SIMGPU_INCLUDE_CURAND_KERNEL_H

#ifndef __cplusplus
#error "simgpu: <curand_kernel.h> is for CUDA C++ sources (.cu), not for C"
#endif

#include "cuda_runtime.h"

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
/** A position in a sequence of Philox: the `used` first words of `output` have been taken. */
struct curandStatePhilox4_32_10 {
    uint4 counter, output;
    uint2 key;
    unsigned used;
    simgpu_second_normal second;
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState, curandState_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

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

/* ---- Philox ---- */

namespace simgpu
{
/** The four words of a counter: ten rounds of two multiplications. */
SIMGPU_INLINE uint4 philox(uint4 c, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
        c = make_uint4((unsigned)(b >> 32) ^ c.y ^ key.x, (unsigned)b,
                       (unsigned)(a >> 32) ^ c.w ^ key.y, (unsigned)a);
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return c;
}
/** Adds to the lower half of the counter, or to the upper one. */
SIMGPU_INLINE void philox_forward(curandStatePhilox4_32_10 *state, unsigned long long n,
                                  unsigned long long upper)
{
    uint4 &c = state->counter;
    unsigned long long low = (unsigned long long)c.y << 32 | c.x, sum = low + n,
                       high = ((unsigned long long)c.w << 32 | c.z) + upper + (sum < low);
    c = make_uint4((unsigned)sum, (unsigned)(sum >> 32), (unsigned)high,
                   (unsigned)(high >> 32));
    state->output = philox(c, state->key);
}
} // namespace simgpu

SIMGPU_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state)
{
    state->used += n % 4;
    simgpu::philox_forward(state, n / 4 + state->used / 4, 0);
    state->used %= 4;
}
SIMGPU_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *state)
{
    simgpu::philox_forward(state, 0, n);
}
SIMGPU_INLINE void curand_init(unsigned long long seed, unsigned long long sequence,
                               unsigned long long offset, curandStatePhilox4_32_10 *state)
{
    *state = {{}, {}, make_uint2((unsigned)seed, (unsigned)(seed >> 32)), 0, {}};
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
}
SIMGPU_INLINE unsigned curand(curandStatePhilox4_32_10 *state)
{
    const uint4 &o = state->output;
    unsigned word = state->used == 0   ? o.x
                    : state->used == 1 ? o.y
                    : state->used == 2 ? o.z
                                       : o.w;
    if (++state->used == 4) {
        simgpu::philox_forward(state, 1, 0);
        state->used = 0;
    }
    return word;
}
SIMGPU_INLINE double curand_uniform_double(curandStatePhilox4_32_10 *state)
{
    return (double)curand(state) * 0x1p-32 + 0x1p-32;
}

/* ---- functions of both ---- */

template <class S> SIMGPU_INLINE uint4 curand4(S *state)
{
    unsigned x = curand(state), y = curand(state), z = curand(state), w = curand(state);
    return make_uint4(x, y, z, w);
}
template <class S> SIMGPU_INLINE float curand_uniform(S *state)
{
    return simgpu::unit_float(curand(state));
}
template <class S> SIMGPU_INLINE float4 curand_uniform4(S *state)
{
    uint4 v = curand4(state);
    return make_float4(simgpu::unit_float(v.x), simgpu::unit_float(v.y),
                       simgpu::unit_float(v.z), simgpu::unit_float(v.w));
}
/** Uses 53 bits of two words for each number. */
template <class S> SIMGPU_INLINE double2 curand_uniform2_double(S *state)
{
    uint4 w = curand4(state);
    return make_double2((double)(w.x ^ (unsigned long long)w.y << 21) * 0x1p-53 + 0x1p-54,
                        (double)(w.z ^ (unsigned long long)w.w << 21) * 0x1p-53 + 0x1p-54);
}

/** Makes two normal numbers from two uniform ones by the method of Box and Muller. */
template <class S> SIMGPU_INLINE float2 curand_normal2(S *state)
{
    float u = curand_uniform(state), v = 6.2831855f * curand_uniform(state),
          radius = sqrtf(-2 * logf(u));
    return make_float2(radius * sinf(v), radius * cosf(v));
}
template <class S> SIMGPU_INLINE double2 curand_normal2_double(S *state)
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
template <class S> SIMGPU_INLINE float curand_normal(S *state)
{
    return simgpu::one_of_pair(state->second.have, state->second.value,
                               [=] { return curand_normal2(state); });
}
template <class S> SIMGPU_INLINE double curand_normal_double(S *state)
{
    return simgpu::one_of_pair(state->second.have_double, state->second.value_double,
                               [=] { return curand_normal2_double(state); });
}
template <class S> SIMGPU_INLINE float4 curand_normal4(S *state)
{
    float2 a = curand_normal2(state), b = curand_normal2(state);
    return make_float4(a.x, a.y, b.x, b.y);
}

#endif
