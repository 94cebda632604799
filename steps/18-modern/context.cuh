/**
 * @file context.cuh
 * The context of steps 18 to 20: where the work of a product goes, with which handle, and what
 * happens when a call fails. Nobody changes one that he was given; who needs another stream
 * passes on a copy.
 */
#ifndef STEPS_18_MODERN_CONTEXT_CUH
#define STEPS_18_MODERN_CONTEXT_CUH

#include <stdbool.h>

#include "common/matrix/block.h"
#include "common/device/cublas.h"
#include "common/device/gpu.h"
#include "failure.h"

struct lanes;

/** Elements of cuBLAS's workspace in a stream beside the main one. */
enum { CUBLAS_WORKSPACE = 1 << 16 };

/// [context]
/** What all products of a method have in common. A method has the form of every recursion here,
 *
 *     void method(const struct gpu_context *x, struct product p, int levels, real *workspace);
 */
struct gpu_context {
    cudaStream_t stream;       /**< kernels and cuBLAS's products are launched into it */
    cublasHandle_t cublas;     /**< see enter_cublas() */
    void *cublas_workspace;    /**< cuBLAS's workspace in this stream; NULL: its own */
    const struct lanes *lanes; /**< streams beside this one; NULL: none */
    long most_sum_blocks; /**< blocks that a kernel of sums may have; 0: one for each tile */
    /** Multiplies when no level is left. */
    void (*leaf)(const struct gpu_context *x, struct product p);
    /** Where failures are noted; NULL: they end the program. */
    struct failure *failure;
    /** Notes one, or ends the program. */
    void (*failed)(const struct gpu_context *x, int kind, const char *call, const char *file,
                   int line, int code);
};
/// [context]

/** Every CUDA and cuBLAS call goes through these. After a failure nothing more is called. */
#define GPU_CALL(x, call)                                                                      \
    do {                                                                                       \
        cudaError_t status_ = is_failed(x) ? cudaSuccess : (call);                             \
        if (status_ != cudaSuccess)                                                            \
            (x)->failed(x, FAILURE_CUDA, #call, __FILE__, __LINE__, (int)status_);             \
    } while (0)
#define BLAS_CALL(x, call)                                                                     \
    do {                                                                                       \
        cublasStatus_t status_ = is_failed(x) ? CUBLAS_STATUS_SUCCESS : (call);                \
        if (status_ != CUBLAS_STATUS_SUCCESS)                                                  \
            (x)->failed(x, FAILURE_CUBLAS, #call, __FILE__, __LINE__, (int)status_);           \
    } while (0)

/** Stands after every launch: a kernel that could not start says so here. */
#define LAUNCHED(x) GPU_CALL(x, cudaGetLastError())

static inline bool is_failed(const struct gpu_context *x)
{
    return x->failure && x->failure->status;
}

/** From here on cuBLAS works in the context's stream. cublasSetStream takes a workspace away.
 */
static inline void enter_cublas(const struct gpu_context *x)
{
    BLAS_CALL(x, cublasSetStream(x->cublas, x->stream));
    if (x->cublas_workspace)
        BLAS_CALL(x, cublasSetWorkspace(x->cublas, x->cublas_workspace,
                                        CUBLAS_WORKSPACE * sizeof(real)));
}

/** Others use the handle too, in the default stream. */
static inline void leave_cublas(const struct gpu_context *x)
{
    BLAS_CALL(x, cublasSetStream(x->cublas, 0));
}

/** cublasSgemm or cublasDgemm as the leaf. cuBLAS is column-major: in its eyes C^T = B^T A^T.
 */
static inline void multiply_by_cublas(const struct gpu_context *x, struct product p)
{
    const real one = 1, zero = 0;
    int m = (int)p.c.rows, n = (int)p.c.cols, k = (int)p.a.cols;
    enter_cublas(x);
#ifdef LADDER_F32
    BLAS_CALL(x, cublasSgemm(x->cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, p.b.at,
                             (int)p.b.ld, p.a.at, (int)p.a.ld, &zero, p.c.at, (int)p.c.ld));
#else
    BLAS_CALL(x, cublasDgemm(x->cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, p.b.at,
                             (int)p.b.ld, p.a.at, (int)p.a.ld, &zero, p.c.at, (int)p.c.ld));
#endif
    leave_cublas(x);
}

#endif
