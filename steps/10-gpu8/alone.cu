/* SPDX-License-Identifier: MIT */
/** @file alone.cu
 * GPU8 in one complete program, without common/. With a GPU: `nvcc alone.cu -lcublas &&
 * ./a.out`, without: `./ladder sim steps/10-gpu8/alone.cu`. Exit status: 0 if its product is
 * that of cuBLAS, 1 if it is not or a call failed.
 */
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/// [element]
typedef float real; /* what an element is; for double: double and double4 */
typedef float4 real4;
#include "gpu8.cuh"
/// [element]

/* Every call returns a status; 0 is success. The first bad one ends the program. A macro, for
   the text and the line of the call. */
#define MUST(call) end_unless_zero((int)(call), #call, __LINE__)
static void end_unless_zero(int status, const char *call, int line)
{
    if (status == 0)
        return;
    fprintf(stderr, "line %d: %s gave status %d\n", line, call, status);
    exit(1);
}

/* Small integers, of which no sum is rounded, on the host and on the device. */
static float *random_on_device(size_t elements)
{
    float *host = (float *)malloc(elements * sizeof *host), *device;
    for (size_t i = 0; i < elements; i++)
        host[i] = (float)(rand() % 15 - 7);
    MUST(cudaMalloc(&device, elements * sizeof *device));
    MUST(cudaMemcpy(device, host, elements * sizeof *host, cudaMemcpyHostToDevice));
    free(host);
    return device;
}

int main(void)
{
    /// [run]
    const int m = 112, n = 384, k = 192; /* multiples of 16, 128 and 64 */
    float *a = random_on_device((size_t)m * k), *b = random_on_device((size_t)k * n);
    float *c = random_on_device((size_t)m * n), *d = random_on_device((size_t)m * n);
    cudaEvent_t start, stop;
    MUST(cudaEventCreate(&start));
    MUST(cudaEventCreate(&stop));
    for (int run = 0; run < 2; run++) { /* the first one also loads the kernel */
        MUST(cudaEventRecord(start));
        gpu8<<<gpu8_grid(m, n), gpu8_block()>>>(a, k, b, n, c, n, k);
        MUST(cudaGetLastError()); /* could it start? */
        MUST(cudaEventRecord(stop));
        MUST(cudaEventSynchronize(stop)); /* did it run to its end? */
    }
    /// [run]
#ifndef __SIMGPU__ /* a simulation's time says nothing about a GPU */
    float ms;
    MUST(cudaEventElapsedTime(&ms, start, stop));
    printf("%.3f ms, %.0f GFLOP/s\n", ms, 2e-6 * m * n * k / ms);
#endif
    const float one = 1, zero = 0;
    cublasHandle_t handle; /* it reads by columns, so B comes first, as in step 06 */
    MUST(cublasCreate(&handle));
    MUST(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero, d, n));
    const size_t elements = (size_t)m * n, bytes = elements * sizeof(float);
    float *ours = (float *)malloc(bytes), *expected = (float *)malloc(bytes);
    MUST(cudaMemcpy(ours, c, bytes, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(expected, d, bytes, cudaMemcpyDeviceToHost));
    size_t wrong = 0;
    for (size_t i = 0; i < elements; i++)
        wrong += !(ours[i] == expected[i]); /* so NaN is wrong, too */
    printf("%zu of %zu elements differ from cuBLAS's\n", wrong, elements);
    MUST(cublasDestroy(handle));
    MUST(cudaEventDestroy(start));
    MUST(cudaEventDestroy(stop));
    MUST(cudaFree(a));
    MUST(cudaFree(b));
    MUST(cudaFree(c));
    MUST(cudaFree(d));
    free(ours), free(expected);
    return wrong != 0;
}
