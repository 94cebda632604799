/* SPDX-License-Identifier: MIT */
/** @file errors.cu
 * The error and the time of each variant, see errors.h.
 */
#include "errors.h"

#include <stdio.h>

#include "common/device/backend.h"
#include "steps/18-modern/rungs.h"

enum { MOST_LEVELS = 5, SMALLEST_LEAF = 32 };

/* Measures one variant at one number of levels and prints a line. */
static void measure_one(const struct options *o, const struct variant *v, int levels,
                        const struct rung_data *d)
{
    struct context ctx = context_of(o);
    struct product p = rung_product(d, d->c);
    size_t elements = v->workspace ? v->workspace(&ctx, p, levels) : 0;
    void *workspace = backend.allocate((elements + 1) * sizeof(real));
    struct timed_variant run = {v->multiply, &ctx, p, levels, workspace};
    struct contestant contestant = {time_variant, &run};
    double mean, largest;
    if (!workspace)
        return;
    warm_up_in_turn(&contestant, 1, 1);
    time_in_turn(&contestant, 1, 3);
    rung_errors(d, d->c, &mean, &largest);
    backend.release(workspace);
    double time = contestant.timing.median;
    if (!o->json) {
        char ms[32] = "-";
        if (!backend.simulated)
            snprintf(ms, sizeof ms, "%.3f", time);
        printf("%6ld %-11s %2d %10s  %.3e  %.3e\n", o->n, v->name, levels, ms, mean, largest);
        return;
    }
    struct json json = rung_line(o, v->name, "", p, levels);
    json_number_if(&json, !backend.simulated, "ms_median", time);
    json_number(&json, "mean_error", mean);
    json_number(&json, "max_error", largest);
    json_end(&json);
    fflush(stdout);
}

int measure_errors(const struct options *o)
{
    struct rung_data d;
    struct variant leaf = {};
    leaf.name = o->step->leaves->name, leaf.multiply = o->step->leaves->multiply;
    bool enough = rung_data_make(&d, o->n, o->n, o->n, RUNG_UNIFORM, o->n);
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
    rung_data_free(&d);
    return enough ? EXIT_RIGHT : EXIT_RESOURCE;
}
