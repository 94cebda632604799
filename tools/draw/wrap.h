/* SPDX-License-Identifier: MIT */
/** @file wrap.h
 * Launches and cuBLAS calls as the linker's --wrap hands them on: a drawer looks at the call in
 * __wrap_NAME() and passes it to __real_NAME().
 */
#ifndef TOOLS_DRAW_WRAP_H
#define TOOLS_DRAW_WRAP_H

#include <cublas_v2.h>
#include <simgpu/hooks.h>

#define GEAM_PARAMETERS                                                                        \
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        const double *alpha, const double *x, int ldx, const double *beta, const double *y,    \
        int ldy, double *z, int ldz
#define GEMM_PARAMETERS                                                                        \
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const double *alpha, const double *x, int ldx, const double *y, int ldy,        \
        const double *beta, double *z, int ldz
cublasStatus_t __real_cublasDgeam(GEAM_PARAMETERS);
cublasStatus_t __wrap_cublasDgeam(GEAM_PARAMETERS);
cublasStatus_t __real_cublasDgemm(GEMM_PARAMETERS);
cublasStatus_t __wrap_cublasDgemm(GEMM_PARAMETERS);
void __real_simgpu_launch(const struct simgpu_launch_desc *launch);
void __wrap_simgpu_launch(const struct simgpu_launch_desc *launch);

#endif
