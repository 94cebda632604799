/* SPDX-License-Identifier: MIT */
/** @file shim.c
 * The reference BLAS's sgemm_ and dgemm_ on ladder_gemm.h, so that the reference BLAS's own
 * testers (xblat3s, xblat3d) test it: matrices go to the device and back, wrong arguments to
 * xerbla_. LADDER_BLAS_PLAN="VARIANT LEVELS PARAMETER" is the plan of every product. With "
 * divided" after it a product has levels only where a level divides it, and cuBLAS's plan where
 * none does.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder_gemm.h"
#include "methods.h"

/* No methods of later steps: the testers do not need them. */
const struct method *const ladder_added[] = {NULL};

extern void xerbla_(const char *name, const int *argument, size_t length);

static ladder_gemm_t gemm;
static struct ladder_plan wanted;
static int divided;
static long products, with_levels, most_levels;

/* A buffer on the device for each operand: the testers' matrices are small. */
enum { BUFFER_BYTES = 1 << 16 };
static void *buffer[3];

static void finish(void)
{
    fprintf(stderr, "%ld products, %ld of them with levels, %ld at most\n", products,
            with_levels, most_levels);
    ladder_gemm_destroy(gemm);
    for (int i = 0; i < 3; i++)
        cudaFree(buffer[i]);
}

static void begin(void)
{
    const char *text = getenv("LADDER_BLAS_PLAN");
    if (gemm)
        return;
    if (ladder_gemm_create(&gemm, NULL)) {
        fprintf(stderr, "blas-shim: there is no device\n");
        exit(3);
    }
    if (!text ||
        sscanf(text, "%15s %d %ld", wanted.variant, &wanted.levels, &wanted.parameter) != 3 ||
        ladder_gemm_force(gemm, &wanted)) {
        fprintf(stderr, "blas-shim: LADDER_BLAS_PLAN is no plan\n");
        exit(3);
    }
    divided = strstr(text, " divided") != NULL;
    atexit(finish);
}

/* A level pads an edge to the next multiple of 4 * 2^levels and halves it. It divides the edge
 * if both halves contain numbers; a level of which one half is padding multiplies zeros. */
static int divides(int levels, int edge)
{
    int multiple = 4 << levels;
    return edge > (edge + multiple - 1) / multiple * multiple / 2;
}

/* As many levels as divide all edges, at most those of the plan; without any, cuBLAS. */
static void force_for(int m, int n, int k)
{
    struct ladder_plan plan = wanted;
    while (plan.levels > 0 &&
           !(divides(plan.levels, m) && divides(plan.levels, n) && divides(plan.levels, k)))
        plan.levels--;
    if (plan.levels < wanted.levels && ladder_gemm_force(gemm, &plan))
        plan = (struct ladder_plan){"cublas", 0, 0};
    if (ladder_gemm_force(gemm, &plan))
        exit(1);
}

static cublasOperation_t operation(char letter)
{
    switch (letter) {
    case 'n':
    case 'N':
        return CUBLAS_OP_N;
    case 't':
    case 'T':
        return CUBLAS_OP_T;
    case 'c':
    case 'C':
        return CUBLAS_OP_C;
    default:
        return (cublasOperation_t)-1;
    }
}

static void *on_device(int operand, const void *host, size_t bytes)
{
    if (!buffer[operand] && cudaMalloc(&buffer[operand], BUFFER_BYTES) != cudaSuccess)
        exit(3);
    if (bytes > BUFFER_BYTES ||
        cudaMemcpy(buffer[operand], host, bytes, cudaMemcpyHostToDevice))
        exit(3);
    return buffer[operand];
}

/* Bytes of a matrix in the caller's memory, not a byte more; 0 for wrong sizes. */
static size_t bytes_of(int rows, int columns, int ld, size_t size)
{
    return rows > 0 && columns > 0 && ld >= rows ? ((size_t)ld * (columns - 1) + rows) * size
                                                 : 0;
}

static void note_levels(int levels)
{
    with_levels += levels > 0;
    most_levels = levels > most_levels ? levels : most_levels;
}

/* BLAS counts arguments from transa, the library from the handle. */
#define GEMM(function, ours, type, name)                                                       \
    void function(const char *transa, const char *transb, const int *m, const int *n,          \
                  const int *k, const type *alpha, const type *a, const int *lda,              \
                  const type *b, const int *ldb, const type *beta, type *c, const int *ldc)    \
    {                                                                                          \
        begin();                                                                               \
        if (divided)                                                                           \
            force_for(*m, *n, *k);                                                             \
        cublasOperation_t ta = operation(*transa), tb = operation(*transb);                    \
        size_t a_bytes = ta == CUBLAS_OP_N ? bytes_of(*m, *k, *lda, sizeof *a)                 \
                                           : bytes_of(*k, *m, *lda, sizeof *a);                \
        size_t b_bytes = tb == CUBLAS_OP_N ? bytes_of(*k, *n, *ldb, sizeof *b)                 \
                                           : bytes_of(*n, *k, *ldb, sizeof *b);                \
        size_t c_bytes = bytes_of(*m, *n, *ldc, sizeof *c);                                    \
        type *da = on_device(0, a, a_bytes), *db = on_device(1, b, b_bytes),                   \
             *dc = on_device(2, c, c_bytes);                                                   \
        int status =                                                                           \
            ours(gemm, ta, tb, *m, *n, *k, alpha, da, *lda, db, *ldb, beta, dc, *ldc);         \
        if (status > 1) {                                                                      \
            status--;                                                                          \
            xerbla_(name, &status, strlen(name));                                              \
        } else if (status) {                                                                   \
            fprintf(stderr, "%s: %s\n", name, ladder_gemm_message(gemm));                      \
            exit(1);                                                                           \
        } else {                                                                               \
            products++;                                                                        \
            note_levels(ladder_gemm_last(gemm).ran.levels);                                    \
            cudaMemcpy(c, dc, c_bytes, cudaMemcpyDeviceToHost);                                \
        }                                                                                      \
    }

GEMM(sgemm_, ladder_sgemm, float, "SGEMM ")
GEMM(dgemm_, ladder_dgemm, double, "DGEMM ")
