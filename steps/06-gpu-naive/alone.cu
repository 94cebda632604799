/* SPDX-License-Identifier: MIT */
/** @file alone.cu
 * Step 06 as one complete program, without common/: the host code around a kernel. With a GPU:
 * `nvcc alone.cu -lcublas && ./a.out`, without: `./ladder sim steps/06-gpu-naive/alone.cu`.
 * Exit status: 0 if its product is that of cuBLAS, 1 if it is not or a call failed.
 */
#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>

/* Every call returns a status; 0 is success. The first bad one ends the program. A macro, for
   the text and the line of the call. */
#define CHECK(call) stop_unless_zero((int)(call), #call, __LINE__)
static void stop_unless_zero(int status, const char *call, int line)
{
    if (status == 0)
        return;
    fprintf(stderr, "line %d: %s gave status %d\n", line, call, status);
    exit(1);
}

__global__ void element(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || j >= n)
        return;
    float sum = 0;
    for (int l = 0; l < n; l++)
        sum += a[(size_t)i * n + l] * b[(size_t)l * n + j];
    c[(size_t)i * n + j] = sum;
}

int main(void)
{
    const int n = 250;
    const size_t elements = (size_t)n * n, bytes = elements * sizeof(float);
    /// [host]
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes); /* on the host */
    float *c = (float *)malloc(bytes), *expected = (float *)malloc(bytes);
    for (size_t i = 0; i < elements; i++) /* small integers: no sum is rounded */
        a[i] = (float)(rand() % 15 - 7), b[i] = (float)(rand() % 15 - 7);

    float *on_a, *on_b, *on_c; /* on the device */
    CHECK(cudaMalloc(&on_a, bytes));
    CHECK(cudaMalloc(&on_b, bytes));
    CHECK(cudaMalloc(&on_c, bytes));
    CHECK(cudaMemcpy(on_a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(on_b, b, bytes, cudaMemcpyHostToDevice));

    cudaEvent_t start, stop; /* the device notes the time when it comes to one */
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16); /* rounded up */
    CHECK(cudaEventRecord(start));
    element<<<grid, block>>>(on_a, on_b, on_c, n);
    CHECK(cudaGetLastError()); /* could it start? */
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop)); /* did it run to its end? */
    CHECK(cudaMemcpy(c, on_c, bytes, cudaMemcpyDeviceToHost));
    /// [host]
#ifndef __SIMGPU__ /* a simulation's time says nothing about a GPU */
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    printf("%.3f ms, the first run\n", ms);
#endif
    /// [compare]
    /* cuBLAS reads matrices column by column, so it takes ours for their transposes. The
       transpose of A B is the transpose of B times that of A: B comes first. */
    const float one = 1, zero = 0;
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle));
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, on_b, n, on_a, n, &zero,
                      on_c, n));
    CHECK(cudaMemcpy(expected, on_c, bytes, cudaMemcpyDeviceToHost));
    size_t wrong = 0;
    for (size_t i = 0; i < elements; i++)
        wrong += !(c[i] == expected[i]); /* so NaN is wrong, too */
    printf("%zu of %zu elements differ from cuBLAS's\n", wrong, elements);
    /// [compare]
    CHECK(cublasDestroy(handle));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(on_a));
    CHECK(cudaFree(on_b));
    CHECK(cudaFree(on_c));
    free(a), free(b), free(c), free(expected);
    return wrong != 0;
}
