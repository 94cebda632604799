/* SPDX-License-Identifier: MIT */
/** @file matmul.h
 * The kernels of matmul.cu as the tests see them. The source is compiled twice, plain and
 * traced; each build exports one table.
 */
#ifndef SIMGPU_TESTS_MATMUL_H
#define SIMGPU_TESTS_MATMUL_H

#ifdef __cplusplus
extern "C" {
#endif

/** Launches one kernel on n x n row-major device matrices. */
typedef void multiply(const float *a, const float *b, float *c, int n);
struct matmul {
    const char *name; /**< of the build */
    int traced;
    multiply *naive, *uncoalesced, *tiled, *tiled_32, *gpu8;
    multiply *gpu8_padded; /**< float4 stores, rows of 68 */
    multiply *add;
};

extern const struct matmul matmul_plain, matmul_traced;

#ifdef __cplusplus
}
#endif
#endif
