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
#include "common/device/cublas.h"
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

static __global__ void widen(const real *from, double *to, size_t count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = from[i];
}

/* Adds the errors of each thread's elements to its sum, and finds the largest error, as the
   bits of a float, which compare like integers. A NaN is the largest. */
static __global__ void compare(const real *x, const double *exact, size_t count, double *sums,
                               int *largest)
{
    double sum = 0;
    float most = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x) {
        double error = fabs(x[i] - exact[i]);
        sum += error;
        if (error > most || error != error)
            most = (float)error;
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] += sum;
    atomicMax(largest, __float_as_int(most));
}

/* Row-major C = A B is, column-major, C^T = B^T A^T. */
static bool multiply_rows(const real *a, const double *b, long rows, long n, long k, double *to)
{
    const double one = 1, zero = 0;
    double *wide = (double *)backend.allocate((size_t)(rows * k) * sizeof *wide);
    if (!wide)
        return false;
    widen<<<BLOCKS, THREADS>>>(a, wide, (size_t)(rows * k));
    CHECK_LAUNCH();
    CUBLAS_CHECK(cublasDgemm(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, (int)n, (int)rows, (int)k,
                             &one, b, (int)n, wide, (int)k, &zero, to, (int)n));
    CUDA_CHECK(cudaDeviceSynchronize());
    backend.release(wide);
    return true;
}

bool rung_make_exact(struct rung_data *d, long rows)
{
    long n = d->n, k = d->k;
    bool all = 2 * rows >= d->m;
    d->first = all ? d->m : rows, d->last = all ? 0 : rows;
    d->exact =
        (double *)backend.allocate((size_t)((d->first + d->last) * n) * sizeof *d->exact);
    d->sums = (double *)backend.allocate(BLOCKS * THREADS * sizeof *d->sums);
    double *wide = (double *)backend.allocate((size_t)(k * n) * sizeof *wide);
    d->found = d->found ? d->found : (int *)backend.allocate(sizeof *d->found);
    bool made = d->exact && d->sums && d->found && wide;
    if (made) {
        widen<<<BLOCKS, THREADS>>>(d->b, wide, (size_t)(k * n));
        CHECK_LAUNCH();
        made = multiply_rows(d->a, wide, d->first, n, k, d->exact);
    }
    if (made && d->last)
        made = multiply_rows(d->a + (d->m - d->last) * k, wide, d->last, n, k,
                             d->exact + d->first * n);
    backend.release(wide);
    return made;
}

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

static float found_largest(const struct rung_data *d)
{
    int bits = found(d);
    float largest;
    memcpy(&largest, &bits, sizeof largest);
    return largest;
}

void rung_errors(const struct rung_data *d, const real *c, double *mean, double *most)
{
    static double sums[BLOCKS * THREADS];
    size_t first = (size_t)(d->first * d->n), last = (size_t)(d->last * d->n);
    CUDA_CHECK(cudaMemset(d->sums, 0, sizeof sums));
    find_nothing(d);
    compare<<<BLOCKS, THREADS>>>(c, d->exact, first, d->sums, d->found);
    if (last)
        compare<<<BLOCKS, THREADS>>>(c + (d->m - d->last) * d->n, d->exact + first, last,
                                     d->sums, d->found);
    *most = found_largest(d);
    backend.download(sums, d->sums, sizeof sums);
    *mean = 0;
    for (int i = 0; i < BLOCKS * THREADS; i++)
        *mean += sums[i] / (double)(first + last);
}

/* ---- Two products ---- */

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
    return found_largest(d);
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

bool rung_data_make(struct rung_data *d, long m, long n, long k, enum rung_numbers numbers,
                    long exact_rows)
{
    *d = (struct rung_data){m, n, k};
    d->a = (real *)backend.allocate((size_t)(m * k) * sizeof(real));
    d->b = (real *)backend.allocate((size_t)(k * n) * sizeof(real));
    d->c = (real *)backend.allocate((size_t)(m * n) * sizeof(real));
    d->again = (real *)backend.allocate((size_t)(m * n) * sizeof(real));
    d->found = (int *)backend.allocate(sizeof *d->found);
    if (!d->a || !d->b || !d->c || !d->again || !d->found)
        return false;
    rung_fill(d->a, (size_t)(m * k), 1, numbers);
    rung_fill(d->b, (size_t)(k * n), 2,
              numbers == RUNG_MOSTLY_POSITIVE ? RUNG_POSITIVE
              : numbers == RUNG_NAN           ? RUNG_UNIFORM
                                              : numbers);
    return !exact_rows || rung_make_exact(d, exact_rows);
}

void rung_data_free(struct rung_data *d)
{
    void *all[] = {d->a, d->b, d->c, d->again, d->exact, d->sums, d->found};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        backend.release(all[i]);
}

/* ---- Rungs on them ---- */

int rung_sizes(const struct options *o, const long *sizes, int count, enum rung_numbers numbers,
               long exact_rows,
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
                           numbers, exact_rows))
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
