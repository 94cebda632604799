/* SPDX-License-Identifier: MIT */
/** @file timing_loop.h
 * The one loop that times. Contestants run in turn, round by round, so that all of them see the
 * same clock frequencies. It knows no backend: each contestant times its own runs.
 *
 * This loop times. "Measure", in the names of this repository, means to run programs and keep
 * their result lines in docs/results (tools/measure).
 */
#ifndef COMMON_MEASURE_TIMING_LOOP_H
#define COMMON_MEASURE_TIMING_LOOP_H

#include "common/device/timer.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The most samples of one contestant; further ones are dropped. */
enum { TIMING_MOST = 51 };

/** Something to be timed. */
struct contestant {
    double (*run)(void *what); /**< one run; returns milliseconds, negative: skips this round */
    void *what;                /**< what run() works with */
    int count;                 /**< samples so far */
    double ms[TIMING_MOST];
    struct timing timing; /**< of all samples so far */
};

/**
 * Runs every contestant `rounds` times and adds the times to the samples. Every second round
 * runs backwards, because it matters which contestant ran before.
 * @param contestants get their samples
 * @param count of the contestants
 * @param rounds 1 or more
 */
void time_in_turn(struct contestant *contestants, int count, int rounds);

/**
 * The same without keeping the samples; `timing` then describes the last round alone.
 * @param contestants their samples stay
 * @param count of the contestants
 * @param rounds 0 or more
 */
void warm_up_in_turn(struct contestant *contestants, int count, int rounds);

/**
 * How many rounds of `round_ms` fit into a budget, but at least `least` and at most `most`.
 * @param budget_ms milliseconds in all
 * @param round_ms milliseconds of a round
 * @param least 0 or more
 * @param most at least `least`
 * @return a number of rounds
 */
int rounds_within(double budget_ms, double round_ms, int least, int most);

#ifdef __cplusplus
}
#endif
#endif
