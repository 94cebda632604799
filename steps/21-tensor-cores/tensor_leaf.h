/* SPDX-License-Identifier: MIT */
/** @file tensor_leaf.h
 * The products of a batch on the tensor cores.
 */
#ifndef STEPS_21_TENSOR_CORES_TENSOR_LEAF_H
#define STEPS_21_TENSOR_CORES_TENSOR_LEAF_H

#include "operands.h"

/** NULL where a hand-written product runs (compute capability 8.0 and up, the simulated GPU),
 *  otherwise what is missing. */
extern "C" const char *leaf_missing(void);

/** Which of the two: the fastest that this GPU has, or the one of mma.cu, which
 * 8.0 has, too. */
enum tensor_leaf { LEAF_FASTEST, LEAF_MMA };

/** All products of a batch, from their factors into b->c. */
void multiply_batch(const struct context *x, const struct batch *b, enum tensor_leaf leaf);

/** Loads the kernels, which CUDA otherwise does at their first launch. */
void load_leaf(const struct context *x);

#endif
