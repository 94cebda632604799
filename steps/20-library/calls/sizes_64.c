/* SPDX-License-Identifier: MIT */
/** @file sizes_64.c
 * The functions with 64-bit sizes. If all sizes fit into an int, the ordinary functions
 * multiply. Larger products go to cuBLAS, which has functions of the same form.
 */
#include <limits.h>

#include "common/sizes.h"
#include "steps/20-library/library.h"

/* The sizes of one call. */
struct wide {
    int64_t m, n, k, lda, ldb, ldc, count;
};

static bool fits(int64_t size) { return size >= INT_MIN && size <= INT_MAX; }

static bool all_fit(const struct wide *w)
{
    return fits(w->m) && fits(w->n) && fits(w->k) && fits(w->lda) && fits(w->ldb) &&
           fits(w->ldc) && fits(w->count);
}

static int nearest(int64_t size) { return (int)larger(smaller(size, INT_MAX), INT_MIN); }

/* Checks the arguments and begins the call of cuBLAS. */
static int begin_wide(struct ladder_gemm *h, cublasOperation_t transa, cublasOperation_t transb,
                      struct gemm_call *x, const struct wide *w, struct outside *was)
{
    x->m = nearest(w->m), x->n = nearest(w->n), x->k = nearest(w->k);
    x->lda = nearest(w->lda), x->ldb = nearest(w->ldb), x->ldc = nearest(w->ldc);
    x->on_device = h && h->device_scalars;
    int wrong = wrong_argument(h, transa, transb, x);
    if (wrong)
        return wrong;
    *was = begin_call(h);
    cublasSetStream(h->gpu.cublas, h->stream);
    cublasSetPointerMode(h->gpu.cublas,
                         x->on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
    return 0;
}

static int end_wide(struct ladder_gemm *h, cublasStatus_t status, const char *call, int line,
                    struct outside was)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        note_failure(&h->gpu, FAILURE_CUBLAS, call, __FILE__, line, (int)status);
    cublasSetPointerMode(h->gpu.cublas, CUBLAS_POINTER_MODE_HOST);
    cublasSetStream(h->gpu.cublas, h->gpu.home);
    h->done.plan = h->done.ran = public_plan(plain_cublas());
    return end_call(h, was);
}

int ladder_sgemm_64(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb,
                    int64_t m, int64_t n, int64_t k, const float *alpha, const float *A,
                    int64_t lda, const float *B, int64_t ldb, const float *beta, float *C,
                    int64_t ldc)
{
    struct wide w = {m, n, k, lda, ldb, ldc, 1};
    struct gemm_call x = {
        .of = &ladder_f32, .a = A, .b = B, .c = C, .alpha = alpha, .beta = beta};
    struct outside was;
    if (all_fit(&w))
        return ladder_sgemm(h, transa, transb, (int)m, (int)n, (int)k, alpha, A, (int)lda, B,
                            (int)ldb, beta, C, (int)ldc);
    int wrong = begin_wide(h, transa, transb, &x, &w, &was);
    return wrong ? wrong
                 : end_wide(h,
                            cublasSgemm_64(h->gpu.cublas, transa, transb, m, n, k, alpha, A,
                                           lda, B, ldb, beta, C, ldc),
                            "cublasSgemm_64", __LINE__, was);
}

int ladder_dgemm_64(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb,
                    int64_t m, int64_t n, int64_t k, const double *alpha, const double *A,
                    int64_t lda, const double *B, int64_t ldb, const double *beta, double *C,
                    int64_t ldc)
{
    struct wide w = {m, n, k, lda, ldb, ldc, 1};
    struct gemm_call x = {
        .of = &ladder_f64, .a = A, .b = B, .c = C, .alpha = alpha, .beta = beta};
    struct outside was;
    if (all_fit(&w))
        return ladder_dgemm(h, transa, transb, (int)m, (int)n, (int)k, alpha, A, (int)lda, B,
                            (int)ldb, beta, C, (int)ldc);
    int wrong = begin_wide(h, transa, transb, &x, &w, &was);
    return wrong ? wrong
                 : end_wide(h,
                            cublasDgemm_64(h->gpu.cublas, transa, transb, m, n, k, alpha, A,
                                           lda, B, ldb, beta, C, ldc),
                            "cublasDgemm_64", __LINE__, was);
}

