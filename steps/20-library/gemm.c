/* SPDX-License-Identifier: MIT */
/** @file gemm.c
 * The functions of ladder_gemm.h.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sizes.h"
#include "library.h"

/* What a call changes in the caller's thread, to be put back when it ends. */
struct outside {
    int device;
    enum cudaStreamCaptureMode mode;
};

/* Begins a call: makes the handle's device current, and lets this thread allocate memory while
   a stream is being captured. CUDA otherwise takes that for a mistake and ends the capture.
   Nothing that we capture depends on it. */
static struct outside begin(struct ladder_gemm *h)
{
    struct outside was = {.device = h->device, .mode = cudaStreamCaptureModeRelaxed};
    h->failure.status = 0;
    cudaThreadExchangeStreamCaptureMode(&was.mode);
    TRY(h, cudaGetDevice(&was.device));
    if (was.device != h->device)
        TRY(h, cudaSetDevice(h->device));
    return was;
}

static void leave(struct ladder_gemm *h, struct outside was)
{
    if (was.device != h->device)
        cudaSetDevice(was.device);
    cudaThreadExchangeStreamCaptureMode(&was.mode);
}

/* Ends the call and returns its status. */
static int end(struct ladder_gemm *h, struct outside was)
{
    if (h->failure.status) { /* what the methods have queued so far must end first */
        snprintf(h->message, sizeof h->message, "%s", h->failure.message);
        cudaDeviceSynchronize();
        cudaGetLastError(); /* or the next call would report this failure */
    }
    leave(h, was);
    return h->failure.status;
}

/* ---- Handles
 * -------------------------------------------------------------------------------------- */

/* Bytes that the device's memory moves in a ms, both ways; a guess if no attribute tells. */
static double memory_rate(const struct ladder_gemm *h)
{
    double bytes_per_ms = 1e9;
#ifndef LADDER_SIM
    int kilohertz = 0, bits = 0;
    if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, h->device) ==
            cudaSuccess &&
        cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, h->device) ==
            cudaSuccess &&
        kilohertz > 0 && bits > 0)
        bytes_per_ms = 0.85 * 2.0 * kilohertz * bits / 8; /* two transfers a clock */
#else
    (void)h;
#endif
    return bytes_per_ms;
}

/* Why this thread's last ladder_gemm_create() gave no handle. */
static _Thread_local char not_created[sizeof((struct ladder_gemm *)0)->failure.message + 64];

static int no_handle(int status, const char *why)
{
    snprintf(not_created, sizeof not_created, "ladder_gemm_create: %s", why);
    return status;
}

/* About how many flops cuBLAS's float products do in a millisecond: four fifths of what the
   multiprocessors can do at their highest clock. */
static double float_rate(const struct ladder_gemm *h)
{
    double flops_per_ms = 1e10;
#ifndef LADDER_SIM
    int kilohertz = 0;
    if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, h->device) == cudaSuccess &&
        kilohertz > 0)
        flops_per_ms = 0.8 * 2 * 128 * h->multiprocessors * (double)kilohertz;
#endif
    return flops_per_ms;
}

