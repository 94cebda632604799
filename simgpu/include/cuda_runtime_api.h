/* SPDX-License-Identifier: MIT */
/** @file cuda_runtime_api.h
 * The part of the CUDA runtime API that is simulated. Names, types and values are CUDA's;
 * `docs/simulated-gpu.md` says what is different.
 */
#ifndef SIMGPU_INCLUDE_CUDA_RUNTIME_API_H
#define SIMGPU_INCLUDE_CUDA_RUNTIME_API_H

#include <stddef.h>
#ifdef __cplusplus
#include <type_traits>
#endif

#include "simgpu/device/vector_types.h"

#ifndef CUDART_VERSION
#define CUDART_VERSION 12000
#endif
#define CUDARTAPI
/* The guards of CUDA's own headers, which other headers test. */
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define CUDART_CB

#ifdef __cplusplus
/* An argument's default value, which C does not have. */
#define SIMGPU_DEFAULT(value) = value
#define SIMGPU_API            static inline __attribute__((unused))
/* Calls that have no effect here. */
#define SIMGPU_ACCEPTED(name, parameters)                                                      \
    SIMGPU_API cudaError_t name parameters { return cudaSuccess; }
extern "C" {
#else
#define SIMGPU_DEFAULT(value)
#endif

/* ---- errors ---- */

#define SIMGPU_ERROR(name, value, text) name = value,
typedef enum cudaError {
#include "simgpu/host/errors.txt"
} cudaError_t;
#undef SIMGPU_ERROR

/** The first error since the last call, which it clears unless the device is lost. */
cudaError_t cudaGetLastError(void);
/** Returns the first error and keeps it. */
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* ---- device ---- */

/** The properties of a device. */
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    size_t sharedMemPerBlockOptin;
    size_t sharedMemPerMultiprocessor;
    size_t reservedSharedMemPerBlock;
    size_t totalConstMem;
    size_t memPitch;
    size_t textureAlignment;
    size_t texturePitchAlignment;
    int major, minor;
    int warpSize;
    int regsPerBlock, regsPerMultiprocessor;
    int multiProcessorCount;
    int maxThreadsPerBlock;
    int maxThreadsPerMultiProcessor;
    int maxBlocksPerMultiProcessor;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int clockRate;
    int memoryClockRate;
    int memoryBusWidth;
    int l2CacheSize;
    int persistingL2CacheMaxSize;
    int maxTexture1DLinear; /* left CUDA with 13: cudaDeviceGetTexture1DLinearMaxWidth */
    int maxTexture2DLinear[3];
    int maxTexture1D, maxTexture2D[2];
    int integrated, canMapHostMemory, unifiedAddressing, managedMemory, concurrentKernels;
    int concurrentManagedAccess, pageableMemoryAccess, hostNativeAtomicSupported;
    int cooperativeLaunch, cooperativeMultiDeviceLaunch, streamPrioritiesSupported;
    int deviceOverlap, kernelExecTimeoutEnabled, tccDriver, isMultiGpuBoard;
    int computePreemptionSupported, memoryPoolsSupported, accessPolicyMaxWindowSize;
    int memoryPoolSupportedHandleTypes;
    int maxTexture3D[3], maxTexture1DLayered[2], maxTexture2DLayered[3];
    int maxTextureCubemap, maxTextureCubemapLayered[2], maxSurface2D[2];
    size_t surfaceAlignment;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
    int canUseHostPointerForRegisteredMem, hostRegisterSupported, multiGpuBoardGroupID;
    int globalL1CacheSupported, localL1CacheSupported, singleToDoublePrecisionPerfRatio;
    int clusterLaunch, unifiedFunctionPointers, ipcEventSupported;
    int asyncEngineCount, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, computeMode;
};
#ifndef __cplusplus
typedef struct cudaDeviceProp cudaDeviceProp;
#endif

