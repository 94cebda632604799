/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 06-a-thread-a-number: threads in one row, each of which computes its element's place
 * from its number.
 */
#include <stdio.h>

#include "common/matrix/block.h"
#include "common/device/gpu.h"

enum { THREADS = 128 };

static __global__ void yours(const real *a, int lda, const real *b, int ldb, real *c, int ldc,
                             int m, int n, int k)
{
    /* YOUR CODE: this thread's number in the grid; its element of C; the sum */
    /* Number t is in row t / n and column t % n: neighbouring threads have neighbouring
     * elements. */
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < m * n) {
        int i = t / n, j = t % n;
        real sum = 0;
        for (int l = 0; l < k; l++)
            sum += a[(size_t)i * lda + l] * b[(size_t)l * ldb + j];
        c[(size_t)i * ldc + j] = sum;
    }
    /* END */
}

/* Threads launched in addition to those with elements of C; negative if there are too few. */
static long idle_threads;

/* All that it changes are copies: idle_threads is counted with the sizes as they are. */
static ::dim3 grid_for(struct product p, long m, long n, long k)
{
    /* YOUR CODE: how many blocks of THREADS threads there must be */
    /* STUB: unsigned blocks = 1; */
    unsigned blocks = blocks_for(m * n, THREADS);
    /* END */
    return ::dim3(blocks); /* of whatever type they are above */
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    dim3 grid = grid_for(p, m, n, k), block(THREADS);
    yours<<<grid, block>>>(p.a.at, p.a.ld, p.b.at, p.b.ld, p.c.at, p.c.ld, m, n, k);
    CHECK_LAUNCH();
    idle_threads = (long)grid.x * grid.y * grid.z * block.x - m * n;
}

static const char *note(void)
{
    static char text[64];
    snprintf(text, sizeof text, "threads_without_work=%ld", idle_threads);
    return text;
}

static const struct variant variants[] = {
    {.name = "yours", .sentence = "your kernel", .multiply = multiply_yours},
    {0},
};

const struct step STEP = {
    .name = "06-a-thread-a-number",
    .idea = "threads in one row, each of which finds its element by its number",
    .variants = variants,
    .default_n = 64,
    .note = note,
};
