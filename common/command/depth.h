/* SPDX-License-Identifier: MIT */
/** @file depth.h
 * How deep a recursion goes.
 */
#ifndef COMMON_COMMAND_DEPTH_H
#define COMMON_COMMAND_DEPTH_H

#include "common/command/options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct depth {
    int levels;
    int fused; /**< the last level is of the fused kind: tau1 < n <= tau2 when it is reached */
};

/**
 * The depth that `options` ask for on this size, n being the smallest of m, n, k: --levels as
 * given; otherwise halvings until n <= tau2, and one fused level more when n > tau1 then
 * (Li et al. (2011), Figures 16 and 23; Musella's n0 in Algorithm 4 is tau1 + 1). One threshold
 * alone sets the other by tau2 = 2 tau1. Without any of them the step's default, and at least
 * one level. Never more levels than leave every dimension at least 1. With --unfused the last
 * level is not of the fused kind.
 * @param options as options_read() left them
 * @return levels, and whether the last one is fused
 */
struct depth depth_of(const struct options *options);

#ifdef __cplusplus
}
#endif
#endif
