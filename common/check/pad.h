/* SPDX-License-Identifier: MIT */
/** @file pad.h
 * Lets a variant whose kernels need m, n, k to be multiples of something run on any size: on
 * copies that are padded with zeros.
 */
#ifndef COMMON_CHECK_PAD_H
#define COMMON_CHECK_PAD_H

#include <stdbool.h>

#include "common/precision.h"
#include "common/sizes.h"
#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * True if `variant` cannot take the product as it is (its sizes, or rows that start
 * unaligned).
 * @param variant with its shapes
 * @param p its sizes and leading dimensions count
 * @param levels of recursion, 0 or more
 * @return whether pad_multiply() copies
 */
bool pad_needed(const struct variant *variant, struct product p, int levels);

/**
 * The product of the sizes that the variant gets: those of `p`, rounded up where it needs it.
 * With levels of recursion every quadrant must still be a multiple. No pointers
 * in the result.
 * @param variant with its shapes
 * @param p sizes alone count
 * @param levels of recursion, 0 or more
 * @return the sizes, at least those of `p`
 */
struct product pad_shape(const struct variant *variant, struct product p, int levels);

/**
 * Elements of workspace for the variant and, where needed, the padded copies.
 * @param variant with its shapes
 * @param x goes to the variant's workspace function
 * @param p its sizes and leading dimensions count
 * @param levels of recursion, 0 or more
 * @return elements of `real`
 */
size_t pad_workspace(const struct variant *variant, const struct context *x, struct product p,
                     int levels);

/**
 * variant->multiply(), padded where needed. Copies run on the device, inside timed runs.
 * @param variant what runs
 * @param x goes to the variant
 * @param p on device pointers
 * @param levels of recursion, 0 or more
 * @param precision of the elements
 * @param workspace as many elements as pad_workspace() says
 */
void pad_multiply(const struct variant *variant, const struct context *x, struct product p,
                  int levels, enum precision precision, real *workspace);

#ifdef __cplusplus
}
#endif
#endif
