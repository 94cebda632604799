/* SPDX-License-Identifier: MIT */
/** @file gpu_rungs.cu
 * Times each variant against cuBLAS, see gpu_rungs.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/device/gpu.h"
#include "common/matrix/block.h"
#include "gpu_rungs.h"
#include "rungs.h"
#include "steps/18-modern/gpu.h"

#ifdef LADDER_F32
static const long sizes[] = {1024, 2048, 4096, 8192, 16384, 32768};
#else
static const long sizes[] = {1024, 2048, 4096, 8192, 16384};
#endif
enum { LONG_RUNS = 16384 }; /* from this size on small leaves are not measured */

/* This GPU's rates per millisecond: of a copy, and of the leaf that reads panels. */
struct gpu_rates {
    double bytes, panel_flops;
};

/* Elements of the matrices' size that the last levels read and write: A and B and their
   factors, the products and C. Without levels there is no combining. */
static double last_transfers(int levels)
{
    double grown = levels == 2 ? 49.0 / 16 : levels == 1 ? 7.0 / 4 : 1;
    return 2 * (1 + grown) + (levels ? grown + 1 : 0);
}

/* Multiplications at the leaf's rate plus bytes at the copy's; `leaf_flops` is cuBLAS's rate at
   the size of the leaf. If a level runs above the last ones, sums and products overlap, so the
   time is the larger of the two. */
static double predicted_ms(const struct gpu_rung *rung, struct product p, int levels,
                           struct gpu_rates rates, double leaf_flops)
{
    int last = rung->in_panels ? rung->in_panels(levels) : 0;
    int uppers = levels - last;
    double elements = 0; /* of a matrix, in all nodes of a level */
    double nodes = (double)p.c.rows * p.c.cols;
    for (int level = 0; level < uppers; level++, nodes *= 7.0 / 4)
        elements += rung->upper_quadrants / 4 * nodes;
    if (rung->in_panels)
        elements += last_transfers(last) * nodes;
    double flops = 2.0 * p.c.rows * p.c.cols * p.a.cols * pow(7.0 / 8, levels);
    double multiplying = flops / (rung->in_panels ? rates.panel_flops : leaf_flops);
    double moving = elements * sizeof(real) / rates.bytes;
    return rung->beside && uppers > 0 ? fmax(multiplying, moving) : multiplying + moving;
}

enum { RUNG_REPS = 9, RUNG_MS = 1200 };

/* cuBLAS's flops per millisecond on leaf x leaf blocks of these matrices. */
static double leaf_rate(const struct context *ctx, struct product p, long leaf)
{
    struct product block = product_on(part(p.a, 0, 0, leaf, leaf), part(p.b, 0, 0, leaf, leaf),
                                      part(p.c, 0, 0, leaf, leaf));
    struct timed_variant run = {ctx->leaf->multiply, ctx, block, 0, NULL};
    struct contestant contestant = {time_variant, &run};
    warm_up_in_turn(&contestant, 1, 1);
    time_in_turn(&contestant, 1, 3);
    return 2.0 * leaf * leaf * leaf / contestant.timing.median;
}

/* Measures one rung at one number of levels and prints a line. Returns 0 if a second run gave
   other bits. */
static int measure_rung(const struct options *o, const struct variant *v,
                        const struct context *ctx, struct product p, int levels,
                        const struct rung_data *d, real *workspace, size_t elements,
                        double predicted)
{
    struct product reference = p;
    reference.c.at = d->again;
    struct timed_variant ours = {v->multiply, ctx, p, levels, workspace},
                         theirs = {ctx->leaf->multiply, ctx, reference, levels, NULL};
    struct contestant both[] = {{time_variant, &ours}, {time_variant, &theirs}};
    warm_up_in_turn(both, 2, 1);
    double round_ms = both[0].timing.median + both[1].timing.median;
    time_in_turn(both, 2, rounds_within(RUNG_MS, round_ms, 1, RUNG_REPS));
    double difference = rung_difference(d), count = (double)p.c.rows * p.c.cols;
    CUDA_CHECK(cudaMemset(d->again, 0xff, (size_t)count * sizeof(real)));
    v->multiply(ctx, reference, levels, workspace); /* into the same place as cuBLAS before */
    bool repeatable = rung_same_bits(d);

    struct timing own = both[0].timing, vendor = both[1].timing;
    double ratio = vendor.median / own.median;
    if (o->json) {
        struct json json = rung_line(o, v->name, "cublas", p, levels), *j = &json;
        rung_times(j, p, own, vendor, 1);
        json_whole(j, "workspace_bytes", (double)elements * sizeof(real));
        json_number(j, "difference", difference);
        json_bool(j, "repeatable", repeatable);
        json_whole(j, "beside", ctx->settings[SET_BESIDE]);
        json_number(j, "predicted_ms", predicted);
        json_end(j);
    } else
        printf("%6ld %-11s %2d %10.3f %10.3f %10.3f %8.3f %9.0f %7.2f  %.1e%s\n", p.c.cols,
               v->name, levels, predicted, own.median, vendor.median, ratio,
               rung_gflops(p, own.median), (double)elements / count, difference,
               repeatable ? "" : "  NOT the same bits again");
    fflush(stdout);
    return repeatable;
}

