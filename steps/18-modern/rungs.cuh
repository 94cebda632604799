/**
 * @file rungs.cuh
 * --rungs: times every rung at the levels that suit it, in turn with cuBLAS, on square matrices
 * that are made and compared on the GPU. 18-modern without --rungs is what checks results; here a
 * result is only compared with cuBLAS's, and with itself, bit by bit, when computed again.
 */
#ifndef LADDER_RUNGS_CUH
#define LADDER_RUNGS_CUH

#include <stdio.h>
#include <string.h>

#include "common/backend.h"
#include "common/options.h"
#include "common/timer.h"

/* The sizes, and the leaves that a rung's levels may come down to. */
static const long rung_sizes[] = {1024, 2048, 4096, 8192, 16384, 32768};
struct leaf_range {
    const char *variant;
    long least, most;
};
static const struct leaf_range leaf_ranges[] = {
    {"plain", 2048, 4096},   {"one-pass", 2048, 8192}, {"overlapped", 2048, 4096},
    {"batched", 1024, 2048}, {"fused", 1024, 4096},    {"two-levels", 512, 2048},
#ifdef LADDER_F32
    {"beside", 512, 2048},
#else
    {"beside", 2048, 8192},
#endif
};

/* Uniform in [-1, 1], 24 bits and more: the finaliser of SplitMix64 on the element's number. */
static __global__ void fill_rung(real *x, size_t count, unsigned seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x) {
        unsigned long long z = (i + 1) * 0x9e3779b97f4a7c15ull + seed * 0xd1b54a32d192ed03ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        x[i] = (real)((double)((long long)(z ^ (z >> 31)) >> 10) * (1.0 / (1ll << 53)));
    }
}

/* The largest difference, as the bits of a float, which compare like integers; NaN is the largest.
 */
static __global__ void compare_rung(const real *x, const real *y, size_t count, int *largest)
{
    float most = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x) {
        float difference = fabsf((float)(x[i] - y[i]));
        if (!(difference <= most))
            most = difference;
    }
    atomicMax(largest, __float_as_int(most));
}

enum { RUNG_BLOCKS = 1024, RUNG_THREADS = 256, RUNG_REPS = 9, RUNG_MS = 1500 };

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

static double rung_ms(const struct variant *v, const struct problem *p, real *workspace)
{
    backend.start();
    v->multiply(p, workspace);
    return backend.stop();
}

/* One rung at one number of levels: a line. Returns false when it gave another result the second
   time. */
static int measure_rung(const struct options *o, const struct variant *v, struct problem p,
                        const struct rung_data *d, real *workspace, size_t elements)
{
    struct problem reference = p;
    reference.c = d->again;
    double ms[RUNG_REPS], vendor_ms[RUNG_REPS];
    int reps = RUNG_REPS;
    for (int i = -1; i < reps; i++) { /* -1 warms up */
        double one = rung_ms(v, &p, workspace), other = rung_ms(leaves, &reference, NULL);
        if (i < 0) {
            int fit = (int)(RUNG_MS / (one + other));
            reps = fit < 1 ? 1 : fit < RUNG_REPS ? fit : RUNG_REPS;
            continue;
        }
        ms[i] = one, vendor_ms[i] = other;
    }
    float difference = rung_difference(d);
    CUDA_CHECK(cudaMemset(d->again, 0xff, d->count * sizeof(real)));
    reference.c = d->again;
    v->multiply(&reference, workspace);
    int repeatable = rung_difference(d) == 0;

    struct timing own = timing_of(ms, reps), vendor = timing_of(vendor_ms, reps);
    double gflops = 2.0 * p.m * p.n * p.k / own.median * 1e-6, ratio = vendor.median / own.median;
    if (o->json)
        printf(
            "{\"step\":\"18-modern\",\"variant\":\"%s\",\"leaf\":\"cublas\",\"precision\":\"%s\","
            "\"backend\":\"cuda\",\"device\":\"%s\",\"m\":%ld,\"n\":%ld,\"k\":%ld,\"levels\":%d,"
            "\"reps\":%d,\"ms_median\":%.10g,\"ms_min\":%.10g,\"ms_max\":%.10g,\"gflops\":%.10g,"
            "\"reference\":\"%s\",\"reference_ms_median\":%.10g,\"ratio\":%.10g,"
            "\"workspace_bytes\":%.0f,\"difference\":%.10g,\"repeatable\":%s,\"beside\":%ld}\n",
            v->name, precision_names[o->precision], backend.device(), p.m, p.n, p.k, p.levels, reps,
            own.median, own.min, own.max, gflops, backend.vendor(1), vendor.median, ratio,
            (double)elements * sizeof(real), difference, repeatable ? "true" : "false",
            p.parameter);
    else
        printf("%6ld %-11s %2d %10.3f %10.3f %8.3f %9.0f %7.2f  %.1e%s\n", p.n, v->name, p.levels,
               own.median, vendor.median, ratio, gflops, (double)elements / d->count, difference,
               repeatable ? "" : "  NOT the same bits again");
    fflush(stdout);
    return repeatable;
}

