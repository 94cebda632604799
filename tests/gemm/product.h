/* SPDX-License-Identifier: MIT */
/** @file product.h
 * A call of ladder_gemm.h and its matrices: float or double, by columns or by rows, with guards
 * around each matrix. All that a call may not read is NaN, and all that it may not write must
 * keep its bits.
 */
#ifndef TESTS_GEMM_PRODUCT_H
#define TESTS_GEMM_PRODUCT_H

#include <math.h>
#include <stdbool.h>

#include "cases.h"

enum { GUARD = 8 };

/** A matrix of `lines` by `count` elements, line after line; on the host in double. */
struct guarded_matrix {
    int lines, count, ld;
    size_t elements, first; /**< elements with guards; where the matrix begins */
    double *host;
    void *device;
};

struct call_data {
    bool wide, rows; /**< double; row-major */
    int m, n, k;
    cublasOperation_t ta, tb;
    double alpha, beta;
    struct guarded_matrix a, b, c;
};

static inline size_t size_of(const struct call_data *x)
{
    return x->wide ? sizeof(double) : sizeof(float);
}

/** A matrix of NaN on the host: `extra` elements between its lines, `shift` before it. */
static inline struct guarded_matrix matrix_of(int lines, int count, int extra, int shift)
{
    struct guarded_matrix y = {.lines = lines, .count = count, .ld = lines + extra};
    y.ld += y.ld == 0;
    y.first = (size_t)(GUARD + shift);
    y.elements = y.first + (size_t)y.ld * count + GUARD;
    y.host = malloc(y.elements * sizeof *y.host);
    for (size_t i = 0; i < y.elements; i++)
        y.host[i] = NAN;
    return y;
}

/** The bytes of its copy on the GPU. */
static inline void *bytes_of(const struct call_data *x, const struct guarded_matrix *y)
{
    void *bytes = malloc(y->elements * size_of(x));
    for (size_t i = 0; i < y->elements; i++) {
        if (x->wide)
            ((double *)bytes)[i] = y->host[i];
        else
            ((float *)bytes)[i] = (float)y->host[i];
    }
    return bytes;
}

static inline void copy_to_device(const struct call_data *x, struct guarded_matrix *y)
{
    void *bytes = bytes_of(x, y);
    must(cudaMalloc(&y->device, y->elements * size_of(x)));
    bring(y->device, bytes, y->elements * size_of(x));
    free(bytes);
}

/** The first element, on the device. */
static inline void *start_of(const struct call_data *x, const struct guarded_matrix *y)
{
    return (char *)y->device + y->first * size_of(x);
}

static inline void destroy_matrices(struct call_data *x)
{
    cudaFree(x->a.device), cudaFree(x->b.device), cudaFree(x->c.device);
    free(x->a.host), free(x->b.host), free(x->c.host);
}

/** Whether the lines of op(X) are the columns of the stored matrix. */
static inline bool is_turned(const struct call_data *x, cublasOperation_t op)
{
    return (op != CUBLAS_OP_N) != x->rows;
}

/** Element (i, j) of op(X), on the host. */
static inline double at(const struct guarded_matrix *x, bool turned, int i, int j)
{
    return x->host[x->first + (turned ? j + (size_t)i * x->ld : i + (size_t)j * x->ld)];
}

static inline int run(ladder_gemm_t gemm, const struct call_data *x, const void *scalars)
{
    const void *a = start_of(x, &x->a), *b = start_of(x, &x->b), *alpha = scalars,
               *beta = (const char *)scalars + size_of(x);
    void *c = start_of(x, &x->c);
    if (x->wide)
        return (x->rows ? ladder_dgemm_row_major : ladder_dgemm)(gemm, x->ta, x->tb, x->m, x->n,
                                                                 x->k, alpha, a, x->a.ld, b,
                                                                 x->b.ld, beta, c, x->c.ld);
    return (x->rows ? ladder_sgemm_row_major : ladder_sgemm)(
        gemm, x->ta, x->tb, x->m, x->n, x->k, alpha, a, x->a.ld, b, x->b.ld, beta, c, x->c.ld);
}

/** A factor or C of this shape, of small integers; seed 0 leaves NaN. */
static inline struct guarded_matrix integers(const struct call_data *x, cublasOperation_t op,
                                             int rows, int columns, int extra, int shift,
                                             unsigned seed)
{
    bool turned = is_turned(x, op);
    struct guarded_matrix y =
        matrix_of(turned ? columns : rows, turned ? rows : columns, extra, shift);
    for (int j = 0; seed && j < y.count; j++)
        for (int i = 0; i < y.lines; i++)
            y.host[y.first + i + (size_t)j * y.ld] =
                small_integer(seed, (size_t)j * y.lines + i);
    copy_to_device(x, &y);
    return y;
}

/** Counts elements of C that differ from the product, which is exact; *outside: whether bytes
 * around them changed. */
static inline int wrong_integers(const struct call_data *x, bool *outside)
{
    const struct guarded_matrix *c = &x->c;
    size_t size = size_of(x), bytes = c->elements * size;
    char *got = malloc(bytes), *before = bytes_of(x, c);
    int wrong = 0;
    must(cudaDeviceSynchronize());
    must(cudaMemcpy(got, c->device, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < x->m; i++)
        for (int j = 0; j < x->n; j++) {
            size_t place = c->first + (x->rows ? j + (size_t)i * c->ld : i + (size_t)j * c->ld);
            double sum = 0, old = x->beta == 0 ? 0 : x->beta * c->host[place];
            for (int l = 0; l < x->k; l++)
                sum +=
                    at(&x->a, is_turned(x, x->ta), i, l) * at(&x->b, is_turned(x, x->tb), l, j);
            double value = x->wide ? ((double *)got)[place] : (double)((float *)got)[place];
            wrong += !(value == x->alpha * sum + old);
            memcpy(got + place * size, before + place * size, size);
        }
    *outside = memcmp(got, before, bytes) != 0;
    free(got), free(before);
    return wrong;
}

#endif
