/**
 * @file planner.c
 * Finding the fastest plan of a shape by measuring, within a bound of time.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/bench.h"
#include "common/sizes.h"
#include "common/timer.h"
#include "library.h"

enum { MOST_SAMPLES = 24, FINALISTS = 6 };
static const double PRODUCTS_OF_TIME = 20; /* so many of cuBLAS's products planning may take */
static const double MOST_MS = 3000;        /* and so long */
static const double FIRST_SHARE = 0.5;     /* of it, to try candidates; then the best run in turn */
static const double LONG_MS = 20;          /* runs that long need no warm-up */
static const double LAUNCH_MS = 0.006;     /* so long a product and its share of the sums take at least */
static const double HOPELESS = 1.3;        /* times the best: not tried, or not again */
static const double CUBLAS_TIE = 0.99;     /* a plan must be below cuBLAS's time times this */
static const double LEVELS_TIE = 1.005;    /* and within this of the best; then few levels win */

struct trial {
    struct plan plan;
    double predicted, ms;
};

/* What planning works with, and what it has left. */
struct planning {
    struct ladder_gemm *h;
    const struct call *call;
    double begun, budget, cublas_ms;
};

static double left(const struct planning *x)
{
    return x->budget - (timer_now() - x->begun);
}

static double time_of(const struct planning *x, struct plan plan)
{
    struct ladder_gemm *h = x->h;
    float ms = 0;
    TRY(h, cudaEventRecord(h->begun, h->stream));
    run_plan(h, x->call, plan);
    TRY(h, cudaEventRecord(h->ended, h->stream));
    TRY(h, cudaEventSynchronize(h->ended));
    TRY(h, cudaEventElapsedTime(&ms, h->begun, h->ended));
    return (double)ms;
}

/* One of the best, as a contestant of bench(). */
struct finalist {
    const struct planning *planning;
    struct plan plan;
    double expected; /* ms */
};

static double time_finalist(void *what)
{
    const struct finalist *f = what;
    const struct planning *x = f->planning;
    return x->h->failure.status || left(x) <= f->expected ? -1 : time_of(x, f->plan);
}

/* The best and cuBLAS in turn, as long as the time reaches; their medians become their times. */
static void run_finals(const struct planning *x, struct trial *trials, int count)
{
    struct finalist finalists[FINALISTS];
    struct contestant contestants[FINALISTS];
    for (int i = 0; i < count; i++) {
        finalists[i] = (struct finalist){x, trials[i].plan, trials[i].ms};
        contestants[i] = (struct contestant){
            .run = time_finalist, .what = &finalists[i], .count = 1, .ms = {trials[i].ms}};
    }
    bench(contestants, count, MOST_SAMPLES - 1);
    for (int i = 0; i < count; i++)
        trials[i].ms = contestants[i].timing.median;
}

/// [predicted]
/* Milliseconds that a plan should take: 7^levels products of an eighth each at cuBLAS's rate here,
   the sums at the memory's, one after the other; and the launches. */
static double predicted_ms(const struct planning *x, struct plan plan)
{
    const struct method *method = method_of(plan.method);
    const struct call *c = x->call;
    double share = 1, launches = 1, moved = 0;
    double nodes = ((double)c->m * c->n + (double)c->m * c->k + (double)c->k * c->n) / 3;
    int edges[] = {c->m, c->n, c->k}, upper = plan.levels - method->at_once;
    for (int i = 0; i < 3; i++) /* what padding adds */
        share *= (double)round_up(edges[i], 4L << plan.levels) / edges[i];
    for (int i = 0; i < plan.levels; i++) {
        share *= 7.0 / 8;
        launches *= i < upper ? 7 : 1;
        moved += i < upper ? method->quadrants / 4 * nodes : 0;
        nodes *= i < upper ? 7.0 / 4 : 1;
    }
    if (method->at_once) /* the last levels: factors read and written in panels, products, C */
        moved += (method->at_once == 2 ? 12.2 : 8.3) * nodes;
    /* A leaf needs some 64 inner indices to begin and to end; about half of the sums hide. */
    double products = share * x->cublas_ms * (1 + 64.0 / (c->k >> plan.levels));
    if (method->math) { /* on tensor cores: A and B twice, factors, products, C, as step 21 counts them */
        products /= method->speed;
        moved = plan.levels ? (5 + 4 * pow(7.0 / 4, plan.levels)) * nodes : 6 * nodes, launches = 8;
    }
    double sums = moved * c->of->size / x->h->bytes_per_ms;
    double ms = products + (method->beside ? sums / 2 : sums);
    return ms > launches * LAUNCH_MS ? ms : launches * LAUNCH_MS;
}
/// [predicted]

static int by_prediction(const void *x, const void *y)
{
    double a = ((const struct trial *)x)->predicted, b = ((const struct trial *)y)->predicted;
    return (a > b) - (a < b);
}

