/* SPDX-License-Identifier: MIT */
/** @file ahead.c
 * Plans of shapes before their calls.
 */
#include <stdio.h>

#include "common/sizes.h"
#include "steps/20-library/library.h"

static size_t matrix_bytes(const struct typed_methods *of, int ld, int columns)
{
    return larger(1, (long)ld * columns) * of->size;
}

/* Makes the call that a shape describes, without matrices. Returns 0, or what is wrong. */
static int call_of(const struct ladder_gemm *h, const struct ladder_shape *s,
                   struct gemm_call *x)
{
    static const double one = 1, zero = 0, half = 0.5;
    static const float one_f = 1, zero_f = 0, half_f = 0.5f;
    if (!h || !s)
        return h ? 2 : 1;
    bool wide = s->is_double != 0;
    const void *alpha =
        wide ? (const void *)(s->scaled ? &half : &one) : (s->scaled ? &half_f : &one_f);
    const void *beta = wide ? (const void *)&zero : &zero_f;
    void *aligned = (void *)256; /* only the check looks at the pointers */
    *x = one_product(wide ? &ladder_f64 : &ladder_f32, s->m, s->n, s->k, alpha, aligned, s->lda,
                     aligned, s->ldb, beta, aligned, s->ldc);
    x->ta = s->transa != CUBLAS_OP_N, x->tb = s->transb != CUBLAS_OP_N;
    x->math = math_of(h, x->of), x->accurate = h->accurate;
    return wrong_argument(h, s->transa, s->transb, x) || s->m == 0 || s->n == 0 || s->k == 0
               ? 2
               : 0;
}

int ladder_gemm_outlook(ladder_gemm_t h, const struct ladder_shape *s, struct ladder_plan *plan,
                        size_t *workspace)
{
    struct gemm_call x;
    int wrong = call_of(h, s, &x);
    if (wrong)
        return wrong;
    struct ladder_done before = h->done;
    struct method_plan next = choose_plan(h, &x, false);
    h->done = before;
    if (plan)
        *plan = public_plan(next);
    if (workspace)
        *workspace = layout_bytes(&x, next);
    return 0;
}

int ladder_gemm_plan(ladder_gemm_t h, const struct ladder_shape *s, struct ladder_plan *plan,
                     size_t *workspace)
{
    struct gemm_call x;
    int wrong = call_of(h, s, &x);
    if (wrong)
        return wrong;
    struct outside was = begin_call(h);
    void *a = NULL, *b = NULL, *c = NULL;
    size_t a_bytes = matrix_bytes(x.of, s->lda, x.ta ? s->m : s->k);
    size_t b_bytes = matrix_bytes(x.of, s->ldb, x.tb ? s->k : s->n);
    struct plan_entry *known = find_entry(h, key_of(&x));
    struct method_plan found = known ? known->plan : plain_cublas();
    size_t c_bytes = matrix_bytes(x.of, s->ldc, s->n);
    bool room = known || (cudaMalloc(&a, a_bytes) == cudaSuccess &&
                          cudaMalloc(&b, b_bytes) == cudaSuccess &&
                          cudaMalloc(&c, c_bytes) == cudaSuccess);
    h->done = (struct ladder_done){.ran = {"none", 0, 0}};
    if (!known && room) {
        struct context ctx = library_context(h, x.of);
        x.of->fill(&ctx, a, a_bytes / x.of->size, 1);
        x.of->fill(&ctx, b, b_bytes / x.of->size, 2);
        x.a = a, x.b = b, x.c = c;
        found = choose_plan(h, &x, true);
    }
    if (!room)
        cudaGetLastError();
    TRY(h, cudaFree(a));
    TRY(h, cudaFree(b));
    TRY(h, cudaFree(c));
    h->done.plan = public_plan(found);
    if (!room && !h->failure.status) {
        snprintf(h->message, sizeof h->message,
                 "ladder_gemm_plan: %d x %d x %d: no memory for its matrices, %zu bytes", s->m,
                 s->n, s->k, a_bytes + b_bytes + c_bytes);
        end_call(h, was);
        return LADDER_GEMM_NO_MEMORY;
    }
    if (plan)
        *plan = public_plan(found);
    if (workspace)
        *workspace = layout_bytes(&x, found);
    return end_call(h, was);
}
