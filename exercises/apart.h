/* SPDX-License-Identifier: MIT */
/** @file apart.h
 * What the checker does for an answer, and counts, in its own process: sums, copies and
 * products of blocks, and reads. In the answer's process, A, B, C and the workspace then hold
 * nothing. Where there is one process, it is all done there.
 */
#ifndef EXERCISES_APART_H
#define EXERCISES_APART_H

#include <stdbool.h>

struct witness;

#ifdef __cplusplus
extern "C" {
#endif

/** Elements (i, j) at[i * ld + j] of float or double. */
struct apart_block {
    const void *at;
    long rows, cols, ld;
};

enum { HIDE_NOTHING = 0, HIDE_B = 2, HIDE_ALL = 15, ONLY_ASK = 16 };

/** Begins a multiplication and its counts. Once a call; later ones change nothing.
 * @param size bytes of an element
 * @param hidden what is kept from the answer; ONLY_ASK where nothing is and apart_next() asks
 * @return whether it is hidden: B alone is not while the answer is timed */
bool apart_begin(int size, unsigned hidden);

/** z = x + sign * y, x, 0, x * y or z + x * y. Counts; a product of empty blocks is none. It
 * ends the program if a block is not in A, B, C and the workspace. */
enum apart_way { APART_SUM, APART_COPY, APART_CLEAR, APART_PRODUCT, APART_PRODUCT_ADDED };
void apart_do(enum apart_way way, struct apart_block x, double sign, struct apart_block y,
              struct apart_block z);

/** Reads and counts an element of B.
 * @param at in B
 * @param value gets it
 * @return false if it is no longer hidden: there were more reads than elements */
bool apart_read(const void *at, double *value);

/** Counts a product that is made elsewhere. If a GPU makes it, C must consist of sums of such
 * products.
 * @param size bytes of an element
 * @param a,b its factors, on the GPU; at may be NULL */
void apart_made(int size, struct apart_block a, struct apart_block b);

/** Adds to a count of an exercise's own. The checker keeps it: an answer could change it in its
 * own process. */
enum apart_counter { APART_REDUCTIONS, APART_WORDS, APART_BROADCASTS, APART_COUNTERS };
void apart_count(enum apart_counter counter, double amount);

/** Counts a reduction of x: only if x is not smaller than the last `least`. An answer that has
 * reduced it by itself passes a smaller one. */
void apart_reduce(double x);
void apart_reduce_at_least(double least);

/** The next question of the checker (questions.h).
 * @param kind of all questions of an exercise
 * @param first,second the answer to the question before
 * @return the question; NULL: there are no more */
void *apart_next(int kind, int first, int second);

/** Of the checker (common/check/trial.h). */
extern const struct witness witness_of_exercises;

/** Whether a right C on a GPU did not follow from the products that were counted. */
bool apart_made_elsewhere(void);

/** @return the counts, "products=7 sums=18 ..." */
const char *apart_note(void);

#ifdef __cplusplus
}
#endif

#endif
