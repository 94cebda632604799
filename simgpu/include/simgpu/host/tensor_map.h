/* SPDX-License-Identifier: MIT */
/** @file tensor_map.h
 * Tensor maps: where a tensor is in device memory, and the shape of the boxes that bulk copies
 * take from it. cuda.h includes this.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_TENSOR_MAP_H
#define SIMGPU_INCLUDE_SIMGPU_TENSOR_MAP_H

#include <stdint.h>

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

typedef struct CUtensorMap_st {
    alignas(64) cuuint64_t opaque[16];
} CUtensorMap;

typedef enum CUtensorMapDataType_enum {
    CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64,
    CU_TENSOR_MAP_DATA_TYPE_INT64,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
    CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
    CU_TENSOR_MAP_INTERLEAVE_16B,
    CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
    CU_TENSOR_MAP_SWIZZLE_NONE = 0,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
    CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;

extern "C" CUresult simgpu_tensor_map(void *map, unsigned element, unsigned dimensions,
                                      void *address, const uint64_t *sizes,
                                      const uint64_t *strides, const uint32_t *box,
                                      const uint32_t *steps, int plain, unsigned swizzle);

/** Describes a tensor of 1 to 5 dimensions, the innermost first. `strides` has bytes, and none
 * for the first dimension. */
static inline CUresult
cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t dimensions,
                       void *address, const cuuint64_t *sizes, const cuuint64_t *strides,
                       const cuuint32_t *box, const cuuint32_t *steps,
                       CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                       CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill)
{
    static const unsigned char bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4},
                               rows[] = {16, 32, 64, 128, 0};
    return simgpu_tensor_map(map, (unsigned)type < sizeof bytes ? bytes[type] : 0, dimensions,
                             address, sizes, strides, box, steps, !interleave && !fill,
                             (unsigned)swizzle < sizeof rows ? rows[swizzle] : 0);
}

/* ---- functions of the driver by their names ---- */

typedef CUresult (*PFN_cuTensorMapEncodeTiled)(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                                               void *, const cuuint64_t *, const cuuint64_t *,
                                               const cuuint32_t *, const cuuint32_t *,
                                               CUtensorMapInterleave, CUtensorMapSwizzle,
                                               CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeTiled PFN_cuTensorMapEncodeTiled_v12000;

enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess = 0,
    cudaDriverEntryPointSymbolNotFound = 1,
    cudaDriverEntryPointVersionNotSufficent = 2 /* CUDA spells it so */
};
enum { cudaEnableDefault = 0 };
/** Finds cuTensorMapEncodeTiled, and no other function. */
static inline cudaError_t
cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long,
                        cudaDriverEntryPointQueryResult *result = nullptr)
{
    const bool found = strcmp(name, "cuTensorMapEncodeTiled") == 0;
    *function = found ? (void *)cuTensorMapEncodeTiled : nullptr;
    if (result)
        *result = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}
static inline cudaError_t
cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned,
                                 unsigned long long flags,
                                 cudaDriverEntryPointQueryResult *result = nullptr)
{
    return cudaGetDriverEntryPoint(name, function, flags, result);
}

#endif
