/* SPDX-License-Identifier: MIT */
/** @file gemm.c
 * Calls: checks arguments, chooses plans, and divides what does not fit into memory.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/sizes.h"
#include "library.h"

static bool is_operation(cublasOperation_t x)
{
    return x == CUBLAS_OP_N || x == CUBLAS_OP_T || x == CUBLAS_OP_C;
}

int wrong_argument(const struct ladder_gemm *h, cublasOperation_t transa,
                   cublasOperation_t transb, const struct gemm_call *x)
{
    if (!h)
        return 1;
    if (!is_operation(transa))
        return 2;
    if (!is_operation(transb))
        return 3;
    if (x->m < 0 || x->n < 0 || x->k < 0)
        return x->m < 0 ? 4 : x->n < 0 ? 5 : 6;
    if (!x->alpha)
        return 7;
    bool written = x->m > 0 && x->n > 0;
    bool read = written && x->k > 0 && (x->on_device || !x->of->is(x->alpha, 0));
    if (read && !x->a)
        return 8;
    if (x->lda < larger(1, transa == CUBLAS_OP_N ? x->m : x->k))
        return 9;
    if (read && !x->b)
        return 10;
    if (x->ldb < larger(1, transb == CUBLAS_OP_N ? x->k : x->n))
        return 11;
    if (!x->beta)
        return 12;
    if (written && !x->c)
        return 13;
    return x->ldc < larger(1, x->m) ? 14 : 0;
}

static const char *name_of(const struct gemm_call *x)
{
    return x->of == &ladder_f64 ? "ladder_dgemm" : "ladder_sgemm";
}

struct method_plan choose_plan(struct ladder_gemm *h, const struct gemm_call *x, bool asked)
{
    struct method_plan plans[MOST_CANDIDATES];
    if (h->is_forced)
        return is_plan(h, h->forced, x->of) ? h->forced : plain_cublas();
    if (excludes_cublas(x))
        return guess_plan(h, x); /* its levels do not change bits */
    struct plan_entry *known = find_entry(h, key_of(x)), found;
    if (known) {
        h->done.fell_back = known->limited;
        return known->plan;
    }
    if (!asked || is_capturing(h->stream) || (h->callers && needs_c(x)) ||
        candidates(h, x, plans) == 1)
        return guess_plan(h, x);
    memset(&found, 0, sizeof found);
    found.key = key_of(x), found.most = h->most_levels;
    if (!find_plan(h, x, &found)) {
        found.limited = true;
        found.plan = plain_cublas();
    } else if (!h->failure.status) {
        h->done.measured = 1;
        forget_calls(h);
        keep_entry(&h->found, found);
        if (!found.limited)
            write_plan(h, &found);
    }
    if (found.limited) {
        h->done.fell_back = 1;
        snprintf(h->message, sizeof h->message,
                 "%s: %d x %d x %d: too little memory to measure all plans of this shape",
                 name_of(x), x->m, x->n, x->k);
        tell(h, h->verbose);
    }
    return found.plan;
}

/// [fall back]
/* Returns the plan if its workspace can be allocated. If not, tries the same method with fewer
   and fewer levels, then plain with its two temporaries per level, then cuBLAS. */
static struct method_plan within_memory(struct ladder_gemm *h, const struct gemm_call *x,
                                        struct method_plan plan)
{
    struct method_plan less = plan;
    if (plan.method == CUBLAS)
        return plan;
    for (; is_plan(h, less, x->of); less.levels--)
        if (grow_workspace(h, layout_bytes(x, less)))
            return less;
    if (method_of(plan.method)->math)
        return plain_cublas(); /* plain's error may be larger than the mode's */
    for (less = plan_of("plain", plan.levels, 0); is_plan(h, less, x->of); less.levels--)
        if (grow_workspace(h, layout_bytes(x, less)))
            return less;
    return plain_cublas();
}
/// [fall back]

/* Rows [row, row + m) and columns [col, col + n) of a product. */
static struct gemm_call piece_of(const struct gemm_call *x, int row, int col, int m, int n)
{
    struct gemm_call piece = *x;
    size_t a = (size_t)row * (size_t)(x->ta ? x->lda : 1);
    size_t b = (size_t)col * (size_t)(x->tb ? 1 : x->ldb);
    piece.a = (const char *)x->a + a * x->of->size;
    piece.b = (const char *)x->b + b * x->of->size;
    piece.c = (char *)x->c + ((size_t)row + (size_t)col * (size_t)x->ldc) * x->of->size;
    piece.m = (int)smaller(m, x->m - row), piece.n = (int)smaller(n, x->n - col);
    return piece;
}

