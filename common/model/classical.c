/* SPDX-License-Identifier: MIT */
#include "common/model/classical.h"

/* The figures of a classical product, when m, n, k are multiples of the tile. `t3`, `v3` are
   transactions and bytes for each of mnk multiply-adds, `t2`, `v2` for each of mn elements of
   C. */
static struct cost classical(struct product p, long tile_m, long tile_n, long tile_k, double t3,
                             double t2, double v3, double v2)
{
    double mn = (double)p.c.rows * (double)p.c.cols, mnk = mn * (double)p.a.cols;
    if (p.c.rows % tile_m || p.c.cols % tile_n || p.a.cols % tile_k)
        return (struct cost){2 * mnk - mn, -1, -1};
    return (struct cost){2 * mnk - mn, t3 * mnk + t2 * mn, v3 * mnk + v2 * mn};
}

/* A half-warp computes 16 neighbours of a row: at each step one a for all 16 (32 bytes) and 16
   b (64 bytes); at the end 16 c (64 bytes). */
struct cost model_naive(const struct context *x, struct product p, int levels)
{
    return classical(p, 16, 16, 8, 2 / 16.0, 1 / 16.0, (32 + 64) / 16.0, 64 / 16.0);
}

/* As above, and at each step 16 c are read and 16 written; before the first, 16 written. */
struct cost model_naive_in_memory(const struct context *x, struct product p, int levels)
{
    return classical(p, 16, 16, 8, 4 / 16.0, 1 / 16.0, (32 + 3 * 64) / 16.0, 64 / 16.0);
}

/* A half-warp computes 16 neighbours of a column: 16 rows of a (32 bytes each) and one b; every
   c is a transaction of its own. Rows must be 128 bytes apart or more. */
struct cost model_naive_uncoalesced(const struct context *x, struct product p, int levels)
{
    long far = p.a.cols < 32 || p.c.cols < 32 ? 0 : 1;
    struct cost cost = classical(p, 16, 16, 8, 17 / 16.0, 1, 17 * 32 / 16.0, 32);
    if (!far)
        cost.transactions = cost.volume = -1;
    return cost;
}

/* Each of the (k/16) (mn/256) tile pairs is read by 2 * 16 half-warps, 64 bytes each. */
struct cost model_tile16(const struct context *x, struct product p, int levels)
{
    return classical(p, 16, 16, 16, 2 / 256.0, 1 / 16.0, 2 * 64 / 256.0, 4);
}

/* (k/32) (mn/1024) tile pairs, 2 * 64 half-warps each. */
struct cost model_tile32(const struct context *x, struct product p, int levels)
{
    return classical(p, 32, 32, 32, 2 / 512.0, 1 / 16.0, 2 * 64 / 512.0, 4);
}

/* A block computes 16 x 64 of C: for 16 steps of k a 16 x 16 tile of A (16 half-warp reads of
   64 bytes) and 16 rows of 64 of B (64 half-warp reads). */
struct cost model_volkov(const struct context *x, struct product p, int levels)
{
    return classical(p, 16, 64, 16, 1 / 1024.0 + 1 / 256.0, 1 / 16.0, 5 * 64 / 1024.0, 4);
}

/* A block computes 16 x 128 of C: for 64 steps of k a 16 x 64 tile of A (32 reads of 128 bytes
   by float4) and 64 rows of 128 of B (512 half-warp reads of 64 bytes). */
struct cost model_gpu8(const struct context *x, struct product p, int levels)
{
    return classical(p, 16, 128, 64, 1 / 4096.0 + 1 / 256.0, 1 / 16.0,
                     128 / 4096.0 + 64 / 256.0, 4);
}
