/* SPDX-License-Identifier: MIT */
/** @file tensor_rungs.cu
 * --rungs. It makes matrices on the GPU and compares a sample there; the program without
 * --rungs checks every element.
 */
#include "tensor_rungs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "strips.h"
#include "common/check/exact.h"
#include "common/device/backend.h"
#include "common/measure/timing_loop.h"
#include "common/device/cublas.h"
#include "common/device/gpu.h"
#include "common/measure/json.h"
#include "common/command/options.h"
#include "common/matrix/random.h"
#include "product.h"
#include "common/sizes.h"
#include "common/measure/threshold.h"

enum { BLOCKS = 1024, THREADS = 256, SAMPLE = 128 /* first and last rows that are compared */ };
enum { MOST_RUNGS = 32, MOST_ROUNDS = 15, BUDGET_MS = 6000 };

/* ---- What is measured, and what the model predicts ---- */

/// [model]
/* A rung: a variant at one number of levels. `units`: the time of its products, in units of one
   product of halves. `passes`: elements, in units of n^2, read or written in addition to the
   products, without levels. */
struct tensor_rung {
    const char *variant;
    int levels;
    double units, passes;
    long largest;   /* the largest n for which it is measured */
    bool by_cublas; /* runs on every GPU */
};
static const struct tensor_rung rungs[] = {
    {"tf32", 0, 2, 0, 16384, true},     {"tf32x3", 0, 6, 6, 16384, true},
    {"fp16x3", 0, 3, 10, 32768, true},  {"unfused", 1, 3, 10, 16384, true},
    {"unfused", 2, 3, 10, 16384, true}, {"fp16", 0, 3, 6, 32768},
    {"fp16", 1, 3, 6, 32768},           {"fp16", 2, 3, 6, 32768},
    {"int8", 0, 2, 6, 32768},           {"int8", 1, 2, 6, 32768},
    {"int8", 2, 2, 6, 32768},           {"fp16-mma", 0, 3, 6, 16384},
    {"fp16-mma", 1, 3, 6, 16384},       {"int8-mma", 0, 2, 6, 16384},
    {"int8-mma", 1, 2, 6, 16384},       {"fp16-beside", 1, 3, 6, 32768},
    {"fp16-beside", 2, 3, 6, 32768},    {"int8-beside", 1, 2, 6, 32768},
    {"int8-beside", 2, 2, 6, 32768},
};

/* What this GPU does in a millisecond: flops of cuBLAS's products of halves, bytes of a copy,
   and bytes that each multiprocessor moves when only a few copy. */
struct tensor_rates {
    double half_flops, bytes, bytes_of_one;
    int multiprocessors;
};

/* Each level saves an eighth of the products. A fused level reads A and B twice (exponents,
   factors), writes 7/4 as much for each level, and writes and reads the products. An unfused
   one moves 3 quadrants for each of 18 sums, and 7/4 as many for each further level. The passes
   over A's and C's strips, all but one of them, overlap with the products, which then have
   fewer multiprocessors. */
static double predicted_ms(const struct tensor_rung *r, struct product p,
                           const struct tensor_rates *rates)
{
    double m = p.c.rows, n = p.c.cols, k = p.a.cols;
    double flops = 2.0 * m * n * k * pow(7.0 / 8, r->levels), grown = pow(7.0 / 4, r->levels);
    double elements = r->passes, bytes = sizeof(float) * m * n;
    double products = r->units * flops / rates->half_flops;
    if (strcmp(r->variant, "unfused") == 0) {
        elements = r->passes * grown;
        for (int level = 0; level < r->levels; level++)
            elements += 18 * 3 / 4.0 * pow(7.0 / 4, level);
    } else if (r->levels > 0)
        elements = 4 + 2 * grown + 2 * grown + 1;
    if (strstr(r->variant, "-beside")) {
        double strips = STRIPS, hidden = (strips - 1) / strips * (3 + 2 * grown);
        elements -= hidden;
        int spare =
            spare_multiprocessors(p, r->units == 2 ? FORMAT_HALF_AND_BYTES : FORMAT_TWO_HALVES);
        products = fmax(products * rates->multiprocessors / (rates->multiprocessors - spare),
                        hidden * bytes / (spare * rates->bytes_of_one));
    }
    return products + elements * bytes / rates->bytes;
}
/// [model]

