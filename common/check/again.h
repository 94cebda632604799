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
    struct tolerance tolerance;
    uint64_t *rows;         /**< hashes of the rows of the C that was right */
    int run;                /**< how many runs were judged */
    struct verdict verdict; /**< of the run that was wrong first; passed while there is none */
};

/**
 * Begins with the C that lies on the host and was judged right. false: no memory.
 * @param again overwritten
 * @param trial must outlive it; its C is right
 * @param result of the variant
 * @param tolerance as for the first run
 * @return false: not enough memory
 */
bool again_begin(struct again *again, struct trial *trial, const struct result *result,
                 const struct tolerance *tolerance);

/**
 * One run, timed and judged. No two runs get the same operands: odd runs change the sign of a
 * row of A, even ones that of a column of B, a different one each time. That row or column of C
 * then changes its sign, so a variant that kept a product, a hash of the operands or a packed
 * copy is wrong. Once C has its sign back, only rows whose bits differ from the first C's must
 * be compared with the reference.
 * @param again begun
 * @param last this is the last run: A and B are checked as well
 * @return milliseconds; negative when this run, or one before, was wrong
 */
double again_run(struct again *again, bool last);

/**
 * Frees what it holds.
 * @param again begun
 */
void again_end(struct again *again);

#ifdef __cplusplus
}
#endif
#endif
