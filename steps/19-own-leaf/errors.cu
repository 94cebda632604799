/**
 * @file errors.cu
 * What errors.h promises.
 */
#include "errors.h"

#include <stdio.h>
#include <string.h>

#include "common/bench.h"
#include "common/block.h"
#include "common/cublas.h"
#include "common/gpu.h"
#include "common/json.h"
#include "common/threshold.h"
#include "steps/18-modern/rungs.h"

enum { BLOCKS = 1024, THREADS = 256, MOST_LEVELS = 5, SMALLEST_LEAF = 32 };

static __global__ void widen(const real *from, double *to, size_t count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = from[i];
}

/* The sum of the errors of a row of blocks, and the largest error as the bits of a float, which
   compare like integers. A NaN is the largest. */
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
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    atomicMax(largest, __float_as_int(most));
}

/* Everything on the device. */
struct data {
    size_t count;
    real *a, *b, *c;
    double *wide, *exact, *sums; /* wide: A and B in double */
    int *largest;
};

static bool make(struct data *d, long n)
{
    d->count = (size_t)n * n;
    d->a = (real *)backend.allocate(d->count * sizeof(real));
    d->b = (real *)backend.allocate(d->count * sizeof(real));
    d->c = (real *)backend.allocate(d->count * sizeof(real));
    d->wide = (double *)backend.allocate(2 * d->count * sizeof(double));
    d->exact = (double *)backend.allocate(d->count * sizeof(double));
    d->sums = (double *)backend.allocate(BLOCKS * THREADS * sizeof(double));
    d->largest = (int *)backend.allocate(sizeof *d->largest);
    if (!d->a || !d->b || !d->c || !d->wide || !d->exact || !d->sums || !d->largest)
        return false;
    const double one = 1, zero = 0;
    fill_uniform(d->a, d->count, 1);
    fill_uniform(d->b, d->count, 2);
    widen<<<BLOCKS, THREADS>>>(d->a, d->wide, d->count);
    widen<<<BLOCKS, THREADS>>>(d->b, d->wide + d->count, d->count);
    CHECK_LAUNCH();
    CUBLAS_CHECK(cublasDgemm(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, (int)n, (int)n, (int)n, &one,
                             d->wide + d->count, (int)n, d->wide, (int)n, &zero, d->exact, (int)n));
    return true;
}

static void destroy(struct data *d)
{
    backend.release(d->a), backend.release(d->b), backend.release(d->c);
    backend.release(d->wide), backend.release(d->exact), backend.release(d->sums);
    backend.release(d->largest);
}

static void errors_of(const struct data *d, double *mean, float *largest)
{
    static double sums[BLOCKS * THREADS];
    int bits = 0;
    CUDA_CHECK(cudaMemset(d->largest, 0, sizeof bits));
    compare<<<BLOCKS, THREADS>>>(d->c, d->exact, d->count, d->sums, d->largest);
    CHECK_LAUNCH();
    backend.download(sums, d->sums, sizeof sums);
    backend.download(&bits, d->largest, sizeof bits);
    memcpy(largest, &bits, sizeof bits);
    *mean = 0;
    for (int i = 0; i < BLOCKS * THREADS; i++)
        *mean += sums[i] / (double)d->count;
}

/* One variant at one number of levels: a line. */
static void measure_one(const struct options *o, const struct variant *v, int levels,
                        const struct data *d)
{
    long n = o->n;
    struct problem p = {.m = n,
                        .n = n,
                        .k = n,
                        .a = d->a,
                        .lda = n,
                        .b = d->b,
                        .ldb = n,
                        .c = d->c,
                        .ldc = n,
                        .levels = levels,
                        .leaf = o->step->leaves,
                        .threads = 1,
                        .parameter = o->parameter};
    size_t elements = v->workspace ? v->workspace(&p) : 0;
    void *workspace = backend.allocate((elements + 1) * sizeof(real));
    struct multiplication product = {v, &p, workspace};
    struct contestant contestant = {time_multiplication, &product};
    double mean;
    float largest;
    if (!workspace)
        return;
    bench_warm_up(&contestant, 1, 1);
    bench(&contestant, 1, 3);
    errors_of(d, &mean, &largest);
    backend.release(workspace);
    double time = contestant.timing.median;
    if (!o->json) {
        printf("%6ld %-11s %2d %10.3f  %.3e  %.3e\n", n, v->name, levels, time, mean, largest);
        return;
    }
    struct json json = json_begin(stdout);
    json_text(&json, "step", o->step->name);
    json_text(&json, "variant", v->name);
    json_text(&json, "backend", backend.name);
    json_text(&json, "device", backend.device());
    json_text(&json, "precision", precision_names[o->precision]);
    json_whole(&json, "n", (double)n);
    json_whole(&json, "levels", levels);
    json_number_if(&json, !backend.simulated, "ms_median", time);
    json_number(&json, "mean_error", mean);
    json_number(&json, "max_error", largest);
    json_end(&json);
    fflush(stdout);
}

int measure_errors(const struct options *o)
{
    struct data d = {};
    bool enough = make(&d, o->n);
    if (!enough)
        fprintf(stderr, "--errors: not enough memory for n = %ld\n", o->n);
    if (enough && !o->json)
        printf("%6s %-11s %2s %10s  %-9s  %s\n", "n", "variant", "L", "ms", "mean", "largest");
    if (enough)
        measure_one(o, o->step->leaves, 0, &d);
    for (const struct variant *v = o->step->variants; enough && v->name; v++)
        for (int levels = 0; levels <= MOST_LEVELS; levels++) {
            bool whole = o->n % (4L << levels) == 0 && o->n >> levels >= SMALLEST_LEAF;
            bool wanted = !o->variant || is_listed(o->variant, v->name);
            if (wanted && whole && (v->levels ? levels == 0 : levels > 0))
                measure_one(o, v, levels, &d);
        }
    destroy(&d);
    return enough ? EXIT_RIGHT : EXIT_RESOURCE;
}
