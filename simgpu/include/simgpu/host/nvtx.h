/* SPDX-License-Identifier: MIT */
/** @file nvtx.h
 * NVTX: names for a profiler's time line, which have no effect.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_NVTX_H
#define SIMGPU_INCLUDE_SIMGPU_NVTX_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION                  3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
enum { NVTX_COLOR_ARGB = 1, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1 };
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

#define nvtxRangePush    nvtxRangePushA
#define nvtxRangeStart   nvtxRangeStartA
#define nvtxMark         nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA

#endif
