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

/** Between the one device and itself: 0, as where there is no link. */
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
};
SIMGPU_API cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr, int, int)
{
    *value = 0;
    return cudaSuccess;
}

/* ---- memory of other processes, which a device without this ability refuses ---- */

enum { cudaIpcMemLazyEnablePeerAccess = 1 };
struct cudaIpcMemHandle_t {
    char reserved[64];
};
struct cudaIpcEventHandle_t {
    char reserved[64];
};
SIMGPU_REFUSED(cudaIpcGetMemHandle, (cudaIpcMemHandle_t *, void *))
SIMGPU_REFUSED(cudaIpcOpenMemHandle, (void **, cudaIpcMemHandle_t, unsigned))
SIMGPU_REFUSED(cudaIpcCloseMemHandle, (void *))
SIMGPU_REFUSED(cudaIpcGetEventHandle, (cudaIpcEventHandle_t *, cudaEvent_t))
SIMGPU_REFUSED(cudaIpcOpenEventHandle, (cudaEvent_t *, cudaIpcEventHandle_t))

/* ---- memory pools ---- */

typedef struct CUmemPoolHandle_st *cudaMemPool_t;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4
};
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid = 0, cudaMemAllocationTypePinned };
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1
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
struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
};
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
    cudaMemLocation location;
    cudaMemAccessFlags flags;
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
SIMGPU_ACCEPTED(cudaDeviceSetMemPool, (int, cudaMemPool_t))
SIMGPU_API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *)
{
    return cudaDeviceGetDefaultMemPool(pool, 0);
}
SIMGPU_ACCEPTED(cudaMemPoolDestroy, (cudaMemPool_t))
SIMGPU_ACCEPTED(cudaMemPoolTrimTo, (cudaMemPool_t, size_t))
SIMGPU_ACCEPTED(cudaMemPoolSetAttribute, (cudaMemPool_t, cudaMemPoolAttr, void *))
SIMGPU_ACCEPTED(cudaMemPoolSetAccess, (cudaMemPool_t, const cudaMemAccessDesc *, size_t))
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
enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,
    cudaAccessPropertyStreaming = 1,
    cudaAccessPropertyPersisting = 2
};
/** Which part of memory should stay in the L2 cache. */
struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};
enum cudaStreamAttrID { cudaStreamAttributeAccessPolicyWindow = 1 };
union cudaStreamAttrValue {
    cudaAccessPolicyWindow accessPolicyWindow;
};
SIMGPU_ACCEPTED(cudaStreamSetAttribute,
                (cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue *))
SIMGPU_ACCEPTED(cudaCtxResetPersistingL2Cache, ())
SIMGPU_API cudaError_t cudaStreamGetPriority(cudaStream_t, int *priority)
{
    *priority = 0;
    return cudaSuccess;
}
SIMGPU_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0,
                                                unsigned = 0)
{
    return cudaEventRecord(event, stream);
}

#endif
