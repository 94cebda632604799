/* SPDX-License-Identifier: MIT */
/** @file figure44.cuh
 * --figure-44: Figure 44 of Li et al. (2011) with all its elements and its row of dgemm.
 */
#ifndef STEPS_17_DOUBLE_FIGURE44_CUH
#define STEPS_17_DOUBLE_FIGURE44_CUH

#include "common/command/options.h"

/** The action: on --n matrices, ten random pairs (or --reps), from [-1, 1] and from [0, 1]. */
int print_figure_44(const struct options *options);

/** A row of Figure 44 as JSON, for it and for --elements. */
void print_normalised_json(const struct options *options, const char *variant,
                           const char *input, long n, int levels, int pairs, double maximum,
                           double average);

#endif
