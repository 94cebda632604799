/* SPDX-License-Identifier: MIT */
/** @file scheme.h
 * A fast method as a table of numbers, and what follows from the numbers alone: whether it is
 * right, how errors grow, what it costs.
 */
#ifndef COMMON_SCHEME_H
#define COMMON_SCHEME_H

#include <stdbool.h>
#include <stddef.h>

#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/// [scheme]
enum { MOST_BLOCKS = 16, MOST_PRODUCTS = 49 };

/** One product of a level: a sum of A's blocks, with the coefficients a, times a sum of B's,
 * with b. Block q of C gets c[q] times the product. Blocks are numbered row after row. */
struct scheme_product {
    double a[MOST_BLOCKS], b[MOST_BLOCKS], c[MOST_BLOCKS];
};

/** One level: A is cut into m x k blocks, B into k x n and C into m x n. All coefficients are
 * integers over a power of two, so a double holds them exactly. */
struct scheme {
    const char *name;
    int m, k, n, products;
    const struct scheme_product *product;
};
/// [scheme]

extern const struct scheme strassen_scheme, winograd_scheme, dps_scheme;

/**
 * The table of a kind of bound.
 * @param kind Strassen's, Winograd's or the one of Dumas, Pernet and Sedoglavic
 * @return the table; NULL for the classical product
 */
const struct scheme *scheme_of(enum bound_kind kind);

/**
 * Checks that a table multiplies: block (i, j) of C must be the sum of A(i, l) B(l, j) over l.
 * That is an equation for each block of A, of B and of C. The coefficients are multiplied by a
 * power of two first, so the check adds integers.
 * @param scheme any table
 * @param message gets the first equation that does not hold and the products in it; untouched
 * if all hold
 * @param size bytes of `message`
 * @return whether all equations hold
 */
bool scheme_is_right(const struct scheme *scheme, char *message, size_t size);

/** Binary digits after the point. */
struct scheme_bits {
    int factors; /**< of a coefficient of A plus one of B, at most */
    int results; /**< of a coefficient of C, at most */
};

/**
 * Digits that a level adds after the point.
 * @param scheme a right table
 * @return zeros if all coefficients are integers
 */
struct scheme_bits scheme_bits(const struct scheme *scheme);

/**
 * How errors may grow in block q of C: the sum over the products of |c[q]| times the sum of |a|
 * times the sum of |b|. All blocks together are the stability vector.
 * @param scheme a right table
 * @param q block of C
 * @return 12, 4, 4, 12 for Strassen's method
 */
double scheme_stability(const struct scheme *scheme, int q);

/**
 * The largest of the stability vector: the growth factor in the maximum norm.
 * @param scheme a right table
 * @return 12 for Strassen's method, 18 for Winograd's
 */
double scheme_growth(const struct scheme *scheme);

/**
 * The growth factor of Dumas, Pernet and Sedoglavic: the sum over the products of the 2-norms
 * of a, b and c, multiplied.
 * @param scheme a right table
 * @return 14.83 for Strassen's method, 17.85 for Winograd's
 */
double scheme_growth_in_2_norm(const struct scheme *scheme);

/**
 * How the root mean square of the errors grows on random numbers whose mean is 0, if the errors
 * of the products are independent: squares of coefficients in the place of the coefficients,
 * and the mean over C's blocks. Divided by k: on such numbers the error of a classical product
 * grows with the length of its sums, which are k times as long as those of the blocks.
 * @param scheme a right table
 * @return 1.41 for Strassen's method, 1.87 for Winograd's
 */
double scheme_average_growth(const struct scheme *scheme);

/**
 * The largest |a| |b|, with the sums of the absolute coefficients of a product.
 * @param scheme a right table
 * @return 4 for Strassen's method, 9 for Winograd's
 */
double scheme_largest_factor(const struct scheme *scheme);

/**
 * The largest sum of absolute coefficients of A, or of B, in a product.
 * @param scheme a right table
 * @return 2 for Strassen's method, 4 for Winograd's
 */
double scheme_largest_sum(const struct scheme *scheme);

/**
 * The other number of the error bound: each term of a sum is rounded as often as it goes
 * through an addition. Of each sum the first four terms are added in pairs, the others one
 * after another.
 * @param scheme a right table
 * @return 5 for Strassen's method, 6 for Winograd's (Higham, theorems 23.2 and 23.3)
 */
double scheme_linear_growth(const struct scheme *scheme);

/**
 * The exponent of n in the number of operations, when all levels use this table.
 * @param scheme a right table
 * @return log2 7 = 2.807 for seven products of halves
 */
double scheme_exponent(const struct scheme *scheme);

/** What one level adds, in blocks. */
struct scheme_work {
    int nonzeros[3];  /**< coefficients of A, B and C that are not 0 */
    int additions;    /**< if no sum is shared */
    int scalings;     /**< coefficients that are neither 0 nor 1 nor -1 */
    int transfers[3]; /**< blocks read and written when A, B and C each take one pass; a factor
                         that is a block of A or B is not written */
};

/**
 * Counts what one level adds.
 * @param scheme a right table
 * @return the counts
 */
struct scheme_work scheme_work(const struct scheme *scheme);

#ifdef __cplusplus
}
#endif
#endif
