/* SPDX-License-Identifier: MIT */
/** @file timer.h
 * The host's clock, and the summary of repeated runs: median, smallest, largest.
 */
#ifndef COMMON_DEVICE_TIMER_H
#define COMMON_DEVICE_TIMER_H

#ifdef __cplusplus
extern "C" {
#endif

/** Milliseconds on the host's monotonic clock. */
double timer_now(void);

/** Milliseconds for which processors have worked on this process, all its threads together. */
double timer_processor(void);

/** To be called before each timed run on the host: waits, a second at most, until the other
 * threads of this process sleep. Those of OpenBLAS and OpenMP spin for up to a tenth of a
 * second after their work, and until then they take cores away from the code that runs next. */
void let_threads_sleep(void);

/** The summary of a set of timed runs, in milliseconds. */
struct timing {
    int reps;
    double median, min, max;
};

/** Sorts numbers, the smallest first. */
void sort_ascending(double *numbers, int count);

/** Sorts `ms` and summarises it; reps >= 1. */
struct timing timing_of(double *ms, int reps);

#ifdef __cplusplus
}
#endif

#endif