#define SIMGPU_ATTRIBUTE(name, number, property) cudaDevAttr##name = number,
enum cudaDeviceAttr {
#include "simgpu/host/attributes.txt"
};
#undef SIMGPU_ATTRIBUTE

enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
};

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize(void);
/** Frees everything and forgets a lost device's error. */
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);

/* ---- streams and events: a call has done its work when it returns ---- */

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum {
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4
};

#define cudaStreamLegacy    ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
typedef void (*cudaHostFn_t)(void *data);

/* ---- graphs by capture; in C++ simgpu/host/graphs.h has more ---- */

typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
};
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
/** cudaErrorStreamCaptureInvalidated, without a graph, after a call that CUDA forbids during
 * the capture: cudaMalloc() or cudaFree() in a thread whose mode is not relaxed. */
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
/** Sets this thread's mode, and returns in it what it was. */
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
cudaError_t simgpu_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                unsigned long long *id, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags SIMGPU_DEFAULT(0));
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
/** An object with a count of references: of the caller, of graphs and of their instances. When
 * the last one is gone, `destroy` is called with it. */
typedef struct CUuserObject_st *cudaUserObject_t;
enum { cudaUserObjectNoDestructorSync = 1, cudaGraphUserObjectMove = 1 };
cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *what, cudaHostFn_t destroy,
                                 unsigned count, unsigned flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count SIMGPU_DEFAULT(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count SIMGPU_DEFAULT(1));
/** cudaGraphUserObjectMove: the caller passes this number of its references to the graph. */
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned count SIMGPU_DEFAULT(1),
                                      unsigned flags SIMGPU_DEFAULT(0));
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
/** Calls the function at once: all earlier work of the stream is done. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function,
                                  void *data, unsigned flags);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
/** Milliseconds of the host's clock between two recorded events. */
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop);

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream SIMGPU_DEFAULT(0));
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags SIMGPU_DEFAULT(0));
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
/* The simulated GPU does one thing at a time, so there is one priority, 0. */
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);

/* ---- memory ---- */

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

/* Allocating calls get the caller's line, so that a leak is reported there. */
cudaError_t simgpu_malloc(void **device, size_t bytes, const char *file, int line);
cudaError_t simgpu_malloc_async(void **device, size_t bytes, cudaStream_t stream,
                                const char *file, int line);
cudaError_t simgpu_malloc_pitch(void **device, size_t *pitch, size_t width, size_t height,
                                const char *file, int line);
cudaError_t cudaFree(void *device);
cudaError_t cudaFreeAsync(void *device, cudaStream_t stream);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemset(void *device, int value, size_t bytes);
/** Copies `height` rows of `width` bytes, which begin `to_pitch`, `from_pitch` bytes apart. */
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemset2D(void *device, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMallocHost(void **host, size_t bytes);
enum {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterMapped = 2,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterIoMemory = 4,
    cudaHostRegisterReadOnly = 8,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceBlockingSync = 4,
    cudaDeviceMapHost = 8
};
#define cudaCpuDeviceId (-1)
/** Host memory that kernels may touch by the same pointer. */
cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *host);
cudaError_t simgpu_malloc_managed(void **memory, size_t bytes, const char *file, int line);
cudaError_t simgpu_symbol_copy(void *symbol, size_t size, size_t offset, const void *from,
                               void *to, size_t bytes, cudaStream_t stream, int asynchronous,
                               const char *call);
/** Registers a __device__ (0) or __managed__ (1) variable, or a __constant__ one without an
 * initialiser (2); the rewritten source calls it. */
int simgpu_device_variable(const char *name, const void *variable, size_t bytes, int kind,
                           const char *file, int line);
