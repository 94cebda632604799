/* SPDX-License-Identifier: MIT */
/** @file scheme.h
 * Fast methods as tables of numbers, and how errors grow with them.
 */
#ifndef COMMON_SCHEME_H
#define COMMON_SCHEME_H

#include "common/step.h"

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
    const double (*basis)[4][4]; /**< NULL: none. Otherwise four sums of A's blocks, four of B's
                                    and four of C's; the products' coefficients are those of
                                    these sums */
};
/// [scheme]

/** The same method without another basis: coefficients of the blocks themselves.
 * @param scheme a table
 * @param absolute takes the absolute value of each coefficient of products and of basis
 * @param to its products
 * @return a table with the products `to` */
struct scheme scheme_in_blocks(const struct scheme *scheme, bool absolute,
                               struct scheme_product to[MOST_PRODUCTS]);

/** Into how many blocks levels cut the rows of A, and its columns, and the columns of B.
 * @param scheme a method; NULL: the classical one, whose levels halve, too
 * @param levels of this method
 * @return the blocks along one dimension; our tables have as many along each */
long scheme_blocks(const struct scheme *scheme, int levels);

/** Binary digits after the point. */
struct scheme_bits {
    int factors; /**< of a coefficient of A plus one of B, at most */
    int results; /**< of a coefficient of C, at most */
};

/** Digits that a level adds after the point.
 * @param scheme a right table
 * @return zeros if all coefficients are integers */
struct scheme_bits scheme_bits(const struct scheme *scheme);

/** How errors may grow in block q of C: the sum over the products of |c[q]| times the sum of
 * |a| times the sum of |b|. All blocks together are the stability vector. With another basis
 * the coefficients are those of scheme_in_blocks() with absolute values.
 * @param scheme a right table
 * @param q block of C
 * @return 12, 4, 4, 12 for Strassen's method */
double scheme_stability(const struct scheme *scheme, int q);

/** The largest of the stability vector: the growth factor in the maximum norm.
 * @param scheme a right table
 * @return 12 for Strassen's method, 18 for Winograd's */
double scheme_growth(const struct scheme *scheme);

/** @{ */
/** The largest |a| |b|, with the sums of the absolute coefficients of a product; the largest of
 * these sums.
 * @param scheme a right table
 * @return 4 and 2 for Strassen's method, 9 and 4 for Winograd's */
double scheme_largest_factor(const struct scheme *scheme);
double scheme_largest_sum(const struct scheme *scheme);
/** @} */

/** The other number of the error bound: each term of a sum is rounded as often as it goes
 * through an addition. Of each sum the first four terms are added in pairs, the others one
 * after another.
 * @param scheme a right table
 * @return 5 for Strassen's method, 6 for Winograd's (Higham, theorems 23.2 and 23.3) */
double scheme_linear_growth(const struct scheme *scheme);

#endif
