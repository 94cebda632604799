/* SPDX-License-Identifier: MIT */
#include "step_run.h"

#ifdef LADDER_SIM
/* The linker sends the step's launches and cuBLAS calls here (--wrap=NAME), and __real_NAME to
   the simulated GPU. */
#include "wrap.h"

void __wrap_simgpu_launch(const struct simgpu_launch_desc *launch)
{
    __real_simgpu_launch(launch);
    watch(kernel_name(launch->kernel_text));
}

cublasStatus_t __wrap_cublasDgeam(GEAM_PARAMETERS)
{
    cublasStatus_t status =
        __real_cublasDgeam(handle, transa, transb, m, n, alpha, x, ldx, beta, y, ldy, z, ldz);
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
#else
/* Compiled with -finstrument-functions, GCC and Clang call these around every function. */
void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller) { (void)function, (void)caller; }

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
    watch("");
}
#endif
