/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 07-two-by-two: four elements of C for each thread.
 */
#include "common/matrix/block.h"
#include "common/device/gpu.h"

static __global__ void yours(const real *a, int lda, const real *b, int ldb, real *c, int ldc,
                             int k)
{
    /* The block's 32 x 32 elements of C, its rows of A and its columns of B. */
    int x = threadIdx.x, y = threadIdx.y;
    a += (size_t)blockIdx.y * 32 * lda;
    b += (size_t)blockIdx.x * 32;
    c += (size_t)blockIdx.y * 32 * ldc + blockIdx.x * 32;
    /* YOUR CODE: 2 x 2 of them */
    /* Columns 16 apart: a half-warp reads 64 bytes of B side by side, and stores 64 of C. */
    real sum00 = 0, sum01 = 0, sum10 = 0, sum11 = 0;
    for (int l = 0; l < k; l++) {
        real a0 = a[(size_t)y * lda + l], a1 = a[(size_t)(y + 16) * lda + l];
        real b0 = b[(size_t)l * ldb + x], b1 = b[(size_t)l * ldb + x + 16];
        sum00 += a0 * b0;
        sum01 += a0 * b1;
        sum10 += a1 * b0;
        sum11 += a1 * b1;
    }
    c[(size_t)y * ldc + x] = sum00;
    c[(size_t)y * ldc + x + 16] = sum01;
    c[(size_t)(y + 16) * ldc + x] = sum10;
    c[(size_t)(y + 16) * ldc + x + 16] = sum11;
    /* END */
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    dim3 block(16, 16), grid(n / 32, m / 32);
    yours<<<grid, block>>>(p.a.at, p.a.ld, p.b.at, p.b.ld, p.c.at, p.c.ld, k);
    CHECK_LAUNCH();
}

/* Each of mn/64 half-warps reads 2 a (32 bytes) and 2 b (64 bytes) for every l, and stores 4
   times 64 bytes. */
static struct cost cost_yours(const struct context *ctx, struct product p, int levels)
{
    double mn = (double)p.c.rows * (double)p.c.cols, k = (double)p.a.cols;
    return (struct cost){2 * mn * k, mn * k / 16 + mn / 16, 3 * mn * k + 4 * mn};
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your 2 x 2",
     .multiply = multiply_yours,
     .cost = cost_yours,
     .shapes = {.pad_m = 32, .pad_n = 32, .pad_k = 32}},
    {0},
};

const struct step STEP = {
    .name = "07-two-by-two",
    .idea = "four elements of C for each thread",
    .variants = variants,
    .default_n = 64,
};
