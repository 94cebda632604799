/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 17-in-double: one kernel for both precisions, two elements for each thread.
 */
#include "common/matrix/block.h"
#include "common/device/gpu.h"

static __global__ void yours(const real *a, int lda, const real *b, int ldb, real *c, int ldc,
                             int m, int k)
{
    int i = blockIdx.y * 16 + threadIdx.y,
        j = blockIdx.x * 16 + threadIdx.x; /* row, pair of columns */
    if (i >= m)
        return;
    /* YOUR CODE: two sums, and a store of both */
    /* One a for two products, and a read that moves twice as much at once. */
    real2 sum = {0, 0};
    for (int l = 0; l < k; l++) {
        real al = a[(size_t)i * lda + l];
        real2 bl = ((const real2 *)(b + (size_t)l * ldb))[j];
        sum.x += al * bl.x;
        sum.y += al * bl.y;
    }
    ((real2 *)(c + (size_t)i * ldc))[j] = sum;
    /* END */
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    dim3 block(16, 16), grid(n / 32, blocks_for(m, 16));
    yours<<<grid, block>>>(p.a.at, p.a.ld, p.b.at, p.b.ld, p.c.at, p.c.ld, m, k);
    CHECK_LAUNCH();
}

/* Each half-warp computes 32 elements: for every l one a and 128 bytes of b, then 128 bytes of
 * c. */
static struct cost cost_yours(const struct context *ctx, struct product p, int levels)
{
    double mn = (double)p.c.rows * (double)p.c.cols, k = (double)p.a.cols;
    return (struct cost){2 * mn * k, mn * k / 16 + mn / 32, -1};
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your pairs",
     .multiply = multiply_yours,
     .cost = cost_yours,
     .shapes = {.pad_m = 1, .pad_n = 32, .pad_k = 1}},
    {0},
};

const struct step STEP = {
    .name = "17-in-double",
    .idea = "one kernel for both precisions",
    .variants = variants,
    .default_n = 64,
};
