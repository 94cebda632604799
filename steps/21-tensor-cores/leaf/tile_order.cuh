/* SPDX-License-Identifier: MIT */
/** @file tile_order.cuh
 * The arguments of the two hand-written products, and the order of their tiles.
 */
#ifndef STEPS_21_TENSOR_CORES_LEAF_TILE_ORDER_CUH
#define STEPS_21_TENSOR_CORES_LEAF_TILE_ORDER_CUH

#include "steps/21-tensor-cores/operands/operands.h"

struct arguments {
    const unsigned char *left, *right;
    size_t left_stride, right_stride, c_stride; /* from one product to the next */
    const int *left_exponents, *right_exponents;
    const float *means, *sums; /* of rows and columns, see operands.h; NULL with levels */
    float *c;
    long ldc;
    int m, n, products;
    int slices, half_slices; /* of a tile: all, and those that hold halves */
    int promote;             /* slices between promotions */
    int across, down;        /* tiles of a product: a cluster's, or mma.cu's */
    int abreast; /* a cluster's two thread blocks take 128 x 384 of C, not 256 x 192 */
    struct progress *progress;

    /* The last tiles, too few for all clusters, are cut along k into parts; see work_of(). */
    int whole, items, parts; /* tiles that are not cut; those and all parts; parts of a tile */
    float4 *partials;        /* [tile][thread block of the cluster][warpgroup][part]: sums */
};

enum {
    BYTE_SLICES = 512
}; /* sums of 512 slices of 128 terms up to 127 * 127 stay below 2^31 */

enum { MMA_TILE = 128 /* rows and columns of a tile in mma.cu */ };

enum {
    /* rows of tiles computed at the same time: they share tiles of B in the L2 cache */
    NEIGHBOURS = 8
};

/* The order of the tiles: which tile of which product has this number. */
struct product_tile {
    int product, row, col; /* tiles */
};

static __device__ __forceinline__ struct product_tile product_tile_of(int down, int across,
                                                                      int number)
{
    int each = down * across, within = number % each, strip = NEIGHBOURS * across;
    int first = within / strip * NEIGHBOURS, rows = min((int)NEIGHBOURS, down - first);
    struct product_tile at = {number / each, first + within % strip % rows,
                              within % strip / rows};
    return at;
}

/* One piece of a cluster's work: a tile, or a part of one. */
struct work {
    int tile, part, first, slices;
};

static __device__ __forceinline__ struct work work_of(const struct arguments &g, int number)
{
    struct work w = {number, 0, 0, g.slices};
    if (number >= g.whole) {
        w.tile = g.whole + (number - g.whole) / g.parts, w.part = (number - g.whole) % g.parts;
        w.first = g.slices * w.part / g.parts;
        w.slices = g.slices * (w.part + 1) / g.parts - w.first;
    }
    return w;
}

#endif
