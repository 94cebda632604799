/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 11-sums-by-geam: quadrants added by cuBLAS.
 */
#include <cublas_v2.h>
#include <stdio.h>

#include "common/matrix/block.h"
#include "common/device/gpu.h"

/* common/device/backend_gpu.cu: one handle for the whole program */
extern "C" cublasHandle_t gpu_cublas(void);

static void check_cublas(cublasStatus_t status, const char *what)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        fprintf(stderr, "%s: %s\n", what, cublasGetStatusName(status));
}

/* z = x + sign * y */
static void sum(struct block x, real sign, struct block y, struct block z)
{
    const real one = 1;
    cublasStatus_t status = CUBLAS_STATUS_NOT_SUPPORTED;
    /* YOUR CODE: status = cublasSgeam(gpu_cublas(), ...) */
    /* Neighbours in a row are neighbours in memory: columns come first. The leading dimension
       is the distance between two rows, which is that of the whole matrix. */
    status = cublasSgeam(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, z.cols, z.rows, &one, x.at,
                         x.ld, &sign, y.at, y.ld, z.at, z.ld);
    /* END */
    check_cublas(status, "cublasSgeam");
}

/* c = beta * c + a * b */
static void product(struct block a, struct block b, real beta, struct block c)
{
    const real one = 1;
    check_cublas(cublasSgemm(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, c.cols, c.rows, a.cols,
                             &one, b.at, b.ld, a.at, a.ld, &beta, c.at, c.ld),
                 "cublasSgemm");
}

/* One level of Strassen; gemm itself adds to C if a product has only one place left. */
static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct block S = take_block(&workspace, A.q11.rows, A.q11.cols);
    struct block T = take_block(&workspace, B.q11.rows, B.q11.cols);
    struct block M = take_block(&workspace, C.q11.rows, C.q11.cols);
    sum(A.q11, 1, A.q22, S), sum(B.q11, 1, B.q22, T);
    product(S, T, 0, C.q11), product(S, T, 0, C.q22); /* M1 */
    sum(A.q21, 1, A.q22, S);
    product(S, B.q11, 0, C.q21), sum(C.q22, -1, C.q21, C.q22); /* M2 */
    sum(B.q12, -1, B.q22, T);
    product(A.q11, T, 0, C.q12), sum(C.q22, 1, C.q12, C.q22); /* M3 */
    sum(B.q21, -1, B.q11, T);
    product(A.q22, T, 0, M), sum(C.q11, 1, M, C.q11), sum(C.q21, 1, M, C.q21); /* M4 */
    sum(A.q11, 1, A.q12, S);
    product(S, B.q22, 0, M), sum(C.q11, -1, M, C.q11), sum(C.q12, 1, M, C.q12); /* M5 */
    sum(A.q21, -1, A.q11, S), sum(B.q11, 1, B.q12, T);
    product(S, T, 1, C.q22); /* M6 */
    sum(A.q12, -1, A.q22, S), sum(B.q21, 1, B.q22, T);
    product(S, T, 1, C.q11); /* M7 */
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    return (size_t)(m * k + k * n + m * n) / 4;
}

static int one_level(const struct context *ctx, struct product p, int levels) { return 1; }

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "Strassen over cuBLAS with your sums",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .bound = {.scheme = &strassen_scheme},
     .levels = one_level,
     .shapes = {.multiple = 1}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "cublas", .sentence = "cublasSgemm", .multiply = NULL}, {0}};

const struct step STEP = {
    .name = "11-sums-by-geam",
    .idea = "quadrants added by cuBLAS",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 1,
};
