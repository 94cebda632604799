/**
 * @file tiers.h
 * Products on which a variant is judged beside the one that was asked for.
 */
#ifndef LADDER_TIERS_H
#define LADDER_TIERS_H

#include "trial.h"

#ifdef __cplusplus
extern "C" {
#endif

/** True when a variant promises to take the options' shape; otherwise says in `why` what it takes. */
bool shape_is_promised(const struct options *options, const struct result *result, char *why,
                       size_t size);

/**
 * One run on a small product of odd sizes, all different, with gaps between the rows and numbers of
 * another seed, as far as the variant's promise allows: who is right only for the shape that was asked
 * for, or for numbers seen before, is found. A wrong one becomes the result's verdict.
 * @return false when there is not enough memory.
 */
bool tier_other_shape(const struct trial *asked, struct result *result);

/**
 * One run on numbers that use all bits of the mantissa, see input_fill_bits(): who rounds a factor, or
 * takes a wrong quadrant on any level, is found. On the size asked for (rounded down to a multiple of
 * 2^levels where nothing pads it), or with the same levels on a small one. A wrong one becomes the
 * result's verdict; where it could be judged, JUDGED_BITS is set.
 * @param asked its matrices are used where not a small one is wanted and the size is the same: their
 *              elements are lost then
 * @return false when there is not enough memory.
 */
bool tier_bits(const struct trial *asked, struct result *result, bool small);

#ifdef __cplusplus
}
#endif
#endif
