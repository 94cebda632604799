/* SPDX-License-Identifier: MIT */
/** @file gpu_rungs.cu
 * Times each variant against cuBLAS, see gpu_rungs.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/measure/timing_loop.h"
#include "common/matrix/block.h"
#include "common/device/gpu.h"
#include "common/measure/json.h"
#include "common/matrix/random.h"
#include "common/measure/threshold.h"
#include "gpu_rungs.h"
#include "gpu.h"

#ifdef LADDER_F32
static const long rung_sizes[] = {1024, 2048, 4096, 8192, 16384, 32768};
#else
static const long rung_sizes[] = {1024, 2048, 4096, 8192, 16384};
#endif
enum { LONG_RUNS = 16384 }; /* from this size on small leaves are not measured */

/// [model]
/* Rates of this GPU: a copy's, and that of the leaf that reads panels. Per millisecond. */
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
    if (rung->fused)
        elements += 10.0 / 4 * nodes; /* quadrants of C, written and read again */
    else if (rung->in_panels)
        elements += last_transfers(last) * nodes;
    double flops = 2.0 * p.c.rows * p.c.cols * p.a.cols * pow(7.0 / 8, levels);
    double multiplying = flops / (rung->in_panels ? rates.panel_flops : leaf_flops);
    double moving = elements * sizeof(real) / rates.bytes;
    return rung->beside && uppers > 0 ? fmax(multiplying, moving) : multiplying + moving;
}
/// [model]

/* Uniform in [-1, 1), each element from its number. */
static __global__ void fill_rung(real *x, size_t count, unsigned seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        x[i] = (real)random_uniform(random_bits(i * RANDOM_STEP + random_bits(seed)));
}

/* The largest difference, as the bits of a float, which compare like integers. NaN is the
 * largest.
 */
static __global__ void compare_rung(const real *x, const real *y, size_t count, int *largest)
{
    float most = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x) {
        float difference = fabsf((float)(x[i] - y[i]));
        if (difference > most || difference != difference) /* what is a NaN stays one */
            most = difference;
    }
    atomicMax(largest, __float_as_int(most));
}

enum { RUNG_BLOCKS = 1024, RUNG_THREADS = 256, RUNG_REPS = 9, RUNG_MS = 1200 };

void fill_uniform(real *x, size_t count, unsigned seed)
{
    fill_rung<<<RUNG_BLOCKS, RUNG_THREADS>>>(x, count, seed);
    CHECK_LAUNCH();
}

/* Matrices of one size, on the GPU. */
struct rung_data {
    size_t count;
    real *a, *b, *c, *again;
    int *largest;
};

static float rung_difference(const struct rung_data *d)
{
    int bits;
    float difference;
    CUDA_CHECK(cudaMemset(d->largest, 0, sizeof *d->largest));
    compare_rung<<<RUNG_BLOCKS, RUNG_THREADS>>>(d->c, d->again, d->count, d->largest);
    CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&bits, d->largest, sizeof bits, cudaMemcpyDeviceToHost));
    memcpy(&difference, &bits, sizeof difference);
    return difference;
}

/* cuBLAS's flops a millisecond on leaf x leaf blocks of these matrices. */
static double leaf_rate(const struct context *x, struct product p, long leaf)
{
    struct product block = product_on(part(p.a, 0, 0, leaf, leaf), part(p.b, 0, 0, leaf, leaf),
                                      part(p.c, 0, 0, leaf, leaf));
    struct timed_variant run = {x->leaf->multiply, x, block, 0, NULL};
    struct contestant contestant = {time_variant, &run};
    warm_up_in_turn(&contestant, 1, 1);
    time_in_turn(&contestant, 1, 3);
    return 2.0 * leaf * leaf * leaf / contestant.timing.median;
}

/* One rung at one number of levels: a line. Returns 0 when it gave another result the second
   time. */
