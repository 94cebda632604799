/* SPDX-License-Identifier: MIT */
/** @file exact.h
 * A product in double, and how far another one is from it: for matrices that are made and
 * compared on the GPU. A step that uses it compiles exact.cu with its own sources.
 */
#ifndef COMMON_CHECK_EXACT_H
#define COMMON_CHECK_EXACT_H

#include <stdbool.h>

#include "common/step.h"

/** The first and the last rows of an m x n product, on the GPU. */
struct exact {
    long m, n, first, last; /**< how many rows each; first = m: all of them */
    double *rows, *sums;
    int *largest;
};

/** Computes them: `sample` first rows and `sample` last ones, or all where these are not fewer.
 * @param x overwritten
 * @param a m x k on the device, without gaps
 * @param b k x n likewise
 * @param m rows of the product
 * @param n columns of the product
 * @param k its inner dimension
 * @param sample rows at each end
 * @return false: no memory; exact_free() is due all the same */
bool exact_make(struct exact *x, const real *a, const real *b, long m, long n, long k,
                long sample);

/** The mean and the largest error in these rows of c.
 * @param x made
 * @param c m x n on the device, without gaps
 * @param mean of the errors
 * @param most the largest error; NaN if one is */
void exact_compare(const struct exact *x, const real *c, double *mean, double *most);

/** Frees the rows.
 * @param x made, or all zeros */
void exact_free(struct exact *x);

#endif
