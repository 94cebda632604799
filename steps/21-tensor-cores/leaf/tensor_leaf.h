/* SPDX-License-Identifier: MIT */
/** @file tensor_leaf.h
 * Multiplies a batch on the tensor cores.
 */
#ifndef STEPS_21_TENSOR_CORES_LEAF_TENSOR_LEAF_H
#define STEPS_21_TENSOR_CORES_LEAF_TENSOR_LEAF_H

#include "steps/21-tensor-cores/operands/operands.h"

/** What this GPU lacks for a hand-written product; NULL if one runs here (compute
 * capability 8.0 and up, and the simulated GPU). */
extern "C" const char *leaf_missing(void);

/** Which hand-written product: the fastest that this GPU has, or that of mma.cu, which runs
 * from 8.0 on. */
enum tensor_leaf { LEAF_FASTEST, LEAF_MMA };

/** Computes all products of a batch from their factors, into b->c. */
void multiply_batch(const struct context *ctx, const struct batch *b, enum tensor_leaf leaf);

/** Loads the kernels, which CUDA otherwise does at their first launch. */
void load_leaf(const struct context *ctx);

#endif
