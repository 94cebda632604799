/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 10-vectors-of-four: GPU8's fetch of the tile of A.
 */
#include "common/device/gpu.h"
#include "common/model.h"
#include "steps/10-gpu8/gpu8.cuh"

/* YOUR CODE: the length of a row of the shared tile, at least 64 */
/* STUB: enum { ROW = 64 }; */
/* 65: lanes of a half-warp store 65 words apart, into 16 different banks. */
enum { ROW = 65 };
/* END */

static __global__ void yours(const real *a, int lda, const real *b, int ldb, real *c, int ldc,
                             int k)
{
    __shared__ real as[16 * ROW];
    real cr[16] = {0};
    int row = threadIdx.y, col = threadIdx.x, tid = row * 16 + col;
    const real4 *a4 = (const real4 *)(a + (size_t)(16 * blockIdx.y + row) * lda + col * 4);
    b += 128 * blockIdx.x + tid;
    for (int i = 0; i < k / 64; i++, a4 += 16) {
        /* YOUR CODE: two vectors of A into the tile, and wait for it */
        real4 upper = a4[0], lower = a4[lda * 2];
        real *to = as + col * ROW + row * 4; /* a multiple of four only in every fourth row */
        to[0] = upper.x, to[1] = upper.y, to[2] = upper.z, to[3] = upper.w;
        to[32] = lower.x, to[33] = lower.y, to[34] = lower.z, to[35] = lower.w;
        __syncthreads();
        /* END */
        for (int l = 0; l < 64; l++, b += ldb)
            gpu8_update(as + l / 4 * ROW + l % 4, b[0], cr);
        __syncthreads();
    }
    c += gpu8_position(ldc);
    for (int j = 0; j < 16; j++, c += ldc)
        c[0] = cr[j];
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    yours<<<gpu8_grid(m, n), gpu8_block()>>>(p.a.at, p.a.ld, p.b.at, p.b.ld, p.c.at, p.c.ld, k);
    CHECK_LAUNCH();
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "GPU8 with your fetch",
     .multiply = multiply_yours,
     .cost = model_gpu8,
     .shapes = {.pad_m = GPU8_M, .pad_n = GPU8_N, .pad_k = GPU8_K}},
    {0},
};

const struct step STEP = {
    .name = "10-vectors-of-four",
    .idea = "GPU8's fetch of the tile of A",
    .variants = variants,
    .default_n = 128,
};
