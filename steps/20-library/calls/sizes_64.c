/* SPDX-License-Identifier: MIT */
/** @file sizes_64.c
 * The functions with 64-bit sizes. If all sizes fit into an int, the ordinary functions
 * multiply. Larger products go to cuBLAS, which has functions of the same form.
 */
#include <limits.h>

#include "common/sizes.h"
#include "steps/20-library/library.h"

/* The sizes of one call, and the strides of a batch. */
struct wide {
    int64_t m, n, k, lda, ldb, ldc, count;
    long long stride_a, stride_b, stride_c;
    bool is_batch;
};

static bool fits(int64_t size) { return size >= INT_MIN && size <= INT_MAX; }

static bool all_fit(const struct wide *w)
{
    return fits(w->m) && fits(w->n) && fits(w->k) && fits(w->lda) && fits(w->ldb) &&
           fits(w->ldc) && fits(w->count);
}

static int nearest(int64_t size) { return (int)larger(smaller(size, INT_MAX), INT_MIN); }

/* The nearest sizes that fit are right where the call's own are. */
static void set_sizes(struct gemm_call *x, const struct wide *w)
{
    x->m = nearest(w->m), x->n = nearest(w->n), x->k = nearest(w->k);
    x->lda = nearest(w->lda), x->ldb = nearest(w->ldb), x->ldc = nearest(w->ldc);
    x->count = nearest(w->count);
    x->stride_a = w->stride_a, x->stride_b = w->stride_b, x->stride_c = w->stride_c;
}

/* Checks the arguments and begins the call of cuBLAS. */
static int begin_wide(struct ladder_gemm *h, cublasOperation_t transa, cublasOperation_t transb,
                      struct gemm_call *x, struct outside *was)
{
    x->on_device = h && h->device_scalars;
    int wrong = wrong_argument(h, transa, transb, x);
    if (wrong)
        return wrong;
    forget_product(h);
    if (x->m && x->n && x->count)
        h->done.plan = h->done.ran = public_plan(plain_cublas()), h->pieces = 1;
    *was = begin_call(h);
    cublasSetStream(h->gpu.cublas, h->stream);
    cublasSetPointerMode(h->gpu.cublas,
                         x->on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
    return 0;
}

static int end_wide(struct ladder_gemm *h, cublasStatus_t status, const char *call,
                    struct outside was)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        note_failure(&h->gpu, FAILURE_CUBLAS, call, __FILE__, __LINE__, (int)status);
    cublasSetPointerMode(h->gpu.cublas, CUBLAS_POINTER_MODE_HOST);
    cublasSetStream(h->gpu.cublas, h->gpu.home);
    return end_call(h, was);
}

/* ---- Real products ---- */

static cublasStatus_t by_cublas(cublasHandle_t cublas, cublasOperation_t ta,
                                cublasOperation_t tb, const struct gemm_call *x,
                                const struct wide *w)
{
    bool wide = x->of == &ladder_f64;
    if (w->is_batch && wide)
        return cublasDgemmStridedBatched_64(cublas, ta, tb, w->m, w->n, w->k, x->alpha, x->a,
                                            w->lda, w->stride_a, x->b, w->ldb, w->stride_b,
                                            x->beta, x->c, w->ldc, w->stride_c, w->count);
    if (w->is_batch)
        return cublasSgemmStridedBatched_64(cublas, ta, tb, w->m, w->n, w->k, x->alpha, x->a,
                                            w->lda, w->stride_a, x->b, w->ldb, w->stride_b,
                                            x->beta, x->c, w->ldc, w->stride_c, w->count);
    return wide ? cublasDgemm_64(cublas, ta, tb, w->m, w->n, w->k, x->alpha, x->a, w->lda, x->b,
                                 w->ldb, x->beta, x->c, w->ldc)
                : cublasSgemm_64(cublas, ta, tb, w->m, w->n, w->k, x->alpha, x->a, w->lda, x->b,
                                 w->ldb, x->beta, x->c, w->ldc);
}

/* Multiplies x, whose sizes are w, for the function of this name. */
static int multiply_wide(struct ladder_gemm *h, cublasOperation_t ta, cublasOperation_t tb,
                         struct gemm_call x, const struct wide *w, const char *name)
{
    struct outside was;
    set_sizes(&x, w);
    int status = h && w->count < 0 ? 15
                 : all_fit(w)      ? run_call(h, ta, tb, &x)
                                   : begin_wide(h, ta, tb, &x, &was);
    if (!status && !all_fit(w))
        status = end_wide(h, by_cublas(h->gpu.cublas, ta, tb, &x, w), name, was);
    return w->is_batch ? renumbered_batch(h, status, name) : renumbered(h, status, NULL, name);
}