/* Finds a piece of the product that fits into memory without levels: halves the longer side
   until it fits or is too small. k is never cut, so that every element is summed as in the
   whole product. Returns false, and the whole as `piece`, if no piece fits. */
static bool find_piece(struct ladder_gemm *h, const struct gemm_call *x, int method,
                       struct gemm_call *piece)
{
    const int apart = 64; /* pieces begin aligned to cache lines if the whole does */
    struct method_plan plan = {method, 0, 0};
    *piece = *x;
    while (!grow_workspace(h, layout_bytes(piece, plan))) {
        int *longer = piece->m > piece->n ? &piece->m : &piece->n;
        int half = (int)round_up(pieces_of(*longer, 2), apart);
        if (half >= *longer || half < h->smallest_leaf) {
            *piece = *x;
            return false;
        }
        *longer = half;
    }
    return true;
}

static void run_pieces(struct ladder_gemm *h, const struct gemm_call *x,
                       const struct gemm_call *piece, struct method_plan plan)
{
    h->pieces = 1;
    if (piece->m == x->m && piece->n == x->n) {
        run_planned(h, x, plan);
        return;
    }
    for (int i = 0; i == 0 || i < x->count; i++) {
        struct gemm_call one = product_in_batch(x, i);
        h->pieces = 0;
        for (int col = 0; col < x->n; col += piece->n)
            for (int row = 0; row < x->m; row += piece->m, h->pieces++) {
                struct gemm_call part = piece_of(&one, row, col, piece->m, piece->n);
                run_plan(h, &part, plan);
            }
    }
}

/* Multiplies with a prepared factor. Returns false, and does nothing, without workspace. */
static bool multiply_prepared(struct ladder_gemm *h, const struct gemm_call *x)
{
    struct method_plan plan = x->prepared->plan;
    if (x->n > method_of(plan.method)->longest_edge ||
        !grow_workspace(h, layout_bytes(x, plan)))
        return false;
    h->done.plan = h->done.ran = public_plan(plan);
    h->done.workspace_bytes = layout_bytes(x, plan);
    run_pieces(h, x, x, plan);
    return true;
}

static void multiply(struct ladder_gemm *h, struct gemm_call *x)
{
    struct method_plan plan = choose_plan(h, x, h->measures);
    x->accurate = x->accurate && grow_workspace(h, layout_bytes(x, plan)); /* it needs more */
    struct method_plan ran = within_memory(h, x, plan);
    struct gemm_call piece = *x;
    int math = method_of(plan.method)->math;
    if (math && ran.method == CUBLAS && find_piece(h, x, plan.method, &piece))
        ran = (struct method_plan){plan.method, 0, 0};
    h->done.plan = public_plan(plan);
    h->done.ran = public_plan(ran);
    h->done.workspace_bytes = layout_bytes(&piece, ran);
    run_pieces(h, x, &piece, ran);
    if (ran.method != plan.method || ran.levels != plan.levels || h->pieces > 1) {
        h->done.fell_back = 1;
        snprintf(h->message, sizeof h->message,
                 "%s: %d x %d x %d: no room for %zu bytes of workspace: %s with %d "
                 "levels in %d piece%s instead of %s with %d",
                 name_of(x), x->m, x->n, x->k, layout_bytes(x, plan), h->done.ran.variant,
                 ran.levels, h->pieces, h->pieces == 1 ? "" : "s", h->done.plan.variant,
                 plan.levels);
        tell(h, h->verbose);
    }
}

void note_use(struct ladder_gemm *h)
{
    if (!h->done.workspace_bytes || is_capturing(h->stream))
        return;
    TRY(h, cudaEventRecord(h->last, h->stream));
    h->used = true;
}

/* Whether the caller has made the handle's device current. */
static bool is_on_device(const struct ladder_gemm *h)
{
    int device;
    return h->is_only_device || (cudaGetDevice(&device) == cudaSuccess && device == h->device);
}

/* Whether this call's plan was cuBLAS the last time, and still is. On an H100 cuBLAS queues a
   product of 64 in 12 microseconds; searching all plans, and the settings of a call with
   workspace, would add a tenth. The first call in this stream made cuBLAS load its kernels, so
   it does not depend on the thread's capture mode. */
static bool is_plain_call(const struct ladder_gemm *h, const struct gemm_call *x)
{
    unsigned count = h->plain_count < PLAIN_CALLS ? h->plain_count : PLAIN_CALLS;
    struct key key = key_of(x);
    if (h->is_forced || x->prepared)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (is_key(&h->plain[i], &key))
            return is_on_device(h);
    return false;
}

