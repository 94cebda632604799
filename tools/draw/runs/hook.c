/* SPDX-License-Identifier: MIT */
#include "step_run.h"

#ifdef LADDER_SIM
/* The linker sends the step's launches and cuBLAS calls here (--wrap=NAME), and __real_NAME to
   the simulated GPU. */
#include <cublas_v2.h>
#include <simgpu/hooks.h>
#include <stdio.h>

#define PARAMETERS                                                                             \
    cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n
#define GEAM_PARAMETERS                                                                        \
    PARAMETERS, const double *alpha, const double *x, int ldx, const double *beta,             \
        const double *y, int ldy, double *z, int ldz
#define GEMM_PARAMETERS                                                                        \
    PARAMETERS, int k, const double *alpha, const double *x, int ldx, const double *y,         \
        int ldy, const double *beta, double *z, int ldz
cublasStatus_t __real_cublasDgeam(GEAM_PARAMETERS);
cublasStatus_t __wrap_cublasDgeam(GEAM_PARAMETERS);
cublasStatus_t __real_cublasDgemm(GEMM_PARAMETERS);
cublasStatus_t __wrap_cublasDgemm(GEMM_PARAMETERS);
void __real_simgpu_launch(const struct simgpu_launch_desc *launch);
void __wrap_simgpu_launch(const struct simgpu_launch_desc *launch);

void __wrap_simgpu_launch(const struct simgpu_launch_desc *launch)
{
    char call[200];
    __real_simgpu_launch(launch);
    snprintf(call, sizeof call, "\"kernel\":\"%s\",\"grid\":[%u,%u]", launch->kernel_text,
             (unsigned)launch->grid[0], (unsigned)launch->grid[1]);
    watch(call);
}

static void called(const char *name, int transposes, int m, int n, int k, const double *x,
                   int ldx, const double *y)
{
    char call[200];
    snprintf(call, sizeof call,
             "\"kernel\":\"%s\",\"transposes\":%d,\"m\":%d,\"n\":%d,\"k\":%d,\"x\":%zu,"
             "\"ldx\":%d,\"y\":%zu",
             name, transposes, m, n, k, (size_t)x, ldx, (size_t)y);
    watch(call);
}

cublasStatus_t __wrap_cublasDgeam(GEAM_PARAMETERS)
{
    cublasStatus_t status =
        __real_cublasDgeam(handle, ta, tb, m, n, alpha, x, ldx, beta, y, ldy, z, ldz);
    called(*beta == 0  ? "copy"
           : *beta < 0 ? "sub"
                       : "add",
           ta != CUBLAS_OP_N, m, n, 0, x, ldx, y);
    return status;
}

cublasStatus_t __wrap_cublasDgemm(GEMM_PARAMETERS)
{
    cublasStatus_t status =
        __real_cublasDgemm(handle, ta, tb, m, n, k, alpha, x, ldx, y, ldy, beta, z, ldz);
    called("gemm", ta != CUBLAS_OP_N || tb != CUBLAS_OP_N, m, n, k, x, ldx, y);
    return status;
}
#else
/* Compiled with -finstrument-functions, GCC and Clang call these around every function. */
void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller) { (void)function, (void)caller; }

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
    watch("\"kernel\":\"\"");
}
#endif
