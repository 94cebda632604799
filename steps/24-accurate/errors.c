/* SPDX-License-Identifier: MIT */
/** @file errors.c
 * --errors: how much larger a variant's mean error is than the classical product's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/check/trial.h"
#include "common/matrix/input.h"
#include "common/measure/report.h"
#include "tables.h"

enum { MOST_LEVELS = 4, SEEDS = 5 };

/* One product: the operands, the result in double and the space of a variant. */
struct sample {
    long n;
    struct block a, b, c;
    double *reference;
};

static struct block new_block(long n)
{
    return (struct block){malloc((size_t)(n * n) * sizeof(real)), n, n, n};
}

static struct sample new_sample(long n)
{
    return (struct sample){n, new_block(n), new_block(n), new_block(n),
                           malloc((size_t)(n * n) * sizeof(double))};
}

static void free_sample(struct sample *s)
{
    free(s->a.at), free(s->b.at), free(s->c.at), free(s->reference);
}

static void fill(struct sample *s, enum input input, uint64_t seed)
{
    long n = s->n;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            s->a.at[i * n + j] = (real)input_element(input, OPERAND_A, seed, 1, n, n, i, j);
            s->b.at[i * n + j] = (real)input_element(input, OPERAND_B, seed, 1, n, n, i, j);
            s->reference[i * n + j] = 0;
        }
    for (long i = 0; i < n; i++)
        for (long l = 0; l < n; l++)
            for (long j = 0; j < n; j++)
                s->reference[i * n + j] +=
                    (double)s->a.at[i * n + l] * (double)s->b.at[l * n + j];
}

/* The mean error of a variant; negative if there is too little memory. */
static double mean_error(const struct options *o, const struct variant *v, int levels,
                         const struct sample *s)
{
    struct context ctx = context_of(o);
    struct product p = {s->a, s->b, s->c, 0};
    size_t bytes = (v->workspace(&ctx, p, levels) * sizeof(real) + 63) / 64 * 64 + 64;
    real *workspace = aligned_alloc(64, bytes);
    if (!workspace)
        return -1;
    v->multiply(&ctx, p, levels, workspace);
    free(workspace);
    double sum = 0;
    for (long i = 0; i < s->n * s->n; i++)
        sum += fabs((double)s->c.at[i] - s->reference[i]);
    return sum / ((double)s->n * (double)s->n);
}

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
}

int measure_errors(const struct options *o)
{
    static const enum input inputs[] = {INPUT_UNIFORM, INPUT_POSITIVE};
    const struct variant *classical = o->step->variants;
    const struct leaf *leaf = context_of(o).leaf;
    const char *missing = leaf->missing ? leaf->missing() : NULL;
    if (missing) {
        fprintf(stderr, "--errors: %s\n", missing);
        return EXIT_RESOURCE;
    }
    struct sample samples = new_sample(o->n);
    bool enough = samples.a.at && samples.b.at && samples.c.at && samples.reference;
    if (enough && !o->json)
        puts("mean error divided by the classical product's, mean of 5 seeds\n"
             "input     variant        levels  error ratio");
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs && enough; i++) {
        double sums[16][MOST_LEVELS + 1] = {{0}};
        for (int seed = 0; seed < SEEDS && enough; seed++) {
            fill(&samples, inputs[i], (uint64_t)(o->seed + seed));
            double base = mean_error(o, classical, 0, &samples);
            for (int v = 1; classical[v].name; v++)
                for (int levels = 1; levels <= MOST_LEVELS && enough; levels++) {
                    double error = mean_error(o, classical + v, levels, &samples);
                    enough = base > 0 && error >= 0;
                    sums[v][levels] += error / base / SEEDS;
                }
        }
        for (int v = 1; classical[v].name && enough; v++)
            for (int levels = 1; levels <= MOST_LEVELS; levels++)
                if (!o->variant || is_listed(o->variant, classical[v].name))
                    print_ratio(o, classical + v, inputs[i], levels, sums[v][levels]);
    }
    if (!enough)
        fprintf(stderr, "--errors: not enough memory for n = %ld\n", o->n);
    free_sample(&samples);
    return enough ? EXIT_RIGHT : EXIT_RESOURCE;
}
