/* SPDX-License-Identifier: MIT */
/** @file syrk.c
 * Products of a matrix and its transpose: half of the elements, so half of the work.
 */
#include <string.h>

#include "common/sizes.h"
#include "steps/20-library/library.h"

/* The triangle of C in rows and columns [first, first + x->n). Halves it while the square block
   between the two halves is a product that the library computes faster than cuBLAS, and leaves
   the triangles that remain to cublasDsyrk. `x` has A in `a` and transposes it if `ta`. */
static void update_triangle(struct ladder_gemm *h, const struct gemm_call *x, bool lower,
                            struct ladder_done *done)
{
    struct context ctx = library_context(h, &ladder_f64);
    int half = (int)round_up(pieces_of(x->n, 2), 64), rest = x->n - half;
    size_t line = x->ta ? (size_t)x->lda : 1; /* from one row of op(A) to the next */
    const double *upper_rows = x->a, *lower_rows = upper_rows + (size_t)half * line;
    double *corner = x->c;
    struct gemm_call block = *x, triangle = *x;
    block.a = lower ? lower_rows : upper_rows, block.b = lower ? upper_rows : lower_rows;
    block.m = lower ? rest : half, block.n = lower ? half : rest;
    block.ldb = x->lda, block.tb = !x->ta;
    block.c = corner + (lower ? (size_t)half : (size_t)half * (size_t)x->ldc);
    int shortest = (int)smaller(rest, x->k);
    bool is_short = shortest < h->smallest_leaf * (h->is_forced ? 1 : SHORTEST_EDGE);
    if (is_short || h->failure.status || choose_plan(h, &block, h->measures).method == CUBLAS) {
        ladder_cublas_dsyrk(&ctx, x, lower);
        return;
    }
    run_call(h, x->ta ? CUBLAS_OP_T : CUBLAS_OP_N, x->ta ? CUBLAS_OP_N : CUBLAS_OP_T, &block);
    if (strcmp(done->ran.variant, "cublas") == 0)
        *done = h->done;
    triangle.n = half;
    update_triangle(h, &triangle, lower, done);
    triangle.n = rest, triangle.a = lower_rows;
    triangle.c = corner + (size_t)half * (size_t)(x->ldc + 1);
    update_triangle(h, &triangle, lower, done);
}

int renumbered_syrk(struct ladder_gemm *h, int status, const char *name)
{
    static const int ours[] = {0, 1, 3, 3, 4, 4, 5, 6, 7, 8, 7, 8, 9, 10, 11};
    return renumbered(h, status, ours, name);
}

int ladder_dsyrk(ladder_gemm_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                 int k, const double *alpha, const double *A, int lda, const double *beta,
                 double *C, int ldc)
{
    bool ta = trans != CUBLAS_OP_N;
    struct gemm_call x = one_product(&ladder_f64, n, n, k, alpha, A, lda, A,
                                     (int)larger(1, ta ? k : n), beta, C, ldc);
    x.on_device = handle && handle->device_scalars;
    int wrong = wrong_argument(handle, trans, ta ? CUBLAS_OP_N : CUBLAS_OP_T, &x);
    if (handle && uplo != CUBLAS_FILL_MODE_LOWER && uplo != CUBLAS_FILL_MODE_UPPER)
        return renumbered(handle, 2, NULL, "ladder_dsyrk");
    if (wrong)
        return renumbered_syrk(handle, wrong, "ladder_dsyrk");
    forget_product(handle);
    if (n == 0)
        return 0;
    struct outside was = begin_call(handle);
    struct ladder_done done = {.ran = {"cublas", 0, 0}, .plan = {"cublas", 0, 0}};
    x.ta = ta, x.math = math_of(handle, x.of), x.accurate = handle->accurate;
    if (k > 0 && (x.on_device || *alpha != 0)) {
        update_triangle(handle, &x, uplo == CUBLAS_FILL_MODE_LOWER, &done);
    } else { /* with alpha = 0 A may be NULL, or hold NaN, but cuBLAS reads it */
        x.k = 0;
        struct context ctx = library_context(handle, x.of);
        ladder_cublas_dsyrk(&ctx, &x, uplo == CUBLAS_FILL_MODE_LOWER);
    }
    handle->done = done, handle->pieces = 1;
    note_use(handle);
    return end_call(handle, was);
}
