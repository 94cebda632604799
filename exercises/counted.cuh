/* SPDX-License-Identifier: MIT */
/** @file counted.cuh
 * Counts the products that blocks.cuh and fused_products.cuh compute on a GPU. The lab reads
 * the counts from the step's note, and the goals name them: `exactly products 7`. On the
 * simulated GPU the checker gets the factors, too, and looks if C follows from these products.
 */
#ifndef EXERCISES_COUNTED_CUH
#define EXERCISES_COUNTED_CUH

#include "common/matrix/block.h"
#include "exercises/apart.h"

static inline void count_from_zero(void) { apart_begin(sizeof(real), HIDE_NOTHING); }

/* Counts a * b, which has c's size. */
static inline void count_product(struct block a, struct block b, struct block c)
{
    struct apart_block x = {a.at, c.rows, a.cols, a.ld}, y = {b.at, a.cols, c.cols, b.ld};
    apart_made(sizeof(real), x, y);
}

static inline const char *counted_note(void) { return apart_note(); }

#endif
