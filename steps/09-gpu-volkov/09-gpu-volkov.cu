/* SPDX-License-Identifier: MIT */
/** @file 09-gpu-volkov.cu
 * Register blocking after Volkov and Demmel: the sgemm of CUBLAS 3.0, with which Li et al.
 * (2011) compare their kernels.
 */
#include "common/matrix/block.h"
#include "common/device/gpu.h"
#include "common/model.h"

enum { TILE_M = 16, TILE_N = 64, TILE_K = 16 };
static_assert(TILE_N == 16 * 4, "a thread of a 16 x 4 block computes one column");
static_assert(TILE_K == 16 && TILE_M % 4 == 0,
              "a 16 x 4 block loads the tile of A, four rows at a time");

/// [volkov]
/* A block of 16 x 4 threads computes 16 x 64 of C; a thread computes 16 elements of one column
   and keeps them in registers. Only A goes through shared memory: every b that a thread reads
   from device memory is used for 16 elements, every a in shared memory by 64 threads. */
static __global__ void volkov(const real *a, int lda, const real *b, int ldb, real *c, int ldc,
                              int k)
{
    /* The tile of A, transposed: row l holds the 16 elements of column l. Rows of 17, so that
       the transposing writes of a half-warp go to 16 different banks. */
    __shared__ real as[TILE_K][TILE_M + 1];
    real sum[TILE_M] = {0};
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * TILE_N + y * 16 + x;

    a += (size_t)(blockIdx.y * TILE_M + y) * lda + x;
    b += column;
    c += (size_t)blockIdx.y * TILE_M * ldc + column;

    for (int first = 0; first < k; first += TILE_K) {
        for (int i = 0; i < TILE_M; i += 4)
            as[x][y + i] = a[(size_t)i * lda];
        a += TILE_K;
        __syncthreads(); /* the tile is complete */
#pragma unroll
        for (int l = 0; l < TILE_K; l++) {
            real bl = b[0];
            b += ldb;
#pragma unroll
            for (int i = 0; i < TILE_M; i++)
                sum[i] += as[l][i] * bl;
        }
        __syncthreads(); /* no thread needs the tile any more */
    }
#pragma unroll
    for (int i = 0; i < TILE_M; i++)
        c[(size_t)i * ldc] = sum[i];
}

static void multiply_volkov(struct block A, struct block B, struct block C)
{
    dim3 block(16, 4), grid(C.cols / TILE_N, C.rows / TILE_M);
    volkov<<<grid, block>>>(A.at, A.ld, B.at, B.ld, C.at, C.ld, A.cols);
    CHECK_LAUNCH();
}
/// [volkov]

static const struct variant variants[] = {
    {.name = "volkov",
     .sentence = "16 elements of a column in each thread's registers",
     .simple = multiply_volkov,
     .cost = model_volkov,
     .shapes = {.pad_m = TILE_M, .pad_n = TILE_N, .pad_k = TILE_K}},
    {0},
};

const struct step STEP = {
    .name = "09-gpu-volkov",
    .idea = "register blocking: the sgemm of CUBLAS 3.0",
    .variants = variants,
    .default_n = 256,
};
