/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 08-without-conflicts: a transposed tile without bank conflicts.
 */
#include "common/matrix/block.h"
#include "common/device/gpu.h"
#include "common/model.h"

static __global__ void yours(const real *a, int lda, const real *b, int ldb, real *c, int ldc,
                             int m, int n, int k)
{
    /* YOUR CODE: the two tiles, as and bs */
    /* STUB: __shared__ real as[16][16], bs[16][16]; */
    /* 17 has no common factor with the number of banks.
       as is stored and read along its rows, where neighbours are in different banks anyway. */
    __shared__ real as[16][16], bs[16][17];
    /* END */
    int x = threadIdx.x, y = threadIdx.y;
    int i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
    real sum = 0;
    for (int first = 0; first < k; first += 16) {
        /* YOUR CODE: an element of A into as and one of B into bs, 0 outside the matrices */
        as[y][x] = i < m && first + x < k ? a[(size_t)i * lda + first + x] : 0;
        bs[x][y] = first + y < k && j < n ? b[(size_t)(first + y) * ldb + j] : 0;
        /* END */
        __syncthreads();
        for (int l = 0; l < 16; l++)
            sum += as[y][l] * bs[x][l];
        __syncthreads();
    }
    if (i < m && j < n)
        c[(size_t)i * ldc + j] = sum;
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    dim3 block(16, 16), grid(blocks_for(n, 16), blocks_for(m, 16));
    yours<<<grid, block>>>(p.a.at, p.a.ld, p.b.at, p.b.ld, p.c.at, p.c.ld, m, n, k);
    CHECK_LAUNCH();
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your layout",
     .multiply = multiply_yours,
     .cost = model_tile16},
    {0},
};

const struct step STEP = {
    .name = "08-without-conflicts",
    .idea = "a transposed tile without bank conflicts",
    .variants = variants,
    .default_n = 64,
};
