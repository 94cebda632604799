/* SPDX-License-Identifier: MIT */
/** @file find_plan.c
 * Guesses the fastest plan of a shape by prediction, or finds it by measuring:
 * search.c decides what runs, and the functions here run it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/sizes.h"
#include "common/device/timer.h"
#include "steps/20-library/library.h"

/* least time of a product with its share of the sums */
static const double LAUNCH_MS = 0.006;

/// [predicted]
/* Predicts a plan's time in ms: 7^levels products, each 8^-levels of the work, at cuBLAS's rate
   for this shape, plus the sums at the memory's rate; but at least the time of the launches. */
double predicted_ms(const struct gemm_call *c, struct method_plan plan, double cublas_ms,
                    double bytes_per_ms)
{
    const struct method *method = method_of(plan.method);
    double share = 1, launches = 1, moved = 0;
    double elements = ((double)c->m * c->n + (double)c->m * c->k + (double)c->k * c->n) / 3,
           elements_of_whole = elements;
    int edges[] = {c->m, c->n, c->k}, upper = plan.levels - method->at_once;
    for (int i = 0; i < 3; i++) /* what padding adds */
        share *= (double)round_up(edges[i], 4L << plan.levels) / edges[i];
    for (int i = 0; i < plan.levels; i++) {
        share *= 7.0 / 8;
        launches *= i < upper ? 7 : 1;
        moved += i < upper ? method->quadrants / 4 * elements : 0;
        elements *= i < upper ? 7.0 / 4 : 1;
    }
    if (method->at_once) /* the last levels: factors read and written in panels, products, C */
        moved += (method->at_once == 2 ? 12.2 : 8.3) * elements;
    /* A leaf's prologue and epilogue cost 64 inner indices; about half of the sums overlap. */
    double products = share * cublas_ms * (1 + 64.0 / (c->k >> plan.levels));
    if (method->speed > 0)
        products /= method->speed;
    if (method->moved)
        moved = method->moved(plan.levels) * elements_of_whole;
    if (method->launches)
        launches = method->launches;
    double sums = moved * c->of->size / bytes_per_ms;
    double ms = products + (method->beside ? sums / 2 : sums);
    return ms > launches * LAUNCH_MS ? ms : launches * LAUNCH_MS;
}
/// [predicted]

/* Two shapes are near if their edges differ by at most this factor. */
static const double NEAR_EDGE = 1.05;
/* With no near shape, a plan must be predicted below this share of cuBLAS's time, or below its
   method's. */
static const double SURE_GAIN = 0.9;

static double apart(int x, int y) { return x > y ? (double)x / y : (double)y / x; }

/* Finds the plan of the nearest shape in the list. `distance` is the largest ratio of two
   edges, or of two batch counts: on entry the limit, on return that of the shape found. Each
   call without a plan searches the list, so one comparison must rule out most entries. */
static bool nearest_plan(const struct ladder_gemm *h, const struct plan_list *list,
                         struct key key, double *distance, struct method_plan *plan)
{
    bool found = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct plan_entry *x = &list->entries[i];
        if (x->key.how[3] != key.how[3] || x->plan.levels > h->most_levels || x->limited)
            continue;
        if (x->key.m > *distance * key.m || key.m > *distance * x->key.m)
            continue;
        double here = fmax(fmax(apart(x->key.m, key.m), apart(x->key.n, key.n)),
                           fmax(apart(x->key.k, key.k), apart(x->key.count, key.count)));
        if (here < *distance)
            *distance = here, *plan = x->plan, found = true;
    }
    return found;
}

static struct method_plan near_or_predicted(struct ladder_gemm *h, const struct gemm_call *x)
{
    struct method_plan plans[MOST_CANDIDATES], near, best = plain_cublas();
    double distance = NEAR_EDGE;
    bool always = excludes_cublas(x);
    bool is_near = nearest_plan(h, &h->shipped, key_of(x), &distance, &near);
    is_near = !always && (nearest_plan(h, &h->found, key_of(x), &distance, &near) || is_near);
    if (is_near && near.method == CUBLAS)
        return near;
    if (!is_near && !h->shipped.count && !always)
        return best; /* predictions were not tested on this GPU */
    int count = candidates(h, x, plans);
    for (int i = 1; is_near && i < count; i++)
        if (plans[i].method == near.method && plans[i].levels == near.levels &&
            plans[i].parameter == near.parameter)
            return near;
    /* cuBLAS multiplies doubles at this rate, too: it uses tensor cores on the GPUs listed. */
    double cublas_ms = 2.0 * x->m * x->n * x->k / h->flops_per_ms, least = INFINITY;
    for (int i = 1; i < count; i++) {
        double ms = predicted_ms(x, plans[i], cublas_ms, h->bytes_per_ms),
               gain = method_of(plans[i].method)->sure_gain;
        if (ms < least && (always || ms < (gain > 0 ? gain : SURE_GAIN) * cublas_ms))
            least = ms, best = plans[i];
    }
    return best;
}

