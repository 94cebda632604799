/* SPDX-License-Identifier: MIT */
/** @file microbenchmarks.cu
 * The three microbenchmarks of Fatahalian et al. (2004), Table 2: multiply-adds alone, one
 * texel over and over, each texel once. In addition to textures the same through plain loads
 * and shared memory.
 */
#include "bandwidth.cuh"

#include <stdio.h>
#include <stdlib.h>

#include "common/device/backend.h"
#include "common/device/timer.h"
#include "common/measure/report.h"

#ifdef LADDER_F32 /* textures hold floats */

enum {
    MICRO_BLOCK = 256,         /* threads in a block */
    MICRO_WIDTH = 1024,        /* texels in a row of the texture */
    MICRO_CHAINS = 8,          /* independent sums of multiply-adds in a thread */
    MICRO_SHARED = MICRO_BLOCK /* texels in shared memory; a power of two */
};
static_assert((MICRO_SHARED & (MICRO_SHARED - 1)) == 0, "walk_shared() wraps around by a mask");
static_assert(MICRO_SHARED == MICRO_BLOCK, "each thread of walk_shared() writes one texel");
static_assert(MICRO_WIDTH % MICRO_BLOCK == 0, "a block's texels are in one row");

/* The compiler cannot shorten any of these kernels: what they repeat depends on arguments that
   it does not know (strides of 0, a factor of 1), and each thread's sum is checked. */

/// [multiply-adds]
/* A multiprocessor starts four instructions per clock, of 32 lanes each, and could start four
   multiply-adds. Each instruction that counts or closes the loop takes the place of one. So the
   loop is long: 256 multiply-adds. */
static __global__ void multiply_adds(float x, float y, int count, float *sums)
{
    float v[MICRO_CHAINS] = {0};
#pragma unroll 32
    for (int i = 0; i < count; i++)
#pragma unroll
        for (int j = 0; j < MICRO_CHAINS; j++)
            v[j] = v[j] * x + y;
    float sum = 0;
    for (int j = 0; j < MICRO_CHAINS; j++)
        sum += v[j];
    sums[blockIdx.x * MICRO_BLOCK + threadIdx.x] = sum;
}
/// [multiply-adds]

/// [walks]
/* Texel i of every texture or array that is walked over. Its x follows from the number of its
   block of texels, so the sum of keep() shows which blocks a thread reached. */
static __host__ __device__ __forceinline__ float4 micro_texel(int i)
{
    return make_float4(1 + i % 8 + i / MICRO_BLOCK % 1024, 1, 0, 1);
}

/* Each thread fetches `count` texels, and goes on by some rows each time, from the top again
   below the last: block b by stride + b * twist. spread 0: all threads at texel (0, 0); 1: each
   at its own. */
static __global__ void walk_texture(struct texture t, int spread, int stride, int twist,
                                    int count, float *sums)
{
    int id = blockIdx.x * MICRO_BLOCK + threadIdx.x, at = spread * id;
    float x = at % t.width + 0.5f, y = at / t.width % t.height + 0.5f;
    float step = (stride + blockIdx.x * twist) % t.height, height = t.height, sum = 0;
#pragma unroll 4
    for (int i = 0; i < count; i++) {
        keep(&sum, fetch(t, x, y));
        y += step;
        y = y >= height ? y - height : y;
    }
    sums[id] = sum;
}

/* The same by plain loads; size, stride and twist in texels. */
static __global__ void walk_memory(const float4 *texels, int size, int spread, int stride,
                                   int twist, int count, float *sums)
{
    int id = blockIdx.x * MICRO_BLOCK + threadIdx.x, at = spread * id % size;
    int step = (stride + blockIdx.x * twist) % size;
    float sum = 0;
#pragma unroll 4
    for (int i = 0; i < count; i++) {
        keep(&sum, texels[at]);
        at += step;
        at = at >= size ? at - size : at;
    }
    sums[id] = sum;
}

/* As the document did it: texel (0, 0) of several textures, one after another. `step` is 0, but
   the compiler does not know: with fixed places it would fetch once, before the loop. */
enum { SEVERAL = 4 };
struct several {
    struct texture of[SEVERAL];
};

static __global__ void walk_several(struct several t, float step, int count, float *sums)
{
    float sum = 0, x = 0.5f, y = 0.5f;
#pragma unroll 2
    for (int i = 0; i < count; i += SEVERAL) {
#pragma unroll
        for (int j = 0; j < SEVERAL; j++)
            keep(&sum, fetch(t.of[j], x, y));
        y += step;
    }
    sums[blockIdx.x * MICRO_BLOCK + threadIdx.x] = sum;
}

