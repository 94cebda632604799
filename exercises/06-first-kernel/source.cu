/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 06-first-kernel: a thread for each element of C.
 */
#include <stdio.h>

#include "common/matrix/block.h"
#include "common/device/gpu.h"
#include "common/model.h"

static __global__ void yours(const real *a, int lda, const real *b, int ldb, real *c, int ldc,
                             int m, int n, int k)
{
    /* YOUR CODE: one element of C */
    /* x runs along a row of B and C: a half-warp reads 64 bytes side by side, and one a for all
     * its threads. */
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= m || j >= n)
        return;
    real sum = 0;
    for (int l = 0; l < k; l++)
        sum += a[(size_t)i * lda + l] * b[(size_t)l * ldb + j];
    c[(size_t)i * ldc + j] = sum;
    /* END */
}

/* Threads launched in addition to those with elements of C; negative if there are too few. */
static long idle_threads;

/* All that it changes are copies: idle_threads is counted with the sizes as they are. */
static ::dim3 grid_for(struct product p, long m, long n, long k)
{
    /* YOUR CODE: how many blocks in x, and how many in y */
    /* STUB: dim3 grid(1, 1); */
    dim3 grid(blocks_for(n, 16), blocks_for(m, 16));
    /* END */
    return grid; /* of whatever type it is above */
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    dim3 block(16, 16), grid = grid_for(p, m, n, k);
    yours<<<grid, block>>>(p.a.at, p.a.ld, p.b.at, p.b.ld, p.c.at, p.c.ld, m, n, k);
    CHECK_LAUNCH();
    idle_threads = (long)grid.x * 16 * grid.y * 16 * grid.z - m * n;
}

static const char *note(void)
{
    static char text[64];
    snprintf(text, sizeof text, "threads_without_work=%ld", idle_threads);
    return text;
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your kernel",
     .multiply = multiply_yours,
     .cost = model_naive},
    {0},
};

const struct step STEP = {
    .name = "06-first-kernel",
    .idea = "a thread for each element of C",
    .variants = variants,
    .default_n = 64,
    .note = note,
};
