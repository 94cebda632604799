/* SPDX-License-Identifier: MIT */
/** @file multilevel.h
 * What step 14 lends to steps 15, 16 and 17: Strassen's method on any number of levels.
 */
#ifndef STEPS_14_STRASSEN_MULTILEVEL_MULTILEVEL_H
#define STEPS_14_STRASSEN_MULTILEVEL_MULTILEVEL_H

#include "common/step.h"

/** Figure 16 of Li et al. (2011), over any leaf. */
void strassen(const struct context *ctx, struct product p, int levels, real *workspace);
size_t workspace_strassen(const struct context *ctx, struct product p, int levels);
struct cost cost_strassen(const struct context *ctx, struct product p, int levels);

/** GPU8 (step 10) as the leaf of such a method, and the kernels with sums fused into it. */
void multiply_by_gpu8(struct block A, struct block B, struct block C);
extern const struct fused_kernels gpu8_kernels;

/** GPU8's tile, of which m, n and k are multiples where the levels end. */
enum { WHOLE_M = 16, WHOLE_N = 128, WHOLE_K = 64 };

#endif
