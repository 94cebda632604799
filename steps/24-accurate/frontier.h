/* SPDX-License-Identifier: MIT */
/** @file frontier.h
 * --frontier: time against error, for the picture of the chapter.
 */
#ifndef STEPS_24_ACCURATE_FRONTIER_H
#define STEPS_24_ACCURATE_FRONTIER_H

#include "common/command/options.h"

/** The action: cuBLAS and every variant, timed in turn on n x n matrices, with 1 to 5 levels or
 * with --levels. A line for each: times, the ratio to cuBLAS in the same rounds, and the mean
 * and the largest error of 16,384 elements, which are computed with twice the digits of a
 * double. On uniform numbers in [-1, 1] and in [0, 1]. */
int measure_frontier(const struct options *o);

#endif
