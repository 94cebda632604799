/* SPDX-License-Identifier: MIT */
/** @file again.h
 * Judges each of a variant's timed runs, off the clock and at a small share of its time.
 */
#ifndef COMMON_CHECK_AGAIN_H
#define COMMON_CHECK_AGAIN_H

#include "common/check/trial.h"

/** A variant that was right and runs again, timed. */
struct again {
    struct trial *trial;
    const struct result *result;
    enum input input; /**< of the timed runs */
    int magnitude;    /**< of integers */
    struct tolerance tolerance;
    int run;                /**< how many timed runs were judged; 0 in the counting run */
    long seed;              /**< of the last run's operands */
    struct verdict verdict; /**< of the first wrong run; passed until there is one */
};

/**
 * Begins with the chosen operands. If the bound is so large that a C of zeros would pass, the
 * timed runs multiply integers, whose product must be exact.
 * @param again overwritten
 * @param trial must outlive it; its A and B are the chosen ones
 * @param result of the variant
 * @param magnitude of the integers; 0 if none would stay exact
 * @return false if the runs cannot be judged: zeros would pass, and no integers fit
 */
bool again_begin(struct again *again, struct trial *trial, const struct result *result,
                 int magnitude);

/**
 * One run, timed and judged. Each run multiplies new operands from an unpredictable seed, so a
 * variant cannot use remembered results. If the input has no seed, each element is multiplied
 * by a random factor. verify_by_signs() judges C, and A and B must be unchanged. The chosen
 * operands are lost.
 * @param again begun
 * @param last this is the last run: its C is judged element by element
 * @return milliseconds; negative when this run, or one before, was wrong
 */
double again_run(struct again *again, bool last);

/**
 * Counts the accesses of the counting build, and compares its C bit for bit with the C of the
 * timed build, since both must run the same kernels. The operands lose the last bits of their
 * elements, see trial_shorten().
 * @param again begun
 * @param result of the variant; gets the counts
 * @return whether it was right
 */
bool again_count(struct again *again, struct result *result);

#endif