static const struct ladder_done by_cublas = {{"cublas", 0, 0}, {"cublas", 0, 0}, 0, 0, 0};

static int multiply_plainly(struct ladder_gemm *h, const struct gemm_call *x)
{
    h->failure.status = 0, h->pieces = 1;
    h->done = by_cublas;
    run_planned(h, x, plain_cublas());
    return end_product(h);
}

static double value_of(const struct gemm_call *x, const void *scalar)
{
    return x->of == &ladder_f64 ? *(const double *)scalar : (double)*(const float *)scalar;
}

/* Whether the call has the last one's sizes, scalars and alignment, so that its arguments are
   right and cuBLAS computes it. Such calls need nothing else, and read few cache lines: cuBLAS
   has filled the caches with its own data. */
static bool is_same_call(const struct ladder_gemm *h, cublasOperation_t transa,
                         cublasOperation_t transb, const struct gemm_call *x)
{
    const struct gemm_call *s = &h->same;
    const uintptr_t low = 4 * sizeof(double) - 1;
    return s->of == x->of && s->m == x->m && s->n == x->n && s->k == x->k && s->lda == x->lda &&
           s->ldb == x->ldb && s->ldc == x->ldc && h->same_a == transa && h->same_b == transb &&
           x->count == 1 && !x->prepared && x->alpha && x->beta && x->a && x->b && x->c &&
           (((uintptr_t)s->a ^ (uintptr_t)x->a) & low) == 0 &&
           (((uintptr_t)s->b ^ (uintptr_t)x->b) & low) == 0 &&
           (((uintptr_t)s->c ^ (uintptr_t)x->c) & low) == 0 &&
           value_of(x, x->alpha) == h->same_alpha && value_of(x, x->beta) == h->same_beta &&
           is_on_device(h);
}

static int multiply_again(struct ladder_gemm *h, cublasOperation_t ta, cublasOperation_t tb,
                          const struct gemm_call *x)
{
    h->done = by_cublas, h->pieces = 1;
    cublasStatus_t status =
        x->of == &ladder_f64 ? cublasDgemm(h->gpu.cublas, ta, tb, x->m, x->n, x->k, x->alpha,
                                           x->a, x->lda, x->b, x->ldb, x->beta, x->c, x->ldc)
                             : cublasSgemm(h->gpu.cublas, ta, tb, x->m, x->n, x->k, x->alpha,
                                           x->a, x->lda, x->b, x->ldb, x->beta, x->c, x->ldc);
    if (status == CUBLAS_STATUS_SUCCESS)
        return 0;
    h->same.of = NULL;
    note_failure(&h->gpu, FAILURE_CUBLAS, name_of(x), __FILE__, __LINE__, (int)status);
    return end_product(h);
}

int run_call(struct ladder_gemm *h, cublasOperation_t transa, cublasOperation_t transb,
             struct gemm_call *x)
{
    if (h && is_same_call(h, transa, transb, x))
        return multiply_again(h, transa, transb, x);
    x->on_device = h && h->device_scalars;
    x->math = h ? math_of(h, x->of) : 0, x->accurate = h && h->accurate;
    int wrong = wrong_argument(h, transa, transb, x);
    if (wrong) {
        if (h)
            snprintf(h->message, sizeof h->message, "%s: argument %d is wrong", name_of(x),
                     wrong);
        return wrong;
    }
    x->ta = transa != CUBLAS_OP_N, x->tb = transb != CUBLAS_OP_N;
    bool has_elements = x->m > 0 && x->n > 0 && x->count > 0;
    bool multiplies = has_elements && x->k > 0 && (x->on_device || !x->of->is(x->alpha, 0));
    h->same.of = NULL;
    if (multiplies && is_plain_call(h, x)) {
        int status = multiply_plainly(h, x);
        if (!status && !x->on_device && h->stream == h->gpu.home)
            h->same = *x, h->same_a = transa, h->same_b = transb,
            h->same_alpha = value_of(x, x->alpha), h->same_beta = value_of(x, x->beta);
        return status;
    }
    forget_product(h);
    if (!has_elements)
        return 0;
    struct outside was = begin_call(h);
    if (is_room_again(h))
        forget_limited(h);
    if (multiplies) {
        if (x->prepared && !multiply_prepared(h, x))
            x->prepared = NULL;
        if (!x->prepared)
            multiply(h, x);
        note_use(h);
        if (!h->is_forced && !x->prepared && !h->done.measured && !h->done.fell_back &&
            strcmp(h->done.plan.variant, "cublas") == 0)
            h->plain[h->plain_count++ % PLAIN_CALLS] = key_of(x);
    } else if (x->on_device || !x->of->is(x->beta, 1)) { /* C = beta C; A and B are not read */
        struct context ctx = library_context(h, x->of);
        static const double zero = 0; /* its bytes are a float's zero, too */
        if (x->k == 0)
            x->alpha = x->on_device ? NULL : &zero;
        for (int i = 0; i == 0 || i < x->count; i++) {
            struct gemm_call one = product_in_batch(x, i);
            /* with alpha = 0 the product is not read */
            x->of->finish(&ctx, &one, one.c, x->ldc);
        }
    }
    return end_call(h, was);
}

