/* SPDX-License-Identifier: MIT */
/** @file alone.cu
 * A product by tiles in shared memory in one complete program, for matrices of any size. With a
 * GPU: `nvcc -O3 alone.cu && ./a.out 4000 5000 6000` multiplies 4000 x 6000 by 6000 x 5000.
 * Without:
 * `./ladder sim steps/08-gpu-shared/alone.cu`. Exit status: 0 if it differs from the plain
 * product by no more than its error bound, 1 if it does or a call failed, 2 if the sizes are
 * none.
 */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Every call returns a status; 0 is success. The first bad one ends the program. A macro, for
   the text and the line of the call. */
#define MUST(call) end_unless_zero(call, #call, __LINE__)
static void end_unless_zero(cudaError_t status, const char *call, int line)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
    exit(1);
}

/// [alone]
enum { TILE = 16 };

/* C = A * B. A block of 16 x 16 threads makes a tile of C, and each thread one element of it.
 */
__global__ void multiply_tiles(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int i = blockIdx.y * TILE + threadIdx.y, j = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < k; first += TILE) {
        int col = first + threadIdx.x, row = first + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = i < m && col < k ? A[(size_t)i * k + col] : 0;
        b[threadIdx.y][threadIdx.x] = row < k && j < n ? B[(size_t)row * n + j] : 0;
        __syncthreads(); /* both tiles are complete */
        for (int l = 0; l < TILE; l++)
            sum += a[threadIdx.y][l] * b[l][threadIdx.x];
        __syncthreads(); /* nobody reads them any longer */
    }
    if (i < m && j < n)
        C[(size_t)i * n + j] = sum;
}
/// [alone]

/* Counts the elements of C that differ from the plain product, made in double, by more than a
   sum of k terms may: k units in the last place of the sum of their sizes (Higham (2002),
   section 3.1). */
__global__ void count_wrong(const float *A, const float *B, const float *C, int m, int n, int k,
                            int *wrong)
{
    int i = blockIdx.y * TILE + threadIdx.y, j = blockIdx.x * TILE + threadIdx.x;
    if (i >= m || j >= n)
        return;
    double sum = 0, sizes = 0;
    for (int l = 0; l < k; l++) {
        double term = (double)A[(size_t)i * k + l] * B[(size_t)l * n + j];
        sum += term;
        sizes += fabs(term);
    }
    if (!(fabs(C[(size_t)i * n + j] - sum) <= k * 0x1p-24 * sizes)) /* NaN is wrong, too */
        atomicAdd(wrong, 1);
}

/* A matrix on the device, of random numbers in [-1, 1]. */
static float *random_matrix(size_t elements)
{
    float *host = (float *)malloc(elements * sizeof *host), *device;
    for (size_t i = 0; i < elements; i++)
        host[i] = 2.0f * rand() / RAND_MAX - 1;
    MUST(cudaMalloc(&device, elements * sizeof *device));
    MUST(cudaMemcpy(device, host, elements * sizeof *host, cudaMemcpyHostToDevice));
    free(host);
    return device;
}

int main(int count, char **words)
{
    int size[3] = {100, 120, 90}; /* C is m x n, A is m x k, B is k x n */
    for (int i = 1; i < count; i++)
        if (i > 3 || (size[i - 1] = atoi(words[i])) < 1) {
            fprintf(stderr, "usage: %s [M [N [K]]], whole numbers from 1\n", words[0]);
            return 2;
        }
    int m = size[0], n = size[1], k = size[2], *wrong, found;
    float *A = random_matrix((size_t)m * k), *B = random_matrix((size_t)k * n);
    float *C = random_matrix((size_t)m * n); /* what a kernel leaves out is noticed */
    MUST(cudaMalloc(&wrong, sizeof *wrong));
    MUST(cudaMemset(wrong, 0, sizeof *wrong));
    cudaEvent_t start, stop;
    MUST(cudaEventCreate(&start));
    MUST(cudaEventCreate(&stop));

    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    for (int run = 0; run < 2; run++) { /* the first one also loads the kernel */
        MUST(cudaEventRecord(start));
        multiply_tiles<<<grid, block>>>(A, B, C, m, n, k);
        MUST(cudaGetLastError()); /* could it start? */
        MUST(cudaEventRecord(stop));
        MUST(cudaEventSynchronize(stop)); /* did it run to its end? */
    }
#ifndef __SIMGPU__ /* a simulation's time says nothing about a GPU */
    float ms;
    MUST(cudaEventElapsedTime(&ms, start, stop));
    printf("%d x %d x %d: %.3f ms, %.0f GFLOP/s\n", m, n, k, ms, 2e-6 * m * n * k / ms);
#endif
    count_wrong<<<grid, block>>>(A, B, C, m, n, k, wrong);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(&found, wrong, sizeof found, cudaMemcpyDeviceToHost));
    printf("%d of %zu elements differ by more than the bound\n", found, (size_t)m * n);
    MUST(cudaEventDestroy(start));
    MUST(cudaEventDestroy(stop));
    MUST(cudaFree(A));
    MUST(cudaFree(B));
    MUST(cudaFree(C));
    MUST(cudaFree(wrong));
    return found != 0;
}