int ladder_gemm_create(ladder_gemm_t *handle, const char *tuning_file)
{
    *not_created = 0;
    if (!handle)
        return no_handle(1, "no place for the handle");
    *handle = NULL;
    struct ladder_gemm *h = calloc(1, sizeof *h);
    if (!h)
        return no_handle(LADDER_GEMM_NO_MEMORY, "no memory on the host");
    h->gpu.failure = &h->failure, h->gpu.failed = note_failure;
    int version = 0;
    struct cudaDeviceProp properties = {.multiProcessorCount = 0};
    cudaGetDevice(&h->device); /* where it fails, begin() says so */
    struct outside was = begin(h);
    TRY(h, cudaGetDeviceProperties(&properties, h->device));
    cublasStatus_t status_of_cublas = CUBLAS_STATUS_SUCCESS;
    if (!h->failure.status)
        status_of_cublas = cublasCreate(&h->gpu.cublas);
    if (!h->failure.status && status_of_cublas == CUBLAS_STATUS_SUCCESS)
        status_of_cublas = cublasGetVersion(h->gpu.cublas, &version);
    if (status_of_cublas != CUBLAS_STATUS_SUCCESS)
        note_failure(&h->gpu, FAILURE_CUBLAS, "cublasCreate", __FILE__, __LINE__,
                     (int)status_of_cublas);
    TRY(h, cudaEventCreate(&h->begun));
    TRY(h, cudaEventCreate(&h->ended));
    TRY(h, cudaEventCreateWithFlags(&h->last, cudaEventDisableTiming));
    TRY(h, cudaMalloc(&h->zero, sizeof(double)));
    TRY(h, cudaMemset(h->zero, 0, sizeof(double)));
    snprintf(h->gpu_name, sizeof h->gpu_name, "%s, cuBLAS %d", properties.name, version);
    h->multiprocessors = properties.multiProcessorCount;
    h->bytes_per_ms = memory_rate(h), h->flops_per_ms = float_rate(h);
    h->smallest_leaf = SMALLEST_LEAF, h->most_levels = MOST_LEVELS;
    h->limit = SIZE_MAX;
    h->measures = tuning_file != NULL;
    h->done.ran = h->done.plan = (struct ladder_plan){"none", 0, 0};
    if (!h->failure.status) {
        struct context w = library_context(h, NULL);
        h->gpu.lanes = ladder_make_lanes(&w);
        ladder_f32.load(&w), ladder_f64.load(&w);
        for (int i = 0; ladder_added[i]; i++)
            if (!ladder_added[i]->missing())
                h->added |= 1u << i, ladder_added[i]->load(&w);
        read_shipped_plans(h);
    }
    if (!h->failure.status && tuning_file) {
        h->file = strdup(tuning_file);
        if (h->file)
            read_plans(h);
    }
    int status = h->failure.status;
    if (!status && (!h->gpu.lanes || (tuning_file && !h->file && !*h->message)))
        status = LADDER_GEMM_NO_MEMORY;
    leave(h, was);
    if (status) {
        no_handle(status, *h->failure.message ? h->failure.message : "no memory on the host");
        ladder_gemm_destroy(h);
        return status;
    }
    *handle = h;
    return 0;
}

void ladder_gemm_destroy(ladder_gemm_t h)
{
    if (!h)
        return;
    struct outside was = begin(h);
    free_workspace(h);
    TRY(h, cudaFree(h->graphs.at)); /* its graphs end with the handle */
    for (size_t i = 0; i < h->retired_count; i++)
        TRY(h, cudaFree(h->retired[i]));
    cudaEvent_t events[] = {h->begun, h->ended, h->last};
    for (int i = 0; i < 3; i++)
        if (events[i])
            TRY(h, cudaEventDestroy(events[i]));
    TRY(h, cudaFree(h->zero));
    ladder_free_lanes(h->gpu.lanes);
    if (h->gpu.cublas)
        cublasDestroy(h->gpu.cublas);
    leave(h, was);
    free(h->retired);
    free(h->found.entries), free(h->shipped.entries);
    free(h->file);
    free(h);
}

/* ---- A product
 * ------------------------------------------------------------------------------------ */

static bool is_operation(cublasOperation_t x)
{
    return x == CUBLAS_OP_N || x == CUBLAS_OP_T || x == CUBLAS_OP_C;
}

