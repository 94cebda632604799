/**
 * @file split.cu
 * The first rungs: cuBLAS multiplies, kernels here split what it multiplies. See split.h.
 */
#include "split.h"

#include <cuda_fp16.h>

#include "operands.h"
#include "powers.cuh"
#include "steps/18-modern/program.cuh"

enum { THREADS = 256, BLOCKS = 1024 };

/// [tensor product]
/* C = A * B, or C + A * B, by cuBLAS's tensor cores. cuBLAS stores by columns: to it our
   row-major matrices are their transposes, and C^T = B^T A^T. */
static void tensor_product(long m, long n, long k, const void *a, long lda, const void *b,
                           long ldb, cudaDataType type, cublasComputeType_t compute, int add,
                           float *c, long ldc)
{
    float one = 1, beta = (float)add;
    CUBLAS_CHECK(cublasGemmEx(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, (int)n, (int)m, (int)k,
                              &one, b, type, (int)ldb, a, type, (int)lda, &beta, c, CUDA_R_32F,
                              (int)ldc, compute, CUBLAS_GEMM_DEFAULT));
}
/// [tensor product]

void multiply_tf32(const struct problem *p, void *workspace)
{
    tensor_product(p->m, p->n, p->k, p->a, p->lda, p->b, p->ldb, CUDA_R_32F,
                   CUBLAS_COMPUTE_32F_FAST_TF32, 0, (float *)p->c, p->ldc);
}

/* ---- Three products of TF32 ---- */

/// [split tf32]
/* TF32 keeps 10 of a float's 23 bits behind the point. Half a unit is added, the others are cut
 * off. */
static __device__ __forceinline__ float nearest_tf32(float x)
{
    int bits = __float_as_int(x);
    return (bits & 0x7f800000) == 0x7f800000 ? x : __int_as_float((bits + 0x1000) & ~0x1fff);
}

static __global__ void split_tf32_kernel(const float *x, long ld, long rows, long cols,
                                         float *hi, float *lo)
{
    for (long i = blockIdx.x * (long)THREADS + threadIdx.x; i < rows * cols;
         i += (long)gridDim.x * THREADS) {
        float value = x[i / cols * ld + i % cols], high = nearest_tf32(value);
        hi[i] = high;
        lo[i] = nearest_tf32(value - high);
    }
}
/// [split tf32]

size_t workspace_tf32x3(const struct problem *p)
{
    return 2 * ((size_t)p->m * p->k + (size_t)p->k * p->n);
}

void multiply_tf32x3(const struct problem *p, void *workspace)
{
    size_t a = (size_t)p->m * p->k, b = (size_t)p->k * p->n;
    float *a_hi = (float *)workspace, *a_lo = a_hi + a, *b_hi = a_lo + a, *b_lo = b_hi + b;
    split_tf32_kernel<<<BLOCKS, THREADS>>>((const float *)p->a, p->lda, p->m, p->k, a_hi, a_lo);
    CHECK_LAUNCH();
    split_tf32_kernel<<<BLOCKS, THREADS>>>((const float *)p->b, p->ldb, p->k, p->n, b_hi, b_lo);
    CHECK_LAUNCH();
    const float *left[] = {a_lo, a_hi, a_hi}, *right[] = {b_hi, b_lo, b_hi};
    for (int i = 0; i < 3; i++)
        tensor_product(p->m, p->n, p->k, left[i], p->k, right[i], p->n, CUDA_R_32F,
                       CUBLAS_COMPUTE_32F_FAST_TF32, i > 0, (float *)p->c, p->ldc);
}

/* ---- Three products of halves ---- */

/// [split halves]
/* The element times a power of two of its line, as two halves. */
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

/* Takes the scaling back. */
static __global__ void unscale_kernel(struct factors a, struct factors b, float *c, long ldc)
{
    for (long i = blockIdx.x * (long)THREADS + threadIdx.x; i < (long)a.lines * b.lines;
         i += (long)gridDim.x * THREADS) {
        long row = i / b.lines, col = i % b.lines;
        c[row * ldc + col] = unscaled(c[row * ldc + col], a.exponents[row] + b.exponents[col] -
                                                              2 * LIFT_TWO_HALVES);
    }
}
/// [split halves]

size_t workspace_fp16x3(const struct problem *p)
{
    return batch_elements(p, FORMAT_TWO_HALVES, 0);
}

void multiply_fp16x3(const struct problem *p, void *workspace)
{
    struct gpu_context context = program_context();
    char *free = (char *)workspace;
    struct batch x = batch_of(p, FORMAT_TWO_HALVES, 0, 0, NULL, &free);
    struct block c = {(float *)p->c, p->m, p->n, p->ldc};
    size_t a = (size_t)p->m * p->k, b = (size_t)p->k * p->n;
    __half *a_hi = (__half *)x.left.slices,
           *a_lo = a_hi + a; /* as matrices here, not as slices */
    __half *b_hi = (__half *)x.right.slices, *b_lo = b_hi + b;
    find_right_exponents(&context, &x);
    find_left_exponents(&context, &x);
    split_halves_kernel<<<BLOCKS, THREADS>>>(x.left, a_hi, a_lo);
    CHECK_LAUNCH();
    split_halves_kernel<<<BLOCKS, THREADS>>>(x.right, b_hi, b_lo);
    CHECK_LAUNCH();
    /* The small products first, though the order hardly matters: each product has an
       accumulator of its own, and adding it to C rounds C once. */
    tensor_product(p->m, p->n, p->k, a_lo, p->k, b_hi, p->n, CUDA_R_16F, CUBLAS_COMPUTE_32F, 0,
                   c.at, c.ld);
    tensor_product(p->m, p->n, p->k, a_hi, p->k, b_lo, p->n, CUDA_R_16F, CUBLAS_COMPUTE_32F, 1,
                   c.at, c.ld);
    long piece = p->parameter > 0 ? p->parameter : p->k;
    for (long k = 0; k < p->k; k += piece)
        tensor_product(p->m, p->n, smaller(piece, p->k - k), a_hi + k, p->k, b_hi + k * p->n,
                       p->n, CUDA_R_16F, CUBLAS_COMPUTE_32F, 1, c.at, c.ld);
    unscale_kernel<<<BLOCKS, THREADS>>>(x.left, x.right, c.at, c.ld);
    CHECK_LAUNCH();
    repair(&context, &x, c);
}
