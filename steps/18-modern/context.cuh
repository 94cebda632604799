/* SPDX-License-Identifier: MIT */
/** @file context.cuh
 * The context of steps 18 to 23: where the work of a product goes, with which handle, and what
 * happens when a call fails; the streams in addition to the main one; and a program's context.
 */
#ifndef STEPS_18_MODERN_CONTEXT_CUH
#define STEPS_18_MODERN_CONTEXT_CUH

#include <stdbool.h>

#include "common/matrix/block.h"
#include "common/device/libraries/cublas.h"
#include "common/device/gpu.h"
#include "gpu.h"

/** Elements of cuBLAS's workspace in another stream than the main one. */
enum { CUBLAS_WORKSPACE = 1 << 16 };

/** Every CUDA and cuBLAS call goes through these; launch_error() after every launch reports a
 * kernel that could not start. After a failure nothing more is called. They are macros
 * because a function would call before it knows of the failure, and has neither the call's text
 * nor its line. */
#define GPU_CALL(ctx, call)                                                                    \
    do {                                                                                       \
        cudaError_t status_ = is_failed(ctx) ? cudaSuccess : (call);                           \
        if (status_ != cudaSuccess)                                                            \
            (ctx)->gpu->failed((ctx)->gpu, FAILURE_CUDA, #call, __FILE__, __LINE__,            \
                               (int)status_);                                                  \
    } while (0)
#define BLAS_CALL(ctx, call)                                                                   \
    do {                                                                                       \
        cublasStatus_t status_ = is_failed(ctx) ? CUBLAS_STATUS_SUCCESS : (call);              \
        if (status_ != CUBLAS_STATUS_SUCCESS)                                                  \
            (ctx)->gpu->failed((ctx)->gpu, FAILURE_CUBLAS, #call, __FILE__, __LINE__,          \
                               (int)status_);                                                  \
    } while (0)

/** The products of `levels` levels, 0 to 2, which steps 19 to 23 multiply in one launch. */
static __host__ __device__ __forceinline__ int products_of(int levels)
{
    return levels == 2 ? 49 : levels == 1 ? 7 : 1;
}

static inline bool is_failed(const struct context *ctx)
{
    return ctx->gpu->failure && ctx->gpu->failure->status;
}

/** Why the last kernel could not start. An error that the library's caller left before the call
 * is not ours: it stays for the caller, as it does in calls of cuBLAS. */
static inline cudaError_t launch_error(const struct context *ctx)
{
    cudaError_t last = cudaPeekAtLastError();
    return (int)last == ctx->gpu->before ? cudaSuccess : last;
}

/** From here on cuBLAS works in the context's stream, and in this workspace, which must be set
 * again because cublasSetStream() drops it. With NULL cuBLAS uses its own workspace. */
static inline void enter_cublas(const struct context *ctx, real *workspace)
{
    BLAS_CALL(ctx, cublasSetStream(ctx->gpu->cublas, ctx->stream));
    if (workspace)
        BLAS_CALL(ctx, cublasSetWorkspace(ctx->gpu->cublas, workspace,
                                          CUBLAS_WORKSPACE * sizeof(real)));
}

/** Puts the handle back into its usual stream, in which others use it, and so drops the
 * workspace; after a failure, too, or later products would run there. */
static inline void leave_cublas(const struct context *ctx)
{
    if (is_failed(ctx))
        cublasSetStream(ctx->gpu->cublas, ctx->gpu->home);
    BLAS_CALL(ctx, cublasSetStream(ctx->gpu->cublas, ctx->gpu->home));
}

/** cublasSgemm or cublasDgemm as the leaf, in the context's stream and with its handle, which
 * common/device/libraries/cublas.h's multiply_cublas() does not use. cuBLAS is column-major: in
 * its eyes C^T = B^T A^T. */
static inline void cublas_in_stream(const struct context *ctx, struct product p, int,
                                    real *workspace)
{
    const real one = 1, beta = p.accumulate != 0;
    int m = (int)p.c.rows, n = (int)p.c.cols, k = (int)p.a.cols;
    enter_cublas(ctx, workspace);
#ifdef LADDER_F32
    BLAS_CALL(ctx,
              cublasSgemm(ctx->gpu->cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, p.b.at,
                          (int)p.b.ld, p.a.at, (int)p.a.ld, &beta, p.c.at, (int)p.c.ld));
#else
    BLAS_CALL(ctx,
              cublasDgemm(ctx->gpu->cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, p.b.at,
                          (int)p.b.ld, p.a.at, (int)p.a.ld, &beta, p.c.at, (int)p.c.ld));
#endif
    leave_cublas(ctx);
}