static int by_time(const void *x, const void *y)
{
    double a = ((const struct trial *)x)->ms, b = ((const struct trial *)y)->ms;
    return (a > b) - (a < b);
}

/// [measure]
/* The candidates in the order of their predictions, as long as the first half of the time reaches.
 */
static int try_candidates(const struct planning *x, struct trial *trials, int count)
{
    double best = trials[0].ms;
    int kept = 1;
    for (int i = 1; i < count && !x->h->failure.status; i++) {
        struct trial t = trials[i];
        double runs = t.predicted < LONG_MS ? 2 : 1;
        if (runs * t.predicted > left(x) - (1 - FIRST_SHARE) * x->budget)
            break;
        if (t.predicted > HOPELESS * best)
            continue;
        if (!make_room(x->h, layout_bytes(x->call, t.plan)))
            continue;
        /* The first run also loads kernels. One that is long in spite of its prediction is the last. */
        double first = runs > 1 ? time_of(x, t.plan) : 0;
        if (first > LONG_MS && first > HOPELESS * best)
            continue;
        t.ms = time_of(x, t.plan);
        best = t.ms < best ? t.ms : best;
        if (t.ms <= HOPELESS * best)
            trials[kept++] = t;
    }
    return kept;
}

static struct plan fastest(struct planning *x, bool *limited)
{
    struct ladder_gemm *h = x->h;
    struct plan plans[MOST_CANDIDATES];
    struct trial trials[MOST_CANDIDATES];
    const struct call *c = x->call;
    int count = candidates(h, c, plans);
    size_t most = 0;
    *limited = false;
    for (int i = 0; i < count; i++) {
        size_t bytes = layout_bytes(c, plans[i]);
        most = bytes > most ? bytes : most;
    }
    make_room(h, most); /* at once; a smaller one later costs as much again */
    for (int i = 0; i < count; i++) /* also one that would not have been tried: nobody has seen its time */
        if (!make_room(h, layout_bytes(c, plans[i])))
            *limited = true;
    memset(trials, 0, sizeof trials);
    trials[0].plan = plans[0];
    x->cublas_ms = time_of(x, plans[0]); /* warms up: its kernels are loaded, its clocks rise */
    x->begun = timer_now(), x->budget = MOST_MS;
    if (x->cublas_ms < LONG_MS)
        x->cublas_ms = time_of(x, plans[0]);
    trials[0].ms = x->cublas_ms;
    x->budget = x->cublas_ms * PRODUCTS_OF_TIME < MOST_MS ? x->cublas_ms * PRODUCTS_OF_TIME
                                                          : MOST_MS - x->cublas_ms;
    for (int i = 1; i < count; i++)
        trials[i].plan = plans[i], trials[i].predicted = predicted_ms(x, plans[i]);
    qsort(trials + 1, (size_t)(count - 1), sizeof *trials, by_prediction);
    count = try_candidates(x, trials, count);

    qsort(trials + 1, (size_t)(count - 1), sizeof *trials, by_time);
    count = count < FINALISTS ? count : FINALISTS;
    while (count > 1 && trials[count - 1].ms > 1.1 * trials[1].ms)
        count--;
    run_finals(x, trials, count);
    double best = trials[0].ms;
    for (int i = 1; i < count; i++)
        best = trials[i].ms < best ? trials[i].ms : best;
    struct plan plan = trials[0].plan;
    for (int i = 1; i < count; i++)
        if (trials[i].ms <= LEVELS_TIE * best && trials[i].ms < CUBLAS_TIE * trials[0].ms &&
            (plan.method == CUBLAS || trials[i].plan.levels < plan.levels))
            plan = trials[i].plan;
    return plan;
}
/// [measure]

bool find_plan(struct ladder_gemm *h, const struct call *x, struct entry *entry)
{
    struct call trial = *x;
    char *other = NULL;
    if (x->on_device || !x->of->is(x->beta, 0)) {
        size_t elements = (size_t)x->ldc * (x->n - 1) + x->m + 4, bytes = elements * x->of->size;
        if (bytes > h->limit || cudaMalloc((void **)&other, bytes) != cudaSuccess) {
            cudaGetLastError();
            return false;
        }
        TRY(h, cudaMemsetAsync(other, 0, bytes, h->stream));
        trial.c = other + (uintptr_t)x->c % (4 * x->of->size); /* aligned as C is */
    }
    size_t before = h->held;
    struct planning planning = {.h = h, .call = &trial};
    entry->plan = fastest(&planning, &entry->limited);
    if (other) { /* what it took may be had now */
        TRY(h, cudaFree(other));
        h->refused = 0;
    }
    size_t bytes = layout_bytes(x, entry->plan);
    if (h->held > before && h->held > bytes && !h->callers) { /* only the others needed it */
        free_workspace(h);
        make_room(h, before > bytes ? before : bytes);
    }
    return true;
}
