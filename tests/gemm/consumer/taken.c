/* SPDX-License-Identifier: MIT */
/* A program that calls cuBLAS under the preload library. With fakes.c in place of its library:
   which products are taken over, which are not, what each handle may hold, and what happens
   when a product fails. With the library and a cuBLAS that makes no handle: none is taken over.
 */
#include <cublasLt.h>
#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>

static const float one = 1;
static const double wide = 1;

static void sgemm(cublasHandle_t h, int n)
{
    cublasStatus_t status = cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, NULL, n,
                                        NULL, n, &one, NULL, n);
    if (status != CUBLAS_STATUS_SUCCESS)
        printf("status %d\n", (int)status);
}

static void dgemm(cublasHandle_t h, int n)
{
    cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &wide, NULL, n, NULL, n, &wide, NULL, n);
}

static void zgemm(cublasHandle_t h, int n)
{
    const cuDoubleComplex z = {1, 0};
    cublasZgemm(h, CUBLAS_OP_N, CUBLAS_OP_C, n, n, n, &z, NULL, n, NULL, n, &z, NULL, n);
}

static void dsyrk(cublasHandle_t h, int n)
{
    cublasDsyrk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, n, n, &wide, NULL, n, &wide, NULL, n);
}

static void ex(cublasHandle_t h, int n, cublasComputeType_t compute, cudaDataType_t type)
{
    cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &wide, NULL, type, n, NULL, type, n,
                 &wide, NULL, type, n, compute, CUBLAS_GEMM_DEFAULT);
}

/* The forms with 64-bit arguments, which fit into 32 bits or do not. */
static void wide_calls(cublasHandle_t h, long long m)
{
    const cublasOperation_t no = CUBLAS_OP_N;
    const cuDoubleComplex z = {1, 0};
    const int n = 2000;
    cublasSgemm_64(h, no, no, m, n, n, &one, NULL, m, NULL, n, &one, NULL, m);
    cublasDgemm_64(h, no, no, m, n, n, &wide, NULL, m, NULL, n, &wide, NULL, m);
    cublasZgemm_64(h, no, no, m, n, n, &z, NULL, m, NULL, n, &z, NULL, m);
    cublasDsyrk_64(h, CUBLAS_FILL_MODE_LOWER, no, m, n, &wide, NULL, m, &wide, NULL, m);
    cublasSgemmStridedBatched_64(h, no, no, m, n, n, &one, NULL, m, 0, NULL, n, 0, &one, NULL,
                                 m, 0, 2);
    cublasGemmEx_64(h, no, no, m, n, n, &one, NULL, CUDA_R_32F, m, NULL, CUDA_R_32F, n, &one,
                    NULL, CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

int main(void)
{
    cublasHandle_t first = (cublasHandle_t)&one, second = (cublasHandle_t)&wide;
    sgemm(first, 2000);
    dgemm(second, 2001);
    zgemm(second, 2001), dsyrk(second, 2001), zgemm(second, 999), dsyrk(second, 999);
    sgemm(first, 999);
    wide_calls(second, 2040), wide_calls(second, 3000000000);
    ex(first, 2002, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    ex(first, 2003, CUBLAS_COMPUTE_32F_PEDANTIC, CUDA_R_32F);
    ex(first, 2004, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F);
    ex(first, 2005, CUBLAS_COMPUTE_64F, CUDA_R_64F);
    ex(first, 2006, CUBLAS_COMPUTE_64F_PEDANTIC, CUDA_R_64F);
    ex(first, 2007, (cublasComputeType_t)78, CUDA_R_32F); /* emulated, in newer toolkits */
    ex(first, 2008, (cublasComputeType_t)79, CUDA_R_64F);
    static const char *const modes[] = {"2", "3", "4", "8",
                                        "16"}; /* pedantic, TF32, emulated twice, allowed */
    for (int i = 0; i < 5; i++) {
        setenv("STUB_MATH", modes[i], 1);
        sgemm(first, 2010 + i);
    }
    setenv("STUB_MATH", "0", 1);
    for (int i = 0; i < 1002; i++) /* the first handle loses its share */
        dgemm(second, 2020);
    sgemm(first, 2021);
    setenv("FAKE_STATUS", "-1", 1); /* CUDA failed: C may be overwritten */
    sgemm(first, 2030);
    sgemm(first, 2031);
    setenv("FAKE_STATUS", "9", 1); /* an argument is wrong: nothing was done */
    sgemm(first, 2032);
    cublasLtMatmul(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                   NULL, 0, NULL);
    cublasCgemm(first, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, NULL, NULL, 1, NULL, 1, NULL, NULL,
                1);
    return cublasDestroy(first) != CUBLAS_STATUS_SUCCESS;
}
