/* SPDX-License-Identifier: MIT */
/** @file rungs.cu
 * Rungs and their matrices on a GPU, see rungs.h. Threads make and compare elements in
 * grid-stride loops.
 */
#include "rungs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/device/gpu.h"
#include "common/sizes.h"

enum { BLOCKS = 1024, THREADS = 256 };

/* ---- Elements, from their numbers ---- */

static __device__ real element_at(size_t i, unsigned seed, enum rung_numbers numbers)
{
    const real pi = 3.14159265358979323846, least = sizeof(real) == 4 ? 0x1p-26 : 0x1p-54;
    real u = (real)rung_uniform(i, seed);
    if (numbers == RUNG_UNIFORM || numbers == RUNG_POSITIVE)
        return numbers == RUNG_POSITIVE ? fabs(u) : u;
    if (numbers == RUNG_MOSTLY_POSITIVE)
        return rung_uniform(i, seed + 0x10000u) < 2 * 0.86 - 1 ? fabs(u) : -fabs(u);
    if (numbers == RUNG_NAN)
        return NAN;
    if (numbers == RUNG_WIDE)
        return (real)ldexp(u, (int)(200 * rung_uniform(i, seed + 0x10000u)));
    real normal =
        sqrt(-2 * log((u + 1) / 2 + least)) * cos(pi * (real)rung_uniform(i, seed + 0x10000u));
    return numbers == RUNG_NORMAL ? normal
           : numbers == RUNG_RELU ? fmax(normal, (real)0)
                                  : exp(normal);
}

static __global__ void fill_elements(real *x, size_t count, unsigned seed,
                                     enum rung_numbers numbers)
{
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < count;
         i += (size_t)BLOCKS * THREADS)
        x[i] = element_at(i, seed, numbers);
}

void rung_fill(real *x, size_t count, unsigned seed, enum rung_numbers numbers)
{
    fill_elements<<<BLOCKS, THREADS>>>(x, count, seed, numbers);
    CHECK_LAUNCH();
}

/* ---- Errors ---- */

/* Errors of C in RUNG_SIDE random rows and columns. The exact element is a sum of two doubles,
   high + low: fma() gives the round-off error of a product, and Knuth's formula that of a sum.
 */
static __global__ void sample_errors(const real *a, const real *b, const real *c, long m,
                                     long n, long k, struct rung_sample *samples)
{
    long row = random_bits(blockIdx.x) % m, col = random_bits(RUNG_SIDE + threadIdx.x) % n;
    double high = 0, low = 0;
    for (long l = 0; l < k; l++) {
        double x = a[row * k + l], y = b[l * n + col], product = __dmul_rn(x, y);
        double sum = high + product, added = sum - high;
        low += (high - (sum - added)) + (product - added) + fma(x, y, -product);
        high = sum;
    }
    real got = c[row * n + col];
    samples[blockIdx.x * RUNG_SIDE + threadIdx.x] = {fabs(got - high - low),
                                                     got == (real)(high + low)};
}

void rung_errors(struct rung *rung, const struct rung_data *d)
{
    static struct rung_sample samples[RUNG_SAMPLES];
    const double count = RUNG_SAMPLES;
    sample_errors<<<RUNG_SIDE, RUNG_SIDE>>>(d->a, d->b, d->c, d->m, d->n, d->k, d->at);
    CHECK_LAUNCH();
    backend.download(samples, d->at, sizeof samples);
    for (const struct rung_sample &s : samples) {
        rung->mean += s.error / count;
        rung->most = s.error > rung->most || isnan(s.error) ? s.error : rung->most;
        rung->nearest += s.nearest / count;
    }
}

/* ---- Two products ---- */

static void find_nothing(const struct rung_data *d)
{
    CUDA_CHECK(cudaMemset(d->found, 0, sizeof *d->found));
}

static int found(const struct rung_data *d)
{
    int bits = 0;
    CHECK_LAUNCH();
    backend.download(&bits, d->found, sizeof bits);
    return bits;
}

static __global__ void find_difference(const real *x, const real *y, size_t count, int *largest)
{
    float most = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x) {
        float difference = fabsf((float)(x[i] - y[i]));
        if (difference > most || difference != difference) /* a NaN stays a NaN */
            most = difference;
    }
    atomicMax(largest, __float_as_int(most));
}

static __global__ void find_other_bits(const unsigned *x, const unsigned *y, size_t words,
                                       int *differs)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words;
         i += (size_t)gridDim.x * blockDim.x)
        if (x[i] != y[i])
            *differs = 1;
}

double rung_difference(const struct rung_data *d)
{
    find_nothing(d);
    find_difference<<<BLOCKS, THREADS>>>(d->c, d->again, (size_t)(d->m * d->n), d->found);
    int bits = found(d);
    float largest;
    memcpy(&largest, &bits, sizeof largest);
    return largest;
}

