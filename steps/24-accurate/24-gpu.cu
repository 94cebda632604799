/* SPDX-License-Identifier: MIT */
/** @file 24-gpu.cu
 * The table of Dumas, Pernet and Sedoglavic over step 19's panels, next to Winograd's method.
 */
#include <math.h>
#include <stdio.h>

#include "common/device/backend.h"
#include "common/device/gpu.h"
#include "common/model.h"
#include "steps/24-accurate/gpu/dps.cuh"
#include "steps/24-accurate/schemes/models.h"
#include "steps/18-modern/rungs/rungs.h"

static const struct variant variants[] = {
    method_row("winograd", "step 19's last rung: Winograd's sums during the multiplications",
               in_program<beside<winograd_method>>, workspace_beside<winograd_method>),
    method_row("dps-panels", "the sums of dps, the last two levels in one pass",
               in_program<two_levels<dps_method>>, workspace_two_levels<dps_method>,
               &dps_scheme, NULL),
    method_row("dps", "the same, the next problem's sums during the multiplications",
               in_program<beside<dps_method>>, workspace_beside<dps_method>, &dps_scheme, NULL),
    {0},
};

/* ---- --frontier ---- */

enum { MOST_LEVELS = 5, SMALLEST_LEAF = 32, ROUNDS = 5 };

static bool check_frontier(struct rung *rung, const struct rung_data *d, void *nothing)
{
    (void)nothing;
    time_variant(&rung->run);
    rung_errors(rung, d);
    return true;
}

/* The simulated GPU has no times. */
static void report_frontier(const struct options *o, const struct rung *rung, struct timing own,
                            struct timing vendor)
{
    const char *numbers = (const char *)rung->row;
    const char *name = rung->variant ? rung->variant->name : "cublas";
    double ms = backend.simulated ? NAN : own.median, ratio = vendor.median / ms;
    if (!o->json) {
        printf("%-8s %-11s %2d %9.3f %6.3f  %.3e  %.3e\n", numbers, name, rung->run.levels, ms,
               ratio, rung->mean, rung->most);
        return;
    }
    struct json json = rung_line(o, name, "", rung->run.product, rung->run.levels);
    json_text(&json, "numbers", numbers);
    if (!backend.simulated)
        rung_times(&json, rung->run.product, own, vendor, 1);
    json_whole(&json, "samples", RUNG_SAMPLES);
    json_number(&json, "mean_error", rung->mean);
    json_number(&json, "max_error", rung->most);
    json_end(&json);
    fflush(stdout);
}

/* cuBLAS and every variant with 1 to 5 levels, or with --levels, in turn on n x n matrices. */
static int frontier_on(const struct options *o, const struct rung_data *d, const char *numbers)
{
    const double enough_ms = 1e6;
    const struct rung_table table = {enough_ms, ROUNDS, check_frontier, NULL, report_frontier};
    struct rung rungs[MOST_RUNGS];
    struct context ctx = context_of(o);
    struct product p = rung_product(d, d->c);
    rungs[0] = rung_of(NULL, numbers, &ctx, p, 0);
    rungs[0].run.multiply = multiply_cublas;
    int count = 1;
    for (int levels = 1; levels <= MOST_LEVELS; levels++)
        for (const struct variant *v = o->step->variants; v->name; v++)
            if (o->n % (4L << levels) == 0 && o->n >> levels >= SMALLEST_LEAF &&
                (o->levels < 0 || o->levels == levels) &&
                (!o->variant || is_listed(o->variant, v->name)))
                rungs[count++] = rung_of(v, numbers, &ctx, p, levels);
    return measure_rungs_of(o, d, rungs, count, &table);
}

/* A line for each: times, the ratio to cuBLAS in the same rounds, and the mean and the largest
   error of 16,384 elements. */
static int measure_frontier(const struct options *o)
{
    static const char *const names[] = {"uniform", "positive"}; /* as enum rung_numbers */
    int status = EXIT_RIGHT;
    if (!o->json)
        printf("%-8s %-11s %2s %9s %6s  %-9s  %s\n", "numbers", "variant", "L", "ms",
               "x vendor", "mean", "largest");
    for (int i = 0; i < 2 && status == EXIT_RIGHT; i++) {
        struct rung_data d = {};
        if (rung_data_make(&d, o->n, o->n, o->n, (enum rung_numbers)i)) {
            status = frontier_on(o, &d, names[i]);
        } else {
            fprintf(stderr, "--frontier: not enough memory for n = %ld\n", o->n);
            status = EXIT_RESOURCE;
        }
        rung_data_free(&d);
    }
    return status;
}

static const struct leaf leaves[] = {
    {.name = "cublas", .sentence = "cublasSgemm or cublasDgemm", .multiply = multiply_cublas},
    {0},
};

static const struct action actions[] = {
    {.name = "frontier",
     .help = "time and error of cuBLAS and every variant, in turn, with 1 to 5 levels at --n",
     .run = measure_frontier,
     .json = 1,
     .heeds = "n,levels,variant,leaf,beside"},
    {0},
};

static const struct setting settings[] = {
    {.name = "beside",
     .argument = "N",
     .help = "most blocks of a kernel of sums during multiplications; 0: no limit; f64: 44",
     .max = 1000000,
     .standard = sizeof(real) == 4 ? 264 : 44},
    {0},
};

const struct step STEP = {
    .name = "24-gpu",
    .idea = "seven products with a fifth of Winograd's error, at nearly the same speed",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .settings = settings,
    .default_n = 256,
    .default_tau1 = 1024,
};
