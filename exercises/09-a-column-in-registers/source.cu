/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 09-a-column-in-registers: sixteen sums for each thread.
 */
#include "common/matrix/block.h"
#include "common/device/gpu.h"
#include "common/model.h"

static __global__ void yours(const real *a, int lda, const real *b, int ldb, real *c, int ldc,
                             int k)
{
    int x = threadIdx.x, y = threadIdx.y; /* 16 x 4 */
    int column = blockIdx.x * 64 + y * 16 + x;
    real sum[16] = {0};
    a += (size_t)blockIdx.y * 16 * lda; /* the block's 16 rows */
    b += column;                        /* the thread's column */
    c += (size_t)blockIdx.y * 16 * ldc + column;
    /* YOUR CODE: sum[i] becomes row i of A times the column, for 16 i */
    /* One b from device memory goes into 16 sums; one a in shared memory serves 64 threads. */
    __shared__ real as[16][17];
    for (int first = 0; first < k; first += 16) {
        for (int i = y; i < 16; i += 4)
            as[x][i] = a[(size_t)i * lda + first + x];
        __syncthreads(); /* the tile is complete */
        for (int l = 0; l < 16; l++) {
            real bl = b[(size_t)(first + l) * ldb];
            for (int i = 0; i < 16; i++)
                sum[i] += as[l][i] * bl;
        }
        __syncthreads(); /* nobody needs it any more */
    }
    /* END */
    for (int i = 0; i < 16; i++)
        c[(size_t)i * ldc] = sum[i];
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    dim3 block(16, 4), grid(n / 64, m / 16);
    yours<<<grid, block>>>(p.a.at, p.a.ld, p.b.at, p.b.ld, p.c.at, p.c.ld, k);
    CHECK_LAUNCH();
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your sixteen sums",
     .multiply = multiply_yours,
     .cost = model_volkov,
     .shapes = {.pad_m = 16, .pad_n = 64, .pad_k = 16}},
    {0},
};

const struct step STEP = {
    .name = "09-a-column-in-registers",
    .idea = "sixteen sums for each thread",
    .variants = variants,
    .default_n = 64,
};
