/* SPDX-License-Identifier: MIT */
/** @file models.h
 * What follows from a table alone: whether it is right, how errors grow, what it costs.
 */
#ifndef STEPS_24_ACCURATE_SCHEMES_MODELS_H
#define STEPS_24_ACCURATE_SCHEMES_MODELS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/scheme.h"

/** The tables of this step; the last two have larger blocks than halves. */
extern const struct scheme dps_scheme, dps_basis_scheme, laderman_scheme, dps_48_scheme;

/** Checks that a table multiplies: block (i, j) of C must be the sum of A(i, l) B(l, j) over l.
 * That is an equation for each block of A, of B and of C. If one does not hold, `message` gets
 * it, and the products in it. */
bool scheme_is_right(const struct scheme *scheme, char *message, size_t size);

/** The growth factor of Dumas, Pernet and Sedoglavic: the sum over the products of the 2-norms
 * of a, b and c, multiplied. It is 14.83 for Strassen's method, 17.85 for Winograd's. */
double scheme_growth_in_2_norm(const struct scheme *scheme);

/** How the root mean square of the errors grows on random numbers whose mean is 0, if the
 * errors of the products are independent: squares of coefficients in the place of the
 * coefficients, and the mean over C's blocks. Divided by k: on such numbers the error of a
 * classical product grows with the length of its sums, which are k times as long as those of
 * the blocks. It is 1.41 for Strassen's method, 1.87 for Winograd's. */
double scheme_average_growth(const struct scheme *scheme);

/** The exponent of n in the number of operations, when all levels use this table: log2 7
 * = 2.807 for seven products of halves. */
double scheme_exponent(const struct scheme *scheme);

/** What one level adds, in blocks. */
struct scheme_work {
    int nonzeros[3];  /**< coefficients of A, B and C that are not 0 */
    int additions;    /**< if no sum is shared */
    int transfers[3]; /**< blocks read and written when A, B and C each take one pass; a factor
                         that is a block of A or B is not written */
};

struct scheme_work scheme_work(const struct scheme *scheme);

/** Additions of elements in the sums of some levels on n x n matrices, those of the bases
 * included. */
double scheme_additions(const struct scheme *scheme, double n, int levels);

#endif
