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

/** All products of a batch, from their factors into b->c. Uses default stream 0. */
void multiply_batch(const struct batch *b);

#endif
