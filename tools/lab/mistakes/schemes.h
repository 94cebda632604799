/* SPDX-License-Identifier: MIT */
/** @file schemes.h
 * One level of a method as numbers, which levels.c and sums.c change, and
 * whether a wrong C is what the changed level computes.
 */
#ifndef TOOLS_LAB_MISTAKES_SCHEMES_H
#define TOOLS_LAB_MISTAKES_SCHEMES_H

#include <stdbool.h>
#include <stddef.h>

#include "explain.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PRODUCTS = 8, QUADRANTS = 4 };

/** One level: product p is the sum of A's quadrants with the coefficients a[p] times that of
 * B's with b[p]; quadrant q of C is the sum of the products with the coefficients c[q].
 * Quadrants are in the order 11, 12, 21, 22. */
struct scheme {
    int a[PRODUCTS][QUADRANTS], b[PRODUCTS][QUADRANTS], c[QUADRANTS][PRODUCTS];
};

/** Strassen's seven products, and the eight of halves. */
extern const struct scheme scheme_strassen, scheme_classical;

/** One of Winograd's sums. These contain each other, so they are given as they are made. */
struct two_terms {
    int first, second; /**< a quadrant, or 4 + the number of a sum of this side from 0 */
    int sign;          /**< of the second */
    int first_sign;    /**< -1: the first one's is negative, too; 0 or 1: it is positive */
};

/** S1 to S4, of A, and S5 to S8, of B. */
extern const struct two_terms winograd_sums[2][4];

/**
 * Winograd's seven products, in the order in which their sums are made.
 * @param s overwritten
 * @param sums winograd_sums, or changed ones
 */
void scheme_of_winograd(struct scheme *s, const struct two_terms sums[2][4]);

/**
 * The method that a bound belongs to.
 * @param kind of a bound
 * @return its scheme: the eight products of halves, Strassen's or Winograd's seven
 */
struct scheme scheme_of(enum bound_kind kind);

/**
 * How many products the method has.
 * @param kind of a bound
 * @return 7 or 8
 */
int products_of(enum bound_kind kind);

/** What a scheme computes: C's quadrant q holds so often the product of A's quadrant i and B's
 * quadrant j. Two changes with the same one are one explanation. */
struct computed {
    int times[QUADRANTS][QUADRANTS][QUADRANTS];
};

/** The products of each quadrant of A and each of B. */
struct quadrant_products {
    long m, n; /**< a quadrant of C */
    double *of[QUADRANTS][QUADRANTS];
};

/** Explanations that were found. */
struct search {
    const struct wrong_elements *wrong;
    struct quadrant_products products;
    struct computed first; /**< of the first scheme that fits */
    int count;             /**< of different ones */
    char *text;            /**< gets the first one's sentence */
    size_t size;
};

/**
 * Makes what explains need; one level makes the products of quadrants.
 * @param found overwritten; search_end() frees what it holds
 * @param wrong at least one element
 * @param text gets the sentence
 * @param size bytes of `text`
 * @return false: no memory
 */
bool search_begin(struct search *found, const struct wrong_elements *wrong, char *text,
                  size_t size);
/**
 * Frees what it holds.
 * @param found begun
 */
void search_end(struct search *found);

/**
 * What a scheme computes.
 * @param s a scheme
 * @return how often each product of quadrants is in each quadrant of C
 */
struct computed computed_by(const struct scheme *s);

/**
 * Element (i, j) of quadrant q of C, of one level.
 * @param x products of quadrants
 * @param c what is computed
 * @param q a quadrant of C
 * @param i row in it
 * @param j column in it
 * @return the element
 */
double computed_element(const struct quadrant_products *x, const struct computed *c, int q,
                        long i, long j);

/**
 * Whether the wrong C is what this scheme computes, and that was not found before. The first
 * one found is to be told.
 * @param found counts it
 * @param s a scheme
 * @return true for the first one
 */
bool is_new(struct search *found, const struct scheme *s);

/** A factor, or a product, that lies in a temporary from before. */
struct stale {
    int product; /**< that is made of it, or in whose place it stands */
    enum { LEFT_IS_PRODUCT, RIGHT_IS_PRODUCT, IS_LEFT_SUM, IS_RIGHT_SUM, KINDS_OF_STALE } kind;
    int other; /**< the product it comes from */
};

/**
 * Whether C is as with the stale operand, up to a factor that only products have: an exercise
 * may scale them, and its sums not.
 * @param s the method
 * @param wrong one level
 * @param stale what lay there
 * @return whether it is
 */
bool stale_fits(const struct scheme *s, const struct wrong_elements *wrong,
                const struct stale *stale);

extern const char *const quadrant_names[QUADRANTS]; /**< "11" and so on */

/**
 * "M6", or "A11 B12" of the eight products of halves.
 * @param s the method, unchanged
 * @param p the product from 0
 * @param name gets it
 * @return name
 */
const char *name_of(const struct scheme *s, int p, char name[16]);

/**
 * Writes a sum of quadrants: "B11 + B22".
 * @param side the coefficients
 * @param matrix 'A' or 'B'
 * @param sum gets it
 * @return sum
 */
const char *sum_of(const int side[QUADRANTS], char matrix, char sum[64]);

/**
 * Several changes at once, for a level that no single one explains: a sum with another operand,
 * all differences made as sums, a product with other factors, other signs in a quadrant of C.
 * @param found counts them
 * @param right the method
 * @param method by its bound
 */
void try_several_changes(struct search *found, const struct scheme *right,
                         enum bound_kind method);

#ifdef __cplusplus
}
#endif
#endif
