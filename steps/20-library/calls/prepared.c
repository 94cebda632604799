/* SPDX-License-Identifier: MIT */
/** @file prepared.c
 * Factors that are split once and used for many calls.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/sizes.h"
#include "steps/20-library/library.h"

/* The method of the handle's math mode, without levels; cuBLAS if the mode has none. */
static struct method_plan method_for_mode(const struct ladder_gemm *h)
{
    for (int i = METHODS; h->math && method_of(i); i++)
        if (method_of(i)->math == h->math && !method_of(i)->wide &&
            method_of(i)->prepared.kept &&
            is_plan(h, (struct method_plan){i, 0, 0}, &ladder_f32))
            return (struct method_plan){i, 0, 0};
    return plain_cublas();
}

/* Splits the left factor of x into `made`: first the copy that the method needs, if any, then
   the split form. Returns 0 or LADDER_GEMM_NO_MEMORY. */
static int prepare(struct ladder_gemm *h, const struct gemm_call *x, struct method_plan plan,
                   struct ladder_prepared *made)
{
    const struct prepared_functions *by = &method_of(plan.method)->prepared;
    struct workspace_layout at = layout_of(x, plan);
    struct context ctx = library_context(h, x->of);
    size_t copied = at.copy_right
                        ? (size_t)round_up(at.p.b.rows * at.p.b.cols * (long)x->of->size, 256)
                        : 0;
    size_t bytes = copied + by->kept(at.p, plan.levels, x->math);
    if (cudaMalloc(&made->memory, bytes) != cudaSuccess) {
        cudaGetLastError();
        return LADDER_GEMM_NO_MEMORY;
    }
    if (at.copy_right) {
        at.p.b.at = made->memory;
        x->of->copy(&ctx, x->a, x->lda, x->ta, x->k, x->m, at.p.b.at, at.p.b.rows, at.p.b.cols);
    }
    made->kept = (char *)made->memory + copied;
    by->prepare(&ctx, at.p, plan.levels, x->math, made->kept);
    TRY(h, cudaStreamSynchronize(h->stream));
    made->device = h->device, made->m = x->m, made->k = x->k, made->ta = x->ta;
    made->a = x->a, made->lda = x->lda, made->math = x->math, made->plan = plan;
    made->right = at.p.b;
    return 0;
}

int ladder_gemm_prepare(ladder_gemm_t h, ladder_prepared_t *prepared, cublasOperation_t transa,
                        int m, int k, const float *A, int lda, int n)
{
    static const int ours[] = {0, 1, 3, 0, 4, 8, 5, 0, 6, 7};
    static const float one = 1, zero = 0;
    if (!h || !prepared)
        return h ? 2 : 1;
    *prepared = NULL;
    void *aligned = (void *)256; /* for B and C, at which only the checks look */
    int ldb = (int)smaller(round_up(larger(k, 1), 4), INT_MAX),
        ldc = (int)smaller(round_up(larger(m, 1), 4), INT_MAX);
    struct gemm_call x =
        one_product(&ladder_f32, m, n, k, &one, A, lda, aligned, ldb, &zero, aligned, ldc);
    x.ta = transa != CUBLAS_OP_N, x.math = math_of(h, &ladder_f32);
    int wrong = wrong_argument(h, transa, CUBLAS_OP_N, &x);
    wrong = wrong ? wrong : m == 0 ? 4 : k == 0 ? 6 : n == 0 ? 5 : 0;
    if (wrong)
        return renumbered(h, wrong, ours, "ladder_gemm_prepare");
    struct method_plan plan = method_for_mode(h);
    if (!x.math || plan.method == CUBLAS || is_capturing(h->stream) ||
        larger(larger(m, n), k) > method_of(plan.method)->longest_edge) {
        snprintf(h->message, sizeof h->message, "ladder_gemm_prepare: %s",
                 !x.math || plan.method == CUBLAS ? "no math mode with prepared factors is set"
                 : is_capturing(h->stream)        ? "the handle's stream is captured"
                                                  : "the matrix is too long");
        return LADDER_GEMM_UNSUPPORTED;
    }
    struct ladder_done before = h->done;
    struct method_plan planned = choose_plan(h, &x, false);
    h->done = before;
    if (planned.method == plan.method)
        plan = planned;
    struct ladder_prepared *made = calloc(1, sizeof *made);
    struct outside was = begin_call(h);
    int status = made ? prepare(h, &x, plan, made) : LADDER_GEMM_NO_MEMORY;
    if (status == LADDER_GEMM_NO_MEMORY)
        snprintf(h->message, sizeof h->message, "ladder_gemm_prepare: no memory for %d x %d", m,
                 k);
    int failure = end_call(h, was);
    if (status || failure) {
        ladder_gemm_end_prepared(made);
        return failure ? failure : status;
    }
    *prepared = made;
    return 0;
}

int ladder_sgemm_prepared(ladder_gemm_t h, ladder_prepared_t prepared, cublasOperation_t transb,
                          int n, const float *alpha, const float *B, int ldb, const float *beta,
                          float *C, int ldc)
{
    static const int ours[] = {0, 1, 2, 3, 2, 4, 2, 5, 2, 2, 6, 7, 8, 9, 10};
    if (h && (!prepared || prepared->device != h->device))
        return renumbered(h, 2, ours, "ladder_sgemm_prepared");
    if (!h)
        return 1;
    struct gemm_call x = one_product(&ladder_f32, prepared->m, n, prepared->k, alpha,
                                     prepared->a, prepared->lda, B, ldb, beta, C, ldc);
    x.prepared = prepared;
    return renumbered(h, run_call(h, prepared->ta ? CUBLAS_OP_T : CUBLAS_OP_N, transb, &x),
                      ours, "ladder_sgemm_prepared");
}

void ladder_gemm_end_prepared(ladder_prepared_t prepared)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; /* as begin_call() */
    cudaThreadExchangeStreamCaptureMode(&mode);
    if (prepared)
        cudaFree(prepared->memory);
    cudaThreadExchangeStreamCaptureMode(&mode);
    free(prepared);
}
