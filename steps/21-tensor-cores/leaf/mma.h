/* SPDX-License-Identifier: MIT */
/** @file mma.h
 * The product for GPUs that have tensor cores but not compute capability 9.0: see mma.cu.
 */
#ifndef STEPS_21_TENSOR_CORES_LEAF_MMA_H
#define STEPS_21_TENSOR_CORES_LEAF_MMA_H

#include "tile_order.cuh"

/** All products of a batch. */
void launch_mma(const struct context *ctx, const struct batch *b, const struct arguments *g);

/** Loads the kernels, which CUDA otherwise does at their first launch. */
void load_mma(const struct context *ctx);

#endif
