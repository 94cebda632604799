/* SPDX-License-Identifier: MIT */
/** @file multiplications.h
 * Short forms for the many functions that the checker must judge.
 */
#ifndef TESTS_CHECKER_MULTIPLICATIONS_H
#define TESTS_CHECKER_MULTIPLICATIONS_H

#include "steps/01-cpu-naive/ikj.h"

/** Element (i, j) of a block. */
#define AT(x, i, j) ((x).at[(i) * (x).ld + (j)])
/** A variant's function; its body follows. */
#define MULTIPLICATION(name)                                                                   \
    static void name(const struct context *ctx __attribute__((unused)),                        \
                     struct product p __attribute__((unused)),                                 \
                     int levels __attribute__((unused)),                                       \
                     real *workspace __attribute__((unused)))
/** A function of one statement. */
#define DOES(name, ...)                                                                        \
    MULTIPLICATION(name) { __VA_ARGS__; }
/** Multiplies, then does something else. */
#define RIGHT_THEN(name, ...) DOES(name, multiply_ikj(ctx, p, levels, workspace); __VA_ARGS__)
/** Multiplies another product, q. */
#define INSTEAD(name, ...)                                                                     \
    DOES(name, struct product q = p; __VA_ARGS__; multiply_ikj(ctx, q, levels, workspace))

#endif
