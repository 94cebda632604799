/* SPDX-License-Identifier: MIT */
/** @file cpu_rungs.h
 * --rungs: every way of this step on one size and one number of threads, beside OpenBLAS and
 * BLIS, predicted first.
 */
#ifndef STEPS_05_CPU_WINOGRAD_CPU_RUNGS_H
#define STEPS_05_CPU_WINOGRAD_CPU_RUNGS_H

#include "common/command/options.h"

/** The action: a line each, with --json as an object. Takes --m, --n, --k, --threads, --warmup,
 * --reps (default 5). --variant and --levels choose among the variants; --leaf chooses among
 * step 02's product
 *  (`packed`), BLIS, and the leaves of `fused`. */
int measure_cpu_rungs(const struct options *options);

#endif
