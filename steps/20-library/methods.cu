/* SPDX-License-Identifier: MIT */
/** @file methods.cu
 * The methods of steps 18 and 19 in one precision; the library compiles this file twice.
 */
#include <stdlib.h>

#include "common/matrix/random.h"
#include "steps/19-own-leaf/beside.cuh"
#include "methods.h"

#ifdef LADDER_F32
#define TABLE                    ladder_f32
#define cublasGemm               cublasSgemm
#define cublasGemmStridedBatched cublasSgemmStridedBatched
#define cublasGeam               cublasSgeam
#else
#define TABLE                    ladder_f64
#define cublasGemm               cublasDgemm
#define cublasGemmStridedBatched cublasDgemmStridedBatched
#define cublasGeam               cublasDgeam
#endif

static bool is(const void *scalar, double number)
{
    return *(const real *)scalar == (real)number;
}

/* alpha and beta for cuBLAS: where the call has them, or copies on the host, since the
   simulated cuBLAS takes scalars from there only. */
struct scalars {
    const real *alpha, *beta;
    real copies[4];
};

/* Begins a call of cuBLAS whose scalars have `size` bytes. Sets the handle's stream only if it
   must change, since setting it takes time that counts for small products. */
static void enter(const struct context *ctx, const struct gemm_call *c, size_t size,
                  struct scalars *s)
{
    s->alpha = (const real *)c->alpha, s->beta = (const real *)c->beta;
    if (ctx->stream != ctx->gpu->home)
        enter_cublas(ctx, NULL);
    if (!c->on_device)
        return;
#ifdef LADDER_SIM
    GPU_CALL(ctx, cudaMemcpy(s->copies, s->alpha, size, cudaMemcpyDeviceToHost));
    GPU_CALL(ctx, cudaMemcpy(s->copies + 2, s->beta, size, cudaMemcpyDeviceToHost));
    s->alpha = s->copies, s->beta = s->copies + 2;
#else
    (void)size;
    BLAS_CALL(ctx, cublasSetPointerMode(ctx->gpu->cublas, CUBLAS_POINTER_MODE_DEVICE));
#endif
}

static void leave(const struct context *ctx, const struct gemm_call *c)
{
#ifndef LADDER_SIM
    if (c->on_device) /* even after a failure */
        cublasSetPointerMode(ctx->gpu->cublas, CUBLAS_POINTER_MODE_HOST);
#else
    (void)c;
#endif
    if (ctx->stream != ctx->gpu->home)
        leave_cublas(ctx);
}

/* One product, or a batch. */
static void gemm(const struct context *ctx, const struct gemm_call *c)
{
    struct scalars s;
    enter(ctx, c, sizeof(real), &s);
    cublasOperation_t ta = c->ta ? CUBLAS_OP_T : CUBLAS_OP_N,
                      tb = c->tb ? CUBLAS_OP_T : CUBLAS_OP_N;
    if (c->count > 1)
        BLAS_CALL(ctx, cublasGemmStridedBatched(
                           ctx->gpu->cublas, ta, tb, c->m, c->n, c->k, s.alpha,
                           (const real *)c->a, c->lda, c->stride_a, (const real *)c->b, c->ldb,
                           c->stride_b, s.beta, (real *)c->c, c->ldc, c->stride_c, c->count));
    else
        BLAS_CALL(ctx, cublasGemm(ctx->gpu->cublas, ta, tb, c->m, c->n, c->k, s.alpha,
                                  (const real *)c->a, c->lda, (const real *)c->b, c->ldb,
                                  s.beta, (real *)c->c, c->ldc));
    leave(ctx, c);
}

#ifdef LADDER_F64
void ladder_cublas_zgemm(const struct context *ctx, const struct gemm_call *c,
                         cublasOperation_t transa, cublasOperation_t transb)
{
    struct scalars s;
    enter(ctx, c, sizeof(cuDoubleComplex), &s);
    BLAS_CALL(ctx,
              cublasZgemm(ctx->gpu->cublas, transa, transb, c->m, c->n, c->k,
                          (const cuDoubleComplex *)s.alpha, (const cuDoubleComplex *)c->a,
                          c->lda, (const cuDoubleComplex *)c->b, c->ldb,
                          (const cuDoubleComplex *)s.beta, (cuDoubleComplex *)c->c, c->ldc));
    leave(ctx, c);
}

void ladder_cublas_dsyrk(const struct context *ctx, const struct gemm_call *c, bool lower)
{
    struct scalars s;
    enter(ctx, c, sizeof(real), &s);
    BLAS_CALL(ctx, cublasDsyrk(ctx->gpu->cublas,
                               lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                               c->ta ? CUBLAS_OP_T : CUBLAS_OP_N, c->n, c->k, s.alpha,
                               (const real *)c->a, c->lda, s.beta, (real *)c->c, c->ldc));
    leave(ctx, c);
}
#endif

/* geam is column-major: it sees our matrices transposed. */
static void copy(const struct context *ctx, const void *from, int ld, bool transposed, int rows,
                 int cols, void *to_any, long long_rows, long long_cols)
{
    const real one = 1, zero = 0;
    real *to = (real *)to_any;
    enter_cublas(ctx, NULL);
    BLAS_CALL(ctx, cublasGeam(ctx->gpu->cublas, transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                              CUBLAS_OP_N, cols, rows, &one, (const real *)from, ld, &zero, to,
                              (int)long_cols, to, (int)long_cols));
    leave_cublas(ctx);
    if (long_cols > cols)
        GPU_CALL(ctx, cudaMemset2DAsync(to + cols, long_cols * sizeof *to, 0,
                                        (long_cols - cols) * sizeof *to, rows, ctx->stream));
    if (long_rows > rows)
        GPU_CALL(ctx,
                 cudaMemsetAsync(to + rows * long_cols, 0,
                                 (long_rows - rows) * long_cols * sizeof *to, ctx->stream));
}