static const struct leaf leaf_in_stream = {.name = "cublas", .multiply = cublas_in_stream};

/* ---- Lanes: several streams at a time, and cuBLAS in them ---- */

/** Streams in addition to the main one, and events that show when their work is done. Blocks
 * that are launched into the urgent one go before those of the others. */
enum { LANES = 2, URGENT = LANES, ALL_LANES };
struct lane {
    cudaStream_t stream;
    cudaEvent_t done;
};
struct lanes {
    struct lane lane[ALL_LANES];
    cudaEvent_t main_done;
};

static inline void make_lanes(const struct context *ctx, struct lanes *lanes)
{
    int least, greatest;
    GPU_CALL(ctx, cudaDeviceGetStreamPriorityRange(&least, &greatest));
    for (int i = 0; i < ALL_LANES; i++) {
        GPU_CALL(ctx,
                 cudaStreamCreateWithPriority(&lanes->lane[i].stream, cudaStreamNonBlocking,
                                              i == URGENT ? greatest : least));
        GPU_CALL(ctx, cudaEventCreateWithFlags(&lanes->lane[i].done, cudaEventDisableTiming));
    }
    GPU_CALL(ctx, cudaEventCreateWithFlags(&lanes->main_done, cudaEventDisableTiming));
}

/* Makes the lanes wait for the work that the main stream has so far. */
static inline void fork_lanes(const struct context *ctx)
{
    GPU_CALL(ctx, cudaEventRecord(ctx->gpu->lanes->main_done, ctx->stream));
    for (int i = 0; i < ALL_LANES; i++)
        GPU_CALL(ctx, cudaStreamWaitEvent(ctx->gpu->lanes->lane[i].stream,
                                          ctx->gpu->lanes->main_done, 0));
}

/* Makes the main stream wait for the lanes. */
static inline void join_lanes(const struct context *ctx)
{
    for (int i = 0; i < ALL_LANES; i++) {
        const struct lane *lane = &ctx->gpu->lanes->lane[i];
        GPU_CALL(ctx, cudaEventRecord(lane->done, lane->stream));
        GPU_CALL(ctx, cudaStreamWaitEvent(ctx->stream, lane->done, 0));
    }
}

/// [cublas in lanes]
/* The context in lane i. cuBLAS does not promise the same bits in each run if streams that run
   at the same time share a workspace. So each of the first LANES has its own; they begin at
   `workspaces`. The urgent lane of step 19 computes only sums and needs none. */
static inline struct context context_in_lane(const struct context *ctx, int i, real *workspaces)
{
    struct context in_lane = *ctx;
    in_lane.stream = ctx->gpu->lanes->lane[i].stream;
    in_lane.leaf_workspace = i < LANES ? workspaces + i * CUBLAS_WORKSPACE : NULL;
    return in_lane;
}

/* Elements of all lanes' workspaces. */
enum { LANE_WORKSPACES = (int)LANES * (int)CUBLAS_WORKSPACE };
/// [cublas in lanes]

/* ---- A step as a program: its only handle, the lanes, and the end at a failure ---- */

static inline void end_program(const struct gpu *, int kind, const char *call, const char *file,
                               int line, int code)
{
    if (kind == FAILURE_CUDA)
        gpu_failed(call, file, line, code, cudaGetErrorString((cudaError_t)code));
    else
        cublas_failed(call, file, line, code);
}

/** The runner's context with the program's GPU, in the default stream, and with this leaf
 * instead of the runner's (NULL: no leaf). The first call makes the lanes. */
static inline struct context program_context(const struct context *ctx, const struct leaf *leaf)
{
    static struct lanes lanes;
    static struct gpu gpu;
    struct context program = *ctx;
    program.gpu = &gpu;
    program.leaf = leaf;
    if (lanes.main_done)
        return program;
    struct cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    gpu.cublas = gpu_cublas(), gpu.lanes = &lanes, gpu.failed = end_program;
    gpu.multiprocessors = properties.multiProcessorCount;
    gpu.capability = 10 * properties.major + properties.minor;
    make_lanes(&program, &lanes);
    return program;
}

/** A function for a table's row: the method in the program's context, which has no leaf. */
template <multiplication *method>
static void in_program(const struct context *ctx, struct product p, int levels, real *workspace)
{
    struct context program = program_context(ctx, NULL);
    method(&program, p, levels, workspace);
}

/** The same for a method that recurses down to cuBLAS, in the streams that it chooses. */
template <multiplication *method>
static void over_cublas(const struct context *ctx, struct product p, int levels,
                        real *workspace)
{
    struct context program = program_context(ctx, &leaf_in_stream);
    method(&program, p, levels, workspace);
}

#endif
