/* SPDX-License-Identifier: MIT */
/** @file timer.h
 * The host's clock, the summary of repeated runs, and the loop for all timing. Contestants run
 * in turn, round by round, so that all of them see the same clock frequencies. Each contestant
 * times its own runs, so the loop is independent of the backend.
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

/** The most samples of one contestant; further ones are dropped. */
enum { TIMING_MOST = 51 };

/** Something to be timed. */
struct contestant {
    double (*run)(void *what); /**< one run; returns milliseconds, negative: skips this round */
    void *what;                /**< the argument of run() */
    int count;                 /**< samples so far */
    double ms[TIMING_MOST];
    struct timing timing; /**< of all samples so far */
};

/** Runs every contestant `rounds` times and adds the times to the samples. Every second round
 * has the reverse order, because a run's time depends on the contestant before it.
 * @param contestants get their samples
 * @param count of the contestants
 * @param rounds 1 or more */
void time_in_turn(struct contestant *contestants, int count, int rounds);

/** Runs every contestant `rounds` times without keeping the times; `timing` then describes only
 * the last round.
 * @param contestants their samples are unchanged
 * @param count of the contestants
 * @param rounds 0 or more */
void warm_up_in_turn(struct contestant *contestants, int count, int rounds);

/** How many rounds of `round_ms` fit into a budget, but at least `least` and at most `most`.
 * @param budget_ms milliseconds in all
 * @param round_ms milliseconds of a round
 * @param least 0 or more
 * @param most at least `least`
 * @return a number of rounds */
int rounds_within(double budget_ms, double round_ms, int least, int most);

#ifdef __cplusplus
}
#endif

#endif
