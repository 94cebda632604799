/**
 * @file again.h
 * Judges each of a variant's timed runs, off the clock and at a small share of its time.
 */
#ifndef LADDER_AGAIN_H
#define LADDER_AGAIN_H

#include "trial.h"

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

/** Begins with the C that lies on the host and was judged right. false: no memory. */
bool again_begin(struct again *again, struct trial *trial, const struct result *result,
                 const struct tolerance *tolerance);

/**
 * One run, timed and judged. No two runs get the same operands: in odd runs a row of A has the other
 * sign, in even ones a column of B, another one each time. So that row or column of C has the other
 * sign, and who kept a product, a hash of the operands or a packed copy of them is wrong. When C has its
 * sign back, only rows whose bits differ from the first C's must be compared with the reference.
 * @param last the last one: A and B are looked at as well
 * @return milliseconds; negative when this run, or one before, was wrong
 */
double again_run(struct again *again, bool last);

void again_end(struct again *again);

#ifdef __cplusplus
}
#endif
#endif
