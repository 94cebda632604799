/* SPDX-License-Identifier: MIT */
/** @file packing.h
 * Strassen's and Winograd's sums inside the packing of step 02's product (Huang et
 * al. (2016)). */
#ifndef STEPS_05_CPU_WINOGRAD_PACKING_H
#define STEPS_05_CPU_WINOGRAD_PACKING_H

#include "common/step.h"

/** Strassen: sums of A and B are made while they are packed; each product is collected in a
 * block of the workspace, and its last terms of k take it to all its places in C. */
void multiply_packed_sums(const struct context *ctx, struct product p, int levels,
                          real *workspace);
size_t workspace_packed_sums(const struct context *ctx, struct product p, int levels);

/** Strassen: tiles go from the registers to all their places in C, for each panel of k. */
void multiply_packed_both(const struct context *ctx, struct product p, int levels,
                          real *workspace);

/** The same with Winograd's method. */
void multiply_packed_both_winograd(const struct context *ctx, struct product p, int levels,
                                   real *workspace);

/** Packing buffers only. */
size_t workspace_packed_both(const struct context *ctx, struct product p, int levels);

/** The levels these variants do: as asked for, two at most. */
int levels_in_packing(const struct context *ctx, struct product p, int levels);

/** The last level as packed-sums, those above it as fused. */
void multiply_mixed(const struct context *ctx, struct product p, int levels, real *workspace);
size_t workspace_mixed(const struct context *ctx, struct product p, int levels);

/** mixed with the levels that measurements prefer for this size and number of threads. */
int levels_by_size(const struct context *ctx, struct product p, int levels);
void multiply_by_size(const struct context *ctx, struct product p, int levels, real *workspace);
size_t workspace_by_size(const struct context *ctx, struct product p, int levels);

#endif