/* ---- Data and errors ---- */

static __device__ float uniform_at(size_t i, unsigned seed)
{
    return (float)random_uniform(
        random_bits((i + 1) * RANDOM_STEP + seed * 0xd1b54a32d192ed03ull));
}

/* An element from its number: uniform in [-1, 1] or, as --data says, in [0, 1], normal, ReLU of
   normal, or a softmax of normal numbers up to a constant factor. */
static __device__ float element_at(size_t i, unsigned seed, int data)
{
    float u = uniform_at(i, seed);
    if (data < 2)
        return data ? fabsf(u) : u;
    float normal = sqrtf(-2 * logf((u + 1) / 2 + 0x1p-26f)) *
                   cosf(3.14159265f * uniform_at(i, seed + 0x10000u));
    return data == 2 ? normal : data == 3 ? fmaxf(normal, 0) : expf(normal);
}

static __global__ void fill_kernel(float *x, size_t count, unsigned seed, int data)
{
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < count;
         i += (size_t)BLOCKS * THREADS)
        x[i] = element_at(i, seed, data);
}

static __global__ void differs_kernel(const unsigned *x, const unsigned *y, size_t count,
                                      int *differs)
{
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < count;
         i += (size_t)BLOCKS * THREADS)
        if (x[i] != y[i])
            *differs = 1;
}

/* Matrices of one size on the GPU. */
struct tensor_data {
    long m, n, k;
    float *a, *b, *c, *again;
    int *differs;
    struct exact exact;
};

static void free_data(struct tensor_data *d)
{
    backend.release(d->a), backend.release(d->b), backend.release(d->c),
        backend.release(d->again);
    backend.release(d->differs);
    exact_free(&d->exact);
}

static bool make_data(struct tensor_data *d, int data)
{
    d->a = (float *)backend.allocate(d->m * d->k * sizeof(float));
    d->b = (float *)backend.allocate(d->k * d->n * sizeof(float));
    d->c = (float *)backend.allocate(d->m * d->n * sizeof(float));
    d->again = (float *)backend.allocate(d->m * d->n * sizeof(float));
    d->differs = (int *)backend.allocate(sizeof(int));
    if (!d->a || !d->b || !d->c || !d->again || !d->differs)
        return false;
    fill_kernel<<<BLOCKS, THREADS>>>(d->a, d->m * d->k, 1, data);
    fill_kernel<<<BLOCKS, THREADS>>>(d->b, d->k * d->n, 2, data);
    CHECK_LAUNCH();
    return exact_make(&d->exact, d->a, d->b, d->m, d->n, d->k, SAMPLE);
}

/* ---- Timing ---- */

/* A variant with the data of one size. */
struct tensor_run {
    const struct variant *variant; /* NULL: cublasSgemm */
    const struct tensor_rung *rung;
    const struct context *context;
    struct product p;
    real *workspace;
    double predicted, mean, most;
    bool repeats;
};

static double run_once(void *what)
{
    struct tensor_run *r = (struct tensor_run *)what;
    backend.start();
    if (r->variant)
        r->variant->multiply(r->context, r->p, r->rung->levels, r->workspace);
    else
        backend.vendor_multiply(PRECISION_F32, r->p);
    return backend.stop();
}

/* Measures the errors, and checks that a second run gives the same bits. */
static void check(struct tensor_run *r, const struct tensor_data *d)
{
    int differs = 0;
    CUDA_CHECK(cudaMemset(d->c, 0xff, d->m * d->n * sizeof(float)));
    run_once(r);
    exact_compare(&d->exact, d->c, &r->mean, &r->most);
    CUDA_CHECK(
        cudaMemcpy(d->again, d->c, d->m * d->n * sizeof(float), cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaMemset(d->c, 0xff, d->m * d->n * sizeof(float)));
    run_once(r);
    CUDA_CHECK(cudaMemset(d->differs, 0, sizeof(int)));
    differs_kernel<<<BLOCKS, THREADS>>>((unsigned *)d->c, (unsigned *)d->again, d->m * d->n,
                                        d->differs);
    CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&differs, d->differs, sizeof differs, cudaMemcpyDeviceToHost));
    r->repeats = !differs;
}

