/* SPDX-License-Identifier: MIT */
/** @file strips.h
 * Sums beside products: the matrices in strips of rows, the sums of one strip while another one
 * is multiplied.
 */
#ifndef STEPS_21_TENSOR_CORES_STRIPS_H
#define STEPS_21_TENSOR_CORES_STRIPS_H

#include "tensor_leaf.h"

/** Strips of rows that A and C are cut into. */
enum { STRIPS = 4 };

/** multiply_tensor() with the sums of a strip beside the products of the one before, in the
 * lanes of x. x's stream waits for them, the caller does not. The strips are products by
 * themselves: their bits are not multiply_tensor()'s, their error bound is.
 *  @param workspace of strips_elements() floats, aligned to 64 bytes */
void multiply_in_strips(const struct context *x, struct product p, int levels, real *workspace,
                        enum format format);

/** Elements of float that it takes beside A, B and C. */
size_t strips_elements(struct product p, enum format format, int levels);

/** Multiprocessors that the products of p leave to the sums. */
int spare_multiprocessors(struct product p, enum format format);

#endif
