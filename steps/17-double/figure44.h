/* SPDX-License-Identifier: MIT */
/** @file figure44.h
 * Figure 44 of Li et al. (2011): the actions --figure-44 and --elements.
 */
#ifndef STEPS_17_DOUBLE_FIGURE44_H
#define STEPS_17_DOUBLE_FIGURE44_H

#include "common/command/options.h"

/** Figure 44 with all its elements and its row of dgemm, on --n matrices: ten random pairs (or
 * --reps), from [-1, 1] and from [0, 1]. */
int print_figure_44(const struct options *options);

/** Computes some elements of C as the document's four ways of multiplying round them, and
 * prints how far they are apart. */
int print_elements(const struct options *options);

/** A row of Figure 44 as JSON, for both. */
void print_normalised_json(const struct options *options, const char *variant,
                           const char *input, long n, int levels, int pairs, double maximum,
                           double average);

#endif
