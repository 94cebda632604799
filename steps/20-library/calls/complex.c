/* SPDX-License-Identifier: MIT */
/** @file complex.c
 * Complex products by three real ones.
 */
#include <math.h>

#include "common/sizes.h"
#include "steps/20-library/library.h"

/* Three real matrices, the parts of a complex one and their sums. */
struct parts {
    double *at;
    long ld, columns;
};

static size_t elements(const struct parts *x)
{
    return 3 * (size_t)round_up(x->ld * x->columns, 64);
}

/* The three products: C = alpha op(A) op(B) + beta C. Returns false, and does nothing, if there
   is no memory for the parts. */
static bool multiply_three(struct ladder_gemm *h, const struct gemm_call *z,
                           cublasOperation_t transa, cublasOperation_t transb)
{
    static const double one = 1, zero = 0;
    struct context ctx = library_context(h, &ladder_f64);
    struct parts a = {NULL, round_up(z->ta ? z->k : z->m, 4), z->ta ? z->m : z->k},
                 b = {NULL, round_up(z->tb ? z->n : z->k, 4), z->tb ? z->k : z->n},
                 c = {NULL, round_up(z->m, 4), z->n};
    size_t bytes = (elements(&a) + elements(&b) + elements(&c)) * sizeof(double);
    struct ladder_done all = {.fell_back = 0};
    a.at = take_parts(h, bytes);
    if (!a.at)
        return false;
    b.at = a.at + elements(&a), c.at = b.at + elements(&b);
    ladder_split_complex(&ctx, z->a, z->lda, z->ta ? z->k : z->m, (int)a.columns,
                         transa == CUBLAS_OP_C, a.at, a.ld);
    ladder_split_complex(&ctx, z->b, z->ldb, z->tb ? z->n : z->k, (int)b.columns,
                         transb == CUBLAS_OP_C, b.at, b.ld);
    h->device_scalars = false;
    for (int i = 0; i < 3 && !h->failure.status; i++) {
        struct gemm_call x = *z;
        x.a = a.at + i * a.ld * a.columns, x.lda = (int)a.ld;
        x.b = b.at + i * b.ld * b.columns, x.ldb = (int)b.ld;
        x.c = c.at + i * c.ld * c.columns, x.ldc = (int)c.ld;
        x.alpha = &one, x.beta = &zero;
        run_call(h, z->ta ? CUBLAS_OP_T : CUBLAS_OP_N, z->tb ? CUBLAS_OP_T : CUBLAS_OP_N, &x);
        all.fell_back |= h->done.fell_back, all.measured |= h->done.measured;
    }
    ladder_gemm_device_scalars(h, z->on_device); /* and forgets these products */
    if (!h->failure.status)
        ladder_join_complex(&ctx, z, c.at, c.ld);
    give_parts_back(h, bytes);
    h->done.workspace_bytes += bytes;
    h->done.fell_back = all.fell_back, h->done.measured = all.measured;
    return true;
}

int ladder_zgemm(ladder_gemm_t handle, cublasOperation_t transa, cublasOperation_t transb,
                 int m, int n, int k, const cuDoubleComplex *alpha, const cuDoubleComplex *A,
                 int lda, const cuDoubleComplex *B, int ldb, const cuDoubleComplex *beta,
                 cuDoubleComplex *C, int ldc)
{
    bool on_device = handle && handle->device_scalars;
    double size = alpha && !on_device ? fabs(alpha->x) + fabs(alpha->y) : 1;
    struct gemm_call z =
        one_product(&ladder_f64, m, n, k, alpha ? &size : NULL, A, lda, B, ldb, beta, C, ldc);
    z.on_device = on_device;
    int wrong = wrong_argument(handle, transa, transb, &z);
    if (wrong)
        return renumbered(handle, wrong, NULL, "ladder_zgemm");
    z.ta = transa != CUBLAS_OP_N, z.tb = transb != CUBLAS_OP_N, z.alpha = alpha;
    forget_product(handle);
    if (m == 0 || n == 0)
        return 0;
    struct outside was = begin_call(handle);
    struct context ctx = library_context(handle, &ladder_f64);
    bool is_short =
        !handle->is_forced && smaller(smaller(m, n), k) < SHORTEST_EDGE * handle->smallest_leaf;
    if (k == 0 || size == 0) {
        ladder_join_complex(&ctx, &z, NULL, 0);
    } else if (is_short || !multiply_three(handle, &z, transa, transb)) {
        ladder_cublas_zgemm(&ctx, &z, transa, transb);
        handle->done.fell_back = !is_short;
        handle->done.ran = handle->done.plan = public_plan(plain_cublas()), handle->pieces = 1;
    }
    note_use(handle);
    return end_call(handle, was);
}
