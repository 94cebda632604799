/**
 * @file bench.h
 * The one loop that times: contestants run in turn, round by round, so that all of them see the
 * same clocks. It knows no backend: a contestant times its own runs.
 */
#ifndef LADDER_BENCH_H
#define LADDER_BENCH_H

#include "timer.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Samples of one contestant; those beyond are not taken. */
enum { BENCH_MOST = 51 };

/** Something to be timed. */
struct contestant {
    double (*run)(void *what); /**< one run in milliseconds; negative: it lets this round pass */
    void *what;                /**< what run() works with */
    int count;                 /**< samples so far */
    double ms[BENCH_MOST];
    struct timing timing; /**< of all samples so far */
};

/** Runs everyone `rounds` times, every second round backwards (it matters who follows whom), and
 * adds the times to the samples. */
void bench(struct contestant *contestants, int count, int rounds);

/** The same without keeping the samples; `timing` then tells of the last round alone. */
void bench_warm_up(struct contestant *contestants, int count, int rounds);

/** How many rounds of `round_ms` a budget holds, but no fewer than `least` and no more than `most`.
 */
int bench_rounds(double budget_ms, double round_ms, int least, int most);

#ifdef __cplusplus
}
#endif
#endif
