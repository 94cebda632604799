/* SPDX-License-Identifier: MIT */
/** @file cpu_rungs.c
 * Times every way of this step against OpenBLAS. In every round each way runs next to a run of
 * OpenBLAS, and the median of these ratios counts: a busy moment of the machine then hits both
 * sides of a ratio.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "common/device/backend.h"
#include "common/device/host.h"
#include "common/device/vendor.h"
#include "common/matrix/input.h"
#include "common/measure/report.h"
#include "common/measure/timing_loop.h"
#include "packing.h"
#include "steps/02-cpu-blocked/packed.h"
#include "winograd.h"

enum { RUNG_REPS = 5, MOST_RUNGS = 32 };

/* ---- The model
 * --------------------------------------------------------------------------------- */

/* What the machine can do, on all threads that were asked for. Per millisecond. */
struct cpu_rates {
    double flops; /* of the micro-kernel on packed panels that stay in its cache */
    double bytes; /* of a sum of two arrays into a third, too large for any cache */
};

/// [model]
/* What one level of a way reads and writes. Sums that are made while packing count as terms,
   sums made in memory as blocks that are moved there. */
struct way {
    const char *variant;
    int terms; /* of A in the seven products: 12 or 14, and as many of B and places of C */
    int blocks_moved; /* by passes over memory, a level */
    bool collected;   /* a product goes to C once, not for every panel of k */
};
static const struct way ways[] = {
    {"packed", 7, 0, false},           {"packed-both", 12, 0, false},
    {"packed-winograd", 14, 0, false}, {"packed-sums", 12, 0, true},
    {"by-size", 12, 0, true},          {"fused", 7, 23, false},
    {"figure3", 7, 45, false}};

/* Elements moved between memory and the caches: the operands' terms as they are packed; C, or
   the block in which a product is collected, read and written once for each panel of k; and
   passes. */
static double elements_moved(const struct way *way, struct product p, int levels,
                             struct blocks s)
{
    double nodes = pow(7, levels), terms = pow(way->terms, levels), quarter = pow(4, levels);
    double a = (double)p.c.rows * (double)p.a.cols / quarter,
           b = (double)p.a.cols * (double)p.c.cols / quarter,
           c = (double)p.c.rows * (double)p.c.cols / quarter;
    double panels = (double)pieces_of(p.a.cols >> levels, s.kc);
    double columns = (double)pieces_of(p.c.cols >> levels, s.nc);
    double passes = 0, size = (a + b + c) / 3 * quarter / 4;
    for (int level = 0; level < levels; level++, size *= 7.0 / 4)
        passes += way->blocks_moved * size;
    if (way->collected)
        return terms * (columns * a + b + 2 * c) + 2 * (panels - 1) * nodes * c;
    return terms * (columns * a + b + 2 * panels * c) + passes;
}

static double predicted_ms(const struct way *way, const struct context *ctx, struct product p,
                           int levels, struct cpu_rates rates)
{
    double flops =
        2.0 * (double)p.c.rows * (double)p.c.cols * (double)p.a.cols * pow(7.0 / 8, levels);
    double bytes = elements_moved(way, p, levels, default_blocks(ctx->threads)) * sizeof(real);
    return flops / rates.flops + bytes / rates.bytes;
}
/// [model]

/* All threads at once: each multiplies its own packed panels, which stay in its caches. */
static double kernel_rate(int threads)
{
    const struct kernel *kernel = chosen_kernel();
    struct blocks s = default_blocks(threads);
    long rows = larger(1, smaller(s.mc, 20 * s.mr) / s.mr) * s.mr, cols = 2 * kernel->nr;
    size_t elements =
        (size_t)(round_up(rows * s.kc, 16) + round_up(cols * s.kc, 16) + rows * cols);
    real *panels = backend.allocate(elements * (size_t)threads * sizeof(real) + 64);
    enum { ROUNDS = 40 };
    double ms = INFINITY;
    for (int again = 0; panels && again < 5; again++) {
        double start = 0;
#pragma omp parallel num_threads(threads)
        {
            int thread = 0;
#ifdef _OPENMP
            thread = omp_get_thread_num();
#endif
            real *a = panels + elements * (size_t)thread, *b = a + round_up(rows * s.kc, 16);
            real *c = b + round_up(cols * s.kc, 16);
            struct sum to = {1, cols, {{c, rows, cols, 1, true}}};
            for (size_t i = 0; i < elements; i++)
                a[i] = 0;
#pragma omp barrier
#pragma omp master
            start = timer_now();
            for (int i = 0; i < ROUNDS; i++)
                kernel->multiply(rows, cols, s.kc, s.mr, a, b, &to, 0, 0, i == 0, true, NULL);
        }
        ms = fmin(ms, timer_now() - start);
    }
    backend.release(panels);
    return 2.0 * (double)rows * (double)cols * (double)s.kc * ROUNDS * threads / ms;
}

