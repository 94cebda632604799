/* The linker sends the step's launches and cuBLAS calls here (--wrap=NAME), and __real_NAME to
   the simulated GPU. */
#include <simgpu/hooks.h>

#include "watch.h"
#include "wrap_dgemm.h"

void __real_simgpu_launch(const struct simgpu_launch_desc *launch);
void __wrap_simgpu_launch(const struct simgpu_launch_desc *launch);

void __wrap_simgpu_launch(const struct simgpu_launch_desc *launch)
{
    __real_simgpu_launch(launch);
    watch(launch->kernel_text);
}

#define GEAM_PARAMETERS                                                                        \
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        const double *alpha, const double *a, int lda, const double *beta, const double *b,    \
        int ldb, double *c, int ldc
cublasStatus_t __real_cublasDgeam(GEAM_PARAMETERS);
cublasStatus_t __wrap_cublasDgeam(GEAM_PARAMETERS);

cublasStatus_t __wrap_cublasDgeam(GEAM_PARAMETERS)
{
    cublasStatus_t status =
        __real_cublasDgeam(handle, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
    watch(*beta == 0 ? "copy" : *beta < 0 ? "sub" : "add");
    return status;
}

cublasStatus_t __wrap_cublasDgemm(GEMM_PARAMETERS)
{
    cublasStatus_t status = __real_cublasDgemm(handle, transa, transb, m, n, k, alpha, x, ldx,
                                               y, ldy, beta, z, ldz);
    watch("gemm");
    return status;
}
