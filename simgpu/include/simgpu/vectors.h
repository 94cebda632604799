/* SPDX-License-Identifier: MIT */
/** @file vectors.h
 * The memory of Thrust's vectors, which both host code and kernels touch: Thrust's algorithms
 * run on the host here.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_VECTORS_H
#define SIMGPU_INCLUDE_SIMGPU_VECTORS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
/**
 * Allocates memory of a vector.
 * @param bytes how much
 * @return its address, or null
 */
void *simgpu_vector_allocate(size_t bytes);
/**
 * Frees the memory of a vector.
 * @param memory of simgpu_vector_allocate(), or null
 */
void simgpu_vector_free(void *memory);
#ifdef __cplusplus
}
#endif
#endif
