/* SPDX-License-Identifier: MIT */
/** @file sgemm.cuh
 * The sgemm of step 09 with A through a texture, in strips where A is larger than a texture can
 * be (Li et al. (2011), section 8.1, who gained 0.6 %).
 */
#ifndef STEPS_16_TEXTURE_SGEMM_CUH
#define STEPS_16_TEXTURE_SGEMM_CUH

#include "common/model.h"
#include "texture.cuh"

enum { SGEMM_M = 16, SGEMM_N = 64, SGEMM_K = 16 };

/// [sgemm]
/* Step 09's kernel, but for the loads of A: through the texture if there is one. */
static __global__ void sgemm_kernel(textured a, int lda, const real *b, int ldb, real *c,
                                    int ldc, int k)
{
    __shared__ real as[SGEMM_K][SGEMM_M + 1];
    real sum[SGEMM_M] = {0};
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * SGEMM_N + y * 16 + x;
    size_t at = (size_t)(blockIdx.y * SGEMM_M + y) * lda + x;
    b += column;
    c += (size_t)blockIdx.y * SGEMM_M * ldc + column;
    for (int first = 0; first < k; first += SGEMM_K) {
        for (int i = 0; i < SGEMM_M; i += 4)
            as[x][y + i] = a[at + first + (size_t)i * lda];
        __syncthreads(); /* the tile is complete */
#pragma unroll
        for (int l = 0; l < SGEMM_K; l++, b += ldb) {
            real bl = b[0];
#pragma unroll
            for (int i = 0; i < SGEMM_M; i++)
                sum[i] += as[l][i] * bl;
        }
        __syncthreads(); /* no thread needs the tile any more */
    }
#pragma unroll
    for (int i = 0; i < SGEMM_M; i++)
        c[(size_t)i * ldc] = sum[i];
}

/* Strips of A's rows that fit into a texture: two of 8192 rows at n = 16384, where the document
   used blocks of 8192 x 8192. */
static void sgemm_in_strips(const struct context *ctx, struct product p)
{
    long strip = rows_that_fit(ctx, p.a, LEFT, 1, SGEMM_M);
    for (long i = 0; i < p.c.rows; i += strip) {
        long rows = smaller(strip, p.c.rows - i);
        struct block a = part(p.a, i, 0, rows, p.a.cols), c = part(p.c, i, 0, rows, p.c.cols);
        sgemm_kernel<<<dim3(p.c.cols / SGEMM_N, rows / SGEMM_M), dim3(16, 4)>>>(
            textured_factor(ctx, a, 1, ctx->settings[SET_SIDES] & LEFT), a.ld, p.b.at, p.b.ld,
            c.at, c.ld, p.a.cols);
        CHECK_LAUNCH();
    }
}
/// [sgemm]

static void multiply_sgemm(const struct context *ctx, struct product p, int, real *)
{
    sgemm_in_strips(ctx, p);
}
static void multiply_tsgemm(const struct context *ctx, struct product p, int, real *)
{
    struct context textured = with_sides(ctx, LEFT);
    sgemm_in_strips(&textured, p);
}

static int no_levels(const struct context *, struct product, int) { return 0; }

/* Through the texture A's transactions are gone: m n k/1024 of 64 bytes, a texel for each
 * element. */
static struct cost cost_tsgemm(const struct context *ctx, struct product p, int levels)
{
    struct cost cost = model_volkov(ctx, p, levels);
    double half_warps = (double)p.c.rows * p.c.cols * p.a.cols / 1024;
    cost.transactions -= half_warps;
    cost.volume -= half_warps * 64;
    cost.texture_fetches = half_warps * 16;
    cost.texture_bytes = half_warps * 16 * 4;
    return cost;
}

#endif
