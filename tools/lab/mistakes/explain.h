/* SPDX-License-Identifier: MIT */
/** @file explain.h
 * Finds the mistake that caused wrong values: what a product looks like when the loop over k
 * ends too soon, when an operand is taken transposed, or when one of Strassen's products is
 * wrong. */
#ifndef TOOLS_LAB_MISTAKES_EXPLAIN_H
#define TOOLS_LAB_MISTAKES_EXPLAIN_H

#include "common/check/verify.h"

/** Says what the wrong elements of C have in common. Values can be explained only if the inputs
 * are integers and every sum is exact (`exact` in the tolerance). */
extern const struct explainer explainer_of_mistakes;

#endif
