/* SPDX-License-Identifier: MIT */
/** @file depth.h
 * How deep a recursion goes.
 */
#ifndef COMMON_COMMAND_DEPTH_H
#define COMMON_COMMAND_DEPTH_H

#include "common/command/options.h"

struct depth {
    int levels;
    int fused; /**< the last level is fused: tau1 < n <= tau2 when it is reached */
};

/** The depth that `options` ask for at their size; n is the smallest of m, n, k. With --levels
 * it is that number. With thresholds n is halved until n <= tau2, and then once more, fused, if
 * n > tau1 (Li et al. (2011), Figures 16 and 23; Musella's n0 in Algorithm 4 is tau1 + 1). If
 * only one threshold is given, tau2 = 2 tau1. Without these options the step's default applies,
 * and at least one level. Levels stop before a dimension falls below 1. With --unfused the last
 * level is not fused.
 * @param options as options_read() left them
 * @return levels, and whether the last one is fused */
struct depth depth_of(const struct options *options);

#endif
