/* SPDX-License-Identifier: MIT */
/** @file 10-gpu8.cu
 * GPU8 of Li et al. (2011), as printed (it faults) and corrected.
 */
#include "common/device/gpu.h"
#include "common/model.h"
#include "gpu8.cuh"

/// [launch]
static void multiply_gpu8(struct block A, struct block B, struct block C)
{
    gpu8<<<gpu8_grid(C.rows, C.cols), gpu8_block()>>>(A.at, A.ld, B.at, B.ld, C.at, C.ld,
                                                      A.cols);
    CHECK_LAUNCH();
}
/// [launch]

/// [verbatim]
/* Figures 8 and 9 as printed; only what keeps them from compiling is corrected (`sCol.x` of an
   int, one parenthesis too many in each float4 store) and one n for each matrix. A row of `as`
   is 65 elements: only every fourth one starts where a float4 may be stored. */
static __global__ void verbatim(const real *a, int lda, const real *b, int ldb, real *c,
                                int ldc, int k)
{
    __shared__ real as[16][65];
    real cr[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

    int nDiv64 = k / 64;
    int sRow = threadIdx.y;
    int sRow4 = sRow * 4;
    int sCol = threadIdx.x;
    int tid = sRow * 16 + sCol;
    a += (size_t)(16 * blockIdx.y + sRow) * lda + sCol * 4;
    b += 128 * blockIdx.x + tid;
    c += (size_t)16 * blockIdx.y * ldc + 128 * blockIdx.x + tid;
    const real4 *a4 = (const real4 *)a;

    for (int i = 0; i < nDiv64; i++) {
        *((real4 *)&as[sCol][sRow4]) = a4[0];
        *((real4 *)&as[sCol][sRow4 + 32]) = a4[lda * 2];
        __syncthreads();
        real br0 = b[0], br1 = b[ldb], br2 = b[2 * (size_t)ldb], br3 = b[3 * (size_t)ldb];
        b += 4 * (size_t)ldb;
#pragma unroll
        for (int l = 0; l < 15; l++) {
            gpu8_update(&as[l][0], br0, cr), br0 = b[0];
            gpu8_update(&as[l][1], br1, cr), br1 = b[ldb];
            gpu8_update(&as[l][2], br2, cr), br2 = b[2 * (size_t)ldb];
            gpu8_update(&as[l][3], br3, cr), br3 = b[3 * (size_t)ldb];
            b += 4 * (size_t)ldb;
        }
        gpu8_update(&as[15][0], br0, cr);
        gpu8_update(&as[15][1], br1, cr);
        gpu8_update(&as[15][2], br2, cr);
        gpu8_update(&as[15][3], br3, cr);
        a4 += 16;
        __syncthreads();
    }
    for (int j = 0; j < 16; j++) {
        c[0] = cr[j];
        c += ldc;
    }
}

static void multiply_verbatim(struct block A, struct block B, struct block C)
{
    verbatim<<<gpu8_grid(C.rows, C.cols), gpu8_block()>>>(A.at, A.ld, B.at, B.ld, C.at, C.ld,
                                                          A.cols);
    CHECK_LAUNCH();
}
/// [verbatim]

static const struct variant variants[] = {
    {.name = "gpu8",
     .sentence = "corrected: four scalar stores instead of a misaligned float4",
     .simple = multiply_gpu8,
     .cost = model_gpu8,
     .shapes = {.pad_m = GPU8_M, .pad_n = GPU8_N, .pad_k = GPU8_K}},
    {.name = "verbatim",
     .sentence = "as printed: float4 stores into rows of 65",
     .simple = multiply_verbatim,
     .cost = model_gpu8,
     .shapes = {.pad_m = GPU8_M, .pad_n = GPU8_N, .pad_k = GPU8_K},
     .role = WRONG_ON_PURPOSE},
    {0},
};

const struct step STEP = {
    .name = "10-gpu8",
    .idea = "GPU8: 16 x 128 tiles, A transposed in shared memory, B straight into registers",
    .variants = variants,
    .default_n = 256,
};
