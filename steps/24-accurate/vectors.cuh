/* SPDX-License-Identifier: MIT */
/** @file vectors.cuh
 * Two neighbouring elements as step 18 has four: sums, and multiples by a power of two.
 */
#ifndef STEPS_24_ACCURATE_VECTORS_CUH
#define STEPS_24_ACCURATE_VECTORS_CUH

#include "steps/19-own-leaf/beside.cuh"

static __device__ __forceinline__ real2 plus(real2 x, real2 y) { return add2(x, y); }

static __device__ __forceinline__ real2 minus(real2 x, real2 y) { return sub2(x, y); }

static __device__ __forceinline__ real2 times(real factor, real2 x)
{
    x.x *= factor, x.y *= factor;
    return x;
}

static __device__ __forceinline__ real4 times(real factor, real4 x)
{
    x.x *= factor, x.y *= factor, x.z *= factor, x.w *= factor;
    return x;
}

#endif
