/* SPDX-License-Identifier: MIT */
/** @file tricks.cuh
 * What Fatahalian et al. (2004), section 2.2, tried beside NV Single and NV Multi: several
 * render targets, and a forced order of tiles.
 */
#ifndef STEPS_07_GPU_STREAMS_TRICKS_CUH
#define STEPS_07_GPU_STREAMS_TRICKS_CUH

#include "nv.cuh"

/** Four outputs a thread: a texel in each quadrant of C. */
void multiply_targets(const struct context *x, struct product p, int levels, real *workspace);
struct cost cost_targets(const struct context *x, struct product p, int levels);

/** NV Single, a rectangle of C after another. */
void multiply_rectangles(const struct context *x, struct product p, int levels,
                         real *workspace);

#endif
