/* SPDX-License-Identifier: MIT */
/** @file matmul.h
 * The kernels of matmul.cu as the tests see them. The source is compiled four times, plain and
 * traced, float and double; each build exports one table.
 */
#ifndef SIMGPU_TESTS_MATMUL_H
#define SIMGPU_TESTS_MATMUL_H

#ifdef __cplusplus
extern "C" {
#endif

/** Each function launches one kernel on n x n row-major device matrices. */
struct matmul {
    const char *name; /**< "f32 plain" ... */
    unsigned long element;
    int traced;
    void (*naive)(const void *a, const void *b, void *c, int n);
    void (*uncoalesced)(const void *a, const void *b, void *c, int n);
    void (*tiled)(const void *a, const void *b, void *c, int n);
    void (*tiled_32)(const void *a, const void *b, void *c, int n);
    void (*gpu8)(const void *a, const void *b, void *c, int n);
    void (*gpu8_padded)(const void *a, const void *b, void *c,
                        int n); /**< float4 stores, rows of 68 */
    void (*add)(const void *a, const void *b, void *c, int n);
};

extern const struct matmul matmul_f32_plain, matmul_f32_traced, matmul_f64_plain,
    matmul_f64_traced;

#ifdef __cplusplus
}
#endif
#endif
