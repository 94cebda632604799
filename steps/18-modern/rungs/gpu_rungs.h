/* SPDX-License-Identifier: MIT */
/** @file gpu_rungs.h
 * --rungs: times every rung of a step at the levels that suit it, in turn with cuBLAS, on
 * square matrices that are made and compared on the GPU. Run the step's program without --rungs
 * to check results; here a result is only compared with cuBLAS's, and with itself, bit by bit,
 * when computed again.
 */
#ifndef STEPS_18_MODERN_RUNGS_GPU_RUNGS_H
#define STEPS_18_MODERN_RUNGS_GPU_RUNGS_H

#include <stdbool.h>

#include "common/command/options.h"
#include "common/step.h"
#include "common/device/timer.h"

/** What the model knows of a rung. */
struct gpu_rung {
    const char *variant;
    long largest;                 /**< n that it is measured at */
    long least, most;             /**< edges of the smallest and the largest leaf */
    double upper_quadrants;       /**< quadrants that the sums of an upper level move */
    int (*in_panels)(int levels); /**< how many last levels go into panels; NULL: none */
    bool beside;                  /**< the sums run during the multiplications */
};

/** The rate of the leaf that reads panels on a product, in flops per millisecond. */
typedef double panel_rate(const struct context *ctx, struct product p);

/** The action --rungs. The table ends with an empty row. `panel_flops` is NULL if no rung has
 * the leaf that reads panels. */
int measure_gpu_rungs(const struct options *o, const struct gpu_rung *rungs,
                      panel_rate *panel_flops);

#endif
