/* SPDX-License-Identifier: MIT */
/** @file counted.h
 * Adds and multiplies blocks, and counts how often, for exercises on the processor: the checker
 * does it. The lab reads the counts from the step's note, and the goals name them: `exactly
 * products 7`.
 */
#ifndef EXERCISES_COUNTED_H
#define EXERCISES_COUNTED_H

#include <stdio.h>
#include <stdlib.h>

#include "steps/01-cpu-naive/ikj.h"
#include "common/matrix/sums.h"
#include "exercises/apart.h"
#include "exercises/exchanged.h"

/* Not inlined: with a dozen copies of the loops an exercise would take seconds to compile. */
#define ONCE static __attribute__((noinline, unused))

static inline struct apart_block apart_of(struct block x)
{
    return (struct apart_block){x.at, x.rows, x.cols, x.ld};
}

/* From now on only the functions below read and write A, B, C and the workspace. */
static inline void count_from_zero(void) { apart_begin(sizeof(real), HIDE_ALL); }

static inline void count_in_the_open(void) { apart_begin(sizeof(real), HIDE_NOTHING); }

static inline const char *counted_note(void) { return apart_note(); }

/* z = x + sign * y, and so on (apart.h). */
ONCE void do_counted(enum apart_way way, struct block x, int sign, struct block y,
                     struct block z)
{
    apart_do(way, apart_of(x), sign, apart_of(y), apart_of(z));
}

/** z = x + y; z may be x or y. */
static inline void plus(struct block x, struct block y, struct block z)
{
    do_counted(APART_SUM, x, 1, y, z);
}

/** z = x - y; z may be x or y. */
static inline void minus(struct block x, struct block y, struct block z)
{
    do_counted(APART_SUM, x, -1, y, z);
}

/** y = x */
static inline void copy_counted(struct block x, struct block y)
{
    do_counted(APART_COPY, x, 1, x, y);
}

/** x = 0 */
static inline void clear_counted(struct block x) { do_counted(APART_CLEAR, x, 1, x, x); }

/** c = c + a * b. */
static inline void product_add(struct block a, struct block b, struct block c)
{
    do_counted(APART_PRODUCT_ADDED, a, 1, b, c);
}

/** c = a * b. */
static inline void product(struct block a, struct block b, struct block c)
{
    do_counted(APART_PRODUCT, a, 1, b, c);
}

#define copy copy_counted

#endif
