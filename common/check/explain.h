/* SPDX-License-Identifier: MIT */
/** @file explain.h
 * Finds the mistake behind wrong values: what a product looks like when the loop over k ends
 * too soon, when an operand is taken transposed, or when one of Strassen's
 * products is wrong. */
#ifndef COMMON_CHECK_EXPLAIN_H
#define COMMON_CHECK_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "common/check/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Writes sentences, each after a blank, about what the wrong elements of C have in common, or
 * nothing. Elements that are NaN count as never written. Values can be explained only if the
 * inputs are integers and every sum is exact (`tolerance->exact`).
 * @param text gets the sentences; empty when there are none
 * @param size bytes of `text`
 * @param c its host copy, judged wrong
 * @param a as it was multiplied
 * @param b as it was multiplied
 * @param reference of A and B
 * @param tolerance by which C was judged
 * @return how many elements were never written
 */
long explain(char *text, size_t size, const struct matrix *c, const struct matrix *a,
             const struct matrix *b, const struct reference *reference,
             const struct tolerance *tolerance);

/** Wrong elements of C that have a value, spread over all of them, and the matrices. */
struct wrong_elements {
    const struct matrix *c, *a, *b;
    long m, n, k; /**< what the levels halve: the matrices padded with zeros */
    const long *rows, *cols;
    int count;
    int levels; /**< of recursion, 1 or more */
};

/**
 * Says which sign, operand or product of a level explains all wrong elements: of Strassen's or
 * Winograd's method, or of the eight products of halves; on each level the same one.
 * @param text gets the sentence
 * @param size bytes of `text`
 * @param wrong at least one element
 * @param method by its bound
 * @param several false: one thing is wrong; true: several that belong together
 * @return how many different explanations fit; `text` has the first one
 */
int explain_level(char *text, size_t size, const struct wrong_elements *wrong,
                  enum bound_kind method, bool several);

#ifdef __cplusplus
}
#endif
#endif
