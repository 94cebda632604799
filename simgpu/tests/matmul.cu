/* SPDX-License-Identifier: MIT */
/** @file matmul.cu
 * Kernels whose transactions and addresses are known in closed form, for test_report.c.
 */
#include <cuda_runtime.h>

#include "matmul.h"

static __global__ void naive_kernel(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

void naive(const float *a, const float *b, float *c, int n)
{
    naive_kernel<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
}

static __global__ void tiled_kernel(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        as[ty][tx] = a[row * n + t + tx];
        bs[ty][tx] = b[(t + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

void tiled(const float *a, const float *b, float *c, int n)
{
    tiled_kernel<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
}

static __global__ void padded_kernel(const float *a, float *c, int n)
{
    __shared__ float as[16][68];
    for (int row = 0; row < 16; row++)
        as[row][threadIdx.x] = a[row * n + threadIdx.x];
    __syncthreads();
    c[threadIdx.x] = as[threadIdx.x % 16][threadIdx.x];
}

void padded(const float *a, float *c, int n) { padded_kernel<<<1, 64>>>(a, c, n); }
