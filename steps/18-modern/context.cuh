/* SPDX-License-Identifier: MIT */
/** @file context.cuh
 * The context of steps 18 to 21: where the work of a product goes, with which handle, and what
 * happens when a call fails.
 */
#ifndef STEPS_18_MODERN_CONTEXT_CUH
#define STEPS_18_MODERN_CONTEXT_CUH

#include <stdbool.h>

#include "common/matrix/block.h"
#include "common/device/cublas.h"
#include "common/device/gpu.h"
#include "gpu.h"

/** Elements of cuBLAS's workspace in a stream beside the main one. */
enum { CUBLAS_WORKSPACE = 1 << 16 };

/** Every CUDA and cuBLAS call goes through these. After a failure nothing more is called. */
#define GPU_CALL(x, call)                                                                      \
    do {                                                                                       \
        cudaError_t status_ = is_failed(x) ? cudaSuccess : (call);                             \
        if (status_ != cudaSuccess)                                                            \
            (x)->gpu->failed((x)->gpu, FAILURE_CUDA, #call, __FILE__, __LINE__, (int)status_); \
    } while (0)
#define BLAS_CALL(x, call)                                                                     \
    do {                                                                                       \
        cublasStatus_t status_ = is_failed(x) ? CUBLAS_STATUS_SUCCESS : (call);                \
        if (status_ != CUBLAS_STATUS_SUCCESS)                                                  \
            (x)->gpu->failed((x)->gpu, FAILURE_CUBLAS, #call, __FILE__, __LINE__,              \
                             (int)status_);                                                    \
    } while (0)

/** Stands after every launch: a kernel that could not start says so here. */
#define LAUNCHED(x) GPU_CALL(x, cudaGetLastError())

static inline bool is_failed(const struct context *x)
{
    return x->gpu->failure && x->gpu->failure->status;
}

/** From here on cuBLAS works in the context's stream, and in this workspace, which must be set
 * again because cublasSetStream() drops it. NULL: cuBLAS's own. */
static inline void enter_cublas(const struct context *x, real *workspace)
{
    BLAS_CALL(x, cublasSetStream(x->gpu->cublas, x->stream));
    if (workspace)
        BLAS_CALL(
            x, cublasSetWorkspace(x->gpu->cublas, workspace, CUBLAS_WORKSPACE * sizeof(real)));
}

/** Others use the handle too, in the default stream. */
static inline void leave_cublas(const struct context *x)
{
    BLAS_CALL(x, cublasSetStream(x->gpu->cublas, 0));
}

/** cublasSgemm or cublasDgemm as the leaf. cuBLAS is column-major: in its eyes
 * C^T = B^T A^T. */
static inline void multiply_by_cublas(const struct context *x, struct product p, int levels,
                                      real *workspace)
{
    const real one = 1, beta = p.accumulate != 0;
    int m = (int)p.c.rows, n = (int)p.c.cols, k = (int)p.a.cols;
    enter_cublas(x, workspace);
#ifdef LADDER_F32
    BLAS_CALL(x, cublasSgemm(x->gpu->cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, p.b.at,
                             (int)p.b.ld, p.a.at, (int)p.a.ld, &beta, p.c.at, (int)p.c.ld));
#else
    BLAS_CALL(x, cublasDgemm(x->gpu->cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, p.b.at,
                             (int)p.b.ld, p.a.at, (int)p.a.ld, &beta, p.c.at, (int)p.c.ld));
#endif
    leave_cublas(x);
}

static const struct leaf leaf_by_cublas = {.name = "cublas", .multiply = multiply_by_cublas};

#endif
