/* SPDX-License-Identifier: MIT */
/** @file nvtx.h
 * NVTX. Names for a profiler's time line have no effect. What a program says about its memory
 * is compared with the accesses of kernels (regions.cpp).
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_NVTX_H
#define SIMGPU_INCLUDE_SIMGPU_NVTX_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION                  3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
enum { NVTX_COLOR_ARGB = 1, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1 };
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef uint64_t nvtxRangeId_t;
/** The attributes of a range or a mark. */
typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
        const wchar_t *unicode;
    } message;
} nvtxEventAttributes_t;

#define SIMGPU_NVTX(type, name, arguments)                                                     \
    static inline __attribute__((unused)) type name arguments { return (type)0; }
SIMGPU_NVTX(int, nvtxRangePushA, (const char *))
SIMGPU_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t *))
SIMGPU_NVTX(int, nvtxRangePop, (void))
SIMGPU_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char *))
SIMGPU_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t *))
SIMGPU_NVTX(void, nvtxRangeEnd, (nvtxRangeId_t))
SIMGPU_NVTX(void, nvtxMarkA, (const char *))
SIMGPU_NVTX(void, nvtxMarkEx, (const nvtxEventAttributes_t *))
SIMGPU_NVTX(void, nvtxNameOsThreadA, (uint32_t, const char *))
SIMGPU_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *))
SIMGPU_NVTX(void, nvtxDomainDestroy, (nvtxDomainHandle_t))
SIMGPU_NVTX(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t *))
SIMGPU_NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t))

/* ---- memory ---- */

enum {
    NVTX_EXT_COMPATID_MEM = 0x0102,
    NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR = 1,
    NVTX_MEM_HEAP_USAGE_TYPE_LAYOUT = 2,
    NVTX_MEM_TYPE_VIRTUAL_ADDRESS = 1,
    NVTX_MEM_REGION_REF_TYPE_POINTER = 1,
    NVTX_MEM_REGION_REF_TYPE_HANDLE = 2,
    NVTX_MEM_PERMISSIONS_REGION_FLAGS_NONE = 0,
    NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ = 1,
    NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE = 2,
    NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC = 4,
    NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET = 8
};
typedef union {
    const char *ascii;
    const wchar_t *unicode;
} nvtxMessageValue_t;
typedef struct nvtxMemHeap_v1 *nvtxMemHeapHandle_t;
typedef struct nvtxMemRegion_v1 *nvtxMemRegionHandle_t;
typedef struct nvtxMemPermissions_v1 *nvtxMemPermissionsHandle_t;
typedef union {
    const void *pointer;
    nvtxMemRegionHandle_t handle; /* the same here */
} nvtxMemRegionRef_t;
typedef struct {
    size_t size;
    const void *ptr;
} nvtxMemVirtualRangeDesc_t;
typedef struct {
    uint16_t extCompatID, structSize;
    uint32_t reserved0, usage, type;
    size_t typeSpecificDescSize;
    const void *typeSpecificDesc;
    uint32_t category, messageType;
    nvtxMessageValue_t message;
} nvtxMemHeapDesc_t;
typedef struct {
    uint16_t extCompatID, structSize;
    uint32_t regionType;
    nvtxMemHeapHandle_t heap;
    size_t regionCount, regionDescElementSize;
    const void *regionDescElements;
    nvtxMemRegionHandle_t *regionHandleElementsOut;
} nvtxMemRegionsRegisterBatch_t;
typedef struct {
    uint16_t extCompatID, structSize;
    uint32_t regionType;
    size_t regionDescCount, regionDescElementSize;
    const void *regionDescElements;
} nvtxMemRegionsResizeBatch_t;
typedef struct {
    uint16_t extCompatID, structSize;
    uint32_t refType;
    size_t refCount, refElementSize;
    const nvtxMemRegionRef_t *refElements;
} nvtxMemRegionsUnregisterBatch_t;
typedef struct {
    uint32_t regionRefType, nameType;
    nvtxMemRegionRef_t region;
    nvtxMessageValue_t name;
    uint32_t category, reserved0;
} nvtxMemRegionNameDesc_t;
typedef struct {
    uint16_t extCompatID, structSize;
    uint32_t reserved0;
    size_t regionCount, regionElementSize;
    const nvtxMemRegionNameDesc_t *regionElements;
    size_t reserved1;
} nvtxMemRegionsNameBatch_t;
typedef struct {
    uint32_t flags, regionRefType;
    nvtxMemRegionRef_t region;
} nvtxMemPermissionsAssignRegionDesc_t;
typedef struct {
    uint16_t extCompatID, structSize;
    uint32_t reserved0;
    nvtxMemPermissionsHandle_t permissions;
    size_t regionCount, regionElementSize;
    const nvtxMemPermissionsAssignRegionDesc_t *regionElements;
    size_t reserved1;
} nvtxMemPermissionsAssignBatch_t;

