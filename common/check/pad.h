/* SPDX-License-Identifier: MIT */
/** @file pad.h
 * Runs a variant whose kernels need m, n, k to be multiples of something on any size: it
 * multiplies copies that are padded with zeros.
 */
#ifndef COMMON_CHECK_PAD_H
#define COMMON_CHECK_PAD_H

#include <stdbool.h>

#include "common/precision.h"
#include "common/sizes.h"
#include "common/step.h"

/** Whether `variant` needs padded copies because of the sizes, or because rows start unaligned.
 * @param variant with its shapes
 * @param p only its sizes and leading dimensions are used
 * @param levels of recursion, 0 or more
 * @return whether it must be copied */
bool pad_needed(const struct variant *variant, struct product p, int levels);

/** The sizes that the variant gets: those of `p`, rounded up where necessary. With levels of
 * recursion every quadrant must still be a multiple. The result has no pointers.
 * @param variant with its shapes
 * @param p only its sizes are used
 * @param levels of recursion, 0 or more
 * @return the sizes, at least those of `p` */
struct product pad_shape(const struct variant *variant, struct product p, int levels);

/** The workspace of the variant and of the padded copies, if it needs them.
 * @param variant with its shapes
 * @param ctx for the variant's workspace function
 * @param p only its sizes and leading dimensions are used
 * @param levels of recursion, 0 or more
 * @return elements of `real` */
size_t pad_workspace(const struct variant *variant, const struct context *ctx, struct product p,
                     int levels);

/** Makes padded copies at the front of the workspace if the variant needs them. Copying runs on
 * the device and counts in timed runs.
 * @param variant with its shapes
 * @param p on device pointers
 * @param levels of recursion, 0 or more
 * @param precision of the elements
 * @param workspace of pad_workspace() elements; moved to the end of the copies
 * @return the product for the variant: the copies, or `p` */
struct product pad_begin(const struct variant *variant, struct product p, int levels,
                         enum precision precision, real **workspace);

/** Copies the result from `padded` to C of `p`, if these differ.
 * @param padded of pad_begin()
 * @param p as pad_begin() got it
 * @param precision of the elements */
void pad_end(struct product padded, struct product p, enum precision precision);

#endif