static int measure_rung(const struct options *o, const struct variant *v,
                        const struct context *x, struct product p, int levels,
                        const struct rung_data *d, real *workspace, size_t elements,
                        double predicted)
{
    struct product reference = p;
    reference.c.at = d->again;
    struct timed_variant ours = {v->multiply, x, p, levels, workspace},
                         theirs = {x->leaf->multiply, x, reference, levels, NULL};
    struct contestant both[] = {{time_variant, &ours}, {time_variant, &theirs}};
    warm_up_in_turn(both, 2, 1);
    double round_ms = both[0].timing.median + both[1].timing.median;
    time_in_turn(both, 2, rounds_within(RUNG_MS, round_ms, 1, RUNG_REPS));
    float difference = rung_difference(d);
    CUDA_CHECK(cudaMemset(d->again, 0xff, d->count * sizeof(real)));
    v->multiply(x, reference, levels, workspace); /* into the same place as cuBLAS before */
    int repeatable = rung_difference(d) == 0;

    struct timing own = both[0].timing, vendor = both[1].timing;
    double gflops = 2.0 * p.c.rows * p.c.cols * p.a.cols / own.median * 1e-6,
           ratio = vendor.median / own.median;
    if (o->json) {
        struct json json = json_begin(stdout), *j = &json;
        json_text(j, "step", o->step->name);
        json_text(j, "variant", v->name);
        json_text(j, "leaf", "cublas");
        json_text(j, "precision", precision_names[o->precision]);
        json_text(j, "backend", backend.name);
        json_text(j, "device", backend.device());
        json_whole(j, "m", p.c.rows);
        json_whole(j, "n", p.c.cols);
        json_whole(j, "k", p.a.cols);
        json_whole(j, "levels", levels);
        json_whole(j, "reps", own.reps);
        json_number(j, "ms_median", own.median);
        json_number(j, "ms_min", own.min);
        json_number(j, "ms_max", own.max);
        json_number(j, "gflops", gflops);
        json_text(j, "reference", backend.vendor(1));
        json_number(j, "reference_ms_median", vendor.median);
        json_number(j, "ratio", ratio);
        json_whole(j, "workspace_bytes", (double)elements * sizeof(real));
        json_number(j, "difference", difference);
        json_bool(j, "repeatable", repeatable);
        json_whole(j, "beside", x->settings[SET_BESIDE]);
        json_number(j, "predicted_ms", predicted);
        json_end(j);
    } else
        printf("%6ld %-11s %2d %10.3f %10.3f %10.3f %8.3f %9.0f %7.2f  %.1e%s\n", p.c.cols,
               v->name, levels, predicted, own.median, vendor.median, ratio, gflops,
               (double)elements / d->count, difference,
               repeatable ? "" : "  NOT the same bits again");
    fflush(stdout);
    return repeatable;
}

/* What the model knows of a variant; NULL for others, which are not measured here. */
static const struct gpu_rung *rung_of(const struct gpu_rung *rungs, const struct variant *v)
{
    for (; rungs->variant; rungs++)
        if (strcmp(rungs->variant, v->name) == 0)
            return rungs;
    return NULL;
}

/* A variant without levels runs once, another one with all that its leaves allow; where runs
   are long, without the smallest leaves. */
static int levels_suit(const struct variant *v, const struct gpu_rung *rung, long n, int levels)
{
    long leaf = n >> levels, least = n >= LONG_RUNS ? 2 * rung->least : rung->least;
    if (n > rung->largest)
        return 0;
    return v->levels ? levels == 0 : levels > 0 && leaf >= least && leaf <= rung->most;
}

struct product square_product(long n, real *a, real *b, real *c)
{
    return product_on((struct block){a, n, n, n}, (struct block){b, n, n, n},
                      (struct block){c, n, n, n});
}

