/* SPDX-License-Identifier: MIT */
/** @file rank_measure.c
 * Checks and times the variants on one rank. All ranks call this at the same time and in the
 * same order; rank 0 prints.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check/tiers.h"
#include "common/matrix/npy.h"
#include "common/measure/report.h"
#include "common/device/timer.h"
#include "ranks.h"

/* A variant's run on this rank, as a contestant of time_in_turn(). */
struct run {
    struct rank *rank;
    const struct result *result;
    struct context ctx;
    struct rank_part part;
    int number, count; /* of the timed runs; 0: warming up */
};

static void progress(const struct rank *r, const struct result *result, const char *what)
{
    if (rank_prints(r))
        report_progress(r->options, "%s: %s ...", result->variant->name, what);
}

static double one_run(void *what)
{
    struct run *run = what;
    char text[64];
    snprintf(text, sizeof text, "timed run %d of %d", ++run->number, run->count);
    if (run->count)
        progress(run->rank, run->result, text);
    return rank_run(run->rank, run->result->variant, &run->ctx, &run->part);
}

static double vendor_run(void *what)
{
    const struct run *run = what;
    struct product p;
    rank_has_all(run->rank, &p);
    backend.start();
    backend.vendor_multiply(run->rank->options->precision, p);
    return backend.stop();
}

/* Judges the last run; `when` comes before the reason. */
static void judge(struct rank *r, struct result *result, const char *when)
{
    char reason[sizeof result->verdict.reason];
    enum input input = r->a.input;
    result->verdict = rank_judge(r, result, input == INPUT_INTEGERS || input == INPUT_ZEROS);
    if (result->verdict.passed)
        return;
    memcpy(reason, result->verdict.reason, sizeof reason);
    snprintf(result->verdict.reason, sizeof reason, "%s%.*s", when, (int)sizeof reason - 128,
             reason);
}

/* Times a variant. C is judged only after the last run. If one rank has the whole product, the
   vendor's library runs after that, since it needs C as a single block. */
static void time_runs(struct run *run, struct result *result, double first_ms)
{
    struct rank *r = run->rank;
    const struct options *o = r->options;
    struct contestant ranks = {one_run, run}, vendor = {vendor_run, run};
    struct product p;
    int count = timed_runs(o, first_ms);
    rank_predict(r, &run->ctx, run->part.product);
    warm_up_in_turn(&ranks, 1, (int)o->warmup - 1); /* the first run has warmed up as well */
    run->number = 0, run->count = count;
    time_in_turn(&ranks, 1, count);
    result->timing = ranks.timing;
    judge(r, result, "after the timed runs: ");
    if (!result->verdict.passed || backend.simulated || !rank_has_all(r, &p))
        return;
    result->reference = backend.vendor((int)o->threads);
    if (!result->reference)
        return;
    warm_up_in_turn(&vendor, 1, 1);
    time_in_turn(&vendor, 1, count);
    result->reference_timing = vendor.timing;
}

/* The largest integers with which the variant stays exact; 0: there are none. */
static int magnitude_for(const struct options *o, const struct result *result)
{
    return integer_magnitude(result->variant->bound.scheme, result->levels, o->k, o->precision);
}

static void measure_variant(struct rank *r, struct result *result, struct matrix *c)
{
    const struct options *o = r->options;
    int magnitude = magnitude_for(o, result);
    struct run run = {r, result, context_of(o), rank_open(r, result), 0, 0};
    run.ctx.leaf_workspace = run.part.leaf_workspace;
    result->verdict.passed = true;
    if (o->reps != 0 && magnitude) {
        progress(r, result, "exact check on integers");
        rank_fill(r, INPUT_INTEGERS, magnitude);
        one_run(&run);
        judge(r, result, "on integers: ");
        result->judged |= JUDGED_INTEGERS;
    }
    if (result->verdict.passed) {
        progress(r, result, "first run, checked");
        rank_fill(r, o->input, magnitude);
        double first_ms = one_run(&run);
        judge(r, result, "");
        if (result->verdict.passed && !o->untimed && o->reps != 0)
            time_runs(&run, result, first_ms);
    }
    if (o->output && result->verdict.passed)
        rank_collect(r, c);
    rank_close(r);
}

/* Rank 0 prints why nothing more runs. Returns the status. */
static int give_up(const struct rank *r, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int give_up(const struct rank *r, int status, const char *format, ...)
{
    va_list arguments;
    if (!rank_prints(r))
        return status;
    report_progress(r->options, "%s", "");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    putc('\n', stderr);
    return status;
}

/* Plans the variants that were asked for, and keeps those that fit. */
static void choose_variants(struct rank *r, struct outcome *out)
{
    const struct options *o = r->options;
    for (const struct variant *v = o->step->variants; v->name; v++) {
        struct result *result = &out->results[out->count];
        if (!is_chosen(o, v))
            continue;
        *result = (struct result){.variant = v,
                                  .shape = product_of_size(o->m, o->n, o->k),
                                  .counts = {-1, -1},
                                  .cost = {-1, -1, -1}};
        if (rank_plans(r, result)) {
            out->count++;
            continue;
        }
        out->left_out++;
        if (rank_prints(r))
            report_skip(o, result, 0);
    }
}

static int measure_all(struct rank *r, struct outcome *out)
{
    const struct options *o = r->options;
    const struct leaf *leaf = context_of(o).leaf;
    const char *missing = leaf->missing ? leaf->missing() : NULL;
    struct matrix c = {0};
    char why[512];
    if (rank_prints(r))
        report_size(o);
    choose_variants(r, out);
    if (!out->count)
        return give_up(r, EXIT_RESOURCE, "%s", rank_has_nothing_left(r));
    if (missing)
        return give_up(r, EXIT_RESOURCE, "--leaf %s: %s", leaf->name, missing);
    for (int i = 0; i < out->count; i++)
        if (!input_is_promised(o, &out->results[i], why, sizeof why))
            return give_up(r, EXIT_USAGE, "%s", why);
    if (rank_prints(r))
        report_start(o, out, "");
    for (int i = 0; i < out->count; i++) {
        struct result *result = &out->results[i];
        measure_variant(r, result, &c);
        *(result->verdict.passed ? &out->right : &out->wrong) += 1;
        if (rank_prints(r))
            report_result(o, result);
        const char *wrong = c.host ? npy_write(o->output, &c) : NULL;
        matrix_destroy(&c);
        if (wrong)
            return give_up(r, EXIT_RESOURCE, "--output %s", wrong);
    }
    if (rank_prints(r))
        report_end(o, out);
    return out->wrong ? EXIT_WRONG : out->left_out && o->variant ? EXIT_RESOURCE : EXIT_RIGHT;
}

/* Ranks may be hundreds of threads: outcomes would not fit on their stacks. */
int rank_measure(const struct options *o)
{
    struct outcome *out = comm_allocate(o->rank->comm, sizeof *out, "the results of a rank");
    int status = measure_all(o->rank, out);
    free(out);
    return status;
}
