/* SPDX-License-Identifier: MIT */
/** @file strips.h
 * Sums overlapped with products: the matrices are cut into strips of rows, and the sums of one
 * strip run while another one is multiplied.
 */
#ifndef STEPS_21_TENSOR_CORES_PRODUCTS_STRIPS_H
#define STEPS_21_TENSOR_CORES_PRODUCTS_STRIPS_H

#include "steps/21-tensor-cores/leaf/tensor_leaf.h"

/** Strips of rows that A and C are cut into. */
enum { STRIPS = 4 };

/** multiply_tensor() with the sums of a strip overlapped with the products of the one before,
 * in the lanes of ctx. ctx's stream waits for them, the caller does not. Each strip is computed
 * as a separate product, so the bits differ from multiply_tensor()'s; the error bound is equal.
 *  @param workspace of strips_elements() floats, aligned to 64 bytes */
void multiply_in_strips(const struct context *ctx, struct product p, int levels,
                        real *workspace);

/** Floats of workspace that it takes in addition to A, B and C. */
size_t strips_elements(struct product p, int levels);

/** Multiprocessors that the products of p leave to the sums. */
int spare_multiprocessors(struct product p);

#endif
