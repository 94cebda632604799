/* SPDX-License-Identifier: MIT */
/** @file byte_mma.h
 * The arguments of the hand-written products of bytes, and the product by mma.sync.
 */
#ifndef STEPS_23_EXACT_LEAF_BYTE_MMA_H
#define STEPS_23_EXACT_LEAF_BYTE_MMA_H

#include "steps/23-exact/exact_batch.h"

/** The kernels' arguments. */
struct byte_arguments {
    const unsigned char *left, *right;
    size_t left_stride, right_stride, to_stride, row_bytes;
    unsigned char *to;
    int rows, problems, products; /**< rows: without padding; problems: products of all
                                       moduli of the group */
    int slices, begin, end;       /**< of a tile: all, and those that are multiplied now */
    int across, down, add;        /**< tiles; add: to the residues there */
    struct progress *progress;
    struct modulus m[MODULI_MOST];
};

/** All products, on a GPU of compute capability 8.0 or more; see byte_mma.cu. */
void launch_byte_mma(const struct context *ctx, const struct byte_arguments *g);

/** What the current GPU lacks for that product, or NULL. */
const char *byte_mma_missing(void);

#endif
