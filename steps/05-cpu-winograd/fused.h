/* SPDX-License-Identifier: MIT */
/** @file fused.h
 * One level of Winograd's algorithm in three passes over memory, where Figure 3
 * makes fifteen. */
#ifndef STEPS_05_CPU_WINOGRAD_FUSED_H
#define STEPS_05_CPU_WINOGRAD_FUSED_H

#include "steps/04-cpu-strassen/divide.h"

/** The level, and the workspace of all levels; see divide.h. */
void level_fused(const struct context *x, struct product p, int levels, real *workspace);
size_t workspace_fused_level(long m, long n, long k, int levels);

#endif
