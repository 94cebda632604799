/* SPDX-License-Identifier: MIT */
/** @file show.h
 * Prints a small product in full.
 */
#ifndef TOOLS_LAB_SHOW_H
#define TOOLS_LAB_SHOW_H

#include <stdio.h>

#include "common/command/options.h"

/** The largest m, n, k that fit a screen. */
enum { SHOW_MOST = 12 };

/** Runs `yours` once on small integers and prints A, B, its C and the right one side by side,
 * each line after "| ". The first difference is marked. Returns the exit status. */
int show_matrices(FILE *out, const struct options *options);

#endif