/** Notes that a cudaArray exists (1), or that it is gone (0). */
void simgpu_array(const void *array, int exists);
/** The next copy goes to this array of the host. */
void simgpu_host_array(void *array, size_t size);
/** The program has asked for the address of a variable, and may fill it by any copy. */
void simgpu_symbol_address(const void *variable);
enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitPersistingL2CacheSize = 6
};
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaFreeHost(void *host);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream SIMGPU_DEFAULT(0));
cudaError_t cudaMemsetAsync(void *device, int value, size_t bytes,
                            cudaStream_t stream SIMGPU_DEFAULT(0));
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream SIMGPU_DEFAULT(0));
cudaError_t cudaMemset2DAsync(void *device, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t stream SIMGPU_DEFAULT(0));
#ifndef __cplusplus
#define cudaMalloc(device, bytes) simgpu_malloc((void **)(device), (bytes), __FILE__, __LINE__)
#define cudaMallocPitch(device, pitch, width, height)                                          \
    simgpu_malloc_pitch((void **)(device), (pitch), (width), (height), __FILE__, __LINE__)
#endif

/** Hints where managed memory should be; they have no effect. */
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};

/** The kind of memory that a pointer points to, for cudaPointerGetAttributes. */
enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};
struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer);

/* ---- kernels ---- */

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15
};
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
};
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
/** The width of banks, which is always four bytes. */
typedef enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
} cudaSharedMemConfig;
/** Attributes of a kernel. Its registers are not known here: 32. */
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
#ifndef __cplusplus
typedef struct cudaFuncAttributes cudaFuncAttributes;
#endif
cudaError_t simgpu_func_attributes(struct cudaFuncAttributes *attributes, const void *kernel);
/** The program can launch cooperatively. Returns 1. */
int simgpu_cooperative_program(void);
cudaError_t simgpu_max_active_blocks(int *blocks, const void *kernel, int threads,
                                     size_t shared);
/** The most threads in a block of this kernel, by its __launch_bounds__ and by the GPU. */
int simgpu_most_threads(const void *kernel);
/** Sets the size of the object at this address of the host, for the next copy; (size_t)-1:
 * unknown. */
void simgpu_host_room(const void *to, size_t bytes);
/** Notes a kernel's __launch_bounds__; returns 0. */
int simgpu_launch_bound(const void *kernel, int most);
cudaError_t simgpu_func_set_attribute(const void *kernel, enum cudaFuncAttribute attribute,
                                      int value);
/** Launches a kernel that is known by its address (simgpu/hooks.h). */
cudaError_t simgpu_launch_known(const void *kernel, const unsigned grid[3],
                                const unsigned block[3], size_t shared, cudaStream_t stream,
                                void **arguments, int cooperative, const unsigned cluster[3],
                                const char *file, int line);

/* ---- textures ---- */

typedef unsigned long long cudaTextureObject_t;
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};
/** Bits of each component of a texel, and what they hold. */
struct cudaChannelFormatDesc {
    int x, y, z, w;
    enum cudaChannelFormatKind f;
};
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};
struct cudaArray;
/** The memory of a texture. Mipmapped arrays are not simulated. */
struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            struct cudaArray *array;
        } array;
        struct {
            void *mipmap;
        } mipmap;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height; /* texels */
            size_t pitchInBytes;
        } pitch2D;
    } res;
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
/** How a texture is read. */
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc;

cudaError_t simgpu_create_texture(cudaTextureObject_t *object,
                                  const struct cudaResourceDesc *resource,
                                  const struct cudaTextureDesc *texture,
                                  const struct cudaResourceViewDesc *view, const char *file,
                                  int line);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
/** The largest number of texels in a linear texture of this format. */
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *texels,
                                                 const struct cudaChannelFormatDesc *format,
                                                 int device);

#ifdef __cplusplus
} /* extern "C" */

SIMGPU_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                       cudaChannelFormatKind kind)
{
    return cudaChannelFormatDesc{x, y, z, w, kind};
}

