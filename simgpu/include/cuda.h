/* SPDX-License-Identifier: MIT */
/** @file cuda.h
 * The driver API, as far as it does what the runtime does: devices, memory, streams, events;
 * and tensor maps.
 * Modules (cuModuleLoad, cuLaunchKernel ...) are not simulated.
 */
#ifndef SIMGPU_INCLUDE_CUDA_H
#define SIMGPU_INCLUDE_CUDA_H

#include <stdio.h>

#include "cuda_runtime.h"

/* The guard of CUDA's own header, which other headers test. */
#define __cuda_cuda_h__

#ifndef CUDA_VERSION
#define CUDA_VERSION CUDART_VERSION
#endif

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_LAUNCH_FAILED = 719,
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
/* Device attributes have the runtime's numbers. */
typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76
} CUdevice_attribute;
enum { CU_COMPUTEMODE_DEFAULT = 0, CU_COMPUTEMODE_PROHIBITED = 2 };
/* A thin layer over the runtime: each call does what the runtime's call does. There is one
 * context. */
#define SIMGPU_DRIVER(name, parameters, call)                                                  \
    SIMGPU_API CUresult name parameters { return (CUresult)(call); }
SIMGPU_DRIVER(cuInit, (unsigned), 0)
SIMGPU_DRIVER(cuDriverGetVersion, (int *version), cudaDriverGetVersion(version))
SIMGPU_DRIVER(cuDeviceGet, (CUdevice * device, int number), (*device = number, 0))
SIMGPU_DRIVER(cuDeviceGetCount, (int *count), cudaGetDeviceCount(count))
SIMGPU_DRIVER(cuDeviceGetAttribute, (int *value, int attribute, CUdevice device),
              cudaDeviceGetAttribute(value, (cudaDeviceAttr)attribute, device))
SIMGPU_API CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    cudaDeviceProp p;
    cudaError_t error = cudaGetDeviceProperties(&p, device);
    if (error == cudaSuccess && size > 0)
        snprintf(name, (size_t)size, "%s", p.name);
    return (CUresult)error;
}
SIMGPU_DRIVER(cuMemGetInfo, (size_t * unused, size_t *all), cudaMemGetInfo(unused, all))
SIMGPU_DRIVER(cuCtxCreate, (CUcontext * context, unsigned, CUdevice device),
              (*context = (CUcontext)1, cudaSetDevice(device)))
SIMGPU_DRIVER(cuCtxDestroy, (CUcontext), 0)
SIMGPU_DRIVER(cuCtxSynchronize, (), cudaDeviceSynchronize())
SIMGPU_API CUresult cuMemAlloc(CUdeviceptr *device, size_t bytes, SIMGPU_HERE)
{
    void *memory = 0;
    cudaError_t error = simgpu_malloc(&memory, bytes, file, line);
    *device = (CUdeviceptr)(size_t)memory;
    return (CUresult)error;
}
SIMGPU_DRIVER(cuMemFree, (CUdeviceptr device), cudaFree((void *)(size_t)device))
SIMGPU_DRIVER(cuMemcpyHtoD, (CUdeviceptr to, const void *from, size_t bytes),
              cudaMemcpy((void *)(size_t)to, from, bytes, cudaMemcpyHostToDevice))
SIMGPU_DRIVER(cuMemcpyDtoH, (void *to, CUdeviceptr from, size_t bytes),
              cudaMemcpy(to, (void *)(size_t)from, bytes, cudaMemcpyDeviceToHost))
SIMGPU_DRIVER(cuStreamCreate, (CUstream * stream, unsigned flags),
              cudaStreamCreateWithFlags(stream, flags))
SIMGPU_DRIVER(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
SIMGPU_DRIVER(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
SIMGPU_DRIVER(cuEventCreate, (CUevent * event, unsigned flags),
              cudaEventCreateWithFlags(event, flags))
SIMGPU_DRIVER(cuEventDestroy, (CUevent event), cudaEventDestroy(event))
SIMGPU_DRIVER(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
SIMGPU_DRIVER(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
SIMGPU_DRIVER(cuEventElapsedTime, (float *milliseconds, CUevent start, CUevent stop),
              cudaEventElapsedTime(milliseconds, start, stop))
SIMGPU_API CUresult cuGetErrorName(CUresult error, const char **name)
{
    *name = error == CUDA_SUCCESS ? "CUDA_SUCCESS" : cudaGetErrorName((cudaError_t)error);
    return CUDA_SUCCESS;
}
SIMGPU_API CUresult cuGetErrorString(CUresult error, const char **text)
{
    *text = cudaGetErrorString((cudaError_t)error);
    return CUDA_SUCCESS;
}

#include "simgpu/host/tensor_map.h"
#endif
#endif
