/* SPDX-License-Identifier: MIT */
/** @file tiers.h
 * Further multiplications on which a variant is judged, in addition to the chosen one.
 */
#ifndef COMMON_CHECK_TIERS_H
#define COMMON_CHECK_TIERS_H

#include "common/check/trial.h"

/** Whether a variant takes the options' shape, and stays exact with --input integers; if not,
 * `why` says what it takes.
 * @param options of the run
 * @param result the variant and its levels
 * @param why text when the result is false
 * @param size bytes of `why`
 * @return whether it may run */
bool input_is_promised(const struct options *options, const struct result *result, char *why,
                       size_t size);

/** One run on a small product of different odd sizes, with gaps between the rows and numbers
 * from another seed, as far as the variant takes such shapes, and one more with k = 1. It finds
 * variants that are right only for the chosen shape, or only for numbers that they have seen
 * before. If it is wrong, stores the verdict in the result.
 * @param asked the trial on the chosen product; unchanged
 * @param result of the variant; its verdict and `judged` may change
 * @return false when there is not enough memory. */
bool tier_other_shape(const struct trial *asked, struct result *result);

/** One run on numbers that use all bits of the mantissa, the others being zeros, 1 and -1. It
 * finds variants that round a factor, or take a wrong quadrant at any level. It runs at the
 * chosen size (rounded down to a multiple of 2^levels unless it is padded), or with the same
 * levels on a small product. If it is wrong, stores the verdict in the result; if it could be
 * judged, sets JUDGED_BITS.
 * @param result of the variant; its verdict and `judged` may change
 * @param small multiply a small product, not one of the chosen size
 * @param asked the trial on the chosen product; if `small` is false and the size is the same,
 * its matrices are used and overwritten
 * @return false when there is not enough memory. */
bool tier_bits(const struct trial *asked, struct result *result, bool small);

#endif
