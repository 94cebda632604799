/* SPDX-License-Identifier: MIT */
/** @file winograd.h
 * What step 15 lends to steps 16 and 17: Winograd's variant on any number of levels (Figure 23
 * of Li et al. (2011)), over any leaf.
 */
#ifndef STEPS_15_WINOGRAD_MULTILEVEL_WINOGRAD_H
#define STEPS_15_WINOGRAD_MULTILEVEL_WINOGRAD_H

#include "common/step.h"

void winograd(const struct context *ctx, struct product p, int levels, real *workspace);
size_t workspace_winograd(const struct context *ctx, struct product p, int levels);
struct cost cost_winograd(const struct context *ctx, struct product p, int levels);

#endif