int renumbered(struct ladder_gemm *h, int status, const int *ours, const char *name)
{
    if (status > 0 && h)
        snprintf(h->message, sizeof h->message, "%s: argument %d is wrong", name,
                 ours ? ours[status] : status);
    return status > 0 && ours ? ours[status] : status;
}

/* In the same memory a row-major C is the column-major C^T = op(B)^T op(A)^T. */
static int rows_first(struct ladder_gemm *h, int status, const char *name)
{
    static const int ours[] = {0, 1, 3, 2, 5, 4, 6, 7, 10, 11, 8, 9, 12, 13, 14};
    return renumbered(h, status, ours, name);
}

struct gemm_call one_product(const struct typed_methods *of, int m, int n, int k,
                             const void *alpha, const void *A, int lda, const void *B, int ldb,
                             const void *beta, void *C, int ldc)
{
    return (struct gemm_call){of,  m,   n, k,   false, false, A,         B,
                              lda, ldb, C, ldc, alpha, beta,  .count = 1};
}

int ladder_sgemm(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb, int m,
                 int n, int k, const float *alpha, const float *A, int lda, const float *B,
                 int ldb, const float *beta, float *C, int ldc)
{
    struct gemm_call x = one_product(&ladder_f32, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
    return run_call(h, transa, transb, &x);
}

int ladder_dgemm(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb, int m,
                 int n, int k, const double *alpha, const double *A, int lda, const double *B,
                 int ldb, const double *beta, double *C, int ldc)
{
    struct gemm_call x = one_product(&ladder_f64, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
    return run_call(h, transa, transb, &x);
}

int ladder_sgemm_row_major(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb,
                           int m, int n, int k, const float *alpha, const float *A, int lda,
                           const float *B, int ldb, const float *beta, float *C, int ldc)
{
    return rows_first(
        h, ladder_sgemm(h, transb, transa, n, m, k, alpha, B, ldb, A, lda, beta, C, ldc),
        "ladder_sgemm_row_major");
}

int ladder_dgemm_row_major(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb,
                           int m, int n, int k, const double *alpha, const double *A, int lda,
                           const double *B, int ldb, const double *beta, double *C, int ldc)
{
    return rows_first(
        h, ladder_dgemm(h, transb, transa, n, m, k, alpha, B, ldb, A, lda, beta, C, ldc),
        "ladder_dgemm_row_major");
}

int renumbered_batch(struct ladder_gemm *h, int status, const char *name)
{
    static const int ours[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14, 15, 16, 18};
    return renumbered(h, status, ours, name);
}

static int run_batch(struct ladder_gemm *h, cublasOperation_t transa, cublasOperation_t transb,
                     struct gemm_call *x, const char *name)
{
    int status = h && x->count < 0 ? 15 : run_call(h, transa, transb, x);
    return renumbered_batch(h, status, name);
}

int ladder_sgemm_strided_batched(ladder_gemm_t handle, cublasOperation_t transa,
                                 cublasOperation_t transb, int m, int n, int k,
                                 const float *alpha, const float *A, int lda,
                                 long long stride_a, const float *B, int ldb,
                                 long long stride_b, const float *beta, float *C, int ldc,
                                 long long stride_c, int count)
{
    struct gemm_call x = one_product(&ladder_f32, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
    x.stride_a = stride_a, x.stride_b = stride_b, x.stride_c = stride_c, x.count = count;
    return run_batch(handle, transa, transb, &x, "ladder_sgemm_strided_batched");
}

int ladder_dgemm_strided_batched(ladder_gemm_t handle, cublasOperation_t transa,
                                 cublasOperation_t transb, int m, int n, int k,
                                 const double *alpha, const double *A, int lda,
                                 long long stride_a, const double *B, int ldb,
                                 long long stride_b, const double *beta, double *C, int ldc,
                                 long long stride_c, int count)
{
    struct gemm_call x = one_product(&ladder_f64, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
    x.stride_a = stride_a, x.stride_b = stride_b, x.stride_c = stride_c, x.count = count;
    return run_batch(handle, transa, transb, &x, "ladder_dgemm_strided_batched");
}
