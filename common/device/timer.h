/* SPDX-License-Identifier: MIT */
/** @file timer.h
 * The host's clock, and the summary of repeated runs: median, smallest, largest.
 */
#ifndef COMMON_DEVICE_TIMER_H
#define COMMON_DEVICE_TIMER_H

#ifdef __cplusplus
extern "C" {
#endif

/** Milliseconds on the host's monotonic clock.
 * @return milliseconds since an arbitrary moment */
double timer_now(void);

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
