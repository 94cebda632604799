/* SPDX-License-Identifier: MIT */
/** @file random.h
 * Random numbers as a function of a counter: any element of a matrix can be computed by itself,
 * on the host and in a kernel.
 */
#ifndef COMMON_MATRIX_RANDOM_H
#define COMMON_MATRIX_RANDOM_H

#include <stdint.h>

#ifdef __CUDACC__
#define LADDER_ANYWHERE __host__ __device__
#else
#define LADDER_ANYWHERE
#endif

/** The step between the counters of neighbouring numbers; see random_bits(). */
#define RANDOM_STEP 0x9e3779b97f4a7c15ull

/** 64 random bits from a counter: the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
 * @param x any counter
 * @return 64 bits; different counters give different bits */
LADDER_ANYWHERE static inline uint64_t random_bits(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/** Uniform in [-1, 1), 54 of the 64 bits used.
 * @param bits from random_bits()
 * @return a number that uses the whole mantissa */
LADDER_ANYWHERE static inline double random_uniform(uint64_t bits)
{
    return (double)(int64_t)(bits >> 10) * 0x1p-53 - 1.0;
}

/** Random bits of element (i, j) of the matrix `number`: they depend only on these and the
 * seed.
 * @param seed any
 * @param number of the matrix; A and B have those of enum operand
 * @param i row, from 0; below 2^32
 * @param j column, from 0; below 2^32
 * @return 64 bits */
LADDER_ANYWHERE static inline uint64_t random_at(uint64_t seed, uint64_t number, long i, long j)
{
    uint64_t stream = random_bits(seed * 2 + number + RANDOM_STEP);
    return random_bits(stream + RANDOM_STEP * ((uint64_t)i << 32 | (uint64_t)j));
}

#endif
