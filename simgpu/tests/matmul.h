/* SPDX-License-Identifier: MIT */
/** @file matmul.h
 * The kernels of matmul.cu as a test in C sees them.
 */
#ifndef SIMGPU_TESTS_MATMUL_H
#define SIMGPU_TESTS_MATMUL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Each launches one kernel on n x n row-major device matrices. */
void naive(const float *a, const float *b, float *c, int n);
void tiled(const float *a, const float *b, float *c, int n);
/** Copies 16 x 64 elements into rows of 68 in shared memory. */
void padded(const float *a, float *c, int n);

#ifdef __cplusplus
}
#endif
#endif