static __global__ void walk_shared(int spread, int stride, int count, float *sums)
{
    __shared__ float4 texels[MICRO_SHARED];
    int at = spread * threadIdx.x;
    float sum = 0;
    texels[threadIdx.x] = micro_texel(threadIdx.x);
    __syncthreads();
#pragma unroll 4
    for (int i = 0; i < count; i++) {
        keep(&sum, texels[at]);
        at = (at + stride) & (MICRO_SHARED - 1);
    }
    sums[blockIdx.x * MICRO_BLOCK + threadIdx.x] = sum;
}
/// [walks]

static __global__ void fill_texels(float4 *texels, int count)
{
    int i = blockIdx.x * MICRO_BLOCK + threadIdx.x;
    if (i < count)
        texels[i] = micro_texel(i);
}

/** What runs them: a grid that fills the GPU once, and texels to walk over. */
struct micro {
    int blocks;
    int rows;             /**< of texels that all threads together fetch at once */
    int count;            /**< fetches of a thread where they are cached */
    int sequential_count; /**< fetches of a thread where each texel is fetched once */
    struct texture texels;
    struct texture middle;  /**< their first 8 MiB, the texels of a block to a row: too much for
                               a  first-level cache, little enough for the second */
    struct several several; /**< separate rows in the same memory */
    float *sums;
};

enum micro_path { ARITHMETIC, SHARED, MEMORY, TEXTURE, TEXTURES };
/** Where a thread goes: it stays, walks over 8 MiB round and round, or over everything once. */
enum micro_rows { STAY, MIDDLE, ALL };

/// [table]
/** One measurement. `spread` and `rows`: which texels it walks over. */
struct microbenchmark {
    const char *name, *sentence;
    enum micro_path path;
    int spread;
    enum micro_rows rows;
};
static const struct microbenchmark microbenchmarks[] = {
    {"multiply-add", "registers: three operands for each multiply-add", ARITHMETIC},
    {"shared-one", "shared memory: all lanes the same 16 bytes", SHARED, 0, STAY},
    {"shared-own", "shared memory: each lane its own 16 bytes", SHARED, 1, STAY},
    {"load-one", "loads: all lanes the same 16 bytes", MEMORY, 0, STAY},
    {"load-own", "loads: each lane its own 16 bytes", MEMORY, 1, STAY},
    {"load-middle", "loads: 8 MiB, from the second-level cache", MEMORY, 1, MIDDLE},
    {"load-sequential", "loads: each 16 bytes once", MEMORY, 1, ALL},
    {"texture-one", "textures: texel (0, 0) over and over", TEXTURE, 0, STAY},
    {"texture-several", "textures: texel (0, 0) of four textures in turn", TEXTURES, 0, STAY},
    {"texture-own", "textures: each lane its own texel over and over", TEXTURE, 1, STAY},
    {"texture-middle", "textures: 8 MiB round and round", TEXTURE, 1, MIDDLE},
    {"texture-sequential", "textures: each texel once", TEXTURE, 1, ALL},
};
enum { MICROBENCHMARKS = sizeof microbenchmarks / sizeof *microbenchmarks };
/// [table]

/* Multiply-adds are so quick that the launch would show in the time if there were fewer of
 * them. */
static int micro_count(const struct micro *m, const struct microbenchmark *b)
{
    return b->path == ARITHMETIC ? 8 * m->count
           : b->rows == ALL      ? m->sequential_count
                                 : m->count;
}

/// [rounds]
/** How a microbenchmark walks: over these texels, block b by stride + b * twist rows. */
struct texture_walk {
    struct texture texels;
    int stride, twist;
};

/* Over 8 MiB in rounds, block b by 1 + 2b rows of 2048: an odd number, so that it comes to
   every row before it comes to one again. Blocks go different ways, or one of them could follow
   another on the same multiprocessor, and fetch what that has just brought into the first-level
   cache. */
static struct texture_walk walk_of(const struct micro *m, const struct microbenchmark *b)
{
    switch (b->rows) {
    case MIDDLE:
        return {m->middle, 1, 2};
    case ALL:
        return {m->texels, m->rows, 0};
    default:
        return {m->texels, 0, 0};
    }
}
/// [rounds]

