/* SPDX-License-Identifier: MIT */
/** @file tune.h
 * --tune: the best block sizes by measuring.
 */
#ifndef STEPS_02_CPU_BLOCKED_TUNE_H
#define STEPS_02_CPU_BLOCKED_TUNE_H

#include "common/command/options.h"

/** The action: races block sizes, prints the best and keeps them for later runs. */
int tune(const struct options *options);

#endif
