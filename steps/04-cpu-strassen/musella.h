/* SPDX-License-Identifier: MIT */
/** @file musella.h
 * Strassen down to 2 x 2 as Musella's appendix 5.1 writes it, call for call.
 */
#ifndef STEPS_04_CPU_STRASSEN_MUSELLA_H
#define STEPS_04_CPU_STRASSEN_MUSELLA_H

#include "common/step.h"

/** Every temporary by malloc, and freed where the appendix frees it. */
void multiply_appendix_malloc(const struct context *ctx, struct product p, int levels,
                              real *workspace);
/** The same steps with the temporaries from one arena. */
void multiply_appendix(const struct context *ctx, struct product p, int levels,
                       real *workspace);

/** Of the padded copies, and of the arena. */
size_t workspace_appendix_malloc(const struct context *ctx, struct product p, int levels);
size_t workspace_appendix(const struct context *ctx, struct product p, int levels);

/** Levels that bring the largest dimension, padded to a power of two, down to 2. */
int levels_to_2x2(const struct context *ctx, struct product p, int levels);

#endif
