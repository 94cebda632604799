/* SPDX-License-Identifier: MIT */
/** @file threshold.h
 * Times a recursive method against its own leaf and finds the size from which on it wins
 * (Musella, section 2.1.1).
 */
#ifndef STEPS_04_CPU_STRASSEN_THRESHOLD_THRESHOLD_H
#define STEPS_04_CPU_STRASSEN_THRESHOLD_THRESHOLD_H

#include "common/command/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The common options that a race uses (struct action, heeds): it makes square matrices and
 * chooses the number of runs. */
#define THRESHOLD_HEEDS "seed,threads,leaf"

/** --find-threshold. Times the leaf alone and one level of `method` over it on square matrices
 * of growing size, n = 64 ... 16384, for about twenty seconds. Prints the ratios as bars, draws
 * them if gnuplot is installed, and names the smallest n from which on one level is faster
 * (Musella's n0, here tau1 + 1). With --json it prints an object for each size.
 * @param options of the run
 * @param method the recursive method
 * @param name of the method in messages
 * @return the exit status: 3 on the simulated GPU, which has no times, or without the leaf. */
int find_threshold_of(const struct options *options, const struct variant *method,
                      const char *name);

#ifdef __cplusplus
}
#endif
#endif
