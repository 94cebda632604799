/* SPDX-License-Identifier: MIT */
/** @file errors.cu
 * The error and the time of each variant, see errors.h.
 */
#include "errors.h"

#include <stdio.h>

#include "common/check/exact.h"
#include "common/measure/timing_loop.h"
#include "common/matrix/block.h"
#include "common/measure/json.h"
#include "common/measure/threshold.h"
#include "steps/18-modern/gpu_rungs.h"

enum { MOST_LEVELS = 5, SMALLEST_LEAF = 32 };

/* Everything on the device. */
struct error_data {
    real *a, *b, *c;
    struct exact exact;
};

static bool make(struct error_data *d, long n)
{
    size_t count = (size_t)n * n;
    d->a = (real *)backend.allocate(count * sizeof(real));
    d->b = (real *)backend.allocate(count * sizeof(real));
    d->c = (real *)backend.allocate(count * sizeof(real));
    if (!d->a || !d->b || !d->c)
        return false;
    fill_uniform(d->a, count, 1);
    fill_uniform(d->b, count, 2);
    return exact_make(&d->exact, d->a, d->b, n, n, n, n);
}

static void destroy(struct error_data *d)
{
    backend.release(d->a), backend.release(d->b), backend.release(d->c);
    exact_free(&d->exact);
}

/* One variant at one number of levels: a line. */
static void measure_one(const struct options *o, const struct variant *v, int levels,
                        const struct error_data *d)
{
    long n = o->n;
    struct context x = context_of(o);
    struct product p = square_product(n, d->a, d->b, d->c);
    size_t elements = v->workspace ? v->workspace(&x, p, levels) : 0;
    void *workspace = backend.allocate((elements + 1) * sizeof(real));
    struct timed_variant run = {v->multiply, &x, p, levels, workspace};
    struct contestant contestant = {time_variant, &run};
    double mean, largest;
    if (!workspace)
        return;
    warm_up_in_turn(&contestant, 1, 1);
    time_in_turn(&contestant, 1, 3);
    exact_compare(&d->exact, d->c, &mean, &largest);
    backend.release(workspace);
    double time = contestant.timing.median;
    if (!o->json) {
        char ms[32] = "-";
        if (!backend.simulated)
            snprintf(ms, sizeof ms, "%.3f", time);
        printf("%6ld %-11s %2d %10s  %.3e  %.3e\n", n, v->name, levels, ms, mean, largest);
        return;
    }
    struct json json = json_begin(stdout);
    json_text(&json, "step", o->step->name);
    json_text(&json, "variant", v->name);
    json_text(&json, "backend", backend.name);
    json_text(&json, "device", backend.device());
    json_text(&json, "precision", precision_names[o->precision]);
    json_whole(&json, "n", (double)n);
    json_whole(&json, "levels", levels);
    json_number_if(&json, !backend.simulated, "ms_median", time);
    json_number(&json, "mean_error", mean);
    json_number(&json, "max_error", largest);
    json_end(&json);
    fflush(stdout);
}

int measure_errors(const struct options *o)
{
    struct error_data d = {};
    struct variant leaf = {};
    leaf.name = o->step->leaves->name, leaf.multiply = o->step->leaves->multiply;
    bool enough = make(&d, o->n);
    if (!enough)
        fprintf(stderr, "--errors: not enough memory for n = %ld\n", o->n);
    if (enough && !o->json)
        printf("%6s %-11s %2s %10s  %-9s  %s\n", "n", "variant", "L", "ms", "mean", "largest");
    if (enough)
        measure_one(o, &leaf, 0, &d);
    for (const struct variant *v = o->step->variants; enough && v->name; v++)
        for (int levels = 0; levels <= MOST_LEVELS; levels++) {
            bool whole = o->n % (4L << levels) == 0 && o->n >> levels >= SMALLEST_LEAF;
            bool wanted = !o->variant || is_listed(o->variant, v->name);
            if (wanted && whole && (v->levels ? levels == 0 : levels > 0))
                measure_one(o, v, levels, &d);
        }
    destroy(&d);
    return enough ? EXIT_RIGHT : EXIT_RESOURCE;
}
