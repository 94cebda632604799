/* SPDX-License-Identifier: MIT */
/** @file shim.c
 * The reference BLAS's sgemm_ and dgemm_ on ladder_gemm.h, so that the reference BLAS's own
 * testers (xblat3s, xblat3d) test it: matrices go to the device and back, wrong arguments to
 * xerbla_. LADDER_BLAS_PLAN="VARIANT LEVELS PARAMETER" is the plan of every product. With "
 * divided" after it a product has levels only where a level divides it, and cuBLAS's plan where
 * none does.
 */
#include <cuda_runtime.h>
#include <stdbool.h>
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
static long calls, with_levels, most_levels;

/* A buffer on the device for each operand: the testers' matrices are small. */
enum { BUFFER_BYTES = 1 << 16 };
static void *buffer[3];

static void finish(void)
{
    fprintf(stderr, "%ld products, %ld of them with levels, %ld at most\n", calls, with_levels,
            most_levels);
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

/* A call's operands, copied to the device. */
struct copies {
    cublasOperation_t ta, tb;
    void *a, *b, *c;
    size_t c_bytes;
};

static struct copies copy_operands(const char *transa, const char *transb, int m, int n, int k,
                                   const void *a, int lda, const void *b, int ldb,
                                   const void *c, int ldc, size_t size)
{
    struct copies x = {.ta = operation(*transa), .tb = operation(*transb)};
    bool plain_a = x.ta == CUBLAS_OP_N, plain_b = x.tb == CUBLAS_OP_N;
    begin();
    if (divided)
        force_for(m, n, k);
    x.c_bytes = bytes_of(m, n, ldc, size);
    x.a = on_device(0, a, bytes_of(plain_a ? m : k, plain_a ? k : m, lda, size));
    x.b = on_device(1, b, bytes_of(plain_b ? k : n, plain_b ? n : k, ldb, size));
    x.c = on_device(2, c, x.c_bytes);
    return x;
}

/* BLAS counts arguments from transa, the library from the handle. */
static void end_call(const char *name, int status, void *c, struct copies x)
{
    if (status > 1) {
        status--;
        xerbla_(name, &status, strlen(name));
    } else if (status) {
        fprintf(stderr, "%s: %s\n", name, ladder_gemm_message(gemm));
        exit(1);
    } else {
        calls++;
        note_levels(ladder_gemm_last(gemm).ran.levels);
        cudaMemcpy(c, x.c, x.c_bytes, cudaMemcpyDeviceToHost);
    }
}

void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
            const float *beta, float *c, const int *ldc)
{
    struct copies x =
        copy_operands(transa, transb, *m, *n, *k, a, *lda, b, *ldb, c, *ldc, sizeof *a);
    int status = ladder_sgemm(gemm, x.ta, x.tb, *m, *n, *k, alpha, x.a, *lda, x.b, *ldb, beta,
                              x.c, *ldc);
    end_call("SGEMM ", status, c, x);
}

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b,
            const int *ldb, const double *beta, double *c, const int *ldc)
{
    struct copies x =
        copy_operands(transa, transb, *m, *n, *k, a, *lda, b, *ldb, c, *ldc, sizeof *a);
    int status = ladder_dgemm(gemm, x.ta, x.tb, *m, *n, *k, alpha, x.a, *lda, x.b, *ldb, beta,
                              x.c, *ldc);
    end_call("DGEMM ", status, c, x);
}
