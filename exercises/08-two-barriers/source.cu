/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 08-two-barriers: tiles in shared memory, with the barriers where they belong.
 */
/* clang-format off */
/* GOALS
draw 1 17..31
draw 1 33..47 --m 50
draw 1 1..15
run --m 17 --n 18 --k 400
square 3..7 x 16
at-most transactions model_transactions
at-most conflict 1
# Variants: tiles of 16, 32, 8 and 4 threads a side.
vary 16 = 32 8 4
vary 3..7~x~16 = 2..3~x~32 3..7~x~8 3..7~x~4
vary model_tile16 = model_tile32 NULL NULL
vary model_transactions = = n^3/32+n^2/8 n^3/8+n^2/4
vary n³/128~+~n²/16 = n³/256~+~n²/16 n³/32~+~n²/8 n³/8~+~n²/4
vary conflict~1 = = conflict~2 conflict~4
*/
/* HINTS
## 1

In each round the block needs 16 columns of A and 16 rows of B, beginning at `first`. Thread (x, y)
fetches one element of each, and `as[y][x]`, `bs[y][x]` is where they go.

## 2

Guards belong to the loads, not around the loop: outside the matrix store 0, and let the thread go on
to the barrier.

## 3

`as[y][x] = i < m && first + x < k ? a[i * lda + first + x] : 0`, likewise `bs` with row `first + y`
and column `j`. A barrier after the two stores, and one after the sixteen multiplications.
*/
/* clang-format on */
#include "common/matrix/block.h"
#include "common/device/gpu.h"
#include "common/model.h"

static __global__ void yours(const real *a, int lda, const real *b, int ldb, real *c, int ldc,
                             int m, int n, int k)
{
    __shared__ real as[16][16], bs[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
    real sum = 0;
    for (int first = 0; first < k; first += 16) {
        /* YOUR CODE: fetch a tile of A and one of B, and add their product's element to sum */
        /* A thread outside fetches zeros, which add nothing, and reaches every barrier. */
        as[y][x] = i < m && first + x < k ? a[(size_t)i * lda + first + x] : 0;
        bs[y][x] = first + y < k && j < n ? b[(size_t)(first + y) * ldb + j] : 0;
        __syncthreads(); /* the tiles are complete */
        for (int l = 0; l < 16; l++)
            sum += as[y][l] * bs[l][x];
        __syncthreads(); /* nobody needs them any more */
        /* END */
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
     .sentence = "your tiles",
     .multiply = multiply_yours,
     .cost = model_tile16},
    {0},
};

const struct step STEP = {
    .name = "08-two-barriers",
    .idea = "tiles in shared memory, with the waiting where it belongs",
    .variants = variants,
    .default_n = 64,
};
