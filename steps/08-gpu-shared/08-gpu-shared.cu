/* SPDX-License-Identifier: MIT */
/** @file 08-gpu-shared.cu
 * Tiles in shared memory: every element that a block reads is read once and used by a whole row
 * or column of threads. The layout of a tile in shared memory decides about bank conflicts.
 */
#include "common/model.h"
#include "tiles.cuh"

/// [layouts]
/* The four layouts of the optimisation study: each tile as it is, or transposed. */
static __global__ void tile16_a(TILE_PARAMETERS)
{
    __shared__ real as[16 * 16], bs[16 * 16];
    multiply_tiles(16, as, 1, 16, bs, 16, 1, a, lda, b, ldb, c, ldc, m, n, k);
}

static __global__ void tile16_b(TILE_PARAMETERS)
{
    __shared__ real as[16 * 16], bs[16 * 16];
    multiply_tiles(16, as, 16, 1, bs, 1, 16, a, lda, b, ldb, c, ldc, m, n, k);
}

static __global__ void tile16_ab(TILE_PARAMETERS)
{
    __shared__ real as[16 * 16], bs[16 * 16];
    multiply_tiles(16, as, 1, 16, bs, 1, 16, a, lda, b, ldb, c, ldc, m, n, k);
}

/* One more column in each row moves the rows of a transposed tile to different banks. */
static __global__ void tile16_ab_padded(TILE_PARAMETERS)
{
    __shared__ real as[16 * 17], bs[16 * 17];
    multiply_tiles(16, as, 1, 17, bs, 1, 17, a, lda, b, ldb, c, ldc, m, n, k);
}

static __global__ void tile32(TILE_PARAMETERS)
{
    __shared__ real as[32 * 32], bs[32 * 32];
    multiply_tiles(32, as, 32, 1, bs, 32, 1, a, lda, b, ldb, c, ldc, m, n, k);
}
/// [layouts]

/// [document]
/* Musella, section 5.3, with its barriers inside the `if` and its loads unguarded (only the
   loop's bound is k here, so that it can be rectangular). When 16 does not divide m and n, some
   threads of a block never come to the barrier that the others wait at. */
static __global__ void document(TILE_PARAMETERS)
{
    int i = blockIdx.y * 16 + threadIdx.y;
    int j = blockIdx.x * 16 + threadIdx.x;
    __shared__ real as[16][16], bs[16][16];
    if (i < m && j < n) {
        real sum = 0;
        for (int t = 0; t < (k + 15) / 16; t++) {
            as[threadIdx.y][threadIdx.x] = a[(size_t)i * lda + t * 16 + threadIdx.x];
            bs[threadIdx.y][threadIdx.x] = b[(size_t)(t * 16 + threadIdx.y) * ldb + j];
            __syncthreads();
            for (int l = 0; l < 16; l++)
                sum += as[threadIdx.y][l] * bs[l][threadIdx.x];
            __syncthreads();
        }
        c[(size_t)i * ldc + j] = sum;
    }
}
/// [document]

static const struct variant variants[] = {
    {.name = "tile16",
     .sentence = "16 x 16 tiles, both as they are",
     .simple = launch<tile16, 16>,
     .cost = model_tile16},
    {.name = "tile16-at",
     .sentence = "the tile of A transposed",
     .simple = launch<tile16_a, 16>,
     .cost = model_tile16},
    {.name = "tile16-bt",
     .sentence = "the tile of B transposed",
     .simple = launch<tile16_b, 16>,
     .cost = model_tile16},
    {.name = "tile16-at-bt",
     .sentence = "both transposed",
     .simple = launch<tile16_ab, 16>,
     .cost = model_tile16},
    {.name = "tile16-at-bt-padded",
     .sentence = "both transposed, rows of 17",
     .simple = launch<tile16_ab_padded, 16>,
     .cost = model_tile16},
    {.name = "tile32",
     .sentence = "32 x 32 tiles, both as they are",
     .simple = launch<tile32, 32>,
     .cost = model_tile32},
    {.name = "document",
     .sentence = "Musella's kernel: its barriers are inside an if",
     .simple = launch<document, 16>,
     .cost = model_tile16,
     .role = WRONG_ON_PURPOSE},
    {0},
};

const struct step STEP = {
    .name = "08-gpu-shared",
    .idea = "tiles in shared memory, four layouts and their bank conflicts",
    .variants = variants,
    .default_n = 128,
};
