/* SPDX-License-Identifier: MIT */
/** @file again.h
 * Judges each of a variant's timed runs, off the clock and at a small share of its time.
 */
#ifndef COMMON_CHECK_AGAIN_H
#define COMMON_CHECK_AGAIN_H

#include "common/check/trial.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A variant that was right and is run again. */
struct again {
    struct trial *trial;
    const struct result *result;
    enum input input; /**< of the timed runs */
    int magnitude;    /**< of integers */
    struct tolerance tolerance;
    int run;                /**< how many timed runs were judged; 0: the counting run */
    long seed;              /**< of the last one's operands */
    struct verdict verdict; /**< of the run that was wrong first; passed while there is none */
};

/**
 * Begins with the operands that were asked for. Where the bound is so large that zeros would
 * meet it, the timed runs multiply integers, which must come out bit for bit.
 * @param again overwritten
 * @param trial must outlive it; its A and B are those that were asked for
 * @param result of the variant
 * @param magnitude of the integers; 0: none would stay exact
 * @return false: nothing judges the runs, because zeros would pass and no integers fit
 */
bool again_begin(struct again *again, struct trial *trial, const struct result *result,
                 int magnitude);

/**
 * One run, timed and judged. Each run multiplies new operands, from a seed that cannot be
 * foreseen: nothing that a variant remembers is of use. Where the input has no seed, each
 * element is multiplied by a random factor. verify_by_signs() judges C, and A and B must come
 * back as they were. The operands that were asked for are lost.
 * @param again begun
 * @param last this is the last run: its C is judged element by element
 * @return milliseconds; negative when this run, or one before, was wrong
 */
double again_run(struct again *again, bool last);

/**
 * Counts the accesses of the counting build, and compares its C bit for bit with that of the
 * build which is timed: both must run the same kernels. The operands lose the last bits of
 * their elements, see trial_shorten().
 * @param again begun
 * @param result of the variant; gets the counts
 * @return whether it was right
 */
bool again_count(struct again *again, struct result *result);

#ifdef __cplusplus
}
#endif
#endif
