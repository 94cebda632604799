/* SPDX-License-Identifier: MIT */
/** @file study.h
 * Winograd's variant in the order of the optimisation study: 8 set and 15 add operations, with
 * one buffer each for a sum of A's quadrants, a sum of B's and a product.
 */
#ifndef STEPS_05_CPU_WINOGRAD_STUDY_H
#define STEPS_05_CPU_WINOGRAD_STUDY_H

#include "common/step.h"

size_t workspace_study(const struct context *x, struct product p, int levels);
void multiply_study(const struct context *x, struct product p, int levels, real *workspace);

/** How many set, add and multiply operations a level does. */
struct study_counts {
    int sets, adds, products;
};
struct study_counts study_counts(void);

#endif
