/* SPDX-License-Identifier: MIT */
/** @file example.c
 * Multiplies two column-major matrices with ladder_gemm.h and checks one element.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "ladder_gemm.h"

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 64;
    size_t bytes = sizeof(float) * n * n;
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes), alpha = 1, beta = 0;
    void *A, *B, *C; /* on the device */
    ladder_gemm_t gemm;
    if (n < 1 || !a || !b || !c || cudaMalloc(&A, bytes) || cudaMalloc(&B, bytes) ||
        cudaMalloc(&C, bytes) || ladder_gemm_create(&gemm, NULL))
        return fprintf(stderr, "example: no GPU, or no memory\n"), 3;
    for (size_t i = 0; i < (size_t)n * n; i++)
        a[i] = (float)(i % 7) - 3, b[i] = (float)(i % 5) - 2;
    cudaMemcpy(A, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(B, b, bytes, cudaMemcpyHostToDevice);
    int status =
        ladder_sgemm(gemm, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, A, n, B, n, &beta, C, n);
    cudaMemcpy(c, C, bytes, cudaMemcpyDeviceToHost);

    double expected = 0; /* row 0 of A times the last column of B */
    for (int l = 0; l < n; l++)
        expected += a[(size_t)l * n] * b[l + (size_t)(n - 1) * n];
    struct ladder_done done = ladder_gemm_last(gemm);
    printf("%s, %d levels, %zu bytes of workspace: C(0, %d) = %g, expected %g\n",
           done.ran.variant, done.ran.levels, done.workspace_bytes, n - 1,
           c[(size_t)(n - 1) * n], expected);
    ladder_gemm_destroy(gemm);
    cudaFree(A), cudaFree(B), cudaFree(C);
    return status || c[(size_t)(n - 1) * n] != expected;
}
