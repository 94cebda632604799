/* SPDX-License-Identifier: MIT */
/** @file capture.h
 * Runs one variant of the step that a drawer is linked with (its build that counts), and looks
 * at one half-warp of one thread block.
 */
#ifndef TOOLS_DRAW_CAPTURE_H
#define TOOLS_DRAW_CAPTURE_H

#include "log.h"
#include "step_run.h"

enum { HALF_WARP = 16 };

/** Makes the matrices: A m x k, B k x n, C m x n, all zero; allocations 1, 2 and 3 of the
 * requests. What the run has beside them (levels, settings) may be set before the first
 * run, which makes the workspace. */
struct step_run *capture_open(const char *variant, long m, long n, long k);

/** The launches of a run, and this half-warp's requests in this block; log_free() ends it. */
struct log capture_half_warp(int block, int half_warp);

void capture_close(void);

#endif
