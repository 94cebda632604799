/* SPDX-License-Identifier: MIT */
/** @file split.cu
 * The first rungs: kernels here split the factors, and cuBLAS multiplies them. See split.h.
 */
#include "product.h"
#include "split.h"

#include <cuda_fp16.h>

#include "steps/21-tensor-cores/operands/operands.h"
#include "steps/21-tensor-cores/operands/powers.cuh"
#include "steps/18-modern/context.cuh"

enum { THREADS = 256, BLOCKS = 1024 };

/* C = A * B, or C + A * B, with cuBLAS on tensor cores. cuBLAS is column-major: it sees our
   row-major matrices transposed, and C^T = B^T A^T. */
static void tensor_product(long m, long n, long k, const void *a, long lda, const void *b,
                           long ldb, cudaDataType type, cublasComputeType_t compute, int add,
                           float *c, long ldc)
{
    float one = 1, beta = (float)add;
    CUBLAS_CHECK(cublasGemmEx(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, (int)n, (int)m, (int)k,
                              &one, b, type, (int)ldb, a, type, (int)lda, &beta, c, CUDA_R_32F,
                              (int)ldc, compute, CUBLAS_GEMM_DEFAULT));
}

void multiply_tf32(struct block A, struct block B, struct block C)
{
    tensor_product(C.rows, C.cols, A.cols, A.at, A.ld, B.at, B.ld, CUDA_R_32F,
                   CUBLAS_COMPUTE_32F_FAST_TF32, 0, C.at, C.ld);
}

/* ---- Three products of halves ---- */

/* Multiplies the element by its line's power of two and splits it into two halves. */
static __global__ void split_halves_kernel(struct factors x, __half *hi, __half *lo)
{
    for (long i = blockIdx.x * (long)THREADS + threadIdx.x; i < (long)x.rows * x.cols;
         i += (long)gridDim.x * THREADS) {
        long row = i / x.cols, col = i % x.cols, line = x.right ? col : row;
        float value = x.dropped[line] ? 0 : x.at[row * x.ld + col];
        float scaled = times_power(value, LIFT_TWO_HALVES - x.exponents[line]);
        hi[i] = __float2half_rn(scaled);
        lo[i] = __float2half_rn(scaled - __half2float(hi[i]));
    }
}

/* Undoes the scaling. */
static __global__ void unscale_kernel(struct factors a, struct factors b, float *c, long ldc)
{
    for (long i = blockIdx.x * (long)THREADS + threadIdx.x; i < (long)a.lines * b.lines;
         i += (long)gridDim.x * THREADS) {
        long row = i / b.lines, col = i % b.lines;
        c[row * ldc + col] = unscaled(c[row * ldc + col], a.exponents[row] + b.exponents[col] -
                                                              2 * LIFT_TWO_HALVES);
    }
}

size_t workspace_fp16x3(const struct context *, struct product p, int)
{
    return batch_elements(p, FORMAT_TWO_HALVES, 0);
}

void multiply_fp16x3(const struct context *ctx, struct product p, int, real *workspace)
{
    struct context program = program_context(ctx, NULL);
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    char *free = (char *)workspace;
    struct batch both = batch_of(p, FORMAT_TWO_HALVES, 0, 0, NULL, &free);
    size_t a = (size_t)m * k, b = (size_t)k * n;
    __half *a_hi = (__half *)both.left.slices, *a_lo = a_hi + a; /* stored as plain matrices */
    __half *b_hi = (__half *)both.right.slices, *b_lo = b_hi + b;
    both.left.centring = CENTRE_NO_ROWS; /* this rung shows the accumulator's error */
    zero_batch(&program, &both);
    find_exponents(&program, &both);
    split_halves_kernel<<<BLOCKS, THREADS>>>(both.left, a_hi, a_lo);
    CHECK_LAUNCH();
    split_halves_kernel<<<BLOCKS, THREADS>>>(both.right, b_hi, b_lo);
    CHECK_LAUNCH();
    /* The small products come first. The order hardly matters: each product has its own
       accumulator, and adding it to C rounds C once. */
    tensor_product(m, n, k, a_lo, k, b_hi, n, CUDA_R_16F, CUBLAS_COMPUTE_32F, 0, p.c.at,
                   p.c.ld);
    tensor_product(m, n, k, a_hi, k, b_lo, n, CUDA_R_16F, CUBLAS_COMPUTE_32F, 1, p.c.at,
                   p.c.ld);
    long piece = ctx->settings[SET_PROMOTE] > 0 ? ctx->settings[SET_PROMOTE] : k;
    for (long l = 0; l < k; l += piece)
        tensor_product(m, n, smaller(piece, k - l), a_hi + l, k, b_hi + l * n, n, CUDA_R_16F,
                       CUBLAS_COMPUTE_32F, 1, p.c.at, p.c.ld);
    unscale_kernel<<<BLOCKS, THREADS>>>(both.left, both.right, p.c.at, p.c.ld);
    CHECK_LAUNCH();
    repair(&program, &both, p.c, true);
}