/* z = x + y by all threads: bytes read and written. */
static double stream_rate(int threads)
{
    enum { COUNT = 1 << 24 };
    real *x = backend.allocate(3 * (size_t)COUNT * sizeof(real)), *y = x + COUNT,
         *z = y + COUNT;
    double ms = INFINITY;
    for (int again = 0; x && again < 5; again++) {
        double start = timer_now();
#pragma omp parallel for num_threads(threads)
        for (long i = 0; i < COUNT; i++)
            z[i] = again ? x[i] + y[i] : 1;
        ms = again > 1 ? fmin(ms, timer_now() - start) : ms;
    }
    backend.release(x);
    return 3.0 * COUNT * sizeof(real) / ms;
}

/* ---- Measuring
 * --------------------------------------------------------------------------------- */

/* What one line measures: a variant with this many levels over a leaf, or a leaf alone. */
struct cpu_rung {
    const char *variant, *leaf;
    int levels;
    const struct way *way; /* NULL: not modelled */
    multiplication *multiply;
    size_t (*workspace)(const struct context *ctx, struct product p, int levels);
    struct context ctx;
    struct product product;
    void *memory;
    double predicted;
};

static double run_rung(void *what)
{
    const struct cpu_rung *rung = what;
    struct product p = rung->product;
    let_threads_sleep();
    double start = timer_now();
    rung->multiply(&rung->ctx, p, rung->levels, rung->memory);
    return timer_now() - start;
}

static const struct way *way_of(const char *variant)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].variant, variant) == 0)
            return &ways[i];
    return NULL;
}

/* How many times as fast as the neighbouring runs of OpenBLAS. */
static double median_ratio(const struct contestant *reference, const struct contestant *own)
{
    double ratios[TIMING_MOST];
    for (int i = 0; i < own->count; i++)
        ratios[i] = reference->ms[i] / own->ms[i];
    return timing_of(ratios, own->count).median;
}

static void report_rung(const struct options *o, const struct cpu_rung *rung,
                        struct cpu_rates rates, double ratio, struct timing own,
                        struct timing reference, double differs)
{
    struct product p = rung->product;
    size_t elements = rung->workspace ? rung->workspace(&rung->ctx, p, rung->levels) : 0;
    size_t bytes = elements * sizeof(real);
    if (!o->json) {
        printf("%-16s %-8s %d %10.2f %10.2f %9.1f %7.3f %10s %9.1e\n", rung->variant,
               rung->leaf ? rung->leaf : "-", rung->levels, rung->predicted, own.median,
               rung_gflops(p, own.median), ratio, readable_bytes((double)bytes), differs);
        return;
    }
    struct json json = rung_line(o, rung->variant, rung->leaf, p, rung->levels), *j = &json;
    json_whole(j, "threads", rung->ctx.threads);
    rung_times(j, p, own, reference, ratio, rung->ctx.threads);
    json_number_if(j, rung->way, "predicted_ms", rung->predicted);
    json_number(j, "kernel_gflops", rates.flops / 1e6);
    json_number(j, "memory_gb_s", rates.bytes / 1e6);
    json_whole(j, "workspace_bytes", (double)bytes);
    json_number(j, "difference", differs);
    json_text(j, "note", packed_note());
    json_end(j);
    fflush(stdout);
}

/* Whether the options let a rung through. `v` is its variant; NULL: a leaf alone. */
static bool is_wanted(const struct options *o, const struct cpu_rung *r,
                      const struct variant *v)
{
    const char *leaf = v ? r->leaf : r->variant;
    if (o->leaf && leaf[0] != '-' && strcmp(leaf, o->leaf) != 0)
        return false;
    return !v || ((!o->variant || is_listed(o->variant, r->variant)) &&
                  (o->levels < 0 || r->levels < 0 || r->levels == o->levels));
}

/* Lists what can be measured: step 02's product, and the variants of this step. -1 level: the
 * variant chooses. */
static int list_rungs(const struct options *o, struct product p, struct cpu_rung *rungs)
{
    static const struct cpu_rung all[] = {
        {"packed", "-", 0},          {"packed-both", "-", 1}, {"packed-both", "-", 2},
        {"packed-sums", "-", 1},     {"packed-sums", "-", 2}, {"packed-winograd", "-", 1},
        {"packed-winograd", "-", 2}, {"by-size", "-", -1},    {"mixed", "-", 2},
        {"mixed", "-", 3},           {"fused", "packed", 1},  {"fused", "packed", 2},
        {"fused", "openblas", 1},    {"fused", "openblas", 2}};
    int count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct cpu_rung *r = &all[i];
        const struct variant *v = find_variant(o->step->variants, r->variant);
        if (!is_wanted(o, r, v))
            continue;
        struct cpu_rung *rung = &rungs[count++];
        *rung = *r;
        rung->way = way_of(r->variant);
        rung->product = p;
        rung->ctx.threads = (int)o->threads;
        rung->ctx.leaf = find_leaf(o->step->leaves, r->leaf[0] == '-' ? NULL : r->leaf);
        const struct leaf *alone = v ? NULL : find_leaf(o->step->leaves, r->variant);
        rung->multiply = v ? v->multiply : alone->multiply;
        rung->workspace = v ? v->workspace : alone->workspace;
        if (v && v->levels)
            rung->levels = v->levels(&rung->ctx, p, r->levels);
    }
    return count;
}