static void report(const struct options *o, const struct tensor_run *r,
                   const struct contestant *own, const struct contestant *vendor)
{
    const char *name = r->variant ? r->variant->name : "cublasSgemm";
    int levels = r->rung ? r->rung->levels : 0;
    double ratio = vendor->timing.median / own->timing.median;
    if (o->json) {
        struct json j = json_begin(stdout);
        json_text(&j, "step", "21-tensor-cores"), json_text(&j, "variant", name);
        json_text(&j, "backend", backend.name), json_text(&j, "device", backend.device());
        json_text(&j, "precision", "f32"), json_whole(&j, "data", o->settings[SET_DATA]);
        json_whole(&j, "m", r->p.c.rows), json_whole(&j, "n", r->p.c.cols);
        json_whole(&j, "k", r->p.a.cols);
        json_whole(&j, "levels", levels), json_whole(&j, "reps", own->timing.reps);
        json_number(&j, "ms_median", own->timing.median),
            json_number(&j, "ms_min", own->timing.min);
        json_number(&j, "ms_max", own->timing.max);
        json_number(&j, "gflops",
                    2e-6 * r->p.c.rows * r->p.c.cols * r->p.a.cols / own->timing.median);
        json_text(&j, "reference", backend.vendor(1));
        json_number(&j, "reference_ms_median", vendor->timing.median),
            json_number(&j, "ratio", ratio);
        json_number(&j, "max_error", r->most), json_number(&j, "mean_error", r->mean);
        json_bool(&j, "repeatable", r->repeats), json_number(&j, "predicted_ms", r->predicted);
        json_end(&j);
    } else
        printf("%6ld %-12s %2d %10.3f %10.3f %8.2f %9.0f %10.2e %10.2e%s\n", r->p.c.cols, name,
               levels, r->predicted, own->timing.median, ratio,
               2e-9 * r->p.c.rows * r->p.c.cols * r->p.a.cols / own->timing.median, r->mean,
               r->most, r->repeats ? "" : "  NOT the same bits again");
    fflush(stdout);
}

/* Copies with few thread blocks, each of which has a multiprocessor to itself. */
enum { COPY_THREADS = 1024, COPY_MOST = 1 << 22 /* float4 */ };
static __global__ void copy_kernel(const float4 *from, float4 *to, size_t count)
{
#pragma unroll 4
    for (size_t i = blockIdx.x * (size_t)COPY_THREADS + threadIdx.x; i < count;
         i += (size_t)gridDim.x * COPY_THREADS)
        to[i] = from[i];
}

static struct tensor_rates measure_rates(const struct tensor_data *d)
{
    enum { RUNS = 5 };
    double half[RUNS], copy[RUNS], few[RUNS];
    float one = 1, zero = 0;
    size_t size = d->m * d->n * sizeof(float), fours = smaller(d->m * d->n / 4, COPY_MOST);
    /* each float's bytes serve as two halves, whatever they are */
    long n = smaller(smaller(d->m, d->n), d->k);
    struct product p = product_of_size(d->m, d->n, d->k);
    int few_blocks = spare_multiprocessors(p, FORMAT_TWO_HALVES), all = 1, device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&all, cudaDevAttrMultiProcessorCount, device));
    fill_kernel<<<BLOCKS, THREADS>>>(d->again, d->m * d->n, 3, 0);
    CHECK_LAUNCH();
    for (int i = -2; i < RUNS; i++) {
        int run = i < 0 ? 0 : i;
        backend.start();
        CUDA_CHECK(cudaMemcpyAsync(d->c, d->again, size, cudaMemcpyDeviceToDevice, 0));
        copy[run] = backend.stop();
        backend.start();
        copy_kernel<<<few_blocks, COPY_THREADS>>>((const float4 *)d->again, (float4 *)d->c,
                                                  fours);
        CHECK_LAUNCH();
        few[run] = backend.stop();
        backend.start();
        CUBLAS_CHECK(cublasGemmEx(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, (int)n, (int)n,
                                  (int)n, &one, d->b, CUDA_R_16F, (int)n, d->a, CUDA_R_16F,
                                  (int)n, &zero, d->c, CUDA_R_32F, (int)n, CUBLAS_COMPUTE_32F,
                                  CUBLAS_GEMM_DEFAULT));
        half[run] = backend.stop();
    }
    return (struct tensor_rates){.half_flops = 2.0 * n * n * n / timing_of(half, RUNS).median,
                                 .bytes = 2.0 * size / timing_of(copy, RUNS).median,
                                 .bytes_of_one = 2.0 * fours * sizeof(float4) /
                                                 timing_of(few, RUNS).median / few_blocks,
                                 .multiprocessors = all};
}

