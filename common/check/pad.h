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

/** True if `variant` cannot take the product as it is (its sizes, or rows that start
 * unaligned). */
bool pad_needed(const struct variant *variant, struct product p, int levels);

/** The product of the sizes that the variant gets: those of `p`, rounded up where it needs it.
 * With levels of recursion every quadrant must still be a multiple. No pointers
 * in the result. */
struct product pad_shape(const struct variant *variant, struct product p, int levels);

/** Elements of workspace for the variant and, where needed, the padded copies. */
size_t pad_workspace(const struct variant *variant, const struct context *x, struct product p,
                     int levels);

/** What the variant multiplies instead of `p`: padded copies at the front of the workspace,
 * which then begins behind them, or `p` itself. Copies run on the device, inside timed runs. */
struct product pad_begin(const struct variant *variant, struct product p, int levels,
                         enum precision precision, real **workspace);

/** Copies what was computed into `padded` back to C of `p`, if that is another one. */
void pad_end(struct product padded, struct product p, enum precision precision);

#ifdef __cplusplus
}
#endif
#endif