static void run_micro(const struct micro *m, const struct microbenchmark *b)
{
    struct texture_walk w = walk_of(m, b);
    struct texture t = w.texels;
    int count = micro_count(m, b);
    switch (b->path) {
    case ARITHMETIC:
        multiply_adds<<<m->blocks, MICRO_BLOCK>>>(1, 1, count, m->sums);
        break;
    case SHARED:
        walk_shared<<<m->blocks, MICRO_BLOCK>>>(b->spread, w.stride, count, m->sums);
        break;
    case MEMORY:
        walk_memory<<<m->blocks, MICRO_BLOCK>>>(t.texels, t.height * t.width, b->spread,
                                                w.stride * t.width, w.twist * t.width, count,
                                                m->sums);
        break;
    case TEXTURE:
        walk_texture<<<m->blocks, MICRO_BLOCK>>>(t, b->spread, w.stride, w.twist, count,
                                                 m->sums);
        break;
    case TEXTURES:
        walk_several<<<m->blocks, MICRO_BLOCK>>>(m->several, 0, count, m->sums);
        break;
    }
    CHECK_LAUNCH();
}

/* The right sum of a block's first thread. Multiply-adds count up; for texels the walk is
   repeated here, over the 8 MiB row by row, since a block must come to every row equally
   often. */
static double first_sum(const struct micro *m, const struct microbenchmark *b, int block)
{
    struct texture_walk w = walk_of(m, b);
    int count = micro_count(m, b), width = w.texels.width, size = width * w.texels.height;
    int at = b->path == SHARED ? 0 : b->spread * block * MICRO_BLOCK % size;
    int step = b->rows == MIDDLE ? width : w.stride * width;
    double sum = 0;
    if (b->path == ARITHMETIC)
        return (double)MICRO_CHAINS * count;
    for (int i = 0; b->path == TEXTURES && i < SEVERAL; i++)
        sum += (double)micro_texel(i * MICRO_WIDTH).x * count / (int)SEVERAL;
    if (b->path == TEXTURES)
        return sum;
    for (int i = 0; i < count; i++, at = (at + step) % size)
        sum += micro_texel(at).x;
    return sum;
}

/* Whether every thread's sum is right. Where each thread has its own texel, the sums of a block
   differ by i % 8, see micro_texel(). */
static int sums_are_right(const struct micro *m, const struct microbenchmark *b)
{
    int threads = m->blocks * MICRO_BLOCK, count = micro_count(m, b);
    float *sums = (float *)malloc(threads * sizeof *sums);
    int right = sums != NULL;
    if (sums)
        CUDA_CHECK(cudaMemcpy(sums, m->sums, threads * sizeof *sums, cudaMemcpyDeviceToHost));
    double first = 0;
    for (int i = 0; right && i < threads; i++) {
        first = i % MICRO_BLOCK == 0 ? first_sum(m, b, i / MICRO_BLOCK) : first;
        right = sums[i] == first + (double)count * b->spread * (i % 8);
    }
    free(sums);
    return right;
}

/* What one came to. */
struct rate {
    struct timing timing;
    double flops;   /* of all threads; 0: it is not about arithmetic */
    double bytes;   /* that all threads asked for */
    double fetches; /* texels fetched through textures: counted on the simulated GPU */
    int right;      /* the sums, and there the count, are what they must be */
};

/* A microbenchmark as a contestant of time_in_turn(). */
struct micro_run {
    const struct options *options;
    const struct micro *micro;
    const struct microbenchmark *benchmark;
};

static double time_micro(void *what)
{
    const struct micro_run *r = (const struct micro_run *)what;
    if (backend.count_start)
        backend.count_start(&r->options->counting);
    backend.start();
    run_micro(r->micro, r->benchmark);
    return backend.stop();
}

static struct rate measure_micro(const struct options *o, const struct micro *m,
                                 const struct microbenchmark *b)
{
    double threads = m->blocks * (int)MICRO_BLOCK, count = micro_count(m, b);
    struct micro_run run = {o, m, b};
    struct contestant contestant = {time_micro, &run};
    struct rate rate = {};
    if (!backend.simulated)
        warm_up_in_turn(&contestant, 1, 1);
    time_in_turn(&contestant, 1, backend.simulated ? 1 : 5);
    rate.timing = contestant.timing;
    rate.fetches = b->path == TEXTURE || b->path == TEXTURES ? threads * count : 0;
    rate.flops = b->path == ARITHMETIC ? 2.0 * (int)MICRO_CHAINS * threads * count : 0;
    rate.bytes = b->path == ARITHMETIC ? 6 * rate.flops : 16 * threads * count;
    rate.right = sums_are_right(m, b);
    if (backend.count_stop) {
        struct counts counts = backend.count_stop();
        rate.right = rate.right && counts.texture_fetches == rate.fetches;
        rate.fetches = counts.texture_fetches;
    }
    return rate;
}

/* 8 blocks of 256 threads are what a multiprocessor holds; 240 texels per thread are then 1 GiB
   on 132 of them. The simulated GPU counts, and a few will do. */
