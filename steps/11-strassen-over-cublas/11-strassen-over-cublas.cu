/* SPDX-License-Identifier: MIT */
/** @file 11-strassen-over-cublas.cu
 * Strassen's method with nothing but library calls: cublas<t>geam for sums and copies, and at
 * the bottom cublas<t>gemm or the kernel of step 08 (Musella, chapters 2 to 5).
 */
#include <stdio.h>
#include <string.h>

#include "common/matrix/block.h"
#include "common/device/libraries/cublas.h"
#include "common/device/host.h"
#include "common/device/timer.h"
#include "common/device/libraries/vendor.h"
#include "common/matrix/input.h"
#include "common/measure/json.h"
#include "common/model.h"
#include "common/measure/timed_variant.h"
#include "steps/04-cpu-strassen/threshold/threshold.h"
#include "steps/08-gpu-shared/tiles.cuh"

#ifdef LADDER_F32
#define cublasGeam cublasSgeam
#else
#define cublasGeam cublasDgeam
#endif

/// [geam]
/* Z = X + sign Y. To cuBLAS, which thinks in columns, our rows are columns: a rows x cols block
   is cols x rows there, with the same leading dimension. Z may be X. */
static void add_signed(struct block x, real sign, struct block y, struct block z)
{
    const real one = 1;
    CUBLAS_CHECK(cublasGeam(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, (int)z.cols, (int)z.rows,
                            &one, x.at, (int)x.ld, &sign, y.at, (int)y.ld, z.at, (int)z.ld));
}

static void add(struct block x, struct block y, struct block z) { add_signed(x, 1, y, z); }
static void sub(struct block x, struct block y, struct block z) { add_signed(x, -1, y, z); }
static void copy(struct block x, struct block z) { add_signed(x, 0, x, z); } /* y is not read */
/// [geam]

/// [buffers]
/* What one level needs: places for a sum of A's and of B's quadrants, and the
   seven products. */
struct buffers {
    struct block a, b, m1, m2, m3, m4, m5, m6, m7;
};

static size_t level_elements(long m, long n, long k)
{
    return (size_t)(m * k) + (size_t)(k * n) + 7 * (size_t)(m * n);
}

/* Every level has its own, taken off the front of one workspace before the next
   level begins. */
static struct buffers take_buffers(real **workspace, struct quadrants A, struct quadrants C)
{
    long m = C.q11.rows, n = C.q11.cols, k = A.q11.cols;
    struct buffers at;
    at.a = take_block(workspace, m, k);
    at.b = take_block(workspace, k, n);
    struct block *products[] = {&at.m1, &at.m2, &at.m3, &at.m4, &at.m5, &at.m6, &at.m7};
    for (int i = 0; i < 7; i++)
        *products[i] = take_block(workspace, m, n);
    return at;
}

/* 9/4 n^2 for the first level, a quarter of that for each next one: less than 3 n^2. */
static size_t workspace_hybrid(const struct context *, struct product p, int levels)
{
    return workspace_of_levels(p, levels, level_elements);
}
/// [buffers]

/// [document]
/* Musella, section 5.2, call for call: 18 sums and 8 copies per level. */
static void document(const struct context *ctx, struct product p, int levels, real *workspace)
{
    if (levels == 0) {
        multiply_leaf(ctx, p);
        return;
    }
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct buffers at = take_buffers(&workspace, A, C);

    add(A.q11, A.q22, at.a), add(B.q11, B.q22, at.b);
    document(ctx, product_on(at.a, at.b, at.m1), levels - 1, workspace);
    add(A.q21, A.q22, at.a), copy(B.q11, at.b);
    document(ctx, product_on(at.a, at.b, at.m2), levels - 1, workspace);
    copy(A.q11, at.a), sub(B.q12, B.q22, at.b);
    document(ctx, product_on(at.a, at.b, at.m3), levels - 1, workspace);
    copy(A.q22, at.a), sub(B.q21, B.q11, at.b);
    document(ctx, product_on(at.a, at.b, at.m4), levels - 1, workspace);
    add(A.q11, A.q12, at.a), copy(B.q22, at.b);
    document(ctx, product_on(at.a, at.b, at.m5), levels - 1, workspace);
    sub(A.q21, A.q11, at.a), add(B.q11, B.q12, at.b);
    document(ctx, product_on(at.a, at.b, at.m6), levels - 1, workspace);
    sub(A.q12, A.q22, at.a), add(B.q21, B.q22, at.b);
    document(ctx, product_on(at.a, at.b, at.m7), levels - 1, workspace);

    copy(at.m1, C.q11), add(C.q11, at.m4, C.q11), sub(C.q11, at.m5, C.q11),
        add(C.q11, at.m7, C.q11);
    copy(at.m3, C.q12), add(C.q12, at.m5, C.q12);
    copy(at.m2, C.q21), add(C.q21, at.m4, C.q21);
    copy(at.m1, C.q22), sub(C.q22, at.m2, C.q22), add(C.q22, at.m3, C.q22),
        add(C.q22, at.m6, C.q22);
}
/// [document]

