/* SPDX-License-Identifier: MIT */
/** @file errors.h
 * --errors: what the levels cost in accuracy, and the leaf, on matrices that are made and
 * compared on the GPU.
 */
#ifndef STEPS_19_OWN_LEAF_ERRORS_H
#define STEPS_19_OWN_LEAF_ERRORS_H

#include "common/command/options.h"

/** The action: cuBLAS and every variant of the step with 0 to 5 levels on n x n against a
 * product in double. A line for each: time, largest and mean error. */
int measure_errors(const struct options *o);

#endif
