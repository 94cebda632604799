/* SPDX-License-Identifier: MIT */
/** @file targets.cu
 * NV Single with four render targets, which fetch half as much for each multiply-add. */
#include "steps/07-gpu-streams/textures/nv.cuh"

#include "common/device/backend.h"

/// [targets]
static __device__ __forceinline__ void mad_2x2(real4 *sum, real4 p, real4 q)
{
    mad(sum, p.x, p.x, p.z, p.z, q.x, q.y, q.x, q.y);
    mad(sum, p.y, p.y, p.w, p.w, q.z, q.w, q.z, q.w);
}

/* A thread writes four texels, as many as a shader of 2004 had outputs: one in each quadrant of
   C, so that neighbouring threads still write neighbouring texels. Each texel of A and of B
   that it fetches is used twice: 4 fetches for 8 mads instead of 2 for 2. Where C has an odd
   number of rows or columns of texels, the last thread fetches its own again and does not
   write. */
static __global__ void nv_targets(struct texture a, struct texture b, struct texture c,
                                  int rows, int columns)
{
    int row = texel_row(), column = texel_column();
    if (row >= rows || column >= columns)
        return;
    int low = min(row + rows, c.height - 1), right = min(column + columns, c.width - 1);
    float k = 0.5f;
    real4 sum11 = {0, 0, 0, 0}, sum12 = sum11, sum21 = sum11, sum22 = sum11;
#pragma unroll 4
    for (int i = 0; i < a.width; i++, k += 1) {
        real4 p1 = fetch(a, k, row + 0.5f), p2 = fetch(a, k, low + 0.5f);
        real4 q1 = fetch(b, column + 0.5f, k), q2 = fetch(b, right + 0.5f, k);
        mad_2x2(&sum11, p1, q1);
        mad_2x2(&sum12, p1, q2);
        mad_2x2(&sum21, p2, q1);
        mad_2x2(&sum22, p2, q2);
    }
    int two_rows = row + rows < c.height, two_columns = column + columns < c.width;
    real4 *upper = c.texels + (size_t)row * c.pitch, *lower = c.texels + (size_t)low * c.pitch;
    upper[column] = sum11;
    if (two_columns)
        upper[right] = sum12;
    if (two_rows)
        lower[column] = sum21;
    if (two_rows && two_columns)
        lower[right] = sum22;
}

void multiply_targets(const struct context *, struct product p, int, real *workspace)
{
    struct single s = pack_single(p, workspace);
    int rows = (s.c.height + 1) / 2, columns = (s.c.width + 1) / 2;
    dim3 grid(blocks_for(columns, TEXEL_BLOCK), blocks_for(rows, TEXEL_BLOCK));
    backend.start();
    nv_targets<<<grid, texel_block()>>>(s.a, s.b, s.c, rows, columns);
    CHECK_LAUNCH();
    backend.stop();
    unpack_single(p, &s);
}
/// [targets]

/* Stores as NV Single, where the quadrants' rows are whole half-warps; half as many fetches. */
struct cost cost_targets(const struct context *ctx, struct product p, int levels)
{
    struct single s = shape_single(p);
    double threads = (double)((s.c.height + 1) / 2) * ((s.c.width + 1) / 2);
    struct cost cost = cost_single(ctx, p, levels);
    if (s.c.width % (2 * (int)TEXEL_BLOCK) || s.c.height % 2)
        cost.transactions = cost.volume = -1;
    cost.texture_fetches = threads * 4 * s.a.width;
    cost.texture_bytes = 16 * cost.texture_fetches;
    return cost;
}
