/* SPDX-License-Identifier: MIT */
/** @file explain.h
 * Finds the mistake behind wrong values: what a product looks like when the loop over k ends
 * too soon, when an operand is taken transposed, or when one of Strassen's
 * products is wrong. */
#ifndef TOOLS_LAB_MISTAKES_EXPLAIN_H
#define TOOLS_LAB_MISTAKES_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "common/check/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Says what the wrong elements of C have in common. Values can be explained only if the inputs
 * are integers and every sum is exact (`exact` in the tolerance). */
extern const struct explainer explainer_of_mistakes;

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