/// [arguments]
/* The number of the first wrong argument, or 0. */
static int wrong_argument(const struct ladder_gemm *h, cublasOperation_t transa,
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
/// [arguments]

static const char *name_of(const struct gemm_call *x)
{
    return x->of == &ladder_f64 ? "ladder_dgemm" : "ladder_sgemm";
}

/* The plan of a call: the known one; else, if `asked`, the one found by measuring; else the one
   predicted to be the fastest. */
static struct method_plan choose(struct ladder_gemm *h, const struct gemm_call *x, bool asked)
{
    struct method_plan plans[MOST_CANDIDATES];
    if (h->is_forced)
        return is_plan(h, h->forced, x->of) ? h->forced : plain_cublas();
    struct plan_entry *known = find_entry(h, key_of(x)), found;
    if (known) {
        h->done.fell_back = known->limited;
        return known->plan;
    }
    if (!asked || is_capturing(h->stream) || candidates(h, x, plans) == 1)
        return guess_plan(h, x);
    memset(&found, 0, sizeof found);
    found.key = key_of(x), found.most = h->most_levels;
    if (!find_plan(h, x, &found)) {
        found.limited = true;
        found.plan = plain_cublas();
    } else if (!h->failure.status) {
        h->done.measured = 1;
        keep_entry(&h->found, found);
        if (!found.limited)
            write_plan(h, &found);
    }
    if (found.limited) {
        h->done.fell_back = 1;
        snprintf(h->message, sizeof h->message,
                 "%s: %d x %d x %d: not all candidates had room when it was measured",
                 name_of(x), x->m, x->n, x->k);
        tell(h, h->verbose);
    }
    return found.plan;
}

/// [fall back]
/* Returns the plan if its workspace can be had. If not, tries the same method with fewer levels
   where these need less, then plain with its two temporaries a level, then cuBLAS. */
static struct method_plan within_memory(struct ladder_gemm *h, const struct gemm_call *x,
                                        struct method_plan plan)
{
    struct method_plan less = plan;
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

/// [pieces]
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

/* Finds the largest piece of the product for which the method has room without levels: halves
   the longer side until there is room or the piece is too small. k is never cut, so that every
   element is summed as in the whole product. false: there is none; `piece` is the whole. */
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

/* Product i of a batch. */
static struct gemm_call product_in_batch(const struct gemm_call *x, int i)
{
    struct gemm_call one = *x;
    long long size = (long long)x->of->size;
    one.a = (const char *)x->a + i * x->stride_a * size;
    one.b = (const char *)x->b + i * x->stride_b * size;
    one.c = (char *)x->c + i * x->stride_c * size;
    return one;
}

static void run_pieces(struct ladder_gemm *h, const struct gemm_call *x,
                       const struct gemm_call *piece, struct method_plan plan)
{
    struct context w = library_context(h, x->of);
    h->pieces = 1;
    if (plan.method == CUBLAS && x->count > 1) {
        x->of->gemm_batch(&w, x, x->stride_a, x->stride_b, x->stride_c, x->count);
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
/// [pieces]

/* Multiplies with a prepared factor. false: there is no room, and nothing was done. */
static bool multiply_prepared(struct ladder_gemm *h, const struct gemm_call *x)
{
    struct method_plan plan = x->prepared->plan;
    if (x->n > method_of(plan.method)->longest_edge ||
        !grow_workspace(h, layout_bytes(x, plan)))
        return false;
    h->done.plan = h->done.ran = told(plan);
    h->done.workspace_bytes = layout_bytes(x, plan);
    run_pieces(h, x, x, plan);
    return true;
}

static void multiply(struct ladder_gemm *h, const struct gemm_call *x)
{
    struct method_plan plan = choose(h, x, h->measures), ran = within_memory(h, x, plan);
    struct gemm_call piece = *x;
    int math = method_of(plan.method)->math;
    if (math && ran.method == CUBLAS && find_piece(h, x, plan.method, &piece))
        ran = (struct method_plan){plan.method, 0, 0};
    h->done.plan = told(plan);
    h->done.ran = told(ran);
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

/* Multiplies a batch at once if all its products are aligned alike, so that the same workspace
   suits each of them; otherwise one product after another. */
static void multiply_batch(struct ladder_gemm *h, const struct gemm_call *x)
{
    if (x->count <= 1 || !((x->stride_a | x->stride_b | x->stride_c) % 4)) {
        multiply(h, x);
        return;
    }
    for (int i = 0; i < x->count; i++) {
        struct gemm_call one = product_in_batch(x, i);
        one.count = 1;
        multiply(h, &one);
    }
}

/* Records the event that work in another stream will wait for. */
static void note_use(struct ladder_gemm *h)
{
    if (is_capturing(h->stream))
        return;
    TRY(h, cudaEventRecord(h->last, h->stream));
    h->used = true;
}

static int product(struct ladder_gemm *h, cublasOperation_t transa, cublasOperation_t transb,
                   struct gemm_call *x)
{
    x->on_device = h && h->device_scalars;
    x->math = h ? math_of(h, x->of) : 0;
    int wrong = wrong_argument(h, transa, transb, x);
    if (wrong) {
        if (h)
            snprintf(h->message, sizeof h->message, "%s: argument %d is wrong", name_of(x),
                     wrong);
        return wrong;
    }
    x->ta = transa != CUBLAS_OP_N, x->tb = transb != CUBLAS_OP_N;
    memset(&h->done, 0, sizeof h->done);
    h->done.ran = h->done.plan = (struct ladder_plan){"none", 0, 0};
    h->pieces = 0;
    if (x->m == 0 || x->n == 0 || x->count == 0)
        return 0;
    struct outside was = begin(h);
    if (x->k > 0 && (x->on_device || !x->of->is(x->alpha, 0))) {
        if (x->prepared && !multiply_prepared(h, x))
            x->prepared = NULL;
        if (!x->prepared)
            multiply_batch(h, x);
        note_use(h);
    } else if (x->on_device || !x->of->is(x->beta, 1)) { /* C = beta C; A and B are not read */
        struct context w = library_context(h, x->of);
        static const double zero = 0; /* its bytes are a float's zero, too */
        if (x->k == 0)
            x->alpha = x->on_device ? h->zero : &zero;
        for (int i = 0; i == 0 || i < x->count; i++) {
            struct gemm_call one = product_in_batch(x, i);
            x->of->finish(&w, &one, one.c, x->ldc); /* with alpha = 0 the product is not read */
        }
    }
    return end(h, was);
}

/* Numbers a wrong argument of ladder_sgemm() as another function's, by the list `ours`. */
static int renumbered(struct ladder_gemm *h, int status, const int *ours, const char *name)
{
    if (status > 0 && h)
        snprintf(h->message, sizeof h->message, "%s: argument %d is wrong", name, ours[status]);
    return status > 0 ? ours[status] : status;
}

/* In the same memory a row-major C is the column-major C^T = op(B)^T op(A)^T. */
static int rows_first(struct ladder_gemm *h, int status, const char *name)
{
    static const int ours[] = {0, 1, 3, 2, 5, 4, 6, 7, 10, 11, 8, 9, 12, 13, 14};
    return renumbered(h, status, ours, name);
}

/// [functions]
#define CALL(table)                                                                            \
    {                                                                                          \
        .of = &table, .m = m, .n = n, .k = k, .a = A, .b = B, .lda = lda, .ldb = ldb, .c = C,  \
        .ldc = ldc, .alpha = alpha, .beta = beta, .count = 1                                   \
    }

int ladder_sgemm(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb, int m,
                 int n, int k, const float *alpha, const float *A, int lda, const float *B,
                 int ldb, const float *beta, float *C, int ldc)
{
    struct gemm_call x = CALL(ladder_f32);
    return product(h, transa, transb, &x);
}

int ladder_dgemm(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb, int m,
                 int n, int k, const double *alpha, const double *A, int lda, const double *B,
                 int ldb, const double *beta, double *C, int ldc)
{
    struct gemm_call x = CALL(ladder_f64);
    return product(h, transa, transb, &x);
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
/// [functions]

/* ---- Batches, and prepared factors ---- */

/* The method of the handle's math mode, without levels; cuBLAS where there is none. */
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
   the split form. Returns 0, or that there is no memory. */
static int prepare(struct ladder_gemm *h, const struct gemm_call *x, struct method_plan plan,
                   struct ladder_prepared *made)
{
    const struct prepared_functions *by = &method_of(plan.method)->prepared;
    struct workspace_layout at = layout_of(x, plan);
    struct context w = library_context(h, x->of);
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
        x->of->copy(&w, x->a, x->lda, x->ta, x->k, x->m, at.p.b.at, at.p.b.rows, at.p.b.cols);
    }
    made->kept = (char *)made->memory + copied;
    by->prepare(&w, at.p, plan.levels, x->math, made->kept);
    TRY(h, cudaStreamSynchronize(h->stream));
    made->device = h->device, made->m = x->m, made->k = x->k, made->ta = x->ta;
    made->a = x->a, made->lda = x->lda, made->math = x->math, made->plan = plan;
    made->right = at.p.b;
    return 0;
}

int ladder_sgemm_strided_batched(ladder_gemm_t h, cublasOperation_t transa,
                                 cublasOperation_t transb, int m, int n, int k,
                                 const float *alpha, const float *A, int lda,
                                 long long stride_a, const float *B, int ldb,
                                 long long stride_b, const float *beta, float *C, int ldc,
                                 long long stride_c, int count)
{
    static const int ours[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14, 15, 16, 18};
    struct gemm_call x = CALL(ladder_f32);
    x.count = count;
    x.stride_a = stride_a, x.stride_b = stride_b, x.stride_c = stride_c;
    int status = h && count < 0 ? 15 : product(h, transa, transb, &x);
    return renumbered(h, status, ours, "ladder_sgemm_strided_batched");
}

int ladder_gemm_prepare(ladder_gemm_t h, ladder_prepared_t *prepared, cublasOperation_t transa,
                        int m, int k, const float *A, int lda, int n)
{
    static const int ours[] = {0, 1, 3, 0, 4, 8, 5, 0, 6, 7};
    static const float one = 1, zero = 0;
    if (!h || !prepared)
        return h ? 2 : 1;
    *prepared = NULL;
    struct gemm_call x = {.of = &ladder_f32,
                          .m = m,
                          .n = n,
                          .k = k,
                          .ta = transa != CUBLAS_OP_N,
                          .a = A,
                          .lda = lda,
                          .b = (void *)256,
                          .ldb = (int)round_up(larger(k, 1), 4),
                          .c = (void *)256,
                          .ldc = (int)round_up(larger(m, 1), 4),
                          .alpha = &one,
                          .beta = &zero,
                          .math = math_of(h, &ladder_f32)};
    int wrong = wrong_argument(h, transa, CUBLAS_OP_N, &x);
    wrong = wrong ? wrong : m == 0 ? 4 : k == 0 ? 6 : n == 0 ? 5 : 0;
    if (wrong)
        return renumbered(h, wrong, ours, "ladder_gemm_prepare");
    struct method_plan plan = method_for_mode(h);
    if (!x.math || plan.method == CUBLAS || is_capturing(h->stream) ||
        larger(larger(m, n), k) > method_of(plan.method)->longest_edge) {
        snprintf(h->message, sizeof h->message, "ladder_gemm_prepare: %s",
                 !x.math || plan.method == CUBLAS ? "no math mode for tensor cores is set"
                 : is_capturing(h->stream)        ? "the handle's stream is captured"
                                                  : "the matrix is too long");
        return LADDER_GEMM_UNSUPPORTED;
    }
    struct ladder_done before = h->done;
    struct method_plan planned = choose(h, &x, false);
    h->done = before;
    if (planned.method == plan.method)
        plan = planned;
    struct ladder_prepared *made = calloc(1, sizeof *made);
    struct outside was = begin(h);
    int status = made ? prepare(h, &x, plan, made) : LADDER_GEMM_NO_MEMORY;
    if (status == LADDER_GEMM_NO_MEMORY)
        snprintf(h->message, sizeof h->message, "ladder_gemm_prepare: no memory for %d x %d", m,
                 k);
    int failure = end(h, was);
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
    struct gemm_call x = {.of = &ladder_f32,
                          .m = prepared->m,
                          .n = n,
                          .k = prepared->k,
                          .a = prepared->a,
                          .lda = prepared->lda,
                          .b = B,
                          .ldb = ldb,
                          .c = C,
                          .ldc = ldc,
                          .alpha = alpha,
                          .beta = beta,
                          .count = 1,
                          .prepared = prepared};
    return renumbered(h, product(h, prepared->ta ? CUBLAS_OP_T : CUBLAS_OP_N, transb, &x), ours,
                      "ladder_sgemm_prepared");
}

void ladder_gemm_end_prepared(ladder_prepared_t prepared)
{
    if (prepared)
        cudaFree(prepared->memory);
    free(prepared);
}

/* ---- Planning ahead
 * ------------------------------------------------------------------------------- */

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
    bool wide = s->is_double != 0, ta = s->transa != CUBLAS_OP_N, tb = s->transb != CUBLAS_OP_N;
    *x = (struct gemm_call){.of = wide ? &ladder_f64 : &ladder_f32,
                            .m = s->m,
                            .n = s->n,
                            .k = s->k,
                            .ta = ta,
                            .tb = tb,
                            .lda = s->lda,
                            .ldb = s->ldb,
                            .ldc = s->ldc};
    x->math = math_of(h, x->of);
    x->alpha = wide ? (const void *)(s->scaled ? &half : &one) : (s->scaled ? &half_f : &one_f);
    x->beta = wide ? (const void *)&zero : &zero_f;
    x->a = x->b = x->c = (void *)256; /* aligned; only the check looks at them */
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
    struct method_plan next = choose(h, &x, false);
    h->done = before;
    if (plan)
        *plan = told(next);
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
    bool ta = x.ta, tb = x.tb;
    struct outside was = begin(h);
    void *a = NULL, *b = NULL, *c = NULL;
    size_t a_bytes = matrix_bytes(x.of, s->lda, ta ? s->m : s->k);
    size_t b_bytes = matrix_bytes(x.of, s->ldb, tb ? s->k : s->n);
    struct plan_entry *known = find_entry(h, key_of(&x));
    struct method_plan found = known ? known->plan : plain_cublas();
    size_t c_bytes = matrix_bytes(x.of, s->ldc, s->n);
    bool room = known || (cudaMalloc(&a, a_bytes) == cudaSuccess &&
                          cudaMalloc(&b, b_bytes) == cudaSuccess &&
                          cudaMalloc(&c, c_bytes) == cudaSuccess);
    memset(&h->done, 0, sizeof h->done);
    if (!known && room) {
        struct context w = library_context(h, x.of);
        x.of->fill(&w, a, a_bytes / x.of->size, 1);
        x.of->fill(&w, b, b_bytes / x.of->size, 2);
        x.a = a, x.b = b, x.c = c;
        found = choose(h, &x, true);
    }
    cudaGetLastError();
    TRY(h, cudaFree(a));
    TRY(h, cudaFree(b));
    TRY(h, cudaFree(c));
    h->done.plan = told(found);
    h->done.ran = (struct ladder_plan){"none", 0, 0};
    if (!room && !h->failure.status) {
        snprintf(h->message, sizeof h->message,
                 "ladder_gemm_plan: %d x %d x %d: no room for its matrices, %zu bytes", s->m,
                 s->n, s->k, a_bytes + b_bytes + c_bytes);
        end(h, was);
        return LADDER_GEMM_NO_MEMORY;
    }
    if (plan)
        *plan = told(found);
    if (workspace)
        *workspace = layout_bytes(&x, found);
    return end(h, was);
}

/* ---- Settings
 * ------------------------------------------------------------------------------------- */

void ladder_gemm_set_stream(ladder_gemm_t h, cudaStream_t stream)
{
    struct outside was = begin(h);
    if (h->used && stream != h->stream && !is_capturing(stream))
        TRY(h, cudaStreamWaitEvent(stream, h->last, 0));
    h->stream = stream;
    end(h, was);
}

void ladder_gemm_device_scalars(ladder_gemm_t h, int on) { h->device_scalars = on != 0; }

int ladder_gemm_set_workspace(ladder_gemm_t h, void *workspace, size_t bytes)
{
    if ((uintptr_t)workspace % 256)
        return 2;
    struct outside was = begin(h);
    free_workspace(h);
    if (workspace)
        h->workspace = (struct space){workspace, bytes}, h->callers = true;
    end(h, was);
    return 0;
}

struct ladder_done ladder_gemm_last(ladder_gemm_t h) { return h->done; }

int ladder_gemm_pieces(ladder_gemm_t h) { return h->pieces; }

const char *ladder_gemm_message(ladder_gemm_t h) { return h ? h->message : not_created; }

/* Forgets the plans that the old limit had changed. */
void ladder_gemm_limit_workspace(ladder_gemm_t h, size_t bytes)
{
    struct plan_list *list = &h->found;
    size_t kept = 0;
    struct outside was = begin(h);
    h->limit = bytes, h->refused = 0;
    if (h->workspace.held > bytes && !h->callers)
        free_workspace(h);
    for (size_t i = 0; i < list->count; i++)
        if (!list->entries[i].limited)
            list->entries[kept++] = list->entries[i];
    list->count = kept;
    end(h, was);
}

void ladder_gemm_most_levels(ladder_gemm_t h, int levels)
{
    h->most_levels = levels < 0 ? 0 : levels > MOST_LEVELS ? MOST_LEVELS : levels;
}

int ladder_gemm_set_math_mode(ladder_gemm_t h, int mode)
{
    if (mode < 0 || mode >= MATH_MODES)
        return 2;
    struct outside was = begin(h);
    h->math = mode;
    bool used = mode == math_of(h, &ladder_f32);
    if (!used)
        snprintf(h->message, sizeof h->message,
                 "no tensor cores are used: this library has no methods for them");
    for (int i = 0; !used && ladder_added[i]; i++)
        if (ladder_added[i]->math == mode && !ladder_added[i]->wide)
            snprintf(h->message, sizeof h->message, "no tensor cores are used: %s",
                     ladder_added[i]->missing() ? ladder_added[i]->missing() : "not here");
    int status = end(h, was);
    return status || used ? status : LADDER_GEMM_UNSUPPORTED;
}

int ladder_gemm_set_double_mode(ladder_gemm_t h, int mode)
{
    if (mode < 0 || mode >= DOUBLE_MODES)
        return 2;
    h->double_math = mode;
    if (mode == math_of(h, &ladder_f64))
        return 0;
    const char *why = "this library has no methods for it";
    for (int i = 0; ladder_added[i]; i++)
        if (ladder_added[i]->wide && ladder_added[i]->missing())
            why = ladder_added[i]->missing();
    snprintf(h->message, sizeof h->message, "double stays cublasDgemm's: %s", why);
    return LADDER_GEMM_UNSUPPORTED;
}

void ladder_gemm_measure(ladder_gemm_t h, int on) { h->measures = on != 0; }

void ladder_gemm_verbose(ladder_gemm_t h, int on) { h->verbose = on; }

void ladder_gemm_smallest_leaf(ladder_gemm_t h, int edge) { h->smallest_leaf = edge; }

/* ---- For tuners and tests ---- */

int ladder_gemm_candidates(ladder_gemm_t h, int m, int n, int k, struct ladder_plan *plans,
                           int most)
{
    struct method_plan all[MOST_CANDIDATES];
    struct gemm_call x = {
        .of = &ladder_f32, .m = m, .n = n, .k = k, .math = math_of(h, &ladder_f32)};
    int count = candidates(h, &x, all);
    for (int i = 0; i < count && i < most; i++)
        plans[i] = told(all[i]);
    return count;
}

int ladder_gemm_force(ladder_gemm_t h, const struct ladder_plan *plan)
{
    struct method_plan forced = plain_cublas();
    if (plan) {
        forced = plan_of(plan->variant, plan->levels, plan->parameter);
        if (!is_plan(h, forced, NULL))
            return 2;
    }
    h->is_forced = plan != NULL;
    h->forced = forced;
    return 0;
}
