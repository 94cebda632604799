/* SPDX-License-Identifier: MIT */
/** @file apart.h
 * Lines that are computed separately, with sums of doubles: those with an infinity or a NaN,
 * which have no scale, and those with few nonzero numbers, whose sums are then more exact. The
 * functions are the same on the processor and in a kernel.
 */
#ifndef STEPS_23_EXACT_RESIDUES_APART_H
#define STEPS_23_EXACT_RESIDUES_APART_H

#include <math.h>

#include "residues.h"

/** A finite line with at most this many nonzero numbers is computed separately. */
enum { TERMS_APART = 16 };

/** The terms that decide the elements of such a line, in ascending order. */
struct line_terms {
    int finite; /**< 1: these are all nonzero terms; 0: they are infinities, or one NaN */
    int count;  /**< above TERMS_APART, the line has more infinities than are listed */
    int at[TERMS_APART];
};

/** Adds term l, whose magnitude_bits() these are. Returns 0 if no further term matters. */
LADDER_ANYWHERE static inline int add_term(struct line_terms *t, int l, uint64_t bits)
{
    int finite = bits<NOT_FINITE, is_nan = bits> NOT_FINITE;
    if (bits == 0 || (finite && !t->finite))
        return 1;
    if (is_nan || (!finite && t->finite)) /* the earlier terms no longer matter */
        t->finite = t->count = 0;
    if (t->count < TERMS_APART)
        t->at[t->count] = l;
    t->count++;
    return !is_nan;
}

/** Finds the deciding terms of the line x, with `step` elements from one term to the next.
 * Loads a few terms before it looks at the first. */
template <typename element>
LADDER_ANYWHERE static inline struct line_terms terms_of_line(const element *x, long step,
                                                              int terms)
{
    enum { AHEAD = 8 };
    struct line_terms t = {1, 0, {0}};
    int more = 1;
    for (int l = 0; more && l < terms; l += AHEAD) {
        uint64_t bits[AHEAD];
        for (int i = 0; i < AHEAD; i++)
            bits[i] = l + i < terms ? magnitude_bits(x[(l + i) * step]) : 0;
        for (int i = 0; more && i < AHEAD; i++)
            more = add_term(&t, l + i, bits[i]);
    }
    return t;
}

/** The sum of the terms of a finite line. It adds the round-off errors of the products and of
 * the sums, too. Returns an infinity or a NaN if a sum overflows. */
template <typename element>
LADDER_ANYWHERE static inline double finite_element(const element *row, const element *col,
                                                    long col_step, const struct line_terms *t)
{
    double sum = 0, errors = 0;
    for (int i = 0; i < t->count; i++) {
        double x = row[t->at[i]], y = col[t->at[i] * col_step];
        double product = fma(x, y, 0.0); /* x * y, which no compiler may fuse with the sum */
        double next = sum + product, back = next - sum;
        errors += fma(x, y, -product) + ((sum - (next - back)) + (product - back));
        sum = next;
    }
    return magnitude_bits(sum + errors) < NOT_FINITE ? sum + errors : sum;
}

/** Adds the listed terms to `sum`, or all infinities and NaNs if the list is too short. */
template <typename element>
LADDER_ANYWHERE static inline double add_infinities(double sum, const element *row,
                                                    const element *col, long col_step,
                                                    int terms, const struct line_terms *t)
{
    int all = t->count > TERMS_APART;
    for (int i = 0; i < (all ? terms : t->count) && sum == sum; i++) {
        double x = row[all ? i : t->at[i]], y = col[(all ? i : t->at[i]) * col_step];
        if (magnitude_bits(x) >= NOT_FINITE || magnitude_bits(y) >= NOT_FINITE)
            sum += x * y;
    }
    return sum;
}

/// [element]
/** An element of C whose row or column, or both, are computed separately; the terms of the
 * other line are NULL. Finite terms do not change a sum with an infinity. */
template <typename element>
LADDER_ANYWHERE static inline double
element_apart(const element *row, const element *col, long col_step, int terms,
              const struct line_terms *of_row, const struct line_terms *of_col)
{
    double sum = 0;
    if ((!of_row || of_row->finite) && (!of_col || of_col->finite))
        return finite_element(row, col, col_step, of_row ? of_row : of_col);
    if (of_row && !of_row->finite)
        sum = add_infinities(sum, row, col, col_step, terms, of_row);
    if (of_col && !of_col->finite)
        sum = add_infinities(sum, row, col, col_step, terms, of_col);
    return sum;
}
/// [element]

#endif