#ifdef __cplusplus
extern "C" {
#endif
void *simgpu_nvtx_heap(const void *memory, size_t size);
void simgpu_nvtx_heap_end(void *heap);
void simgpu_nvtx_heap_reset(void *heap);
void simgpu_nvtx_region(const void *memory, size_t size);
void simgpu_nvtx_region_end(const void *memory);
void simgpu_nvtx_name(const void *memory, const char *name);
void simgpu_nvtx_permit(const void *memory, unsigned permissions);
#ifdef __cplusplus
}
#endif

#define SIMGPU_NVTX_INLINE static inline __attribute__((unused))
SIMGPU_NVTX_INLINE nvtxMemHeapHandle_t nvtxMemHeapRegister(nvtxDomainHandle_t domain,
                                                           const nvtxMemHeapDesc_t *desc)
{
    const nvtxMemVirtualRangeDesc_t *range =
        (const nvtxMemVirtualRangeDesc_t *)desc->typeSpecificDesc;
    (void)domain;
    return (nvtxMemHeapHandle_t)simgpu_nvtx_heap(range->ptr, range->size);
}
SIMGPU_NVTX_INLINE void nvtxMemHeapUnregister(nvtxDomainHandle_t domain,
                                              nvtxMemHeapHandle_t heap)
{
    (void)domain;
    simgpu_nvtx_heap_end((void *)heap);
}
SIMGPU_NVTX_INLINE void nvtxMemHeapReset(nvtxDomainHandle_t domain, nvtxMemHeapHandle_t heap)
{
    (void)domain;
    simgpu_nvtx_heap_reset((void *)heap);
}
SIMGPU_NVTX_INLINE void nvtxMemRegionsRegister(nvtxDomainHandle_t domain,
                                               const nvtxMemRegionsRegisterBatch_t *desc)
{
    const nvtxMemVirtualRangeDesc_t *range =
        (const nvtxMemVirtualRangeDesc_t *)desc->regionDescElements;
    (void)domain;
    for (size_t i = 0; i < desc->regionCount; i++) {
        simgpu_nvtx_region(range[i].ptr, range[i].size);
        if (desc->regionHandleElementsOut)
            desc->regionHandleElementsOut[i] = (nvtxMemRegionHandle_t)range[i].ptr;
    }
}
SIMGPU_NVTX_INLINE void nvtxMemRegionsResize(nvtxDomainHandle_t domain,
                                             const nvtxMemRegionsResizeBatch_t *desc)
{
    const nvtxMemVirtualRangeDesc_t *range =
        (const nvtxMemVirtualRangeDesc_t *)desc->regionDescElements;
    (void)domain;
    for (size_t i = 0; i < desc->regionDescCount; i++)
        simgpu_nvtx_region(range[i].ptr, range[i].size);
}
SIMGPU_NVTX_INLINE void nvtxMemRegionsUnregister(nvtxDomainHandle_t domain,
                                                 const nvtxMemRegionsUnregisterBatch_t *desc)
{
    (void)domain;
    for (size_t i = 0; i < desc->refCount; i++)
        simgpu_nvtx_region_end(desc->refElements[i].pointer);
}
SIMGPU_NVTX_INLINE void nvtxMemRegionsName(nvtxDomainHandle_t domain,
                                           const nvtxMemRegionsNameBatch_t *desc)
{
    (void)domain;
    for (size_t i = 0; i < desc->regionCount; i++)
        if (desc->regionElements[i].nameType == NVTX_MESSAGE_TYPE_ASCII)
            simgpu_nvtx_name(desc->regionElements[i].region.pointer,
                             desc->regionElements[i].name.ascii);
}
SIMGPU_NVTX_INLINE void nvtxMemPermissionsAssign(nvtxDomainHandle_t domain,
                                                 const nvtxMemPermissionsAssignBatch_t *desc)
{
    (void)domain;
    for (size_t i = 0; i < desc->regionCount; i++)
        simgpu_nvtx_permit(desc->regionElements[i].region.pointer,
                           desc->regionElements[i].flags);
}
SIMGPU_NVTX(nvtxMemPermissionsHandle_t, nvtxMemCudaGetProcessWidePermissions,
            (nvtxDomainHandle_t))
SIMGPU_NVTX(nvtxMemPermissionsHandle_t, nvtxMemCudaGetDeviceWidePermissions,
            (nvtxDomainHandle_t, int))
#define nvtxRangePush    nvtxRangePushA
#define nvtxRangeStart   nvtxRangeStartA
#define nvtxMark         nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA

#endif
