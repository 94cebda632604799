/* SPDX-License-Identifier: MIT */
#include "common/measure/timing_loop.h"

#include <string.h>

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
