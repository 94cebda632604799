/* SPDX-License-Identifier: MIT */
/** @file bandwidth.cu
 * Effective input bandwidth (Fatahalian et al. (2004), section 3, Table 1): the fetches of NV
 * Single and NV Multi with the arithmetic removed, and how many of the floats that they bring
 * belong to the matrices.
 */
#include "bandwidth.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/host.h"
#include "common/device/backend.h"
#include "common/device/timer.h"

#ifdef LADDER_F32 /* textures hold floats */

/// [census]
/* Instead of elements a texel gets (number of its elements inside the matrix, 1, 0, 0): what
   keep() adds up is then the number of matrix elements fetched. That it comes out right shows
   that no fetch was removed. */
static __global__ void census_texels(int rows, int columns, struct layout layout,
                                     struct texture t)
{
    int row = texel_row(), column = texel_column();
    if (row >= t.height || column >= t.width)
        return;
    int inside_rows = min(layout.rows, max(0, rows - row * layout.rows));
    int inside_columns = min(layout.columns, max(0, columns - column * layout.columns));
    t.texels[(size_t)row * t.pitch + column] =
        make_float4((float)(inside_rows * inside_columns), 1, 0, 0);
}
/// [census]

static void census(long rows, long columns, struct layout layout, struct texture t)
{
    census_texels<<<texel_grid(t), texel_block()>>>(rows, columns, layout, t);
    CHECK_LAUNCH();
}

/* nv_single() with keep() in place of mad(); the sum goes to the texel's w. */
static __global__ void single_fetches(struct texture a, struct texture b, struct texture c)
{
    if (texel_row() >= c.height || texel_column() >= c.width)
        return;
    float x = texel_column() + 0.5f, y = texel_row() + 0.5f, k = 0.5f, sum = 0;
#pragma unroll 4
    for (int i = 0; i < a.width; i++, k += 1) {
        keep(&sum, fetch(a, k, y));
        keep(&sum, fetch(b, x, k));
    }
    c.texels[(size_t)texel_row() * c.pitch + texel_column()] = make_float4(0, 1, 0, sum);
}

/* nv_multi likewise; the texel of C keeps its census in x, so that it is counted when the
   next pass reads it back. */
template <int steps>
static __global__ void multi_fetches(struct texture a, struct texture b, struct texture accum,
                                     struct texture c, int first)
{
    if (texel_row() >= c.height || texel_column() >= c.width)
        return;
    float x = texel_column() + 0.5f, y = texel_row() + 0.5f;
    float4 partial = fetch(accum, x, y);
    float sum = partial.w;
    keep(&sum, partial);
#pragma unroll
    for (int i = 0; i < steps; i++) {
        float k = 4 * (first + i) + 0.5f;
        keep(&sum, fetch(b, x, first + i + 0.5f));
        keep(&sum, fetch(a, k, y));
        keep(&sum, fetch(a, k + 1, y));
        keep(&sum, fetch(a, k + 2, y));
        keep(&sum, fetch(a, k + 3, y));
    }
    c.texels[(size_t)texel_row() * c.pitch + texel_column()] =
        make_float4(partial.x, 1, 0, sum);
}

static const pass_kernel multi_fetches_by_steps[] = {NULL,
                                                     multi_fetches<1>,
                                                     multi_fetches<2>,
                                                     multi_fetches<3>,
                                                     multi_fetches<4>,
                                                     multi_fetches<5>,
                                                     multi_fetches<6>};
static_assert(sizeof multi_fetches_by_steps / sizeof *multi_fetches_by_steps == MAX_STEPS + 1,
              "a kernel for each --unroll");

