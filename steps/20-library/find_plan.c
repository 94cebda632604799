/* SPDX-License-Identifier: MIT */
/** @file find_plan.c
 * Finding the fastest plan of a shape by measuring: search.c decides what runs,
 * here it runs. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "common/sizes.h"
#include "common/device/timer.h"
#include "library.h"

/* so long a product and its share of the sums take at least */
static const double LAUNCH_MS = 0.006;

/// [predicted]
/* Milliseconds that a plan should take: 7^levels products of an eighth each at cuBLAS's rate
   here, the sums at the memory's, one after the other; and the launches. */
double predicted_ms(const struct gemm_call *c, struct method_plan plan, double cublas_ms,
                    double bytes_per_ms)
{
    const struct method *method = method_of(plan.method);
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
    double products = share * cublas_ms * (1 + 64.0 / (c->k >> plan.levels));
    if (method->math) { /* on tensor cores: A and B twice, factors, products, C, as step 21
                           counts them */
        products /= method->speed;
        moved = plan.levels ? (5 + 4 * pow(7.0 / 4, plan.levels)) * nodes : 6 * nodes,
        launches = 8;
    }
    double sums = moved * c->of->size / bytes_per_ms;
    double ms = products + (method->beside ? sums / 2 : sums);
    return ms > launches * LAUNCH_MS ? ms : launches * LAUNCH_MS;
}
/// [predicted]

/* What a search works with. */
struct planning {
    struct ladder_gemm *h;
    const struct gemm_call *call;
};

/* One run of a plan, in ms; negative without workspace for it, or after a failure. */
static double run_once(void *what, struct method_plan plan)
{
    const struct planning *x = what;
    struct ladder_gemm *h = x->h;
    float ms = 0;
    if (h->failure.status || !grow_workspace(h, layout_bytes(x->call, plan)))
        return -1;
    TRY(h, cudaEventRecord(h->begun, h->stream));
    run_plan(h, x->call, plan);
    TRY(h, cudaEventRecord(h->ended, h->stream));
    TRY(h, cudaEventSynchronize(h->ended));
    TRY(h, cudaEventElapsedTime(&ms, h->begun, h->ended));
    if (h->verbose > 1)
        fprintf(stderr, "planning %d x %d x %d: %s, %d levels, %ld: %.3f ms\n", x->call->m,
                x->call->n, x->call->k, told(plan).variant, plan.levels, plan.parameter,
                (double)ms);
    return (double)ms;
}

static double predict(void *what, struct method_plan plan, double cublas_ms)
{
    const struct planning *x = what;
    return predicted_ms(x->call, plan, cublas_ms, x->h->bytes_per_ms);
}

static double now(void *what)
{
    (void)what;
    return timer_now();
}

/* Gets workspace for the largest candidate at once: a smaller one later costs as much again.
   `limited`: some have none, and are not timed. */
static void grow_for_candidates(struct ladder_gemm *h, const struct gemm_call *x,
                                const struct method_plan *plans, int count, bool *limited)
{
    size_t most = 0;
    for (int i = 0; i < count; i++)
        most = layout_bytes(x, plans[i]) > most ? layout_bytes(x, plans[i]) : most;
    grow_workspace(h, most);
    *limited = false;
    for (int i = 0; i < count; i++)
        if (!grow_workspace(h, layout_bytes(x, plans[i])))
            *limited = true;
}

bool find_plan(struct ladder_gemm *h, const struct gemm_call *x, struct plan_entry *entry)
{
    struct gemm_call trial = *x;
    char *other = NULL;
    if (x->on_device || !x->of->is(x->beta, 0)) {
        size_t elements = (size_t)x->ldc * (x->n - 1) + x->m + 4,
               bytes = elements * x->of->size;
        if (bytes > h->limit || cudaMalloc((void **)&other, bytes) != cudaSuccess) {
            cudaGetLastError();
            return false;
        }
        TRY(h, cudaMemsetAsync(other, 0, bytes, h->stream));
        trial.c = other + (uintptr_t)x->c % (4 * x->of->size); /* aligned as C is */
    }
    size_t before = h->held;
    struct method_plan plans[MOST_CANDIDATES];
    int count = candidates(h, &trial, plans);
    struct planning planning = {h, &trial};
    struct search search = {&planning, predict, run_once, now};
    grow_for_candidates(h, &trial, plans, count, &entry->limited);
    entry->plan = search_plans(&search, plans, count);
    if (other) { /* what it took may be had now */
        TRY(h, cudaFree(other));
        h->refused = 0;
    }
    size_t bytes = layout_bytes(x, entry->plan);
    if (h->held > before && h->held > bytes && !h->callers) { /* only the others needed it */
        free_workspace(h);
        grow_workspace(h, before > bytes ? before : bytes);
    }
    return true;
}