/* NaN if one is. */
static double largest_difference(const real *x, const real *y, long count)
{
    double most = 0;
    for (long i = 0; i < count; i++) {
        double difference = fabs((double)x[i] - (double)y[i]);
        if (difference > most || isnan(difference))
            most = difference;
    }
    return most;
}

static void run_rungs(const struct options *o, struct product p, real *vendor_c,
                      real *workspace, struct cpu_rung *rungs, int count)
{
    int threads = (int)o->threads;
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    struct cpu_rung vendor = {
        .multiply = multiply_openblas, .ctx = {.threads = threads}, .product = p};
    struct contestant contestants[2 * MOST_RUNGS]; /* OpenBLAS, then a rung, and so on */
    vendor.product.c.at = vendor_c;
    struct cpu_rates rates = {kernel_rate(threads), stream_rate(threads)};
    if (!o->json)
        printf(
            "%ld x %ld x %ld, %s, %d threads; kernel %.0f GFLOP/s, memory %.1f GB/s; %s\n%s\n"
            "%-16s %-8s %s %10s %10s %9s %7s %10s %9s\n",
            m, n, k, precision_names[o->precision], threads, rates.flops / 1e6,
            rates.bytes / 1e6, openblas_load(threads), packed_note(), "variant", "leaf", "L",
            "predicted", "ms", "GFLOP/s", "ratio", "workspace", "differs");
    for (int i = 0; i < count; i++) {
        rungs[i].memory = workspace;
        rungs[i].predicted =
            rungs[i].way ? predicted_ms(rungs[i].way, &rungs[i].ctx, p, rungs[i].levels, rates)
                         : NAN;
        contestants[2 * i] = (struct contestant){run_rung, &vendor};
        contestants[2 * i + 1] = (struct contestant){run_rung, &rungs[i]};
    }
    warm_up_in_turn(contestants, 2 * count, (int)o->warmup);
    time_in_turn(contestants, 2 * count,
                 o->reps > 0 ? (int)smaller(o->reps, TIMING_MOST) : RUNG_REPS);
    for (int i = 0; i < count; i++) {
        memset(p.c.at, 0xff, (size_t)(m * n) * sizeof(real));
        rungs[i].multiply(&rungs[i].ctx, p, rungs[i].levels, workspace);
        report_rung(o, &rungs[i], rates,
                    median_ratio(&contestants[2 * i], &contestants[2 * i + 1]),
                    contestants[2 * i + 1].timing, contestants[2 * i].timing,
                    largest_difference(p.c.at, vendor_c, m * n));
    }
    if (!o->json && count)
        printf("%-16s %-8s - %10s %10.2f %9.1f\n", "OpenBLAS", "-", "",
               contestants[0].timing.median, rung_gflops(p, contestants[0].timing.median));
}

int measure_cpu_rungs(const struct options *o)
{
    struct product p = product_of_size(o->m, o->n, o->k);
    struct cpu_rung rungs[MOST_RUNGS];
    struct matrix a = {0}, b = {0};
    if (!openblas_load((int)o->threads)) {
        fprintf(stderr, "--rungs: %s\n", openblas_missing());
        return EXIT_RESOURCE;
    }
    int count = list_rungs(o, p, rungs);
    size_t elements = 16;
    for (int i = 0; i < count; i++)
        if (rungs[i].workspace)
            elements = (size_t)larger(
                (long)elements, (long)rungs[i].workspace(&rungs[i].ctx, p, rungs[i].levels));
    size_t c_bytes = (size_t)(o->m * o->n) * sizeof(real);
    real *c = backend.allocate(c_bytes), *vendor_c = backend.allocate(c_bytes);
    real *workspace = backend.allocate(elements * sizeof(real));
    bool done = c && vendor_c && workspace &&
                matrix_create(&a, o->precision, o->m, o->k, o->k) &&
                matrix_create(&b, o->precision, o->k, o->n, o->n);
    if (done) {
        input_fill(&a, o->input, OPERAND_A, o->seed, 1);
        input_fill(&b, o->input, OPERAND_B, o->seed, 1);
        memset(workspace, 0,
               elements * sizeof(real)); /* pages are first touched outside the time */
        memset(c, 0, c_bytes);
        memset(vendor_c, 0, c_bytes);
        p.a.at = a.host, p.b.at = b.host, p.c.at = c;
        for (int i = 0; i < count; i++)
            rungs[i].product = p;
        run_rungs(o, p, vendor_c, workspace, rungs, count);
    } else
        fprintf(stderr, "--rungs: there is not enough memory\n");
    matrix_destroy(&a);
    matrix_destroy(&b);
    backend.release(c);
    backend.release(vendor_c);
    backend.release(workspace);
    return done ? EXIT_RIGHT : EXIT_RESOURCE;
}
