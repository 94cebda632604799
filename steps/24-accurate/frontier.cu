/* SPDX-License-Identifier: MIT */
/** @file frontier.cu
 * Time against error, see frontier.h.
 */
#include "frontier.h"

#include <math.h>
#include <stdio.h>

#include "common/device/backend.h"
#include "common/device/gpu.h"
#include "steps/18-modern/rungs.h"

enum { MOST_LEVELS = 5, MOST_CONTESTANTS = 8, SMALLEST_LEAF = 32, ROUNDS = 5, SAMPLES = 128 };

/// [samples]
/* Errors of C in SAMPLES random rows and columns. The exact element is a sum of two doubles,
   high + low: fma() gives the rounding error of a product, and Knuth's formula that of a sum.
 */
static __global__ void sample_errors(const real *a, const real *b, const real *c, long n,
                                     double *errors)
{
    long row = random_bits(blockIdx.x) % n, col = random_bits(SAMPLES + threadIdx.x) % n;
    double high = 0, low = 0;
    for (long l = 0; l < n; l++) {
        double x = a[row * n + l], y = b[l * n + col], product = __dmul_rn(x, y);
        double sum = high + product, added = sum - high;
        low += (high - (sum - added)) + (product - added) + fma(x, y, -product);
        high = sum;
    }
    errors[blockIdx.x * SAMPLES + threadIdx.x] = fabs(c[row * n + col] - high - low);
}
/// [samples]

static void errors_of(const struct rung_data *d, void *workspace, double *mean, double *largest)
{
    static double errors[SAMPLES * SAMPLES];
    sample_errors<<<SAMPLES, SAMPLES>>>(d->a, d->b, d->c, d->n, (double *)workspace);
    CHECK_LAUNCH();
    backend.download(errors, workspace, sizeof errors);
    *mean = *largest = 0;
    for (double error : errors) {
        *mean += error / (SAMPLES * SAMPLES);
        *largest = fmax(*largest, error);
    }
}

/* A variant in the contest. The first is cuBLAS, without levels. */
struct entry {
    struct timed_variant run;
    const char *name;
};

static void print_entry(const struct options *o, const struct entry *entry, const char *numbers,
                        struct product p, struct timing own, struct timing vendor,
                        const struct rung_data *d)
{
    double mean, largest;
    time_variant((void *)&entry->run); /* C holds the last contestant's result */
    errors_of(d, entry->run.workspace, &mean, &largest);
    double ratio = vendor.median / own.median;
    if (!o->json) {
        char speed[48] = "        -      -";
        if (!backend.simulated)
            snprintf(speed, sizeof speed, "%9.3f %6.3f", own.median, ratio);
        printf("%-8s %-11s %2d %s  %.3e  %.3e\n", numbers, entry->name, entry->run.levels,
               speed, mean, largest);
        return;
    }
    struct json json = rung_line(o, entry->name, "", p, entry->run.levels);
    json_text(&json, "numbers", numbers);
    if (!backend.simulated)
        rung_times(&json, p, own, vendor, ratio, 1);
    json_whole(&json, "samples", SAMPLES * SAMPLES);
    json_number(&json, "mean_error", mean);
    json_number(&json, "max_error", largest);
    json_end(&json);
    fflush(stdout);
}

/* cuBLAS and the variants with this number of levels, in turn. cuBLAS has a line in the first
   contest; in the others it is only the reference. */
static int contest(const struct options *o, int levels, const struct rung_data *d,
                   const char *numbers, bool is_first)
{
    struct context ctx = context_of(o);
    struct product p = rung_product(d, d->c);
    struct entry entries[MOST_CONTESTANTS] = {};
    struct contestant contestants[MOST_CONTESTANTS] = {};
    const struct leaf *leaf = o->step->leaves;
    entries[0] = (struct entry){{leaf->multiply, &ctx, p, 0, NULL}, leaf->name};
    size_t elements = SAMPLES * SAMPLES * sizeof(double) / sizeof(real);
    int count = 1;
    for (const struct variant *v = o->step->variants; v->name; v++) {
        if (o->variant && !is_listed(o->variant, v->name))
            continue;
        size_t needs = v->workspace(&ctx, p, levels);
        elements = needs > elements ? needs : elements;
        entries[count++] = (struct entry){{v->multiply, &ctx, p, levels, NULL}, v->name};
    }
    void *workspace = backend.allocate(elements * sizeof(real));
    if (!workspace)
        return EXIT_RESOURCE;
    for (int i = 0; i < count; i++) {
        entries[i].run.workspace = (real *)workspace;
        contestants[i].run = time_variant;
        contestants[i].what = &entries[i].run;
    }
    if (!backend.simulated) {
        warm_up_in_turn(contestants, count, 1);
        time_in_turn(contestants, count, ROUNDS);
    }
    for (int i = !is_first; i < count; i++)
        print_entry(o, entries + i, numbers, p, contestants[i].timing, contestants[0].timing,
                    d);
    backend.release(workspace);
    return EXIT_RIGHT;
}

int measure_frontier(const struct options *o)
{
    static const struct {
        enum rung_numbers numbers;
        const char *name;
    } all[] = {{RUNG_UNIFORM, "uniform"}, {RUNG_POSITIVE, "positive"}};
    int status = EXIT_RIGHT;
    if (!o->json)
        printf("%-8s %-11s %2s %9s %6s  %-9s  %s\n", "numbers", "variant", "L", "ms",
               "x vendor", "mean", "largest");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct rung_data d;
        if (!rung_data_make(&d, o->n, o->n, o->n, all[i].numbers, 0)) {
            fprintf(stderr, "--frontier: not enough memory for n = %ld\n", o->n);
            status = EXIT_RESOURCE;
        }
        bool is_first = true;
        for (int levels = 1; levels <= MOST_LEVELS && status == EXIT_RIGHT; levels++) {
            bool whole = o->n % (4L << levels) == 0 && o->n >> levels >= SMALLEST_LEAF;
            if (!whole || (o->levels >= 0 && o->levels != levels))
                continue;
            status = contest(o, levels, &d, all[i].name, is_first);
            is_first = false;
        }
        rung_data_free(&d);
    }
    return status;
}
