/* SPDX-License-Identifier: MIT */
/** @file spans.h
 * The safe mode: how far apart the elements of a line are, and which elements of C therefore
 * are sums of doubles instead of rebuilt integers. The functions are the same on the processor
 * and in a kernel, and all decisions follow from integers and powers of two.
 *
 * Rounding to integers moves an element by a part of the norms of its row and its column. The
 * triple loop's error is a part of |A||B|, which may be far smaller. If more than half of the
 * terms of a row, and of a column, are not small, then some terms are small in neither, and
 * |A||B| has at least these.
 */
#ifndef STEPS_23_EXACT_RESIDUES_SPANS_H
#define STEPS_23_EXACT_RESIDUES_SPANS_H

#include <math.h>

#include "residues.h"

/** The elements of a line are counted by their size: first those of at least a quarter of 2^e,
 * the power of two above the largest, then those of at least 2^(e - 3), 2^(e - 4), ...
 * 2^(e - 10). Three counts of 21 bits share a word. */
enum { SPAN_STEPS = 9, SPAN_FIRST = 2, COUNT_BITS = 21, COUNTS_IN_WORD = 3 };
enum { SPAN_WORDS = SPAN_STEPS / COUNTS_IN_WORD };
/** The library pads k with zeros to a multiple of at most this. The terms are rounded up to it,
 * so that padding does not change a decision. */
enum { TERMS_MULTIPLE = 16 };

/** The counts of at most MOST_FEW elements, nine counts of 7 bits in a word. A thread counts
 * its elements so, because this takes fewer operations. */
enum { FEW_BITS = 7, MOST_FEW = (1 << FEW_BITS) - 1 };
struct few_counts {
    uint64_t word;
    uint32_t depth; /**< as in struct span_counts */
};

/** The counts of a line, or of a part of it; sums and maxima, the same in any order. */
struct span_counts {
    uint64_t words[SPAN_WORDS];
    uint64_t depth; /**< 1024 minus the exponent of the last bit of all elements; 0: no bits */
};

/** A line after it has been multiplied by 2^s. */
struct line_span {
    int many; /**< elements of at least 2^size */
    int size;
    int last; /**< all elements are multiples of 2^last; from 0 on nothing is rounded */
};

static LADDER_ANYWHERE inline int trailing_zeros(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return 31 - __clz((int)(x & (0 - x)));
#else
    return 63 - leading_zeros(x & (0 - x));
#endif
}

/** Counts an element from its magnitude_bits(); all of the line are below 2^e. */
LADDER_ANYWHERE static inline void count_element(struct few_counts *c, uint64_t bits, int e)
{
    uint32_t high = (uint32_t)(bits >> 32), low = (uint32_t)bits;
    int biased = (int)(high >> 20), step = e + 1023 - biased - SPAN_FIRST;
    step = step < 0 ? 0 : step;
    if (biased > 0 && step < SPAN_STEPS)
        c->word += 1ull << step * FEW_BITS;
    uint32_t digits = low ? low : (high & 0xfffff) | (uint32_t)(biased > 0) << 20;
    int depth = 1024 + 1075 - (biased ? biased : 1) - (low ? 0 : 32) - trailing_zeros(digits);
    if (digits && c->depth < (uint32_t)depth)
        c->depth = (uint32_t)depth;
}

LADDER_ANYWHERE static inline void add_few_counts(struct few_counts few, struct span_counts *to)
{
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < SPAN_STEPS; i++)
        to->words[i / COUNTS_IN_WORD] += (few.word >> i * FEW_BITS & MOST_FEW)
                                         << i % COUNTS_IN_WORD * COUNT_BITS;
    to->depth = to->depth > few.depth ? to->depth : few.depth;
}

LADDER_ANYWHERE static inline int count_at(const struct span_counts *c, int step)
{
    return (int)(c->words[step / COUNTS_IN_WORD] >> step % COUNTS_IN_WORD * COUNT_BITS &
                 ((1 << COUNT_BITS) - 1));
}

/** The span of a line: the largest size that three quarters of the counted elements have. */
LADDER_ANYWHERE static inline struct line_span span_of(const struct span_counts *c, int e,
                                                       int s)
{
    struct line_span span = {0, 0, 1024 - (int)c->depth + s};
    int all = 0, step = 0;
    for (int i = 0; i < SPAN_STEPS; i++)
        all += count_at(c, i);
    for (span.many = count_at(c, 0); 4L * span.many < 3L * all; span.many += count_at(c, step))
        step++;
    span.size = e - SPAN_FIRST - step + s;
    return span;
}

/** The terms of a sum over k, with padding. */
static inline long padded_terms(long k)
{
    return (k + TERMS_MULTIPLE - 1) / TERMS_MULTIPLE * TERMS_MULTIPLE;
}

/** The least value of |A||B|, in units of the integers' product, for which the rounding to
 * integers costs at most k 2^-53 |A||B|. */
static inline double least_sum(const struct residue_system *r, long k)
{
    double terms = (double)padded_terms(k), norms = 0;
    for (int i = 0; i < 2; i++)
        norms += sqrt(ldexp((double)r->limits[i].part, r->limits[i].exponent));
    double error = sqrt(terms) * norms / 2 + terms / 4;
    return terms < 1 << COUNT_BITS
               ? (1 + 0x1p-20) * error * 0x1p53 / (terms - (int)TERMS_MULTIPLE + 1)
               : INFINITY;
}

/// [needs]
/** True if the |A||B| of this row and this column is at least `least`, and its terms are not
 * integers, times a power of two, whose sum has at most 53 bits: that sum of doubles would be
 * exact. Lines with more elements, larger elements or a smaller last bit pass, too. */
LADDER_ANYWHERE static inline int has_large_terms(const struct line_span *row,
                                                  const struct line_span *col, long terms,
                                                  double least)
{
    long many = row->many + col->many - terms; /* not small in both */
    double sum = many > 0 ? times_power_of_two((double)many, row->size + col->size) : 0;
    int last = row->last + col->last + 53;
    return sum >= least && sum > times_power_of_two(1, last < -2044 ? -2044 : last);
}

/** True if the element of this row and this column must be a sum of doubles. */
LADDER_ANYWHERE static inline int needs_doubles(const struct line_span *row,
                                                const struct line_span *col, long terms,
                                                double least)
{
    int is_rounded = row->last < 0 || col->last < 0;
    return is_rounded && !has_large_terms(row, col, terms, least);
}
/// [needs]

/** True for a sum of doubles that did not overflow. Otherwise the rebuilt integer is kept. */
LADDER_ANYWHERE static inline int is_finite_sum(double sum)
{
    return magnitude_bits(sum) < NOT_FINITE;
}

#endif
