/* SPDX-License-Identifier: MIT */
/** @file unfused.h
 * The triple loop with a rounding after each multiplication and each addition.
 */
#ifndef STEPS_01_CPU_NAIVE_UNFUSED_H
#define STEPS_01_CPU_NAIVE_UNFUSED_H

#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Elements of the workspace, for the block of B in use. */
size_t workspace_unfused(const struct context *x, struct product p, int levels);

/** C = A * B without fused multiply-adds, on x->threads threads. Each element's sum runs over l
 * = 0, 1,
 *  ... in order, so the bits are the triple loop's. */
void multiply_unfused(const struct context *x, struct product p, int levels, real *workspace);

#ifdef __cplusplus
}
#endif

#endif