/* All rungs on n x n. Returns how many did not repeat their bits. */
static int measure_size(const struct options *o, const struct gpu_rung *rungs, long n,
                        const struct rung_data *d, struct gpu_rates rates)
{
    struct context x = context_of(o);
    struct product p = square_product(n, d->a, d->b, d->c);
    int failed = 0;
    for (const struct variant *v = o->step->variants; v->name; v++)
        for (int levels = 0; n >> levels >= 512; levels++) {
            const struct gpu_rung *rung = rung_of(rungs, v);
            if (!rung || !levels_suit(v, rung, n, levels) ||
                (o->variant && !is_listed(o->variant, v->name)))
                continue;
            size_t elements = v->workspace(&x, p, levels);
            real *workspace =
                (real *)backend.allocate((elements ? elements : 1) * sizeof(real));
            double predicted = predicted_ms(
                rung, p, levels, rates, rung->in_panels ? 1 : leaf_rate(&x, p, n >> levels));
            if (workspace)
                failed += !measure_rung(o, v, &x, p, levels, d, workspace, elements, predicted);
            else
                fprintf(stderr, "no memory for %s, n = %ld, %d levels\n", v->name, n, levels);
            backend.release(workspace);
        }
    return failed;
}

static bool make_rung_data(long n, struct rung_data *d)
{
    *d = (struct rung_data){.count = (size_t)n * n};
    size_t bytes = d->count * sizeof(real);
    d->a = (real *)backend.allocate(bytes), d->b = (real *)backend.allocate(bytes);
    d->c = (real *)backend.allocate(bytes), d->again = (real *)backend.allocate(bytes);
    d->largest = (int *)backend.allocate(sizeof *d->largest);
    if (!d->a || !d->b || !d->c || !d->again || !d->largest) {
        fprintf(stderr, "no memory for n = %ld\n", n);
        return false;
    }
    fill_uniform(d->a, d->count, 1);
    fill_uniform(d->b, d->count, 2);
    return true;
}

static void free_rung_data(struct rung_data *d)
{
    backend.release(d->a), backend.release(d->b), backend.release(d->c);
    backend.release(d->again), backend.release(d->largest);
}

static double time_copy(void *what)
{
    const struct rung_data *d = (const struct rung_data *)what;
    backend.start();
    CUDA_CHECK(
        cudaMemcpyAsync(d->c, d->a, d->count * sizeof(real), cudaMemcpyDeviceToDevice, 0));
    return backend.stop();
}

/* A copy, and the leaf that reads panels on a size that fills the GPU. */
static struct gpu_rates measure_rates(const struct options *o, panel_rate *panel_flops)
{
    enum { N = 8192, RUNS = 5 };
    struct gpu_rates rates = {1, 1};
    struct rung_data d;
    if (make_rung_data(N, &d)) {
        struct contestant copying = {time_copy, &d};
        warm_up_in_turn(&copying, 1, 1);
        time_in_turn(&copying, 1, RUNS);
        rates.bytes = 2.0 * d.count * sizeof(real) / copying.timing.median;
        struct context x = context_of(o);
        if (panel_flops)
            rates.panel_flops = panel_flops(&x, square_product(N, d.a, d.b, d.c));
    }
    free_rung_data(&d);
    return rates;
}

int measure_gpu_rungs(const struct options *o, const struct gpu_rung *rungs,
                      panel_rate *panel_flops)
{
    if (no_times("rungs", o->step->leaves))
        return EXIT_RESOURCE;
    int failed = 0;
    struct gpu_rates rates = measure_rates(o, panel_flops);
    if (!o->json) {
        printf("on %s, %s; a copy moves %.2f TB/s", backend.device(),
               precision_names[o->precision], rates.bytes * 1e-9);
        if (panel_flops)
            printf(", the leaf that reads panels does %.2f TFLOP/s", rates.panel_flops * 1e-9);
        printf("\n\n%6s %-11s %2s %10s %10s %10s %8s %9s %7s  %s\n", "n", "variant", "L",
               "predicted", "ms", "cuBLAS", "faster", "GFLOP/s", "ws/n^2", "difference");
    }
    for (size_t i = 0; i < sizeof rung_sizes / sizeof *rung_sizes; i++) {
        struct rung_data d;
        if (make_rung_data(rung_sizes[i], &d))
            failed += measure_size(o, rungs, rung_sizes[i], &d, rates);
        free_rung_data(&d);
    }
    return failed ? EXIT_WRONG : EXIT_RIGHT;
}
