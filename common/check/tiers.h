/* SPDX-License-Identifier: MIT */
/** @file tiers.h
 * Further products on which a variant is judged, besides the one that was asked for.
 */
#ifndef COMMON_CHECK_TIERS_H
#define COMMON_CHECK_TIERS_H

#include "common/check/trial.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * True when a variant promises to take the options' shape; otherwise says in `why` what it
 * takes.
 * @param options with m, n and k
 * @param result the variant and its levels
 * @param why text when the result is false
 * @param size bytes of `why`
 * @return whether it may run
 */
bool shape_is_promised(const struct options *options, const struct result *result, char *why,
                       size_t size);

/**
 * One run on a small product of odd sizes, all different, with gaps between the rows and
 * numbers from another seed, as far as the variant's promise allows, and one more with k = 1.
 * It finds a variant that is right only for the shape asked for, or only for numbers it has
 * seen before. If it is wrong, that is the result's verdict.
 * @param asked the trial on what was asked for; it stays as it is
 * @param result of the variant; its verdict and `judged` may change
 * @return false when there is not enough memory.
 */
bool tier_other_shape(const struct trial *asked, struct result *result);

/**
 * One run on numbers that use all bits of the mantissa, see input_fill_bits(). It finds a
 * variant that rounds a factor, or takes a wrong quadrant on any level. It runs on the size
 * asked for (rounded down to a multiple of 2^levels if nothing pads it), or with the same
 * levels on a small one. If it is wrong, that is the result's verdict; if it could be judged,
 * JUDGED_BITS is set.
 * @param result of the variant; its verdict and `judged` may change
 * @param small a small product instead of one of the size asked for
 * @param asked if no small product is wanted and the size is the same, its matrices are used,
 * and their elements are lost
 * @return false when there is not enough memory.
 */
bool tier_bits(const struct trial *asked, struct result *result, bool small);

#ifdef __cplusplus
}
#endif
#endif