/** What a texel consists of: a number, or the members of a vector. */
template <class T, class = void> struct simgpu_texel {
    typedef T component;
};
template <class T> struct simgpu_texel<T, decltype((void)T::x)> {
    typedef decltype(T::x) component;
};
/** The channel description of a texel type. */
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef typename simgpu_texel<T>::component C;
    static_assert(sizeof(C) <= 4, "simgpu: components of a texel have at most 32 bits");
    const int bits = 8 * sizeof(C), count = sizeof(T) / sizeof(C);
    return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
            std::is_floating_point<C>::value ? cudaChannelFormatKindFloat
            : std::is_signed<C>::value || std::is_same<C, char>::value
                ? cudaChannelFormatKindSigned
                : cudaChannelFormatKindUnsigned};
}

template <class T> static inline cudaError_t cudaMalloc(T **device, size_t bytes, SIMGPU_HERE)
{
    return simgpu_malloc((void **)device, bytes, file, line);
}

/* Explains cudaMalloc(p, bytes) in place of cudaMalloc(&p, bytes). */
template <class T> static inline cudaError_t cudaMalloc(T *, size_t)
{
    static_assert(sizeof(T *) == 0,
                  "simgpu: cudaMalloc wants the address of a pointer: cudaMalloc(&p, bytes)");
    return cudaErrorInvalidValue;
}

template <class T>
static inline cudaError_t cudaMallocPitch(T **device, size_t *pitch, size_t width,
                                          size_t height, SIMGPU_HERE)
{
    return simgpu_malloc_pitch((void **)device, pitch, width, height, file, line);
}

SIMGPU_API cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

template <class T>
static inline cudaError_t cudaMallocHost(T **host, size_t bytes, unsigned = 0)
{
    return cudaMallocHost((void **)host, bytes);
}

/** Every call has done its work when it returns, so allocating in a stream is allocating. */
template <class T>
static inline cudaError_t cudaMallocAsync(T **device, size_t bytes, cudaStream_t stream,
                                          SIMGPU_HERE)
{
    return simgpu_malloc_async((void **)device, bytes, stream, file, line);
}

template <class T>
static inline cudaError_t cudaMallocManaged(T **memory, size_t bytes,
                                            unsigned = cudaMemAttachGlobal, SIMGPU_HERE)
{
    return simgpu_malloc_managed((void **)memory, bytes, file, line);
}
SIMGPU_ACCEPTED(cudaMemPrefetchAsync, (const void *, size_t, int, cudaStream_t = 0))
SIMGPU_ACCEPTED(cudaMemAdvise, (const void *, size_t, cudaMemoryAdvise, int))
template <class T>
static inline cudaError_t cudaHostAlloc(T **host, size_t bytes, unsigned = cudaHostAllocDefault)
{
    return cudaMallocHost((void **)host, bytes);
}
template <class T, class H>
static inline cudaError_t cudaHostGetDevicePointer(T **device, H *host, unsigned)
{
    *device = (T *)host;
    return cudaSuccess;
}

/** Passes the size of a copy's destination, if that is an array or a variable whose size the
 * compiler knows. */
template <class To, class Array = std::remove_reference_t<To>,
          class = std::enable_if_t<std::is_array<Array>::value ||
                                   (std::is_pointer<Array>::value &&
                                    !std::is_void<std::remove_pointer_t<Array>>::value)>>
static inline __attribute__((always_inline)) void *simgpu_sized(To &&to)
{
    if constexpr (std::is_array<Array>::value)
        simgpu_host_array((void *)to, sizeof to);
    simgpu_host_room((void *)to, __builtin_object_size(to, 0));
    return (void *)to;
}
template <class To>
static inline __attribute__((always_inline)) auto cudaMemcpy(To &&to, const void *from,
                                                             size_t bytes, cudaMemcpyKind kind)
    -> decltype(simgpu_sized(to), cudaSuccess)
{
    return cudaMemcpy(simgpu_sized(to), from, bytes, kind);
}
template <class To>
static inline __attribute__((always_inline)) auto
cudaMemcpyAsync(To &&to, const void *from, size_t bytes, cudaMemcpyKind kind,
                cudaStream_t stream = 0) -> decltype(simgpu_sized(to), cudaSuccess)
{
    return cudaMemcpyAsync(simgpu_sized(to), from, bytes, kind, stream);
}

