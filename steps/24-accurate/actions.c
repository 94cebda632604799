/* SPDX-License-Identifier: MIT */
/** @file actions.c
 * --tables and --errors: what follows from each table, and what is measured.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/check/trial.h"
#include "common/device/host.h"
#include "common/matrix/input.h"
#include "steps/18-modern/rungs/rungs.h"
#include "common/sizes.h"
#include "steps/24-accurate/schemes/models.h"
#include "tables.h"

/* Runs a variant, and returns its mean error; NaN if there is too little memory. */
static double run(struct trial *trial, struct options *o, const struct variant *v, int levels)
{
    struct result r;
    o->levels = levels;
    trial_describe(trial, &r, v);
    if (!workspace_create(&trial->workspace, o->precision, r.workspace_bytes))
        return NAN;
    trial_run(trial, &r);
    struct tolerance tolerance = trial_tolerance(trial, &r, o->input);
    double error = trial_judge(trial, &tolerance, "").mean_error;
    workspace_destroy(&trial->workspace);
    return error;
}

/* ---- --errors ---- */

enum { MOST_LEVELS = 6, LEVELS = 4, SMALLEST_LEAF = 8, SEEDS = 5, MOST_VARIANTS = 16 };

static void print_ratio(const struct options *o, const struct variant *v, enum input input,
                        int levels, double ratio)
{
    if (!o->json) {
        printf("%-9s %-14s %6d  %10.2f\n", input_names[input], v->name, levels, ratio);
        return;
    }
    const char *leaf = context_of(o).leaf->name;
    struct json json = rung_line(o, v->name, leaf, product_of_size(o->n, o->n, o->n), levels);
    json_text(&json, "input", input_names[input]);
    json_whole(&json, "seeds", SEEDS);
    json_whole(&json, "copies", (double)o->settings[0]);
    json_number(&json, "error_ratio", ratio);
    json_end(&json);
    fflush(stdout);
}

/* The most levels of a variant, or 0 if it is not asked for. */
static int levels_of(const struct options *o, const struct variant *v)
{
    long levels = smaller(o->levels < 0 ? LEVELS : o->levels, MOST_LEVELS);
    while (levels && o->n / scheme_blocks(v->bound.scheme, (int)levels) < SMALLEST_LEAF)
        levels--;
    return o->variant && !is_listed(o->variant, v->name) ? 0 : (int)levels;
}

/* All variants on one kind of numbers; false if there is too little memory. */
static bool errors_on(const struct options *asked, enum input input)
{
    const struct variant *classical = asked->step->variants;
    double sums[MOST_VARIANTS][MOST_LEVELS + 1] = {{0}};
    for (int seed = 0; seed < SEEDS; seed++) {
        struct options o = *asked;
        struct trial trial = {.options = &o};
        double base = NAN;
        o.m = o.k = o.n, o.input = input, o.seed += seed;
        if (trial_create(&trial)) {
            trial_fill(&trial, input, 1);
            if (reference_create(&trial.reference, &trial.a, &trial.b))
                base = run(&trial, &o, classical, 0);
        }
        for (int v = 1; classical[v].name && base > 0; v++)
            for (int levels = 1; levels <= levels_of(asked, classical + v); levels++)
                sums[v][levels] += run(&trial, &o, classical + v, levels) / base / SEEDS;
        trial_destroy(&trial);
        if (isnan(base))
            return false;
    }
    for (int v = 1; classical[v].name; v++)
        for (int levels = 1; levels <= levels_of(asked, classical + v); levels++) {
            if (isnan(sums[v][levels]))
                return false;
            print_ratio(asked, classical + v, input, levels, sums[v][levels]);
        }
    return true;
}

int measure_errors(const struct options *o)
{
    const struct leaf *leaf = context_of(o).leaf;
    const char *missing = leaf->missing ? leaf->missing() : NULL;
    if (missing) {
        fprintf(stderr, "--errors: %s\n", missing);
        return EXIT_RESOURCE;
    }
    if (!o->json)
        puts("mean error divided by the classical product's, mean of 5 seeds\n"
             "input     variant        levels  error ratio");
    if (errors_on(o, INPUT_UNIFORM) && errors_on(o, INPUT_POSITIVE))
        return EXIT_RIGHT;
    fprintf(stderr, "--errors: not enough memory for n = %ld\n", o->n);
    return EXIT_RESOURCE;
}

/* ---- --tables ---- */

/* What a variant adds on two levels of its smallest blocks, and what the model says. False if
   they differ. */
static bool count_additions(const struct options *o, const struct variant *v)
{
    const struct scheme *s = v->bound.scheme;
    struct context ctx = context_of(o);
    real x[3][MOST_BLOCKS * MOST_BLOCKS] = {{0}};
    long n = s->k * s->k;
    struct product p = {{x[0], n, n, n}, {x[1], n, n, n}, {x[2], n, n, n}};
    ctx.variant = v, ctx.threads = 1;
    struct workspace workspace;
    double counted = 0, wanted = scheme_additions(s, (double)n, 2);
    if (workspace_create(&workspace, o->precision, tables_workspace(&ctx, p, 2) * sizeof(real)))
        count_by_tables(&ctx, p, 2, workspace.start, &counted);
    workspace_destroy(&workspace);
    printf("  two levels of %ld x %ld numbers: %g additions counted, %g by the table\n", n, n,
           counted, wanted);
    return counted == wanted;
}

int print_tables(const struct options *o)
{
    bool all_right = true;
    const struct scheme *last = NULL;
    for (const struct variant *v = o->step->variants; v->name; v++) {
        const struct scheme *s = v->bound.scheme;
        if (!s || s == last) /* the second with the same table is a mixture */
            continue;
        last = s;
        struct scheme_work work = scheme_work(s);
        char message[256] = "all equations hold";
        all_right = scheme_is_right(s, message, sizeof message) && all_right;
        printf("%s: %d products of %d x %d by %d x %d blocks: %s\n", s->name, s->products, s->m,
               s->k, s->k, s->n, message);
        printf("  operations grow like n^%.3f; a level adds %d sums and reads and writes %d "
               "blocks\n",
               scheme_exponent(s), work.additions,
               work.transfers[0] + work.transfers[1] + work.transfers[2]);
        char blocks[256] = "";
        for (int q = 0, used = 0; q < s->m * s->n && used < (int)sizeof blocks; q++)
            used += snprintf(blocks + used, sizeof blocks - (size_t)used, "%s%g", q ? ", " : "",
                             scheme_stability(s, q));
        say(stdout, "  growth of errors, maximum norm: %g (%s in C's blocks); 2-norm: %.1f\n",
            scheme_growth(s), blocks, scheme_growth_in_2_norm(s));
        printf("  average growth on random numbers, per level: %.2f\n",
               scheme_average_growth(s));
        all_right = count_additions(o, v) && all_right;
    }
    return all_right ? EXIT_RIGHT : EXIT_WRONG;
}