/// [no copies]
/* The same without copies: a quadrant with its leading dimension is a matrix, and geam's first
   sum can write where the copy would have gone. 18 sums. */
static void no_copies(const struct context *ctx, struct product p, int levels, real *workspace)
{
    if (levels == 0) {
        multiply_leaf(ctx, p);
        return;
    }
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct buffers at = take_buffers(&workspace, A, C);

    add(A.q11, A.q22, at.a), add(B.q11, B.q22, at.b);
    no_copies(ctx, product_on(at.a, at.b, at.m1), levels - 1, workspace);
    add(A.q21, A.q22, at.a);
    no_copies(ctx, product_on(at.a, B.q11, at.m2), levels - 1, workspace);
    sub(B.q12, B.q22, at.b);
    no_copies(ctx, product_on(A.q11, at.b, at.m3), levels - 1, workspace);
    sub(B.q21, B.q11, at.b);
    no_copies(ctx, product_on(A.q22, at.b, at.m4), levels - 1, workspace);
    add(A.q11, A.q12, at.a);
    no_copies(ctx, product_on(at.a, B.q22, at.m5), levels - 1, workspace);
    sub(A.q21, A.q11, at.a), add(B.q11, B.q12, at.b);
    no_copies(ctx, product_on(at.a, at.b, at.m6), levels - 1, workspace);
    sub(A.q12, A.q22, at.a), add(B.q21, B.q22, at.b);
    no_copies(ctx, product_on(at.a, at.b, at.m7), levels - 1, workspace);

    add(at.m1, at.m4, C.q11), sub(C.q11, at.m5, C.q11), add(C.q11, at.m7, C.q11);
    add(at.m3, at.m5, C.q12);
    add(at.m2, at.m4, C.q21);
    sub(at.m1, at.m2, C.q22), add(C.q22, at.m3, C.q22), add(C.q22, at.m6, C.q22);
}
/// [no copies]

static const struct variant variants[] = {
    {.name = "document",
     .sentence = "Musella, call for call: 18 sums and 8 copies per level",
     .multiply = document,
     .workspace = workspace_hybrid,
     .cost = model_strassen_flops,
     .bound = {.scheme = &strassen_scheme},
     .shapes = {.pad_m = 1, .pad_n = 1, .pad_k = 1}},
    {.name = "no-copies",
     .sentence = "quadrants by their leading dimensions: 18 sums",
     .multiply = no_copies,
     .workspace = workspace_hybrid,
     .cost = model_strassen_flops,
     .bound = {.scheme = &strassen_scheme},
     .shapes = {.pad_m = 1, .pad_n = 1, .pad_k = 1}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "cublas", .sentence = "cublasSgemm or cublasDgemm", .multiply = multiply_cublas},
    {.name = "tile16",
     .sentence = "the 16 x 16 tiles of step 08",
     .simple = launch<tile16, 16>},
    {0},
};

static int find_threshold(const struct options *options)
{
    return find_threshold_of(options, &variants[1], "Strassen");
}

/* ---- Is it worth it with the copies? --copies ---- */

/* One product as a program on the host sees it: A, B and C begin and end in its own memory. */
struct trip {
    struct context ctx;
    struct product on_gpu, on_host; /* on_host: where they come from and go to */
    size_t bytes;                   /* of a matrix */
    enum precision precision;
};

static double trip_product(void *what)
{
    const struct trip *t = (const struct trip *)what;
    backend.start();
    multiply_leaf(&t->ctx, t->on_gpu);
    return backend.stop();
}

/// [copies]
/* The download waits until the product is done. So the host's clock covers all of it. */
static double trip_with_copies(void *what)
{
    const struct trip *t = (const struct trip *)what;
    double start = timer_now();
    backend.upload(t->on_gpu.a.at, t->on_host.a.at, t->bytes);
    backend.upload(t->on_gpu.b.at, t->on_host.b.at, t->bytes);
    multiply_leaf(&t->ctx, t->on_gpu);
    backend.download(t->on_host.c.at, t->on_gpu.c.at, t->bytes);
    return timer_now() - start;
}
/// [copies]

static double trip_processor(void *what)
{
    const struct trip *t = (const struct trip *)what;
    if (openblas_missing())
        return -1;
    let_threads_sleep(0);
    double start = timer_now();
    openblas_multiply(t->precision, t->on_host);
    return timer_now() - start;
}

enum { TRIP_ALONE, TRIP_PAGEABLE, TRIP_PINNED, TRIP_PROCESSOR, TRIPS };