/* C = alpha P + beta C with alpha and beta on the device; alpha NULL means 0. P is read only if
   alpha is not 0, and C only if beta is not 0. Column-major; one thread per element of a
   column. */
static __global__ void finish_kernel(const real *alpha, const real *beta, const real *p,
                                     long ldp, real *c, long ldc, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    real a = alpha ? *alpha : 0, b = *beta;
    for (long j = blockIdx.y; j < n; j += gridDim.y)
        if (i < m)
            c[i + j * ldc] =
                (a == 0 ? 0 : a * p[i + j * ldp]) + (b == 0 ? 0 : b * c[i + j * ldc]);
}

static void finish(const struct context *ctx, const struct gemm_call *c, const void *product,
                   long ld)
{
    if (c->on_device) {
        dim3 grid(blocks_for(c->m, 256), c->n < 65535 ? c->n : 65535);
        finish_kernel<<<grid, 256, 0, ctx->stream>>>(
            (const real *)c->alpha, (const real *)c->beta, (const real *)product, ld,
            (real *)c->c, c->ldc, c->m, c->n);
        GPU_CALL(ctx, launch_error(ctx));
        return;
    }
    enter_cublas(ctx, NULL);
    BLAS_CALL(ctx,
              cublasGeam(ctx->gpu->cublas, CUBLAS_OP_N, CUBLAS_OP_N, c->m, c->n,
                         (const real *)c->alpha, (const real *)product, (int)ld,
                         (const real *)c->beta, (real *)c->c, c->ldc, (real *)c->c, c->ldc));
    leave_cublas(ctx);
}

static __global__ void fill_kernel(real *to, size_t elements, unsigned seed)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < elements; i += step)
        to[i] = (real)random_uniform(
            random_bits(((uint64_t)seed << 40 | (uint64_t)i) * RANDOM_STEP));
}

static void fill(const struct context *ctx, void *to, size_t elements, unsigned seed)
{
    unsigned blocks = blocks_for((long)elements, 256), most = 65536;
    unsigned grid = blocks < most ? blocks : most;
    fill_kernel<<<grid, 256, 0, ctx->stream>>>((real *)to, elements, seed);
    GPU_CALL(ctx, launch_error(ctx));
}

static void load(const struct context *ctx)
{
    const void *const kernels[] = {
        (const void *)plain_add_kernel,      (const void *)plain_sub_kernel,
        (const void *)sums_of_a_kernel,      (const void *)sums_of_b_kernel,
        (const void *)combine_kernel,        (const void *)pack_kernel<0>,
        (const void *)pack_kernel<1>,        (const void *)pack_kernel<2>,
        (const void *)combine_all_kernel<1>, (const void *)combine_all_kernel<2>,
        (const void *)finish_kernel,         (const void *)fill_kernel,
#ifdef LADDER_F32
        (const void *)leaf_kernel,
#endif
    };
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct cudaFuncAttributes attributes;
        GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, kernels[i]));
    }
}

#ifdef LADDER_F32
const struct method ladder_methods[METHODS] = {
    {"cublas", 0, 0, 0, false, 0},
    {"own", 0, 0, 0, false, 0},
    {"plain", 1, MOST_LEVELS, 0, false, 45},
    {"one-pass", 1, MOST_LEVELS, 0, false, 27},
    {"overlapped", 2, MOST_LEVELS, 0, false, 27},
    {"batched", 1, MOST_LEVELS, 1, false, 27},
    {"two-levels", 2, MOST_LEVELS, 2, false, 27},
    {"beside", 3, MOST_LEVELS, 2, true, 27},
};

struct lanes *ladder_make_lanes(const struct context *ctx)
{
    struct lanes *lanes = (struct lanes *)calloc(1, sizeof *lanes);
    if (lanes)
        make_lanes(ctx, lanes);
    return lanes;
}

void ladder_free_lanes(struct lanes *lanes)
{
    for (int i = 0; lanes && i < ALL_LANES; i++) {
        if (lanes->lane[i].stream)
            cudaStreamDestroy(lanes->lane[i].stream);
        if (lanes->lane[i].done)
            cudaEventDestroy(lanes->lane[i].done);
    }
    if (lanes && lanes->main_done)
        cudaEventDestroy(lanes->main_done);
    free(lanes);
}
#endif

/// [rows]
/* In the order of ladder_methods. The hand-written leaf exists in float only. */
extern "C" const struct typed_methods TABLE = {
    .size = sizeof(real),
#ifdef LADDER_F32
    .has = {true, true, true, true, true, true, true, true},
#else
    .has = {true, false, true, true, true, true, true, true},
#endif
    .functions = {{NULL, NULL},
                  {own, workspace_own},
                  {plain, workspace_plain},
                  {one_pass, workspace_one_pass},
                  {overlapped, workspace_overlapped},
                  {batched, workspace_batched},
                  {two_levels, workspace_two_levels},
                  {beside, workspace_beside}},
    .leaf = &leaf_in_stream,
    .gemm = gemm,
    .copy = copy,
    .finish = finish,
    .fill = fill,
    .is = is,
    .load = load,
};
/// [rows]
