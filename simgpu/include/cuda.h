/* SPDX-License-Identifier: MIT */
/** @file cuda.h
 * The driver API's types, for sources that include <cuda.h> and use the runtime. Its functions
 * (cuInit, cuLaunchKernel ...) are not simulated.
 */
#ifndef SIMGPU_INCLUDE_CUDA_H
#define SIMGPU_INCLUDE_CUDA_H

#include "cuda_runtime.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION CUDART_VERSION
#endif

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUarray_st *CUarray;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

#ifdef __cplusplus
#define SIMGPU_NO_DRIVER(name)                                                                 \
    SIMGPU_UNSUPPORTED(name,                                                                   \
                       ": the driver API is not; use the runtime, cuda... in place of cu...")
SIMGPU_NO_DRIVER(cuInit)
SIMGPU_NO_DRIVER(cuDeviceGet)
SIMGPU_NO_DRIVER(cuCtxCreate)
SIMGPU_NO_DRIVER(cuModuleLoad)
SIMGPU_NO_DRIVER(cuModuleLoadData)
SIMGPU_NO_DRIVER(cuMemAlloc)
SIMGPU_NO_DRIVER(cuMemcpyHtoD)
SIMGPU_NO_DRIVER(cuLaunchKernel)
#undef SIMGPU_NO_DRIVER
#endif
#endif