/* Measures all rungs at one size. Returns an exit status. */
static int measure_size(const struct options *o, struct tensor_data *d)
{
    static struct tensor_run runs[MOST_RUNGS];
    static struct contestant contestants[MOST_RUNGS];
    struct context x = context_of(o);
    struct product p = product_of_size(d->m, d->n, d->k);
    size_t most = 1;
    double round_ms = 0;
    int count = 1, status = EXIT_RIGHT;
    p.a.at = d->a, p.b.at = d->b, p.c.at = d->c;
    struct tensor_rates rates = measure_rates(d);
    memset(contestants, 0, sizeof contestants);
    runs[0] = (struct tensor_run){NULL, NULL, &x, p, NULL, NAN};
    for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++) {
        const struct variant *v = find_variant(o->step->variants, rungs[i].variant);
        if (larger(d->m, d->n) > rungs[i].largest || (!rungs[i].by_cublas && leaf_missing()) ||
            (o->variant && !is_listed(o->variant, v->name)) || d->m % (64 << rungs[i].levels) ||
            d->n % (64 << rungs[i].levels) || d->k % (64 << rungs[i].levels))
            continue;
        runs[count] =
            (struct tensor_run){v, &rungs[i], &x, p, NULL, predicted_ms(&rungs[i], p, &rates)};
        size_t elements = v->workspace ? v->workspace(&x, p, rungs[i].levels) : 0;
        most = elements > most ? elements : most;
        count++;
    }
    real *workspace = (real *)backend.allocate(most * sizeof(float));
    if (!workspace) {
        fprintf(stderr, "--rungs: no memory for %.1f GB of workspace at n = %ld\n", most * 4e-9,
                d->n);
        return EXIT_RESOURCE;
    }
    for (int i = 0; i < count; i++) {
        runs[i].workspace = workspace;
        check(&runs[i], d);
        contestants[i].run = run_once, contestants[i].what = &runs[i];
        round_ms += run_once(&runs[i]);
        if (!runs[i].repeats)
            status = EXIT_WRONG;
    }
    time_in_turn(contestants, count, rounds_within(BUDGET_MS, round_ms, 3, MOST_ROUNDS));
    for (int i = 0; i < count; i++)
        report(o, &runs[i], &contestants[i], &contestants[0]);
    backend.release(workspace);
    return status;
}

int measure_tensor_rungs(const struct options *o)
{
    static const long sizes[] = {2048, 4096, 8192, 16384, 32768};
    int status = EXIT_RIGHT;
    if (no_times("rungs", NULL))
        return EXIT_RESOURCE;
    if (!o->json)
        printf("on %s; errors against a product in double\n\n"
               "%6s %-12s %2s %10s %10s %8s %9s %10s %10s\n",
               backend.device(), "n", "variant", "L", "predicted", "ms", "x sgemm", "TFLOP/s",
               "mean error", "max error");
    int one_size = o->n != o->step->default_n,
        count = one_size ? 1 : (int)(sizeof sizes / sizeof *sizes);
    for (int i = 0; i < count; i++) {
        struct tensor_data d = {o->m, o->n, o->k};
        if (!one_size)
            d.m = d.n = d.k = sizes[i];
        if (make_data(&d, (int)o->settings[SET_DATA])) {
            int one = measure_size(o, &d);
            status = one != EXIT_RIGHT ? one : status;
        } else {
            fprintf(stderr, "--rungs: no memory for n = %ld\n", d.n);
            status = EXIT_RESOURCE;
        }
        free_data(&d);
    }
    return status;
}