static void print_trips(const struct options *o, long n, const struct contestant *c)
{
    bool processor = c[TRIP_PROCESSOR].count > 0;
    if (!o->json) {
        printf("%6ld %10.3f %10.3f %10.3f ", n, c[TRIP_ALONE].timing.median,
               c[TRIP_PAGEABLE].timing.median, c[TRIP_PINNED].timing.median);
        if (processor)
            printf("%10.3f\n", c[TRIP_PROCESSOR].timing.median);
        else
            printf("%10s\n", "-");
        return;
    }
    static const char *const ways[TRIPS] = {"alone", "pageable", "pinned", "processor"};
    for (int i = 0; i < (processor ? TRIPS : TRIP_PROCESSOR); i++) {
        struct json json = json_begin(stdout);
        json_text(&json, "step", "11-strassen-over-cublas");
        json_text(&json, "variant", ways[i]);
        json_text(&json, "backend", backend.name);
        json_text(&json, "device", backend.device());
        json_text(&json, "processor", host_processor());
        json_whole(&json, "threads", host_processors());
        json_text(&json, "precision", precision_names[o->precision]);
        json_text(&json, "leaf", find_leaf(leaves, o->leaf)->name);
        json_whole(&json, "n", n);
        if (i == TRIP_PROCESSOR)
            json_text(&json, "reference", openblas_load(1)); /* loaded long ago: its name */
        json_whole(&json, "reps", c[i].count);
        json_number(&json, "ms_median", c[i].timing.median);
        json_number(&json, "ms_min", c[i].timing.min);
        json_number(&json, "ms_max", c[i].timing.max);
        json_end(&json);
    }
}

/* Times one size; false: not enough memory. */
static bool time_trips(const struct options *o, const struct leaf *leaf, long n)
{
    struct matrix m[3] = {};
    void *pinned[3] = {};
    bool enough = true;
    for (int i = 0; i < 3 && enough; i++)
        enough = matrix_create(&m[i], o->precision, n, n, n) &&
                 cudaMallocHost(&pinned[i], (size_t)n * n * sizeof(real)) == cudaSuccess;
    if (enough) {
        for (int i = 0; i < 3; i++) /* matrix_create() has pinned what is pageable here */
            backend.unpin(m[i].host_block);
        input_fill(&m[0], INPUT_UNIFORM, OPERAND_A, o->seed, 1);
        input_fill(&m[1], INPUT_UNIFORM, OPERAND_B, o->seed, 1);
        struct trip trip = {};
        trip.ctx.threads = 1, trip.ctx.leaf = leaf, trip.precision = o->precision;
        trip.bytes = (size_t)n * n * sizeof(real);
        trip.on_gpu = trip.on_host = product_of_size(n, n, n);
        trip.on_gpu.a.at = (real *)m[0].device, trip.on_host.a.at = (real *)m[0].host;
        trip.on_gpu.b.at = (real *)m[1].device, trip.on_host.b.at = (real *)m[1].host;
        trip.on_gpu.c.at = (real *)m[2].device, trip.on_host.c.at = (real *)m[2].host;
        struct trip from_pinned = trip;
        from_pinned.on_host.a.at = (real *)memcpy(pinned[0], m[0].host, trip.bytes);
        from_pinned.on_host.b.at = (real *)memcpy(pinned[1], m[1].host, trip.bytes);
        from_pinned.on_host.c.at = (real *)pinned[2];
        struct contestant contestants[TRIPS] = {{trip_product, &trip},
                                                {trip_with_copies, &trip},
                                                {trip_with_copies, &from_pinned},
                                                {trip_processor, &trip}};
        warm_up_in_turn(contestants, TRIPS,
                        2); /* the first brings data, and wakes the clocks */
        time_in_turn(contestants, TRIPS, n <= 1024 ? 21 : 7);
        print_trips(o, n, contestants);
    }
    for (int i = 0; i < 3; i++) {
        matrix_destroy(&m[i]);
        cudaFreeHost(pinned[i]);
    }
    return enough;
}

static int time_copies(const struct options *o)
{
    const struct leaf *leaf = find_leaf(leaves, o->leaf);
    if (no_times("copies", leaf))
        return EXIT_RESOURCE;
    const char *vendor = openblas_load(host_processors());
    if (!o->json) {
        printf("%s, %s, milliseconds on %s\nwith the copies over PCIe, and %s on %s\n\n",
               leaf->name, precision_names[o->precision], backend.device(),
               vendor ? vendor : "no OpenBLAS", host_processor());
        printf("%6s %10s %10s %10s %10s\n", "n", "alone", "pageable", "pinned", "processor");
    }
    for (long n = 64; n <= 8192; n = n & (n - 1) ? n / 3 * 4 : n / 2 * 3)
        if (!time_trips(o, leaf, n)) {
            fprintf(stderr, "not enough memory for n = %ld\n", n);
            return EXIT_RESOURCE;
        }
    return EXIT_RIGHT;
}

static const struct action actions[] = {
    {.name = "find-threshold",
     .help = "measure from which n one level beats the leaf",
     .run = find_threshold,
     .json = 1,
     .heeds = THRESHOLD_HEEDS},
    {.name = "copies",
     .help = "time the leaf alone, with the copies to the GPU and back, and the processor",
     .run = time_copies,
     .json = 1,
     .heeds = "seed,leaf"},
    {0},
};

const struct step STEP = {
    .name = "11-strassen-over-cublas",
    .idea = "Strassen over library calls: geam for the sums, gemm at the bottom",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .default_n = 256,
    .default_tau1 = 1024,
};