int ladder_sgemm_64(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb,
                    int64_t m, int64_t n, int64_t k, const float *alpha, const float *A,
                    int64_t lda, const float *B, int64_t ldb, const float *beta, float *C,
                    int64_t ldc)
{
    struct wide w = {m, n, k, lda, ldb, ldc, 1, 0, 0, 0, false};
    return multiply_wide(h, transa, transb,
                         one_product(&ladder_f32, 0, 0, 0, alpha, A, 0, B, 0, beta, C, 0), &w,
                         "ladder_sgemm_64");
}

int ladder_dgemm_64(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb,
                    int64_t m, int64_t n, int64_t k, const double *alpha, const double *A,
                    int64_t lda, const double *B, int64_t ldb, const double *beta, double *C,
                    int64_t ldc)
{
    struct wide w = {m, n, k, lda, ldb, ldc, 1, 0, 0, 0, false};
    return multiply_wide(h, transa, transb,
                         one_product(&ladder_f64, 0, 0, 0, alpha, A, 0, B, 0, beta, C, 0), &w,
                         "ladder_dgemm_64");
}

int ladder_sgemm_strided_batched_64(ladder_gemm_t h, cublasOperation_t transa,
                                    cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                    const float *alpha, const float *A, int64_t lda,
                                    long long stride_a, const float *B, int64_t ldb,
                                    long long stride_b, const float *beta, float *C,
                                    int64_t ldc, long long stride_c, int64_t count)
{
    struct wide w = {m, n, k, lda, ldb, ldc, count, stride_a, stride_b, stride_c, true};
    return multiply_wide(h, transa, transb,
                         one_product(&ladder_f32, 0, 0, 0, alpha, A, 0, B, 0, beta, C, 0), &w,
                         "ladder_sgemm_strided_batched_64");
}

int ladder_dgemm_strided_batched_64(ladder_gemm_t h, cublasOperation_t transa,
                                    cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                    const double *alpha, const double *A, int64_t lda,
                                    long long stride_a, const double *B, int64_t ldb,
                                    long long stride_b, const double *beta, double *C,
                                    int64_t ldc, long long stride_c, int64_t count)
{
    struct wide w = {m, n, k, lda, ldb, ldc, count, stride_a, stride_b, stride_c, true};
    return multiply_wide(h, transa, transb,
                         one_product(&ladder_f64, 0, 0, 0, alpha, A, 0, B, 0, beta, C, 0), &w,
                         "ladder_dgemm_strided_batched_64");
}

int ladder_zgemm_64(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb,
                    int64_t m, int64_t n, int64_t k, const cuDoubleComplex *alpha,
                    const cuDoubleComplex *A, int64_t lda, const cuDoubleComplex *B,
                    int64_t ldb, const cuDoubleComplex *beta, cuDoubleComplex *C, int64_t ldc)
{
    static const double one = 1;
    struct wide w = {m, n, k, lda, ldb, ldc, 1, 0, 0, 0, false};
    struct gemm_call x = {.of = &ladder_f64, .a = A, .b = B, .c = C, .beta = beta};
    struct outside was;
    if (all_fit(&w))
        return ladder_zgemm(h, transa, transb, (int)m, (int)n, (int)k, alpha, A, (int)lda, B,
                            (int)ldb, beta, C, (int)ldc);
    x.alpha = alpha ? &one : NULL; /* A and B must be there, although alpha may be 0 */
    set_sizes(&x, &w);
    int wrong = begin_wide(h, transa, transb, &x, &was);
    return wrong ? renumbered(h, wrong, NULL, "ladder_zgemm_64")
                 : end_wide(h,
                            cublasZgemm_64(h->gpu.cublas, transa, transb, m, n, k, alpha, A,
                                           lda, B, ldb, beta, C, ldc),
                            "cublasZgemm_64", was);
}

int ladder_dsyrk_64(ladder_gemm_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n,
                    int64_t k, const double *alpha, const double *A, int64_t lda,
                    const double *beta, double *C, int64_t ldc)
{
    bool ta = trans != CUBLAS_OP_N;
    struct wide w = {n, n, k, lda, larger(1, ta ? k : n), ldc, 1, 0, 0, 0, false};
    struct gemm_call x = {.of = &ladder_f64, .a = A, .b = A, .c = C};
    struct outside was;
    if (all_fit(&w))
        return ladder_dsyrk(h, uplo, trans, (int)n, (int)k, alpha, A, (int)lda, beta, C,
                            (int)ldc);
    x.alpha = alpha, x.beta = beta;
    set_sizes(&x, &w);
    int wrong = begin_wide(h, trans, ta ? CUBLAS_OP_N : CUBLAS_OP_T, &x, &was);
    return wrong ? renumbered_syrk(h, wrong, "ladder_dsyrk_64")
                 : end_wide(h,
                            cublasDsyrk_64(h->gpu.cublas, uplo, trans, n, k, alpha, A, lda,
                                           beta, C, ldc),
                            "cublasDsyrk_64", was);
}
