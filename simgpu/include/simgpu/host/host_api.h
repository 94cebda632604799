/* SPDX-License-Identifier: MIT */
/** @file host_api.h
 * Calls of the runtime that matter on a GPU and are simple here: devices have no peers, all
 * memory pools share the device's memory, and hints have no effect.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_HOST_API_H
#define SIMGPU_INCLUDE_SIMGPU_HOST_API_H

#include "../../cuda_runtime_api.h"

/* ---- peers: cudaDeviceCanAccessPeer() says that there are none ---- */

SIMGPU_API cudaError_t cudaDeviceEnablePeerAccess(int, unsigned)
{
    return cudaErrorInvalidDevice;
}
SIMGPU_API cudaError_t cudaDeviceDisablePeerAccess(int) { return cudaErrorInvalidDevice; }
SIMGPU_API cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t bytes)
{
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
SIMGPU_API cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes,
                                           cudaStream_t stream = 0)
{
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

/* ---- memory pools ---- */

typedef struct CUmemPoolHandle_st *cudaMemPool_t;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4
};
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
SIMGPU_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int)
{
    *pool = (cudaMemPool_t)1;
    return cudaSuccess;
}
SIMGPU_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return cudaDeviceGetDefaultMemPool(pool, device);
}
SIMGPU_ACCEPTED(cudaMemPoolTrimTo, (cudaMemPool_t, size_t))
SIMGPU_ACCEPTED(cudaMemPoolSetAttribute, (cudaMemPool_t, cudaMemPoolAttr, void *))
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **device, size_t bytes, cudaMemPool_t,
                                                  cudaStream_t stream, SIMGPU_HERE)
{
    return simgpu_malloc_async((void **)device, bytes, stream, file, line);
}

/* ---- hints ---- */

template <class T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T *, size_t = 0, unsigned = 4)
{
    return cudaSuccess;
}
SIMGPU_ACCEPTED(cudaMemPrefetchAsync,
                (const void *, size_t, cudaMemLocation, unsigned, cudaStream_t = 0))
SIMGPU_ACCEPTED(cudaMemAdvise, (const void *, size_t, cudaMemoryAdvise, cudaMemLocation))
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
};

#endif
