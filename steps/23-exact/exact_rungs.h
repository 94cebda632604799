/* SPDX-License-Identifier: MIT */
/** @file exact_rungs.h
 * --rungs: every rung of step 23 on a GPU, compared with cublasDgemm.
 */
#ifndef STEPS_23_EXACT_EXACT_RUNGS_H
#define STEPS_23_EXACT_EXACT_RUNGS_H

struct options;

/** Measures square products of 2048 to 16384, or the one that --n, --m and --k give, with
 * errors of sampled elements against sums in twice the precision. Returns the exit status: 3
 * without times or memory, 1 if variants that must have the same bits do not.
 */
int measure_exact_rungs(const struct options *options);

#endif
