/* SPDX-License-Identifier: MIT */
/** @file tensor_rungs.cu
 * --rungs. It makes matrices on the GPU and compares a sample there; the program without
 * --rungs checks every element.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/device/libraries/cublas.h"
#include "common/device/gpu.h"
#include "steps/18-modern/rungs/rungs.h"
#include "common/sizes.h"
#include "steps/21-tensor-cores/products/product.h"
#include "steps/21-tensor-cores/products/strips.h"

enum { MOST_ROUNDS = 15, BUDGET_MS = 6000 };

/* ---- The rungs and the model ---- */

/* A rung: a variant at one number of levels. `units`: the time of its products, in units of one
   product of halves. `passes`: elements, in units of n^2, read or written in addition to the
   products, without levels. */
struct tensor_rung {
    const char *variant;
    int levels;
    double units, passes;
    long largest;   /* the largest n for which it is measured */
    bool by_cublas; /* cuBLAS multiplies: runs on every GPU */
};
static const struct tensor_rung rungs[] = {
    {"tf32", 0, 2, 0, 16384, true},  {"fp16x3", 0, 3, 10, 32768, true},
    {"fp16", 0, 3, 6, 32768},        {"fp16", 1, 3, 6, 32768},
    {"fp16", 2, 3, 6, 32768},        {"int8", 0, 2, 6, 32768},
    {"int8", 1, 2, 6, 32768},        {"int8", 2, 2, 6, 32768},
    {"fp16-mma", 0, 3, 6, 16384},    {"fp16-mma", 1, 3, 6, 16384},
    {"int8-mma", 0, 2, 6, 16384},    {"int8-mma", 1, 2, 6, 16384},
    {"fp16-beside", 1, 3, 6, 32768}, {"fp16-beside", 2, 3, 6, 32768},
};

/* Per millisecond on this GPU: flops of cuBLAS's products of halves, bytes of a copy, and bytes
   that each multiprocessor moves when only a few copy. */
struct tensor_rates {
    double half_flops, bytes, bytes_of_one;
    int multiprocessors;
};

/* Each level saves an eighth of the products. A fused level reads A and B twice (exponents,
   factors), writes 7/4 as much for each level, and writes and reads the products. The passes
   over A's and C's strips, all but one of them, overlap with the products, which then have
   fewer multiprocessors. */
static double predicted_ms(const struct tensor_rung *r, struct product p,
                           const struct tensor_rates *rates)
{
    double m = p.c.rows, n = p.c.cols, k = p.a.cols;
    double flops = 2.0 * m * n * k * pow(7.0 / 8, r->levels), grown = pow(7.0 / 4, r->levels);
    double elements = r->levels ? 4 + 2 * grown + 2 * grown + 1 : r->passes,
           bytes = sizeof(float) * m * n;
    double products = r->units * flops / rates->half_flops;
    if (strstr(r->variant, "-beside")) {
        double strips = STRIPS, hidden = (strips - 1) / strips * (3 + 2 * grown);
        elements -= hidden;
        int spare = spare_multiprocessors(p);
        products = fmax(products * rates->multiprocessors / (rates->multiprocessors - spare),
                        hidden * bytes / (spare * rates->bytes_of_one));
    }
    return products + elements * bytes / rates->bytes;
}

/* ---- Timing ---- */

/* Measures the errors, and whether a second run gives the same bits. */
static bool check(struct rung *r, const struct rung_data *d, void *nothing)
{
    size_t bytes = d->m * d->n * sizeof(float);
    (void)nothing;
    CUDA_CHECK(cudaMemset(d->c, 0xff, bytes));
    time_variant(&r->run);
    rung_errors(r, d);
    CUDA_CHECK(cudaMemcpy(d->again, d->c, bytes, cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaMemset(d->c, 0xff, bytes));
    time_variant(&r->run);
    r->same_bits = rung_same_bits(d);
    return r->same_bits;
}

static void report(const struct options *o, const struct rung *r, struct timing own,
                   struct timing vendor)
{
    struct product p = r->run.product;
    const char *name = r->variant ? r->variant->name : "cublasSgemm";
    double ratio = vendor.median / own.median;
    if (o->json) {
        struct json j = rung_line(o, name, "", p, r->run.levels);
        json_whole(&j, "data", o->settings[SET_DATA]);
        rung_times(&j, p, own, vendor, 1);
        json_number(&j, "max_error", r->most), json_number(&j, "mean_error", r->mean);
        json_bool(&j, "repeatable", r->same_bits),
            json_number(&j, "predicted_ms", r->predicted);
        json_end(&j);
    } else
        printf("%6ld %-12s %2d %10.3f %10.3f %8.2f %9.0f %10.2e %10.2e%s\n", p.c.cols, name,
               r->run.levels, r->predicted, own.median, ratio,
               rung_gflops(p, own.median) / 1000, r->mean, r->most,
               r->same_bits ? "" : "  NOT the same bits again");
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

static struct tensor_rates measure_rates(const struct rung_data *d, struct rung *vendor)
{
    enum { RUNS = 5 };
    double half[RUNS], copy[RUNS], few[RUNS];
    float one = 1, zero = 0;
    size_t size = d->m * d->n * sizeof(float), fours = smaller(d->m * d->n / 4, COPY_MOST);
    /* the bytes of each float are used as two halves; their values do not matter */
    long n = smaller(smaller(d->m, d->n), d->k);
    struct product p = product_of_size(d->m, d->n, d->k);
    int few_blocks = spare_multiprocessors(p), all = 1, device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&all, cudaDevAttrMultiProcessorCount, device));
    time_variant(&vendor->run); /* numbers in C */
    CUDA_CHECK(cudaMemcpy(d->again, d->c, size, cudaMemcpyDeviceToDevice));
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
static int measure_size(const struct options *o, const struct rung_data *d, void *nothing)
{
    (void)nothing;
    static const struct rung_table table = {BUDGET_MS, MOST_ROUNDS, check, NULL, report};
    struct rung all[MOST_RUNGS];
    struct context ctx = context_of(o);
    struct product p = rung_product(d, d->c);
    int count = 1;
    all[0] = rung_of(NULL, NULL, &ctx, p, 0);
    struct tensor_rates rates = measure_rates(d, &all[0]);
    for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++) {
        const struct variant *v = find_variant(o->step->variants, rungs[i].variant);
        if (larger(d->m, d->n) > rungs[i].largest || (!rungs[i].by_cublas && leaf_missing()) ||
            (o->variant && !is_listed(o->variant, v->name)) || d->m % (64 << rungs[i].levels) ||
            d->n % (64 << rungs[i].levels) || d->k % (64 << rungs[i].levels))
            continue;
        all[count] = rung_of(v, &rungs[i], &ctx, p, rungs[i].levels);
        all[count++].predicted = predicted_ms(&rungs[i], p, &rates);
    }
    return measure_rungs_of(o, d, all, count, &table);
}

int measure_tensor_rungs(const struct options *o)
{
    static const long sizes[] = {2048, 4096, 8192, 16384, 32768};
    if (no_times("rungs", NULL))
        return EXIT_RESOURCE;
    if (!o->json)
        printf("on %s; errors of %d elements against sums in twice the precision\n\n"
               "%6s %-12s %2s %10s %10s %8s %9s %10s %10s\n",
               backend.device(), RUNG_SAMPLES, "n", "variant", "L", "predicted", "ms",
               "x sgemm", "TFLOP/s", "mean error", "max error");
    return rung_sizes(o, sizes, sizeof sizes / sizeof *sizes,
                      (enum rung_numbers)o->settings[SET_DATA], measure_size, NULL);
}