/* The plans were measured with Winograd's sums, and on an H200 the accurate ones cost 4 to 7 %
   more in some: in double with four levels at 12288 and 16384, and with three while the
   smallest products are small. One level less then takes about as long as such a plan did
   (20-series.jsonl and 24-gpu.jsonl in docs/results/h200). */
static struct method_plan suited_to_sums(const struct gemm_call *x, struct method_plan plan)
{
    double edge = cbrt((double)x->m * x->n * x->k);
    bool wide = x->of == &ladder_f64;
    if (!x->accurate || strcmp(method_of(plan.method)->name, "beside") != 0)
        return plan;
    if (wide && plan.levels == 4 && edge < 20000)
        plan.levels = 3;
    return plan.levels == 3 && edge < (wide ? 7000 : 4600) ? plan_of("two-levels", 2, 0) : plan;
}

struct method_plan guess_plan(struct ladder_gemm *h, const struct gemm_call *x)
{
    return suited_to_sums(x, near_or_predicted(h, x));
}

/* The argument of a search's functions. */
struct planning {
    struct ladder_gemm *h;
    const struct gemm_call *call;
};

/* Runs a plan once and returns the ms; negative without workspace, or after a failure. */
static double run_once(void *what, struct method_plan plan)
{
    const struct planning *x = what;
    struct ladder_gemm *h = x->h;
    float ms = 0;
    if (h->failure.status || !grow_workspace(h, layout_bytes(x->call, plan)))
        return -1;
    TRY(h, cudaEventRecord(h->begun, h->stream));
    run_planned(h, x->call, plan);
    TRY(h, cudaEventRecord(h->ended, h->stream));
    TRY(h, cudaEventSynchronize(h->ended));
    TRY(h, cudaEventElapsedTime(&ms, h->begun, h->ended));
    if (h->verbose > 1)
        fprintf(stderr, "planning %d x %d x %d: %s, %d levels, %ld: %.3f ms\n", x->call->m,
                x->call->n, x->call->k, public_plan(plan).variant, plan.levels, plan.parameter,
                (double)ms);
    return (double)ms;
}

static double predict(void *what, struct method_plan plan, double cublas_ms)
{
    const struct planning *x = what;
    int count = (int)larger(1, x->call->count);
    return count * predicted_ms(x->call, plan, cublas_ms / count, x->h->bytes_per_ms);
}

static double now(void *what)
{
    (void)what;
    return timer_now();
}

/* Grows the workspace once, to the size of the largest candidate, since every growth costs an
   allocation. The call is not accurate if there is no room for that. Sets `limited` if some
   candidates do not fit; they are not timed. */
static void grow_for_candidates(struct ladder_gemm *h, struct gemm_call *x,
                                const struct method_plan *plans, int count, bool *limited)
{
    size_t most = 0;
    for (int i = 0; i < count; i++)
        most = layout_bytes(x, plans[i]) > most ? layout_bytes(x, plans[i]) : most;
    x->accurate = x->accurate && grow_workspace(h, most);
    *limited = false;
    for (int i = 0; i < count; i++)
        if (!grow_workspace(h, layout_bytes(x, plans[i])))
            *limited = true;
}

bool needs_c(const struct gemm_call *x) { return x->on_device || !x->of->is(x->beta, 0); }

bool find_plan(struct ladder_gemm *h, const struct gemm_call *x, struct plan_entry *entry)
{
    struct gemm_call trial = *x;
    char *other = NULL;
    if (needs_c(x)) {
        size_t elements = (size_t)x->ldc * (x->n - 1) + x->m + 4 +
                          (size_t)(larger(1, x->count) - 1) * (size_t)x->stride_c,
               bytes = elements * x->of->size;
        if (bytes > h->limit || cudaMalloc((void **)&other, bytes) != cudaSuccess) {
            cudaGetLastError();
            return false;
        }
        TRY(h, cudaMemsetAsync(other, 0, bytes, h->stream));
        trial.c = other + (uintptr_t)x->c % (4 * x->of->size); /* aligned as C is */
    }
    size_t before = h->workspace.held;
    struct method_plan plans[MOST_CANDIDATES];
    int count = candidates(h, &trial, plans);
    struct planning planning = {h, &trial};
    struct search search = {&planning, predict, run_once, now};
    grow_for_candidates(h, &trial, plans, count, &entry->limited);
    entry->plan = search_plans(&search, plans, count);
    if (other) { /* its memory is free again */
        TRY(h, cudaFree(other));
        h->refused = 0;
    }
    size_t bytes = layout_bytes(x, entry->plan);
    size_t held = h->workspace.held;
    if (held > before && held > bytes && !h->callers) { /* only slower plans needed it */
        free_workspace(h);
        grow_workspace(h, before > bytes ? before : bytes);
    }
    return true;
}
