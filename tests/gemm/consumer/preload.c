/* SPDX-License-Identifier: MIT */
/* A program that calls cuBLAS, and with -DSTUB a cuBLAS for it that says which function was
   called, and can make no handle: so the preload library can take nothing over. STUB_MATH is
   its math mode. */
#include <stdio.h>
#include <stdlib.h>
#ifdef STUB
/* These functions look only at the first arguments. */
static int says(const char *name, long long m) { return printf("%s %lld\n", name, m) < 0; }
int cublasSgemm_v2(void *h, int ta, int tb, int m)
{
    return (void)h, (void)ta, (void)tb, says("cublasSgemm_v2", m);
}
int cublasSgemm_v2_64(void *h, int ta, int tb, long long m)
{
    return (void)h, (void)ta, (void)tb, says("cublasSgemm_v2_64", m);
}
int cublasDgemm_v2(void *h, int ta, int tb, int m)
{
    return (void)h, (void)ta, (void)tb, says("cublasDgemm_v2", m);
}
int cublasDgemm_v2_64(void *h, int ta, int tb, long long m)
{
    return (void)h, (void)ta, (void)tb, says("cublasDgemm_v2_64", m);
}
int cublasZgemm_v2(void *h, int ta, int tb, int m)
{
    return (void)h, (void)ta, (void)tb, says("cublasZgemm_v2", m);
}
int cublasZgemm_v2_64(void *h, int ta, int tb, long long m)
{
    return (void)h, (void)ta, (void)tb, says("cublasZgemm_v2_64", m);
}
int cublasDsyrk_v2(void *h, int uplo, int trans, int n)
{
    return (void)h, (void)uplo, (void)trans, says("cublasDsyrk_v2", n);
}
int cublasDsyrk_v2_64(void *h, int uplo, int trans, long long n)
{
    return (void)h, (void)uplo, (void)trans, says("cublasDsyrk_v2_64", n);
}
int cublasSgemmStridedBatched(void *h, int ta, int tb, int m)
{
    return (void)h, (void)ta, (void)tb, says("cublasSgemmStridedBatched", m);
}
int cublasSgemmStridedBatched_64(void *h, int ta, int tb, long long m)
{
    return (void)h, (void)ta, (void)tb, says("cublasSgemmStridedBatched_64", m);
}
int cublasGemmEx(void *h, int ta, int tb, int m)
{
    return (void)h, (void)ta, (void)tb, says("cublasGemmEx", m);
}
int cublasGemmEx_64(void *h, int ta, int tb, long long m)
{
    return (void)h, (void)ta, (void)tb, says("cublasGemmEx_64", m);
}
int cublasGetStream_v2(void *h, void **is) { return (void)h, *is = NULL, 0; }
int cublasGetMathMode(void *h, int *is)
{
    const char *mode = getenv("STUB_MATH");
    return (void)h, *is = mode ? atoi(mode) : 0, 0;
}
int cublasGetPointerMode_v2(void *h, int *is) { return (void)h, *is = 0; }
int cublasCreate_v2(void **h) { return (void)h, 1; }
int cublasDestroy_v2(void *h) { return (void)h, puts("cublasDestroy_v2") < 0; }
/* Of cublasLt, and a function of cuBLAS that calls it. */
int cublasLtMatmul(void *h) { return (void)h, puts("cublasLtMatmul") < 0; }
int cublasCgemm_v2(void *h) { return cublasLtMatmul(h); }
#else
#include <cublas_v2.h>

int main(void)
{
    const long long many = 3000000000, sizes[] = {2000, many};
    const int n = 2000;
    const cublasOperation_t no = CUBLAS_OP_N;
    const float one = 1;
    const double wide = 1;
    const cuDoubleComplex z = {1, 0};
    cublasHandle_t h = NULL;
    cublasSgemm(h, no, no, n, n, n, &one, NULL, n, NULL, n, &one, NULL, n);
    cublasDgemm(h, no, no, n, n, n, &wide, NULL, n, NULL, n, &wide, NULL, n);
    cublasZgemm(h, no, no, n, n, n, &z, NULL, n, NULL, n, &z, NULL, n);
    cublasDsyrk(h, CUBLAS_FILL_MODE_LOWER, no, n, n, &wide, NULL, n, &wide, NULL, n);
    cublasSgemmStridedBatched(h, no, no, n, n, n, &one, NULL, n, 0, NULL, n, 0, &one, NULL, n,
                              0, 2);
    cublasGemmEx(h, no, no, n, n, n, &one, NULL, CUDA_R_32F, n, NULL, CUDA_R_32F, n, &one, NULL,
                 CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    for (int i = 0; i < 2; i++) {
        long long m = sizes[i];
        cublasSgemm_64(h, no, no, m, n, n, &one, NULL, m, NULL, n, &one, NULL, m);
        cublasDgemm_64(h, no, no, m, n, n, &wide, NULL, m, NULL, n, &wide, NULL, m);
        cublasZgemm_64(h, no, no, m, n, n, &z, NULL, m, NULL, n, &z, NULL, m);
        cublasDsyrk_64(h, CUBLAS_FILL_MODE_LOWER, no, m, n, &wide, NULL, m, &wide, NULL, m);
        cublasSgemmStridedBatched_64(h, no, no, m, n, n, &one, NULL, m, 0, NULL, n, 0, &one,
                                     NULL, m, 0, 2);
        cublasGemmEx_64(h, no, no, m, n, n, &one, NULL, CUDA_R_32F, m, NULL, CUDA_R_32F, n,
                        &one, NULL, CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    }
    return cublasDestroy(h) != CUBLAS_STATUS_SUCCESS;
}
#endif
