/* SPDX-License-Identifier: MIT */
/** @file blocks.cuh
 * Plain kernels that add and multiply blocks of any size on the device, for exercises about
 * schedules. Each product increments a counter, and the lab reads the counter from the step's
 * note.
 */
#ifndef EXERCISES_BLOCKS_CUH
#define EXERCISES_BLOCKS_CUH

#include "common/matrix/block.h"
#include "common/device/gpu.h"
#include "exercises/counted.cuh"

static __global__ void sum_kernel(const real *x, int ldx, real sign, const real *y, int ldy,
                                  real *z, int ldz, int rows, int cols)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i < rows && j < cols)
        z[(size_t)i * ldz + j] = x[(size_t)i * ldx + j] + sign * y[(size_t)i * ldy + j];
}

/** z = x + sign * y; z may be x or y. It reads two blocks and writes one. */
static inline void sum_blocks(struct block x, real sign, struct block y, struct block z)
{
    dim3 block(16, 16), grid(blocks_for(z.cols, 16), blocks_for(z.rows, 16));
    sum_kernel<<<grid, block>>>(x.at, x.ld, sign, y.at, y.ld, z.at, z.ld, z.rows, z.cols);
    CHECK_LAUNCH();
}

/** z = x + y */
static inline void add(struct block x, struct block y, struct block z)
{
    sum_blocks(x, 1, y, z);
}

/** z = x - y */
static inline void sub(struct block x, struct block y, struct block z)
{
    sum_blocks(x, -1, y, z);
}

/** Element (16 blockIdx.y + threadIdx.y, 16 blockIdx.x + threadIdx.x) of the m x n matrix a *
 * b, or 0 outside it. All 16 x 16 threads of the block must call this: it has barriers. */
static __device__ __forceinline__ real product_element(const real *a, int lda, const real *b,
                                                       int ldb, int m, int n, int k)
{
    __shared__ real as[16][16], bs[16][16];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
    real sum = 0;
    for (int first = 0; first < k; first += 16) {
        as[y][x] = i < m && first + x < k ? a[(size_t)i * lda + first + x] : 0;
        bs[y][x] = first + y < k && j < n ? b[(size_t)(first + y) * ldb + j] : 0;
        __syncthreads();
        for (int l = 0; l < 16; l++)
            sum += as[y][l] * bs[l][x];
        __syncthreads();
    }
    return sum;
}

static __global__ void mul_kernel(const real *a, int lda, const real *b, int ldb, real *c,
                                  int ldc, int m, int n, int k)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    real element = product_element(a, lda, b, ldb, m, n, k);
    if (i < m && j < n)
        c[(size_t)i * ldc + j] = element;
}

/** c = a * b; c is neither a nor b. */
static inline void mul(struct block a, struct block b, struct block c)
{
    dim3 block(16, 16), grid(blocks_for(c.cols, 16), blocks_for(c.rows, 16));
    count_product(a, b, c);
    mul_kernel<<<grid, block>>>(a.at, a.ld, b.at, b.ld, c.at, c.ld, c.rows, c.cols, a.cols);
    CHECK_LAUNCH();
}

#endif
