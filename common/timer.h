/**
 * @file timer.h
 * The host's clock, and what repeated runs come to: median, smallest, largest.
 */
#ifndef LADDER_TIMER_H
#define LADDER_TIMER_H

#ifdef __cplusplus
extern "C" {
#endif

/** Milliseconds on the host's monotonic clock. */
double timer_now(void);

/** What a set of timed runs came to, in milliseconds. */
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
