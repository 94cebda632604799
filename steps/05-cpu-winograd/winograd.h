/* SPDX-License-Identifier: MIT */
/** @file winograd.h
 * The functions that the table in 05-cpu-winograd.c calls, except those of packing.h.
 */
#ifndef STEPS_05_CPU_WINOGRAD_WINOGRAD_H
#define STEPS_05_CPU_WINOGRAD_WINOGRAD_H

#include "common/command/options.h"
#include "steps/04-cpu-strassen/divide.h"

/** fused.c: one level of Winograd's method in three passes over memory, where Figure 3 makes
 * fifteen; and the workspace of all levels; see divide.h. */
void level_fused(const struct context *ctx, struct product p, int levels, real *workspace);
size_t workspace_fused_level(long m, long n, long k, int levels);

/** study.c: the order of the optimisation study. */
size_t workspace_study(const struct context *ctx, struct product p, int levels);
void multiply_study(const struct context *ctx, struct product p, int levels, real *workspace);

/** The set, add and multiply operations of one level. */
struct study_counts {
    int sets, adds, products;
};
struct study_counts study_counts(void);

/** --order, in order.c: searches all 5040 orders of both methods and prints what it finds. */
int print_orders(const struct options *options);

#endif
