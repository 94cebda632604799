/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 08-without-conflicts: a transposed tile without bank conflicts.
 */
/* clang-format off */
/* GOALS
forbid operator __syncthreads __syncthreads_count __syncthreads_and __syncthreads_or
draw 1 17..31
draw 1 33..47 --m 50
square 3..6 x 16
at-most conflict 1
at-most transactions model_transactions
# Variants: as it is; A's tile transposed in place of B's, and 32 a side; 32 a side, B's last row first; A's, its last column first.
vary square~3..6~x~16 = square~2..3~x~32 square~2..3~x~32 =
vary model_tile16 = model_tile32 model_tile32 =
vary real~as[16][16],~bs[16][16] = real~as[32][32],~bs[32][32] real~as[32][32],~bs[32][32] =
vary real~as[16][16],~bs[16][17] = real~as[32][33],~bs[32][32] real~as[32][32],~bs[32][33] real~as[16][17],~bs[16][16]
vary as[y][x] = as[x][y] = as[15~-~x][y]
vary bs[x][y] = bs[y][x] bs[x][31~-~y] bs[y][x]
vary as[y][l]~*~bs[x][l] = as[l][y]~*~bs[l][x] as[y][l]~*~bs[x][31~-~l] as[15~-~l][y]~*~bs[l][x]
vary blockIdx.y~*~16 = blockIdx.y~*~32 blockIdx.y~*~32 =
vary blockIdx.x~*~16 = blockIdx.x~*~32 blockIdx.x~*~32 =
vary first~+=~16 = first~+=~32 first~+=~32 =
vary l~<~16 = l~<~32 l~<~32 =
vary block(16,~16) = block(32,~32) block(32,~32) =
vary blocks_for(n,~16) = blocks_for(n,~32) blocks_for(n,~32) =
vary blocks_for(m,~16) = blocks_for(m,~32) blocks_for(m,~32) =
vary 17~has~no = 33~has~no 33~has~no =
vary as~is~stored~and~read~along~its~rows = bs~is~stored~and~read~along~its~rows = bs~is~stored~and~read~along~its~rows
vary reads~both~tiles~along~their~rows = reads~both~tiles~along~their~columns = reads~both~tiles~along~their~columns
vary of~B~must~be~stored = of~A~must~be~stored = of~A~must~be~stored
vary transposed:~`bs[x][l]`~is = transposed:~`as[l][y]`~is transposed,~and~its~last~row~first:~`bs[x][31~-~l]`~is transposed,~and~its~last~column~first:~`as[15~-~l][y]`~is
vary the~element~in~row~l~and~column~x = the~element~in~row~y~and~column~l = the~element~in~row~y~and~column~l
vary `bs[0][y]`~to~`bs[15][y]` = `as[0][y]`~to~`as[15][y]` = `as[0][y]`~to~`as[15][y]`
vary rows~of~16,~and = rows~of~32,~and rows~of~32,~and =
vary rows~of~18~do?~Rows~of~19? = rows~of~34~do?~Rows~of~35? rows~of~34~do?~Rows~of~35? =
vary two~tiles~of~16~×~16 = two~tiles~of~32~×~32 two~tiles~of~32~×~32 =
vary into~`bs[x][y]`:~the = into~`as[x][y]`:~the into~`bs[x][31~-~y]`:~the into~`as[15~-~x][y]`:~the
vary `bs[16][17]` = `as[32][33]` `bs[32][33]` `as[16][17]`
vary are~17~words~apart,~and~17~times = are~33~words~apart,~and~33~times are~33~words~apart,~and~33~times =
*/
/* HINTS
## 1

First get it right with two tiles of 16 × 16, and read what the check says about the conflicts:
which line, and how many passes?

## 2

The 16 lanes of a half-warp have the same y and x from 0 to 15. They store into `bs[x][y]`: the words
are a row apart. Words a multiple of 16 apart lie in one bank.

## 3

`bs[16][17]`: now neighbours in a column are 17 words apart, and 17 times 0 to 15 leaves 16 different
remainders modulo 16.
*/
/* clang-format on */
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
