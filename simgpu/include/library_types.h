/* SPDX-License-Identifier: MIT */
/** @file library_types.h
 * The names that CUDA's libraries give to element types; values are CUDA's.
 */
#ifndef SIMGPU_INCLUDE_LIBRARY_TYPES_H
#define SIMGPU_INCLUDE_LIBRARY_TYPES_H

typedef enum cudaDataType_t {
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_R_8I = 3,
    CUDA_R_32I = 10,
    CUDA_R_16BF = 14
} cudaDataType_t;
typedef cudaDataType_t cudaDataType;

#endif
