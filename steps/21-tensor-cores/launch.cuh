/* SPDX-License-Identifier: MIT */
/** @file launch.cuh
 * Launches a kernel while the one before it still runs (programmatic dependent launch). On the
 * simulated GPU one kernel ends before the next begins.
 */
#ifndef STEPS_21_TENSOR_CORES_LAUNCH_CUH
#define STEPS_21_TENSOR_CORES_LAUNCH_CUH

#include "steps/21-tensor-cores/operands/operands.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define HAS_EARLY_LAUNCH 0
#else
#define HAS_EARLY_LAUNCH 1
#endif

/** Lets the next kernel begin once every thread block has come here or has ended. */
static __device__ __forceinline__ void next_may_begin(void)
{
#if HAS_EARLY_LAUNCH
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/** Waits until the kernel before has ended, and all that it has written can be read. A kernel
 * that was launched early must call this, since the kernel after it waits for this one only. */
static __device__ __forceinline__ void wait_for_kernel_before(void)
{
#if HAS_EARLY_LAUNCH
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/** Whether the kernel's code waits for the kernel before. A newer GPU may run code that was
 * translated from that of 8.0, which does not. */
static inline bool has_wait(const struct context *ctx, const void *kernel)
{
    struct cudaFuncAttributes attributes = {};
#ifdef LADDER_SM90A
    if (ctx->gpu->capability == 90) /* saves a query at each launch */
        return true;
#endif
    if (ctx->gpu->capability >= 90)
        GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, kernel));
    return attributes.ptxVersion >= 90;
}

/** Launches a kernel that may begin as next_may_begin() says in the kernel before it, and at
 * the latest when that one has ended. The one before must be ours: a caller's kernel may have
 * such instructions, too. Older GPUs have no such launches. @param early 0: an ordinary launch
 */
template <class... Parameters, class... Arguments>
static void launch_early(const struct context *ctx, bool early, void (*kernel)(Parameters...),
                         dim3 grid, dim3 block, size_t shared, Arguments... arguments)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {grid, block, shared, ctx->stream, &attribute};
    config.numAttrs = early && has_wait(ctx, (const void *)kernel);
    GPU_CALL(ctx, cudaLaunchKernelEx(&config, kernel, arguments...));
}

#endif