static struct leaf_range leaves_of(const struct variant *v)
{
    for (size_t i = 0; i < sizeof leaf_ranges / sizeof *leaf_ranges; i++)
        if (strcmp(leaf_ranges[i].variant, v->name) == 0)
            return leaf_ranges[i];
    return (struct leaf_range){v->name, 1, 0};
}

/* All rungs on n x n. Returns how many did not repeat their bits. */
static int measure_size(const struct options *o, long n, struct rung_data *d)
{
    int failed = 0;
    for (const struct variant *v = o->step->variants; v->name; v++)
        for (int levels = 0; n >> levels >= 512; levels++) {
            struct leaf_range range = leaves_of(v);
            int alone = v->levels != NULL; /* own: no levels */
            if (alone ? levels > 0
                      : levels == 0 || n >> levels < range.least || n >> levels > range.most)
                continue;
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
                                .leaf = leaves,
                                .threads = 1,
                                .parameter = o->parameter};
            size_t elements = v->workspace(&p);
            real *workspace = (real *)backend.allocate((elements ? elements : 1) * sizeof(real));
            if (workspace)
                failed += !measure_rung(o, v, p, d, workspace, elements);
            else
                fprintf(stderr, "no memory for %s, n = %ld, %d levels\n", v->name, n, levels);
            backend.release(workspace);
        }
    return failed;
}

static int measure_rungs(const struct options *o)
{
    if (no_times("rungs", leaves))
        return EXIT_RESOURCE;
    int failed = 0;
    if (!o->json)
        printf("on %s, %s\n\n%6s %-11s %2s %10s %10s %8s %9s %7s  %s\n", backend.device(),
               precision_names[o->precision], "n", "variant", "L", "ms", "cuBLAS", "faster",
               "GFLOP/s", "ws/n^2", "difference");
    for (size_t i = 0; i < sizeof rung_sizes / sizeof *rung_sizes; i++) {
        long n = rung_sizes[i];
        struct rung_data d = {.count = (size_t)n * n};
        size_t bytes = d.count * sizeof(real);
        d.a = (real *)backend.allocate(bytes), d.b = (real *)backend.allocate(bytes);
        d.c = (real *)backend.allocate(bytes), d.again = (real *)backend.allocate(bytes);
        d.largest = (int *)backend.allocate(sizeof *d.largest);
        if (d.a && d.b && d.c && d.again && d.largest) {
            fill_rung<<<RUNG_BLOCKS, RUNG_THREADS>>>(d.a, d.count, 1);
            fill_rung<<<RUNG_BLOCKS, RUNG_THREADS>>>(d.b, d.count, 2);
            CHECK_LAUNCH();
            failed += measure_size(o, n, &d);
        } else
            fprintf(stderr, "no memory for n = %ld\n", n);
        backend.release(d.a), backend.release(d.b), backend.release(d.c);
        backend.release(d.again), backend.release(d.largest);
    }
    return failed ? EXIT_WRONG : EXIT_RIGHT;
}

#endif
