/**
 * @file bench.h
 * The one loop that times. Contestants run in turn, round by round, so that all of them see the
 * same clock frequencies. It knows no backend: each contestant times its own runs.
 */
#ifndef COMMON_MEASURE_BENCH_H
#define COMMON_MEASURE_BENCH_H

#include "common/device/timer.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The most samples of one contestant; further ones are dropped. */
enum { BENCH_MOST = 51 };

/** Something to be timed. */
struct contestant {
    double (*run)(void *what); /**< one run; returns milliseconds, negative: skips this round */
    void *what;                /**< what run() works with */
    int count;                 /**< samples so far */
    double ms[BENCH_MOST];
    struct timing timing; /**< of all samples so far */
};

/** Runs every contestant `rounds` times and adds the times to the samples. Every second round
 * runs backwards, because it matters which contestant ran before. */
void bench(struct contestant *contestants, int count, int rounds);

/** The same without keeping the samples; `timing` then describes the last round alone. */
void bench_warm_up(struct contestant *contestants, int count, int rounds);

/** How many rounds of `round_ms` fit into a budget, but at least `least` and at most `most`.
 */
int bench_rounds(double budget_ms, double round_ms, int least, int most);

#ifdef __cplusplus
}
#endif
#endif
