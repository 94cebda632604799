/* SPDX-License-Identifier: MIT */
/** @file timer.h
 * The host's clock, and the summary of repeated runs: median, smallest, largest.
 */
#ifndef COMMON_DEVICE_TIMER_H
#define COMMON_DEVICE_TIMER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Milliseconds on the host's monotonic clock.
 * @return milliseconds since an arbitrary moment */
double timer_now(void);

/** Waits, for at most a second, until the threads of a process sleep, all but its first one.
 * Call it before each timed run on the host: threads of OpenBLAS and OpenMP spin for up to a
 * tenth of a second after their work, and take cores away from the code that runs next.
 * @param process its number; 0: this one
 * @return whether they sleep */
bool let_threads_sleep(int process);

/** The summary of a set of timed runs, in milliseconds. */
struct timing {
    int reps;
    double median, min, max;
};

/** Sorts numbers, the smallest first.
 * @param numbers sorted in place
 * @param count of the numbers, 0 or more */
void sort_ascending(double *numbers, int count);

/** Sorts `ms` and summarises it; reps >= 1.
 * @param ms milliseconds of each run; sorted in place
 * @param reps of the runs, 1 or more
 * @return median, smallest and largest, in milliseconds */
struct timing timing_of(double *ms, int reps);

#ifdef __cplusplus
}
#endif

#endif