bool rung_same_bits(const struct rung_data *d)
{
    size_t words = (size_t)(d->m * d->n) * sizeof(real) / sizeof(unsigned);
    find_nothing(d);
    find_other_bits<<<BLOCKS, THREADS>>>((unsigned *)d->c, (unsigned *)d->again, words,
                                         d->found);
    return !found(d);
}

/* ---- Making and freeing them ---- */

bool rung_data_make(struct rung_data *d, long m, long n, long k, enum rung_numbers numbers)
{
    *d = (struct rung_data){m, n, k};
    d->a = (real *)backend.allocate((size_t)(m * k) * sizeof(real));
    d->b = (real *)backend.allocate((size_t)(k * n) * sizeof(real));
    d->c = (real *)backend.allocate((size_t)(m * n) * sizeof(real));
    d->again = (real *)backend.allocate((size_t)(m * n) * sizeof(real));
    d->found = (int *)backend.allocate(sizeof *d->found);
    d->at = (struct rung_sample *)backend.allocate(RUNG_SAMPLES * sizeof *d->at);
    if (!d->a || !d->b || !d->c || !d->again || !d->found || !d->at)
        return false;
    rung_fill(d->a, (size_t)(m * k), 1, numbers);
    rung_fill(d->b, (size_t)(k * n), 2,
              numbers == RUNG_MOSTLY_POSITIVE ? RUNG_POSITIVE
              : numbers == RUNG_NAN           ? RUNG_UNIFORM
                                              : numbers);
    return true;
}

void rung_data_free(struct rung_data *d)
{
    void *all[] = {d->a, d->b, d->c, d->again, d->found, d->at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        backend.release(all[i]);
}

/* ---- Rungs on them ---- */

int rung_sizes(const struct options *o, const long *sizes, int count, enum rung_numbers numbers,
               int (*measure)(const struct options *o, const struct rung_data *d, void *what),
               void *what)
{
    int status = EXIT_RIGHT;
    bool one_size = o->n != o->step->default_n;
    for (int i = 0; i < (one_size ? 1 : count); i++) {
        struct rung_data d;
        long n = sizes[i];
        int one = EXIT_RESOURCE;
        if (rung_data_make(&d, one_size ? o->m : n, one_size ? o->n : n, one_size ? o->k : n,
                           numbers))
            one = measure(o, &d, what);
        else
            fprintf(stderr, "--rungs: not enough memory for n = %ld\n", d.n);
        status = one != EXIT_RIGHT ? one : status;
        rung_data_free(&d);
    }
    return status;
}

static void multiply_vendor(const struct context *ctx, struct product p, int levels,
                            real *workspace)
{
    (void)ctx, (void)levels, (void)workspace;
    backend.vendor_multiply(sizeof(real) == sizeof(float) ? PRECISION_F32 : PRECISION_F64, p);
}

struct rung rung_of(const struct variant *variant, const void *row, const struct context *ctx,
                    struct product p, int levels)
{
    struct rung rung = {variant, row};
    rung.run.multiply = variant ? variant->multiply : multiply_vendor;
    rung.run.simple = variant ? variant->simple : NULL;
    rung.run.ctx = ctx, rung.run.product = p, rung.run.levels = levels;
    rung.predicted = NAN;
    return rung;
}

int measure_rungs_of(const struct options *o, const struct rung_data *d, struct rung *rungs,
                     int count, const struct rung_table *table)
{
    struct contestant contestants[MOST_RUNGS] = {};
    size_t most = 1;
    double round_ms = 0;
    int status = EXIT_RIGHT;
    for (int i = 0; i < count; i++) {
        const struct rung *r = &rungs[i];
        size_t elements = r->variant && r->variant->workspace
                              ? r->variant->workspace(r->run.ctx, r->run.product, r->run.levels)
                              : 0;
        most = elements > most ? elements : most;
    }
    size_t bytes = most * precision_bytes(o->precision);
    void *workspace = backend.allocate(bytes);
    if (!workspace) {
        fprintf(stderr, "not enough memory for %.1f GB of workspace at n = %ld\n",
                (double)bytes * 1e-9, d->n);
        return EXIT_RESOURCE;
    }
    for (int i = 0; i < count; i++) {
        rungs[i].run.workspace = workspace;
        if (!table->check(&rungs[i], d, table->what))
            status = EXIT_WRONG;
        contestants[i].run = time_variant, contestants[i].what = &rungs[i].run;
        round_ms += time_variant(&rungs[i].run);
    }
    time_in_turn(contestants, count,
                 rounds_within(table->budget_ms, round_ms, 3, table->most_rounds));
    for (int i = 0; i < count; i++)
        table->report(o, &rungs[i], contestants[i].timing, contestants[0].timing);
    backend.release(workspace);
    return status;
}
