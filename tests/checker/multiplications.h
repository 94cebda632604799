/* SPDX-License-Identifier: MIT */
/** @file multiplications.h
 * Short forms for the many functions that the checker must judge.
 */
#ifndef TESTS_CHECKER_MULTIPLICATIONS_H
#define TESTS_CHECKER_MULTIPLICATIONS_H

#include "steps/01-cpu-naive/ikj.h"

/** Element (i, j) of a block. */
#define AT(x, i, j) ((x).at[(i) * (x).ld + (j)])
/** A variant's arguments. Most functions here use only p, and one uses none. */
#define ARGUMENTS                                                                              \
    const struct context *ctx __attribute__((unused)),                                         \
        struct product p __attribute__((unused)), int levels __attribute__((unused)),          \
        real *workspace __attribute__((unused))

/** The right product, for functions that change it before or afterwards. */
static inline void compute(struct product p) { multiply_ikj(NULL, p, 0, NULL); }

#endif
