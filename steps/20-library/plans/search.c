/* SPDX-License-Identifier: MIT */
/** @file search.c
 * Finds the fastest of many plans by running some of them, within a time limit. It calls the
 * GPU only through `struct search`, so tests/gemm/search-cases.c can run it with recorded
 * times. */
#include <stdlib.h>
#include <string.h>

#include "common/device/timer.h"
#include "steps/20-library/library.h"

enum { MOST_SAMPLES = 24, FINALISTS = 4 };
static const double PRODUCTS_OF_TIME = 20; /* planning takes at most as long as 20 products */
static const double MOST_MS = 3000;        /* and at most 3 s */
static const double TRY_SHARE =
    0.65;                           /* of this time goes to trying candidates. In the rest, less
                                       delays against predictions, the best run in turn */
static const double LONG_MS = 20;   /* runs of this length need no warm-up */
static const double FIRST_MS = 200; /* loading alone may make cuBLAS's first run this long */
static const double LOAD_MS = 2;    /* loading may make other first runs this much longer */
static const double HOPELESS = 1.3; /* times the best: not tried, or not again */
static const double NEAR = 1.1;     /* times the best: runs once more */
static const double CUBLAS_TIE = 0.98; /* a plan must be faster than this times cuBLAS, */
static const double SHORT_MS = 0.5;    /* and if cuBLAS takes less than this, then faster */
static const double SHORT_TIE = 0.95;  /* than this: in a row short products take other times */
static const double LEVELS_TIE = 1.005; /* times the best: a tie, which the fewest levels win */

struct plan_trial {
    struct method_plan plan;
    double predicted, ms;
};

/* A search that is going on: `tried` of the candidates have a time; the first is cuBLAS. */
struct state {
    const struct search *s;
    struct plan_trial candidates[MOST_CANDIDATES];
    int tried;
    double begun, budget, best;
};

static double spent(const struct state *x) { return x->s->now(x->s->what) - x->begun; }

static double run(const struct state *x, struct method_plan plan)
{
    return x->s->run(x->s->what, plan);
}

static int by_prediction(const void *x, const void *y)
{
    double a = ((const struct plan_trial *)x)->predicted,
           b = ((const struct plan_trial *)y)->predicted;
    return (a > b) - (a < b);
}

static int by_time(const void *x, const void *y)
{
    double a = ((const struct plan_trial *)x)->ms, b = ((const struct plan_trial *)y)->ms;
    return (a > b) - (a < b);
}

/// [try]
/* The largest factor by which this method has been slower than predicted so far. */
static double slowness(const struct state *x, int method)
{
    double most = 1;
    for (int i = 1; i < x->tried; i++) {
        const struct plan_trial *t = &x->candidates[i];
        if (t->plan.method == method && t->ms > most * t->predicted)
            most = t->ms / t->predicted;
    }
    return most;
}

/* Tries one candidate: a run that may also load kernels, then one that counts. Negative: not
 * tried. */
static double try_plan(const struct state *x, const struct plan_trial *t)
{
    double expected = t->predicted * slowness(x, t->plan.method),
           runs = expected < LONG_MS ? 2 : 1;
    if (expected > HOPELESS * x->best || spent(x) + runs * expected > TRY_SHARE * x->budget)
        return -1;
    double ms = run(x, t->plan);
    if (runs == 1 || ms < 0 || ms > HOPELESS * x->best + LOAD_MS || spent(x) + ms > x->budget)
        return ms;
    return run(x, t->plan);
}

/* Tries the candidates in the order of their predictions until their share of the time is used
   up. Collects those that have a time at the front of the list. This overwrites only entries
   that the loop has already passed, because tried <= i. */
static void try_candidates(struct state *x, int count)
{
    for (int i = 1; i < count; i++) {
        struct plan_trial t = x->candidates[i];
        t.ms = try_plan(x, &t);
        if (t.ms < 0)
            continue;
        x->best = t.ms < x->best ? t.ms : x->best;
        x->candidates[x->tried++] = t;
    }
}
/// [try]

/* One of the best, as a contestant of time_in_turn(). */
struct finalist {
    const struct state *state;
    const struct plan_trial *candidate;
};

static double time_finalist(void *what)
{
    const struct finalist *f = what;
    return spent(f->state) + f->candidate->ms > f->state->budget
               ? -1
               : run(f->state, f->candidate->plan);
}

/* Runs cuBLAS and the best of the others in turn until the time is used up, and takes the
   median of each. Returns how many plans ran. */
static int run_finals(struct state *x)
{
    struct finalist finalists[FINALISTS];
    struct contestant contestants[FINALISTS];
    int count = x->tried < FINALISTS ? x->tried : (int)FINALISTS;
    qsort(x->candidates + 1, (size_t)(x->tried - 1), sizeof *x->candidates, by_time);
    while (count > 1 && x->candidates[count - 1].ms > NEAR * x->candidates[1].ms)
        count--;
    for (int i = 0; i < count; i++) {
        finalists[i] = (struct finalist){x, &x->candidates[i]};
        contestants[i] = (struct contestant){.run = time_finalist,
                                             .what = &finalists[i],
                                             .count = 1,
                                             .ms = {x->candidates[i].ms}};
    }
    time_in_turn(contestants, count, MOST_SAMPLES - 1);
    for (int i = 0; i < count; i++)
        x->candidates[i].ms = contestants[i].timing.median;
    return count;
}

struct method_plan search_plans(const struct search *s, const struct method_plan *plans,
                                int count)
{
    struct state x = {.s = s, .tried = 1};
    /* also loads its kernels, and lets clocks rise */
    double cublas_ms = s->run(s->what, plans[0]);
    x.begun = s->now(s->what);
    if (cublas_ms < FIRST_MS) /* all predictions and the time limit depend on this time */
        cublas_ms = s->run(s->what, plans[0]);
    x.budget = (PRODUCTS_OF_TIME - 1) * cublas_ms;
    if (x.budget > MOST_MS - cublas_ms)
        x.budget = MOST_MS - cublas_ms;
    x.best = cublas_ms;
    x.candidates[0] = (struct plan_trial){plans[0], cublas_ms, cublas_ms};
    for (int i = 1; i < count; i++)
        x.candidates[i] =
            (struct plan_trial){plans[i], s->predict(s->what, plans[i], cublas_ms), 0};
    qsort(x.candidates + 1, (size_t)(count - 1), sizeof *x.candidates, by_prediction);
    try_candidates(&x, count);
    count = run_finals(&x);

    double best = x.candidates[0].ms;
    double below = best * (best < SHORT_MS ? SHORT_TIE : CUBLAS_TIE);
    for (int i = 1; i < count; i++)
        best = x.candidates[i].ms < best ? x.candidates[i].ms : best;
    struct method_plan plan = x.candidates[0].plan;
    for (int i = 1; i < count; i++) {
        const struct plan_trial *t = &x.candidates[i];
        if (t->ms <= LEVELS_TIE * best && t->ms < below &&
            (plan.method == CUBLAS || t->plan.levels < plan.levels))
            plan = t->plan;
    }
    return plan;
}
