/* SPDX-License-Identifier: MIT */
#include "common/device/timer.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double timer_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

void sort_ascending(double *numbers, int count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, ascending);
}

struct timing timing_of(double *ms, int reps)
{
    sort_ascending(ms, reps);
    double median = reps % 2 ? ms[reps / 2] : (ms[reps / 2 - 1] + ms[reps / 2]) / 2;
    return (struct timing){reps, median, ms[0], ms[reps - 1]};
}

static struct contestant *turn(struct contestant *all, int count, int round, int i)
{
    return &all[round % 2 ? count - 1 - i : i];
}

static void summarise(struct contestant *c)
{
    double sorted[TIMING_MOST];
    memcpy(sorted, c->ms, sizeof sorted);
    if (c->count > 0)
        c->timing = timing_of(sorted, c->count);
}

void time_in_turn(struct contestant *all, int count, int rounds)
{
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++) {
            struct contestant *c = turn(all, count, round, i);
            double ms = c->count < TIMING_MOST ? c->run(c->what) : -1;
            if (ms >= 0)
                c->ms[c->count++] = ms;
        }
    for (int i = 0; i < count; i++)
        summarise(&all[i]);
}

void warm_up_in_turn(struct contestant *all, int count, int rounds)
{
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++) {
            struct contestant *c = turn(all, count, round, i);
            double ms = c->run(c->what);
            c->timing = timing_of(&ms, 1);
        }
}

int rounds_within(double budget_ms, double round_ms, int least, int most)
{
    double fit = round_ms > 0 ? budget_ms / round_ms : most;
    return fit < least ? least : fit > most ? most : (int)fit;
}
