/* SPDX-License-Identifier: MIT */
/** @file schemes.h
 * One level of a method as numbers, which levels.c and sums.c change, and
 * whether a wrong C is what the changed level computes.
 */
#ifndef TOOLS_LAB_MISTAKES_SCHEMES_H
#define TOOLS_LAB_MISTAKES_SCHEMES_H

#include "findings.h"

enum { PRODUCTS = 8, QUADRANTS = 4 };

/** One level: product p is the sum of A's quadrants with the coefficients a[p] times that of
 * B's with b[p]; quadrant q of C is the sum of the products with the coefficients c[q].
 * Quadrants are in the order 11, 12, 21, 22. */
struct level_scheme {
    int a[PRODUCTS][QUADRANTS], b[PRODUCTS][QUADRANTS], c[QUADRANTS][PRODUCTS];
};

/** One of Winograd's sums. These contain each other, so they are given as they are made. */
struct two_terms {
    int first, second; /**< a quadrant, or 4 + the number of a sum of this side from 0 */
    int sign;          /**< of the second */
    int first_sign;    /**< -1: the first one's is negative, too; 1: it is positive */
};

/** S1 to S4, of A, and S5 to S8, of B. */
extern const struct two_terms winograd_sums[2][4];

/** Winograd's seven products, with sum `i` of a side made as x. */
struct level_scheme winograd_with(int side, int i, struct two_terms x);

/** A method: the eight products of halves, Strassen's or Winograd's seven. */
struct method {
    struct level_scheme scheme;
    int products;
    bool has_temporaries; /**< for sums, which may be stale */
    bool names_its_sums;  /**< S1 to S8 */
};

/** The method that a bound belongs to. */
struct method method_of_bound(const struct scheme *scheme);

/** A row-major part of a larger matrix. */
struct part {
    double *at;
    long rows, cols, ld;
};

/** c += a * b by `levels` levels of a scheme.
 * @param leaf the same for each of the products below, in their order
 * @return false without memory */
typedef void leaf_product(struct part a, struct part b, struct part c);
bool add_product(const struct level_scheme *s, struct part a, struct part b, struct part c,
                 int levels, leaf_product *leaf);

/** What a scheme computes: quadrant q of C contains the product of A's quadrant i and B's
 * quadrant j times[q][i][j] times. Two changes that compute the same are one explanation. */
struct computed {
    int times[QUADRANTS][QUADRANTS][QUADRANTS];
};

/** Explanations of one wrong C by changed schemes. */
struct search {
    const struct evidence *e;
    long m, n;                              /**< a quadrant of C */
    double *products[QUADRANTS][QUADRANTS]; /**< of A's and B's; NULL with several levels */
    struct computed first;                  /**< of the first scheme that fits */
    struct findings found;
};

/** Makes what the search needs; false: no memory. search_end() frees it in both cases. */
bool search_begin(struct search *search, const struct evidence *e);
void search_end(struct search *search);

struct computed computed_by(const struct level_scheme *s);

/** Element (i, j) of quadrant q of C, of one level. */
double computed_element(const struct search *search, const struct computed *c, int q, long i,
                        long j);

/** Whether the wrong C is what this scheme computes. */
bool scheme_fits(const struct search *search, const struct level_scheme *s);

/** Whether the scheme fits and computes something else than the first one that was found. */
bool is_new(struct search *search, const struct level_scheme *s);

/** A factor, or a product, that an earlier product left in a temporary. */
struct stale {
    int product; /**< the product that is made of it, or that it replaces */
    enum { LEFT_IS_PRODUCT, RIGHT_IS_PRODUCT, IS_LEFT_SUM, IS_RIGHT_SUM, KINDS_OF_STALE } kind;
    int other; /**< the product it comes from */
};

/** Whether C, of one level of square matrices, is as with the stale operand, up to a factor
 * that only products have: an exercise may scale its products, but not its sums. */
bool stale_fits(const struct level_scheme *s, const struct evidence *e,
                const struct stale *stale);

extern const char *const quadrant_names[QUADRANTS]; /**< "11" and so on */

/** A short text that a function returns. */
struct name {
    char text[72];
};

/** "M6", or "A11 B12" of the eight products of halves; `s` is the method, unchanged. */
struct name name_of(const struct level_scheme *s, int p);

/** A sum of quadrants of 'A' or 'B': "B11 + B22". */
struct name sum_of(const int side[QUADRANTS], char matrix);

/** Several changes at once, for a level that no single one explains: a sum with another
 * operand, all differences made as sums, a product with other factors, other signs in a
 * quadrant of C. */
void try_several_changes(struct search *search, const struct method *method);

/** Which sign, operand or product of a level explains all wrong elements: of Strassen's or
 * Winograd's method, or of the eight products of halves; on each level the same one.
 * @param several false: one thing is wrong; true: several that belong together */
struct findings explain_levels(const struct evidence *e, bool several);

#endif
