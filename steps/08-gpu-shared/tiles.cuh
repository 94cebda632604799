/* SPDX-License-Identifier: MIT */
/** @file tiles.cuh
 * The product by tiles in shared memory, and the kernel of 16 x 16 tiles. Step 11 uses it as a
 * leaf.
 */
#ifndef STEPS_08_GPU_SHARED_TILES_CUH
#define STEPS_08_GPU_SHARED_TILES_CUH

#include "common/matrix/block.h"
#include "common/device/gpu.h"

/// [tile]
/* A block of tile x tile threads computes a tile of C (the optimisation study, Algorithm 4). In
   shared memory element (y, x) of the tile of A is as[y * a_row + x * a_col], likewise for B:
   transposing a tile is exchanging the two strides. Outside the matrices a tile holds zeros. */
static __device__ __forceinline__ void multiply_tiles(int tile, real *as, int a_row, int a_col,
                                                      real *bs, int b_row, int b_col,
                                                      const real *a, int lda, const real *b,
                                                      int ldb, real *c, int ldc, int m, int n,
                                                      int k)
{
    int x = threadIdx.x, y = threadIdx.y;
    int i = blockIdx.y * tile + y, j = blockIdx.x * tile + x;
    real sum = 0;
    for (int first = 0; first < k; first += tile) {
        as[y * a_row + x * a_col] = i < m && first + x < k ? a[(size_t)i * lda + first + x] : 0;
        bs[y * b_row + x * b_col] =
            first + y < k && j < n ? b[(size_t)(first + y) * ldb + j] : 0;
        __syncthreads(); /* without it, a thread multiplies what another has not stored yet */
        for (int l = 0; l < tile; l++)
            sum += as[y * a_row + l * a_col] * bs[l * b_row + x * b_col];
        __syncthreads(); /* without it, a thread overwrites what another still needs */
    }
    if (i < m && j < n)
        c[(size_t)i * ldc + j] = sum;
}
/// [tile]

#define TILE_PARAMETERS                                                                        \
    const real *a, int lda, const real *b, int ldb, real *c, int ldc, int m, int n, int k

static __global__ void tile16(TILE_PARAMETERS)
{
    __shared__ real as[16 * 16], bs[16 * 16];
    multiply_tiles(16, as, 16, 1, bs, 16, 1, a, lda, b, ldb, c, ldc, m, n, k);
}

/** C = A * B by one of these kernels, in blocks of tile x tile threads. */
template <void (*kernel)(TILE_PARAMETERS), int tile>
static void launch(struct block A, struct block B, struct block C)
{
    static_assert(tile % 16 == 0 && tile * tile <= 1024,
                  "a tile's row is whole half-warps, and a block has at most 1024 threads");
    long m = C.rows, n = C.cols, k = A.cols;
    dim3 block(tile, tile), grid(blocks_for(n, tile), blocks_for(m, tile));
    kernel<<<grid, block>>>(A.at, A.ld, B.at, B.ld, C.at, C.ld, m, n, k);
    CHECK_LAUNCH();
}

#endif
