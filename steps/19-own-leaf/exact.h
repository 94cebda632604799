/* SPDX-License-Identifier: MIT */
/** @file exact.h
 * A product in double, and how far another one is from it: for matrices that are made and
 * compared on the GPU. Step 21 uses it, too.
 */
#ifndef STEPS_19_OWN_LEAF_EXACT_H
#define STEPS_19_OWN_LEAF_EXACT_H

#include <stdbool.h>

#include "common/step.h"

/** The first and the last rows of an m x n product, on the GPU. */
struct exact {
    long m, n, first, last; /**< how many rows each; first = m: all of them */
    double *rows, *sums;
    int *largest;
};

/** Computes them: `sample` first rows and `sample` last ones, or all where these are not fewer.
 * a is m x k, b k x n, without gaps. False: no memory; exact_free() is due all the same. */
bool exact_make(struct exact *x, const real *a, const real *b, long m, long n, long k,
                long sample);

/** The mean and the largest error in these rows of c. The largest is NaN if one is. */
void exact_compare(const struct exact *x, const real *c, double *mean, double *most);

void exact_free(struct exact *x);

#endif
