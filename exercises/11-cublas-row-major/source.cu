/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 11-cublas-row-major: a row-major product by a column-major library.
 */
#include <cublas_v2.h>
#include <stdio.h>

#include "common/device/gpu.h"

/* common/device/backend_gpu.cu: one handle for the whole program */
extern "C" cublasHandle_t gpu_cublas(void);

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    const real *a = p.a.at, *b = p.b.at;
    real *c = p.c.at;
    const real one = 1, zero = 0;
    int m = p.c.rows, n = p.c.cols, k = p.a.cols, lda = p.a.ld, ldb = p.b.ld, ldc = p.c.ld;
    cublasStatus_t status = CUBLAS_STATUS_NOT_SUPPORTED;
    /* YOUR CODE: status = cublasSgemm(gpu_cublas(), ...) */
    /* cuBLAS sees a row-major X as X^T, so ask for C^T = B^T A^T: B first, n before m. */
    status = cublasSgemm(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, ldb, a, lda,
                         &zero, c, ldc);
    /* END */
    if (status != CUBLAS_STATUS_SUCCESS)
        fprintf(stderr, "cublasSgemm: %s\n", cublasGetStatusName(status));
}

static const struct variant variants[] = {
    {.name = "yours", .sentence = "your call", .multiply = multiply_yours}, {0}};

const struct step STEP = {
    .name = "11-cublas-row-major",
    .idea = "a row-major product by a column-major library",
    .variants = variants,
    .default_n = 64,
};