/* The model's row of a variant. NULL if it has none: such a variant is not measured here. */
static const struct gpu_rung *modelled(const struct gpu_rung *rungs, const struct variant *v)
{
    for (; rungs->variant; rungs++)
        if (strcmp(rungs->variant, v->name) == 0)
            return rungs;
    return NULL;
}

/* Whether to measure this number of levels. A variant without levels runs once, the others with
   all levels that their leaves allow. Where runs are long, the smallest leaves are left out. */
static int levels_suit(const struct variant *v, const struct gpu_rung *rung, long n, int levels)
{
    long leaf = n >> levels, least = n >= LONG_RUNS ? 2 * rung->least : rung->least;
    if (n > rung->largest)
        return 0;
    return v->levels ? levels == 0 : levels > 0 && leaf >= least && leaf <= rung->most;
}

/* The rungs to measure, and how many of them gave other bits in a second run. */
struct measured {
    const struct gpu_rung *rungs;
    struct gpu_rates rates;
    int failed;
};

/* Measures all rungs on n x n matrices. */
static int measure_size(const struct options *o, const struct rung_data *d, void *what)
{
    struct measured *all = (struct measured *)what;
    long n = d->n;
    struct context ctx = context_of(o);
    struct product p = rung_product(d, d->c);
    for (const struct variant *v = o->step->variants; v->name; v++)
        for (int levels = 0; n >> levels >= 512; levels++) {
            const struct gpu_rung *rung = modelled(all->rungs, v);
            if (!rung || !levels_suit(v, rung, n, levels) ||
                (o->variant && !is_listed(o->variant, v->name)))
                continue;
            size_t elements = v->workspace(&ctx, p, levels);
            real *workspace =
                (real *)backend.allocate((elements ? elements : 1) * sizeof(real));
            double predicted =
                predicted_ms(rung, p, levels, all->rates,
                             rung->in_panels ? 1 : leaf_rate(&ctx, p, n >> levels));
            if (workspace)
                all->failed +=
                    !measure_rung(o, v, &ctx, p, levels, d, workspace, elements, predicted);
            else
                fprintf(stderr, "not enough memory for %s, n = %ld, %d levels\n", v->name, n,
                        levels);
            backend.release(workspace);
        }
    return EXIT_RIGHT;
}

static double time_copy(void *what)
{
    const struct rung_data *d = (const struct rung_data *)what;
    backend.start();
    CUDA_CHECK(
        cudaMemcpyAsync(d->c, d->a, d->n * d->n * sizeof(real), cudaMemcpyDeviceToDevice, 0));
    return backend.stop();
}

/* Measures a copy, and the leaf that reads panels on a size that fills the GPU. */
static struct gpu_rates measure_rates(const struct options *o, panel_rate *panel_flops)
{
    enum { RUNS = 5 };
    const long n = 8192;
    struct gpu_rates rates = {1, 1};
    struct rung_data d;
    if (rung_data_make(&d, n, n, n, RUNG_UNIFORM)) {
        struct contestant copying = {time_copy, &d};
        warm_up_in_turn(&copying, 1, 1);
        time_in_turn(&copying, 1, RUNS);
        rates.bytes = 2.0 * n * n * sizeof(real) / copying.timing.median;
        struct context ctx = context_of(o);
        if (panel_flops)
            rates.panel_flops = panel_flops(&ctx, rung_product(&d, d.c));
    }
    rung_data_free(&d);
    return rates;
}

int measure_gpu_rungs(const struct options *o, const struct gpu_rung *rungs,
                      panel_rate *panel_flops)
{
    if (no_times("rungs", o->step->leaves))
        return EXIT_RESOURCE;
    struct gpu_rates rates = measure_rates(o, panel_flops);
    struct measured all = {rungs, rates, 0};
    if (!o->json) {
        printf("on %s, %s; a copy moves %.2f TB/s", backend.device(),
               precision_names[o->precision], rates.bytes * 1e-9);
        if (panel_flops)
            printf(", the leaf that reads panels does %.2f TFLOP/s", rates.panel_flops * 1e-9);
        printf("\n\n%6s %-11s %2s %10s %10s %10s %8s %9s %7s  %s\n", "n", "variant", "L",
               "predicted", "ms", "cuBLAS", "faster", "GFLOP/s", "ws/n^2", "difference");
    }
    rung_sizes(o, sizes, sizeof sizes / sizeof *sizes, RUNG_UNIFORM, measure_size, &all);
    return all.failed ? EXIT_WRONG : EXIT_RIGHT;
}
