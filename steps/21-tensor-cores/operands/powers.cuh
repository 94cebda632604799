/* SPDX-License-Identifier: MIT */
/** @file powers.cuh
 * Scaling by powers of two, which causes no round-off error.
 */
#ifndef STEPS_21_TENSOR_CORES_OPERANDS_POWERS_CUH
#define STEPS_21_TENSOR_CORES_OPERANDS_POWERS_CUH

/** x * 2^e for |e| <= 250, in two steps since 2^e itself may not fit in a float. Exact unless
 * the result overflows or is below the normal numbers. */
static __device__ __forceinline__ float times_power(float x, int e)
{
    int half = e / 2;
    return x * __int_as_float((half + 127) << 23) * __int_as_float((e - half + 127) << 23);
}

/** Undoes the scaling of a sum of scaled products. For two lines of the smallest numbers the
 * sum of the exponents may be below -250, but then the element of C underflows to zero anyway.
 */
static __device__ __forceinline__ float unscaled(float sum, int e)
{
    return times_power(sum, e < -250 ? -250 : e);
}

/** Converts a sum of multiplications of bytes (see operands.h) to units of those of halves. */
static __device__ __forceinline__ float of_bytes(int sum)
{
    return (float)sum * (1.0f / (4096.0f * 127 * 127));
}

/** The mean of a centred row of A in the units of its sums of products: this times the sum of a
 * column of B must be added. operands.h explains the row's exponent. */
static __device__ __forceinline__ float mean_in_units(const float *means, int row, int exponent,
                                                      int lift)
{
    return means ? times_power(means[row], 2 * lift - exponent) : 0;
}

#endif
