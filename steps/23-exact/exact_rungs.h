/* SPDX-License-Identifier: MIT */
/** @file exact_rungs.h
 * --rungs: every rung of step 23 on a GPU, beside cublasDgemm.
 */
#ifndef STEPS_23_EXACT_EXACT_RUNGS_H
#define STEPS_23_EXACT_EXACT_RUNGS_H

struct options;

/** Measures square products of 2048 to 16384, or the one that --n, --m and --k give, with
 * errors of sampled elements against sums in twice the precision. Returns the exit status: 3
 * where there are no times or no memory, 1 when bits differ between variants that must have the
 * same. */
int measure_exact_rungs(const struct options *options);

#endif
