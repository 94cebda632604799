/**
 * @file leaf.h
 * The products of a batch on the tensor cores.
 */
#ifndef LADDER_LEAF_H
#define LADDER_LEAF_H

#include "operands.h"

/** NULL where the hand-written product runs (compute capability 9.0, the simulated GPU), otherwise
 *  what is missing. */
const char *leaf_missing(void);

/** All products of a batch, from their factors into b->c. */
void multiply_batch(const struct gpu_context *x, const struct batch *b);

/** Loads the kernels, which CUDA otherwise does at their first launch. */
void load_leaf(const struct gpu_context *x);

#endif