/* The sum of what all texels of C have in w. */
static double total_of(struct texture c)
{
    size_t row = c.width * sizeof(float4), count = (size_t)c.width * c.height;
    float *texels = (float *)malloc(count * sizeof(float4));
    double total = 0;
    if (!texels) {
        fprintf(stderr, "not enough memory: %zu bytes are needed\n", count * sizeof(float4));
        exit(EXIT_RESOURCE);
    }
    CUDA_CHECK(cudaMemcpy2D(texels, row, c.texels, c.pitch * sizeof(float4), row, c.height,
                            cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count; i++)
        total += texels[4 * i + 3];
    free(texels);
    return total;
}

/* The fetches of NV Single without arithmetic. The part between start() and stop() is
 * measured. */
static double fetch_single(const struct context *, struct product p, real *workspace,
                           double *ms)
{
    struct single s = create_single(p, workspace);
    census(p.a.rows, p.a.cols, block_2x2, s.a);
    census(p.b.rows, p.b.cols, block_2x2, s.b);
    backend.start();
    single_fetches<<<texel_grid(s.c), texel_block()>>>(s.a, s.b, s.c);
    CHECK_LAUNCH();
    *ms = backend.stop();
    double elements = total_of(s.c);
    destroy_single(&s);
    return elements;
}

static double fetch_multi(const struct context *ctx, struct product p, real *workspace,
                          double *ms)
{
    struct multi s = create_multi(ctx, p, workspace);
    census(p.a.rows, p.a.cols, column_of_4, s.a);
    census(p.b.rows, p.b.cols, column_of_4, s.b);
    census(p.c.rows, p.c.cols, column_of_4, s.c[0]);
    backend.start();
    run_passes(multi_fetches_by_steps, &s);
    *ms = backend.stop();
    double elements = total_of(result_multi(&s));
    destroy_multi(&s);
    return elements;
}

/* Matrix elements that are fetched: each of A's once for each column of texels of C, each of
   B's once for each row; by NV Multi each of C's once per pass. */
static double elements_single(const struct context *, struct product p)
{
    struct single s = shape_single(p);
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    return (double)m * k * s.c.width + (double)k * n * s.c.height;
}

static double elements_multi(const struct context *ctx, struct product p)
{
    struct multi s = shape_multi(ctx, p);
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    return (double)m * k * s.c[0].width + (double)k * n * s.c[0].height +
           (double)m * n * passes_multi(&s);
}

/* A variant without its arithmetic. */
struct fetching {
    const char *variant;
    size_t (*workspace)(const struct context *ctx, struct product p, int levels);
    /* Fetches; returns how many elements of the matrices were fetched, and in how many ms. */
    double (*fetch)(const struct context *ctx, struct product p, real *workspace, double *ms);
    double (*elements)(const struct context *ctx, struct product p); /* how many it must be */
    struct cost (*cost)(const struct context *ctx, struct product p, int levels);
};
static const struct fetching fetchings[] = {
    {"single", workspace_single, fetch_single, elements_single, cost_single},
    {"multi", workspace_multi, fetch_multi, elements_multi, cost_multi},
    {0},
};

/* What a run without arithmetic came to. */
struct fetched {
    struct timing timing; /* says nothing on the simulated GPU */
    double fetches;  /* texels: counted on the simulated GPU, by the formula on a real one */
    double bytes;    /* of these texels */
    double elements; /* of the matrices in them */
    int right;       /* elements and fetches are as many as they must be */
};

/* A variant without its arithmetic, as a contestant of time_in_turn(). */
struct fetching_run {
    const struct options *options;
    const struct fetching *fetching;
    const struct context *ctx;
    struct product product;
    struct cost cost; /* what it must come to */
    real *workspace;
    struct fetched *fetched;
};

static double run_fetching(void *what)
{
    const struct fetching_run *r = (const struct fetching_run *)what;
    const struct fetching *f = r->fetching;
    struct fetched *fetched = r->fetched;
    double ms;
    if (backend.count_start)
        backend.count_start(&r->options->counting);
    fetched->elements = f->fetch(r->ctx, r->product, r->workspace, &ms);
    if (backend.count_stop) {
        struct counts counts = backend.count_stop();
        fetched->fetches = counts.texture_fetches;
        fetched->bytes = counts.texture_bytes;
    }
    fetched->right = fetched->right && fetched->elements == f->elements(r->ctx, r->product) &&
                     fetched->fetches == r->cost.texture_fetches &&
                     fetched->bytes == r->cost.texture_bytes;
    return ms;
}

/* Runs one of them: a first time unmeasured, then as --reps says (5 by default). The product
   has sizes alone. */
static struct fetched measure_fetches(const struct options *o, const struct fetching *f,
                                      struct product p)
{
    struct context ctx = context_of(o);
    size_t bytes = f->workspace(&ctx, p, 0) * sizeof(real);
    real *workspace = (real *)backend.allocate(bytes);
    if (!workspace) {
        fprintf(stderr, "not enough memory on %s: %zu bytes are needed, %zu are free\n",
                backend.device(), bytes, backend.memory_free());
        exit(EXIT_RESOURCE);
    }
    struct cost cost = f->cost(&ctx, p, 0);
    struct fetched fetched = {{0}, cost.texture_fetches, cost.texture_bytes};
    struct fetching_run run = {o, f, &ctx, p, cost, workspace, &fetched};
    struct contestant contestant = {run_fetching, &run};
    fetched.right = 1;
    if (!backend.simulated)
        warm_up_in_turn(&contestant, 1, 1);
    time_in_turn(&contestant, 1, backend.simulated ? 1 : o->reps > 0 ? (int)o->reps : 5);
    backend.release(workspace);
    fetched.timing = contestant.timing;
    return fetched;
}

struct json json_of(const char *variant)
{
    struct json json = json_begin(stdout);
    json_text(&json, "step", "07-gpu-streams");
    json_text(&json, "variant", variant);
    json_text(&json, "backend", backend.name);
    json_text(&json, "device", backend.device());
    json_text(&json, "precision", "f32");
    return json;
}

void json_times(struct json *json, struct timing t)
{
    json_number_if(json, !backend.simulated, "reps", t.reps);
    json_number_if(json, !backend.simulated, "ms_median", t.median);
    json_number_if(json, !backend.simulated, "ms_min", t.min);
    json_number_if(json, !backend.simulated, "ms_max", t.max);
}

static void print_fetched_json(const struct options *o, const char *variant, struct fetched f)
{
    struct json json = json_of(variant);
    json_whole(&json, "m", o->m);
    json_whole(&json, "n", o->n);
    json_whole(&json, "k", o->k);
    json_whole(&json, "unroll", o->settings[SET_UNROLL]);
    json_times(&json, f.timing);
    json_whole(&json, "texture_fetches", f.fetches);
    json_whole(&json, "texture_bytes", f.bytes);
    json_whole(&json, "elements", f.elements);
    json_number_if(&json, !backend.simulated, "gib_per_s", gib_per_s(f.bytes, f.timing.median));
    json_bool(&json, "passed", f.right);
    json_end(&json);
}

/* A row of the table: on the simulated GPU counted, on a real one by the formula. A mad has
   four components. */
static void print_fetched(struct product p, const char *variant, struct fetched f)
{
    double multiplications = (double)p.c.rows * p.c.cols * p.a.cols;
    printf("  %-8s %12.0f %12.0f %12.0f %7.3f %7.3f %7.3f", variant, f.fetches, 4 * f.fetches,
           f.elements, f.fetches / (multiplications / 4), 2 * multiplications / f.elements,
           2 * multiplications / (4 * f.fetches));
    if (!backend.simulated)
        printf(" %9.3f %8.1f", f.timing.median, gib_per_s(f.bytes, f.timing.median));
    printf("  %s\n", f.right ? "right" : "WRONG");
}

static void print_fetched_heading(void)
{
    printf("  %-8s %12s %12s %12s %7s %7s %7s\n", "", "texel", "floats", "of these in",
           "fetches", "uses of", "flops");
    printf("  %-8s %12s %12s %12s %7s %7s %7s%s\n", "variant", "fetches", "fetched", "matrices",
           "per mad", "each", "/ float", backend.simulated ? "" : "        ms  GB/s in");
}

int run_bandwidth(const struct options *o)
{
    int right = 1;
    struct product p = product_of_size(o->m, o->n, o->k);
    if (!o->json) {
        say(stdout,
            "Fetches without the arithmetic, m = %ld, n = %ld, k = %ld, --unroll %ld, on %s\n",
            o->m, o->n, o->k, o->settings[SET_UNROLL], backend.device());
        print_fetched_heading();
    }
    for (const struct fetching *f = fetchings; f->variant; f++) {
        if (o->variant && strcmp(o->variant, f->variant) != 0)
            continue;
        struct fetched fetched = measure_fetches(o, f, p);
        if (o->json)
            print_fetched_json(o, f->variant, fetched);
        else
            print_fetched(p, f->variant, fetched);
        right = right && fetched.right;
    }
    return right ? EXIT_RIGHT : EXIT_WRONG;
}

#endif
