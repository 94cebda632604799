/* SPDX-License-Identifier: MIT */
/* A program that calls cuBLAS, and with -DSTUB a cuBLAS for it that says which function was
   called, and can make no handle: so the preload library can take nothing over. STUB_MATH is
   its math mode. */
#include <stdio.h>
#include <stdlib.h>
#ifdef STUB
/* These functions look only at the first arguments. */
#define PRODUCT(name)                                                                          \
    int name(void *h, int ta, int tb, int m);                                                  \
    int name(void *h, int ta, int tb, int m)                                                   \
    {                                                                                          \
        return (void)h, (void)ta, (void)tb, printf(#name " %d\n", m) < 0;                      \
    }                                                                                          \
    int name##_64(void *h, int ta, int tb, long long m);                                       \
    int name##_64(void *h, int ta, int tb, long long m)                                        \
    {                                                                                          \
        return (void)h, (void)ta, (void)tb, printf(#name "_64 %lld\n", m) < 0;                 \
    }
PRODUCT(cublasSgemm_v2)
PRODUCT(cublasDgemm_v2)
PRODUCT(cublasSgemmStridedBatched)
PRODUCT(cublasGemmEx)
#define ANSWER(name, answer)                                                                   \
    int name(void *h, void **is);                                                              \
    int name(void *h, void **is) { return (void)h, answer; }
ANSWER(cublasGetStream_v2, (*is = NULL, 0))
ANSWER(cublasGetMathMode, (*(int *)is = getenv("STUB_MATH") ? atoi(getenv("STUB_MATH")) : 0, 0))
ANSWER(cublasGetPointerMode_v2, (*(int *)is = 0, 0))
ANSWER(cublasCreate_v2, ((void)is, 1))
ANSWER(cublasDestroy_v2, ((void)is, puts("cublasDestroy_v2") < 0))
/* Of cublasLt, and a function of cuBLAS that calls it. */
ANSWER(cublasLtMatmul, ((void)is, puts("cublasLtMatmul") < 0))
ANSWER(cublasCgemm_v2, cublasLtMatmul(h, is))
#else
#include <cublas_v2.h>

int main(void)
{
    const long long many = 3000000000, sizes[] = {2000, many};
    const int n = 2000;
    const cublasOperation_t no = CUBLAS_OP_N;
    const float one = 1;
    const double wide = 1;
    cublasHandle_t h = NULL;
    cublasSgemm(h, no, no, n, n, n, &one, NULL, n, NULL, n, &one, NULL, n);
    cublasDgemm(h, no, no, n, n, n, &wide, NULL, n, NULL, n, &wide, NULL, n);
    cublasSgemmStridedBatched(h, no, no, n, n, n, &one, NULL, n, 0, NULL, n, 0, &one, NULL, n,
                              0, 2);
    cublasGemmEx(h, no, no, n, n, n, &one, NULL, CUDA_R_32F, n, NULL, CUDA_R_32F, n, &one, NULL,
                 CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    for (int i = 0; i < 2; i++) {
        long long m = sizes[i];
        cublasSgemm_64(h, no, no, m, n, n, &one, NULL, m, NULL, n, &one, NULL, m);
        cublasDgemm_64(h, no, no, m, n, n, &wide, NULL, m, NULL, n, &wide, NULL, m);
        cublasSgemmStridedBatched_64(h, no, no, m, n, n, &one, NULL, m, 0, NULL, n, 0, &one,
                                     NULL, m, 0, 2);
        cublasGemmEx_64(h, no, no, m, n, n, &one, NULL, CUDA_R_32F, m, NULL, CUDA_R_32F, n,
                        &one, NULL, CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    }
    return cublasDestroy(h) != CUBLAS_STATUS_SUCCESS;
}
#endif