/* ---- device variables ---- */

/** Copies into a __constant__ or __device__ variable. */
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(T &&symbol, const void *from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    return simgpu_symbol_copy((void *)&symbol, sizeof(T), offset, from, 0, bytes, 0, 0,
                              "cudaMemcpyToSymbol");
}
template <class T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(T &&symbol, const void *from, size_t bytes, size_t offset = 0,
                        cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return simgpu_symbol_copy((void *)&symbol, sizeof(T), offset, from, 0, bytes, stream, 1,
                              "cudaMemcpyToSymbolAsync");
}
/** Copies out of a __constant__ or __device__ variable. */
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    return simgpu_symbol_copy((void *)&symbol, sizeof(T), offset, 0, to, bytes, 0, 0,
                              "cudaMemcpyFromSymbol");
}
template <class T>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                          cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    return simgpu_symbol_copy((void *)&symbol, sizeof(T), offset, 0, to, bytes, stream, 1,
                              "cudaMemcpyFromSymbolAsync");
}
template <class P, class T>
static inline cudaError_t cudaGetSymbolAddress(P **pointer, T &symbol)
{
    *pointer = (P *)&symbol;
    simgpu_symbol_address((const void *)&symbol);
    return cudaSuccess;
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &)
{
    *size = sizeof(T);
    return cudaSuccess;
}

template <class F>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *kernel)
{
    return simgpu_func_attributes(attributes, reinterpret_cast<const void *>(kernel));
}
template <class F>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *kernel,
                                                                        int threads,
                                                                        size_t shared)
{
    return simgpu_max_active_blocks(blocks, reinterpret_cast<const void *>(kernel), threads,
                                    shared);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F *kernel,
                                                             size_t shared = 0, int limit = 0)
{
    const void *address = reinterpret_cast<const void *>(kernel);
    const int most = simgpu_most_threads(address);
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    *block = limit > 0 && limit < most ? limit : most;
    int blocks = 0;
    cudaError_t error = simgpu_max_active_blocks(&blocks, address, *block, shared);
    *grid = blocks * p.multiProcessorCount;
    return error;
}

template <class F>
static inline cudaError_t cudaFuncSetAttribute(F *kernel, cudaFuncAttribute attribute,
                                               int value)
{
    return simgpu_func_set_attribute(reinterpret_cast<const void *>(kernel), attribute, value);
}

/* Names from CUDA's early years. */
SIMGPU_API cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
SIMGPU_API cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

template <class F> static inline cudaError_t cudaFuncSetCacheConfig(F *, cudaFuncCache)
{
    return cudaSuccess;
}

SIMGPU_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                               const cudaResourceDesc *resource,
                                               const cudaTextureDesc *texture,
                                               const cudaResourceViewDesc *view, SIMGPU_HERE)
{
    return simgpu_create_texture(object, resource, texture, view, file, line);
}

#else
#define cudaGraphInstantiate(exec, graph, flags)                                               \
    cudaGraphInstantiateWithFlags((exec), (graph), (flags))
#define cudaStreamGetCaptureInfo(stream, status, id)                                           \
    simgpu_capture_info((stream), (status), (id), NULL)
#define cudaStreamGetCaptureInfo_v2(stream, status, id, graph, after, count)                   \
    simgpu_capture_info((stream), (status), (id), (graph))
#define cudaCreateTextureObject(object, resource, texture, view)                               \
    simgpu_create_texture((object), (resource), (texture), (view), __FILE__, __LINE__)
#endif

#include "simgpu/host/pitched.h"
#endif
