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
 * @return whether it must be copied
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
 * @param ctx goes to the variant's workspace function
 * @param p its sizes and leading dimensions count
 * @param levels of recursion, 0 or more
 * @return elements of `real`
 */
size_t pad_workspace(const struct variant *variant, const struct context *ctx, struct product p,
                     int levels);

/**
 * What the variant multiplies instead of `p`: padded copies at the front of the workspace,
 * which then begins behind them, or `p` itself. Copies run on the device, inside timed runs.
 * @param variant with its shapes
 * @param p on device pointers
 * @param levels of recursion, 0 or more
 * @param precision of the elements
 * @param workspace as many elements as pad_workspace() says; moved behind the copies
 * @return what the variant multiplies
 */
struct product pad_begin(const struct variant *variant, struct product p, int levels,
                         enum precision precision, real **workspace);

/**
 * Copies what was computed into `padded` back to C of `p`, if that is another one.
 * @param padded of pad_begin()
 * @param p as pad_begin() got it
 * @param precision of the elements
 */
void pad_end(struct product padded, struct product p, enum precision precision);

#ifdef __cplusplus
}
#endif
#endif
