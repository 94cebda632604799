/* SPDX-License-Identifier: MIT */
/** @file errors.h
 * --errors: what the levels and the leaf cost in accuracy, on matrices that are made and
 * compared on the GPU.
 */
#ifndef STEPS_19_OWN_LEAF_ERRORS_H
#define STEPS_19_OWN_LEAF_ERRORS_H

#include "common/command/options.h"

/** The action: cuBLAS and every variant of the step with 0 to 5 levels on n x n against a
 * product in double. Prints a line for each: time, largest and mean error. */
int measure_errors(const struct options *o);

#endif