int ladder_sgemm_strided_batched_64(ladder_gemm_t h, cublasOperation_t transa,
                                    cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                    const float *alpha, const float *A, int64_t lda,
                                    long long stride_a, const float *B, int64_t ldb,
                                    long long stride_b, const float *beta, float *C,
                                    int64_t ldc, long long stride_c, int64_t count)
{
    struct wide w = {m, n, k, lda, ldb, ldc, count};
    struct gemm_call x = {
        .of = &ladder_f32, .a = A, .b = B, .c = C, .alpha = alpha, .beta = beta};
    struct outside was;
    if (all_fit(&w))
        return ladder_sgemm_strided_batched(h, transa, transb, (int)m, (int)n, (int)k, alpha, A,
                                            (int)lda, stride_a, B, (int)ldb, stride_b, beta, C,
                                            (int)ldc, stride_c, (int)count);
    int wrong = h && count < 0 ? 15 : begin_wide(h, transa, transb, &x, &w, &was);
    if (wrong)
        return renumbered_batch(h, wrong, "ladder_sgemm_strided_batched_64");
    return end_wide(h,
                    cublasSgemmStridedBatched_64(h->gpu.cublas, transa, transb, m, n, k, alpha,
                                                 A, lda, stride_a, B, ldb, stride_b, beta, C,
                                                 ldc, stride_c, count),
                    "cublasSgemmStridedBatched_64", __LINE__, was);
}

int ladder_dgemm_strided_batched_64(ladder_gemm_t h, cublasOperation_t transa,
                                    cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                    const double *alpha, const double *A, int64_t lda,
                                    long long stride_a, const double *B, int64_t ldb,
                                    long long stride_b, const double *beta, double *C,
                                    int64_t ldc, long long stride_c, int64_t count)
{
    struct wide w = {m, n, k, lda, ldb, ldc, count};
    struct gemm_call x = {
        .of = &ladder_f64, .a = A, .b = B, .c = C, .alpha = alpha, .beta = beta};
    struct outside was;
    if (all_fit(&w))
        return ladder_dgemm_strided_batched(h, transa, transb, (int)m, (int)n, (int)k, alpha, A,
                                            (int)lda, stride_a, B, (int)ldb, stride_b, beta, C,
                                            (int)ldc, stride_c, (int)count);
    int wrong = h && count < 0 ? 15 : begin_wide(h, transa, transb, &x, &w, &was);
    if (wrong)
        return renumbered_batch(h, wrong, "ladder_dgemm_strided_batched_64");
    return end_wide(h,
                    cublasDgemmStridedBatched_64(h->gpu.cublas, transa, transb, m, n, k, alpha,
                                                 A, lda, stride_a, B, ldb, stride_b, beta, C,
                                                 ldc, stride_c, count),
                    "cublasDgemmStridedBatched_64", __LINE__, was);
}

int ladder_zgemm_64(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb,
                    int64_t m, int64_t n, int64_t k, const cuDoubleComplex *alpha,
                    const cuDoubleComplex *A, int64_t lda, const cuDoubleComplex *B,
                    int64_t ldb, const cuDoubleComplex *beta, cuDoubleComplex *C, int64_t ldc)
{
    static const double one = 1;
    struct wide w = {m, n, k, lda, ldb, ldc, 1};
    struct gemm_call x = {.of = &ladder_f64, .a = A, .b = B, .c = C, .beta = beta};
    struct outside was;
    if (all_fit(&w))
        return ladder_zgemm(h, transa, transb, (int)m, (int)n, (int)k, alpha, A, (int)lda, B,
                            (int)ldb, beta, C, (int)ldc);
    x.alpha = alpha ? &one : NULL; /* A and B must be there, although alpha may be 0 */
    int wrong = begin_wide(h, transa, transb, &x, &w, &was);
    return wrong ? renumbered(h, wrong, NULL, "ladder_zgemm_64")
                 : end_wide(h,
                            cublasZgemm_64(h->gpu.cublas, transa, transb, m, n, k, alpha, A,
                                           lda, B, ldb, beta, C, ldc),
                            "cublasZgemm_64", __LINE__, was);
}

int ladder_dsyrk_64(ladder_gemm_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n,
                    int64_t k, const double *alpha, const double *A, int64_t lda,
                    const double *beta, double *C, int64_t ldc)
{
    bool ta = trans != CUBLAS_OP_N;
    struct wide w = {n, n, k, lda, larger(1, ta ? k : n), ldc, 1};
    struct gemm_call x = {.of = &ladder_f64, .a = A, .b = A, .c = C};
    struct outside was;
    if (all_fit(&w))
        return ladder_dsyrk(h, uplo, trans, (int)n, (int)k, alpha, A, (int)lda, beta, C,
                            (int)ldc);
    x.alpha = alpha, x.beta = beta;
    int wrong = begin_wide(h, trans, ta ? CUBLAS_OP_N : CUBLAS_OP_T, &x, &w, &was);
    return wrong ? renumbered_syrk(h, wrong, "ladder_dsyrk_64")
                 : end_wide(h,
                            cublasDsyrk_64(h->gpu.cublas, uplo, trans, n, k, alpha, A, lda,
                                           beta, C, ldc),
                            "cublasDsyrk_64", __LINE__, was);
}
