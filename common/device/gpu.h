/* SPDX-License-Identifier: MIT */
/** @file gpu.h
 * For every CUDA step: the CUDA API (or the simulated GPU's), checked calls and the vector
 * types of `real`.
 */
#ifndef COMMON_DEVICE_GPU_H
#define COMMON_DEVICE_GPU_H

#include <cuda_runtime.h>

#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prints what failed and where, and ends the program with status 3 (or 1 for a failed kernel).
 * @param what the call's text
 * @param file,line of the call
 * @param code the cudaError_t
 * @param message the error in words */
void gpu_failed(const char *what, const char *file, int line, int code, const char *message);

#ifdef __cplusplus
}
#endif

/** Checks a CUDA call. */
#define CUDA_CHECK(call)                                                                       \
    do {                                                                                       \
        cudaError_t status_ = (call);                                                          \
        if (status_ != cudaSuccess)                                                            \
            gpu_failed(#call, __FILE__, __LINE__, (int)status_, cudaGetErrorString(status_));  \
    } while (0)

/** Must follow every launch: reports a kernel that could not start. */
#define CHECK_LAUNCH() CUDA_CHECK(cudaGetLastError())

/** A dimension of a grid: how many thread blocks cover n elements. Other counts: pieces_of().
 * @param n elements, 0 or more
 * @param size elements of a block, 1 or more
 * @return n / size, rounded up */
static inline unsigned blocks_for(long n, int size)
{
    return (unsigned)((n + size - 1) / size);
}

/// [vectors]
/** Two and four neighbouring elements, moved by one instruction. */
#if defined(LADDER_F32)
typedef float2 real2;
typedef float4 real4;
#elif defined(LADDER_F64)
typedef double2 real2;
#if defined(__NVCC__) && CUDART_VERSION >= 13000
typedef double4_16a real4;
#else
typedef double4 real4;
#endif
#endif
/// [vectors]

#endif
