/**
 * @file wrap_dgemm.h
 * cublasDgemm as the linker's --wrap hands it on: a drawer looks at the call in
 * __wrap_cublasDgemm() and passes it to __real_cublasDgemm().
 */
#ifndef TOOLS_DRAW_WRAP_DGEMM_H
#define TOOLS_DRAW_WRAP_DGEMM_H

#include <cublas_v2.h>

#define GEMM_PARAMETERS                                                                        \
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const double *alpha, const double *x, int ldx, const double *y, int ldy,        \
        const double *beta, double *z, int ldz
cublasStatus_t __real_cublasDgemm(GEMM_PARAMETERS);
cublasStatus_t __wrap_cublasDgemm(GEMM_PARAMETERS);

#endif