static struct micro micro_create(real **block)
{
    int processors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    struct micro m = {backend.simulated ? 4 : 8 * processors};
    m.rows = m.blocks * MICRO_BLOCK / MICRO_WIDTH;
    m.count = backend.simulated ? 8 : 8192;
    m.sequential_count = backend.simulated ? 8 : 240;
    m.texels = texture_shape(m.rows * m.sequential_count, MICRO_WIDTH, {1, 1});
    CUDA_CHECK(cudaMalloc((void **)block, texture_elements(m.texels) * sizeof(real)));
    CUDA_CHECK(cudaMalloc((void **)&m.sums, sizeof(float) * m.blocks * MICRO_BLOCK));
    real *next = *block;
    m.texels = texture_create(m.texels, &next);
    next = *block;
    m.middle = texture_shape(backend.simulated ? 8 : (8 << 20) / 16 / MICRO_BLOCK, MICRO_BLOCK,
                             {1, 1});
    m.middle = texture_create(m.middle, &next);
    for (int i = 0; i < SEVERAL; i++) { /* row i of the texels */
        next = *block + (size_t)i * MICRO_WIDTH * 4;
        m.several.of[i] = texture_create(texture_shape(1, MICRO_WIDTH, {1, 1}), &next);
    }
    int count = m.texels.height * MICRO_WIDTH;
    fill_texels<<<blocks_for(count, MICRO_BLOCK), MICRO_BLOCK>>>(m.texels.texels, count);
    CHECK_LAUNCH();
    return m;
}

/* All of them, into rates[MICROBENCHMARKS]. Returns 1 when all were right. */
static int measure_all_micro(const struct options *o, struct rate *rates)
{
    real *block;
    struct micro m = micro_create(&block);
    int right = 1;
    for (int i = 0; i < MICROBENCHMARKS; i++) {
        report_progress(o, "%s ...", microbenchmarks[i].name);
        rates[i] = measure_micro(o, &m, &microbenchmarks[i]);
        right = right && rates[i].right;
    }
    report_progress(o, "%s", "");
    texture_destroy(m.texels);
    texture_destroy(m.middle);
    for (int i = 0; i < SEVERAL; i++)
        texture_destroy(m.several.of[i]);
    CUDA_CHECK(cudaFree(block));
    CUDA_CHECK(cudaFree(m.sums));
    return right;
}

/* The clock that the driver states, in MHz (a busy GPU may run below it). */
static double clock_mhz(void)
{
#ifdef LADDER_SIM
    return 0;
#else
    int khz = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    return khz / 1e3;
#endif
}

static void print_rate_json(const struct microbenchmark *b, struct rate r)
{
    int processors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    struct json json = json_of(b->name);
    json_times(&json, r.timing);
    json_whole(&json, "flops", r.flops);
    json_whole(&json, "bytes", r.bytes);
    json_whole(&json, "texture_fetches", r.fetches);
    json_whole(&json, "multiprocessors", processors);
    json_number_if(&json, !backend.simulated, "gflops", r.flops / r.timing.median / 1e6);
    json_number_if(&json, !backend.simulated, "gib_per_s", gib_per_s(r.bytes, r.timing.median));
    json_number_if(&json, !backend.simulated, "clock_mhz", clock_mhz());
    json_bool(&json, "passed", r.right);
    json_end(&json);
}

static void print_rates(const struct rate *rates)
{
    printf("  %-18s %-47s %10s %10s\n", "", "", backend.simulated ? "bytes" : "GFLOP/s",
           backend.simulated ? "texels" : "GB/s");
    for (int i = 0; i < MICROBENCHMARKS; i++) {
        struct rate r = rates[i];
        printf("  %-18s %-47s ", microbenchmarks[i].name, microbenchmarks[i].sentence);
        if (backend.simulated)
            printf("%10.0f %10.0f", r.bytes, r.fetches);
        else if (r.flops > 0)
            printf("%10.0f %10.0f", r.flops / r.timing.median / 1e6,
                   gib_per_s(r.bytes, r.timing.median));
        else
            printf("%10s %10.0f", "", gib_per_s(r.bytes, r.timing.median));
        printf("  %s\n", r.right ? "right" : "WRONG");
    }
}

int run_microbenchmarks(const struct options *o)
{
    struct rate rates[MICROBENCHMARKS];
    int right = measure_all_micro(o, rates);
    if (o->json) {
        for (int i = 0; i < MICROBENCHMARKS; i++)
            print_rate_json(&microbenchmarks[i], rates[i]);
    } else {
        printf("Microbenchmarks on %s%s\n", backend.device(),
               backend.simulated ? " (which has no times: what they ask for, counted)" : "");
        print_rates(rates);
    }
    return right ? EXIT_RIGHT : EXIT_WRONG;
}

#endif
