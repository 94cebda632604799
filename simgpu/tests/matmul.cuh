/* SPDX-License-Identifier: MIT */
#pragma once
/**
 * @file matmul.cuh
 * A header with kernels and a launch in it: the rewriting tool has to follow it.
 */
#include <cuda_runtime.h>

#ifdef TEST_F64
typedef double real;
typedef double2 real2;
typedef double4 real4;
#else
typedef float real;
typedef float2 real2;
typedef float4 real4;
#endif

/* Figure 10 of Li, Ranka and Sahni. */
static __global__ void add_kernel(real *d_A, real *d_B, real *d_C, int widthA, int widthB,
                                  int widthC)
{
    int startA = blockIdx.x * 64 + threadIdx.x * 2 + (blockIdx.y * 8 + threadIdx.y) * widthA;
    int startB = blockIdx.x * 64 + threadIdx.x * 2 + (blockIdx.y * 8 + threadIdx.y) * widthB;
    int startC = blockIdx.x * 64 + threadIdx.x * 2 + (blockIdx.y * 8 + threadIdx.y) * widthC;

    real2 tempA = *(real2 *)(d_A + startA);
    real2 tempB = *(real2 *)(d_B + startB);

    tempA.x += tempB.x;
    tempA.y += tempB.y;

    *(real2 *)(d_C + startC) = tempA;
}

static void add(const void *a, const void *b, void *c, int n)
{
    add_kernel<<<dim3(n / 64, n / 8), dim3(32, 8)>>>((real *)a, (real *)b, (real *)c, n, n, n);
}
