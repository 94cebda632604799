/* SPDX-License-Identifier: MIT */
/** @file tuner.c
 * Measures how good the plans of ladder_gemm.h are: finds the plan of many shapes, measures all
 * candidates of each, and reports how far the plan is from the best and from cublasSgemm. The
 * simulated GPU has no times: there it counts the candidates that can run.
 */
#include <cuda_runtime.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/measure/timing_loop.h"
#include "common/measure/json.h"
#include "common/matrix/random.h"
#include "ladder_gemm.h"

enum { RIGHT, WRONG, USAGE, RESOURCE };
enum { MOST_SHAPES = 1024, MOST_PLANS = 64, FINALISTS = 5, FINAL_ROUNDS = 7, MOST_ROUNDS = 15 };

struct product_shape {
    int m, n, k;
};

static struct product_shape shapes[MOST_SHAPES];
static int shape_count;

/* The math modes of ladder_gemm.h, as --mode names them. */
static const char *const modes[] = {"float", "tensor", "tensor-fast"};
enum { MODES = sizeof modes / sizeof *modes };
static int mode = LADDER_GEMM_FLOAT;

static int mode_named(const char *name)
{
    for (int i = 0; i < MODES; i++)
        if (strcmp(name, modes[i]) == 0)
            return i;
    return -1;
}

/* What the program works with. */
static ladder_gemm_t gemm;
static cublasHandle_t cublas;
static cudaEvent_t begun, ended;
static float *A, *B, *C;
static struct cudaDeviceProp device;
#ifdef LADDER_SIM
static const char backend[] = "sim";
static const int simulated = 1;
#else
static const char backend[] = "cuda";
static const int simulated = 0;
#endif

static void check(int status, const char *what, const char *why)
{
    if (status) {
        fprintf(stderr, "%s: %s\n", what, why);
        exit(RESOURCE);
    }
}
#define CUDA(call) check_cuda(call, #call)
static void check_cuda(cudaError_t status, const char *what)
{
    check(status != cudaSuccess, what, cudaGetErrorString(status));
}

/* ---- The shapes ---- */

static void add(int m, int n, int k)
{
    if (shape_count < MOST_SHAPES)
        shapes[shape_count++] = (struct product_shape){m, n, k};
}

/// [shapes]
/* Squares, squares with odd edges, boxes of six edges, boxes of any edges, slabs and bars. */
static void default_shapes(void)
{
    static const int odd[] = {513,  600,  777,  1000, 1023, 1025, 1234, 1531,
                              1777, 1999, 2047, 2049, 2500, 2745, 3001, 3333,
                              3789, 4000, 4095, 4097, 4500, 5001, 5555, 5999},
                     edges[] = {512, 1024, 1536, 2048, 3000, 4096};
    static const struct product_shape long_ones[] = {
        {16384, 4096, 4096}, {4096, 16384, 4096}, {4096, 4096, 16384}, {8192, 8192, 1024},
        {8192, 1024, 8192},  {1024, 8192, 8192},  {8192, 8192, 4096},  {32768, 2048, 2048},
        {2048, 2048, 32768}, {10000, 3000, 3000}, {3000, 3000, 10000}, {12288, 768, 768}};
    const int boxes = sizeof edges / sizeof *edges;
    for (int n = 512; n <= 3072; n += 128)
        add(n, n, n);
    for (int n = 3584; n <= 6144; n += 512)
        add(n, n, n);
    add(8192, 8192, 8192);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        add(odd[i], odd[i], odd[i]);
    for (int i = 0; i < boxes * boxes * boxes; i++) {
        int m = edges[i / boxes / boxes], n = edges[i / boxes % boxes], k = edges[i % boxes];
        if ((m != n || n != k) && i % 2 == 0) /* half of them are enough */
            add(m, n, k);
    }
    for (int i = 0; i < 48; i++) {
        int edge[3];
        for (int j = 0; j < 3; j++)
            edge[j] = 512 + (int)(random_bits(3 * (uint64_t)i + j) % 3585);
        add(edge[0], edge[1], edge[2]);
    }
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++)
        add(long_ones[i].m, long_ones[i].n, long_ones[i].k);
}
/// [shapes]

/* "512" or "512x1024x256". */
static int add_named(const char *text)
{
    int m, n, k, end = 0;
    if (sscanf(text, "%dx%dx%d%n", &m, &n, &k, &end) == 3 && !text[end] && m > 0 && n > 0 &&
        k > 0) {
        add(m, n, k);
        return 1;
    }
    if (sscanf(text, "%d%n", &m, &end) == 1 && !text[end] && m > 0) {
        add(m, m, m);
        return 1;
    }
    return 0;
}

/* ---- Operands: each matrix of a shape is the beginning of one of three blocks ---- */

static size_t largest(size_t x, size_t y) { return x > y ? x : y; }

/* Full-mantissa numbers in [-1, 1). */
static void fill(float *at, size_t elements, uint64_t seed)
{
    float *host = malloc(elements * sizeof *host);
    check(!host, "20-tuner", "not enough memory");
    for (size_t i = 0; i < elements; i++)
        host[i] = (float)random_uniform(random_bits(i * RANDOM_STEP + random_bits(seed)));
    CUDA(cudaMemcpy(at, host, elements * sizeof *host, cudaMemcpyHostToDevice));
    free(host);
}

static void make_operands(void)
{
    size_t a = 0, b = 0, c = 0;
    for (int i = 0; i < shape_count; i++) {
        struct product_shape s = shapes[i];
        a = largest(a, (size_t)s.m * s.k);
        b = largest(b, (size_t)s.k * s.n);
        c = largest(c, (size_t)s.m * s.n);
    }
    CUDA(cudaMalloc((void **)&A, a * sizeof *A));
    CUDA(cudaMalloc((void **)&B, b * sizeof *B));
    CUDA(cudaMalloc((void **)&C, c * sizeof *C));
    fill(A, a, 1), fill(B, b, 2);
}

/* ---- Times ---- */

/* What is timed: a plan, or cublasSgemm itself where there is none. */
struct entrant {
    struct product_shape shape;
    const struct ladder_plan *plan;
    int runs; /* in a sample */
};

static const float one = 1, zero = 0;

static void multiply(struct product_shape s, const struct ladder_plan *plan)
{
    if (!plan) {
        check(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, s.m, s.n, s.k, &one, A, s.m, B, s.k,
                          &zero, C, s.m),
              "cublasSgemm", "failed");
        return;
    }
    ladder_gemm_force(gemm, plan);
    check(ladder_sgemm(gemm, CUBLAS_OP_N, CUBLAS_OP_N, s.m, s.n, s.k, &one, A, s.m, B, s.k,
                       &zero, C, s.m),
          "ladder_sgemm", ladder_gemm_message(gemm));
}

static double time_of(struct product_shape s, const struct ladder_plan *plan, int runs)
{
    float ms = 0;
    CUDA(cudaEventRecord(begun, 0));
    for (int i = 0; i < runs; i++)
        multiply(s, plan);
    CUDA(cudaEventRecord(ended, 0));
    CUDA(cudaEventSynchronize(ended));
    CUDA(cudaEventElapsedTime(&ms, begun, ended));
    return (double)ms / runs;
}

/* An entrant as a contestant of time_in_turn(). */
static double time_entrant(void *what)
{
    const struct entrant *e = what;
    return time_of(e->shape, e->plan, e->runs);
}

static int by_time(const void *x, const void *y)
{
    double a = ((const struct contestant *)x)->timing.median,
           b = ((const struct contestant *)y)->timing.median;
    return (a > b) - (a < b);
}

static double part_of(double *values, int count, double part)
{
    sort_ascending(values, count);
    return values[(int)(part * (count - 1) + 0.5)];
}

/* ---- One shape ---- */

struct comparison {
    struct product_shape shape;
    struct ladder_plan plan, best;
    double ms, cublas_ms, again_ms, best_ms; /* again: cuBLAS a second time, for the noise */
    int candidates;
};

static int same(const struct ladder_plan *x, const struct ladder_plan *y)
{
    return strcmp(x->variant, y->variant) == 0 && x->levels == y->levels &&
           x->parameter == y->parameter;
}

/// [exhaustive]
/* Times all candidates in turn; then, on fresh samples, the plan, cuBLAS twice and the best of
   the others. Fresh, because the best of many noisy times looks better than it is. */
static struct comparison compare(struct product_shape s)
{
    struct ladder_plan plans[MOST_PLANS];
    struct entrant entrants[MOST_PLANS], finalists[FINALISTS];
    struct contestant all[MOST_PLANS], last[FINALISTS];
    struct comparison out = {.shape = s};
    ladder_gemm_force(gemm, NULL);
    check(ladder_sgemm(gemm, CUBLAS_OP_N, CUBLAS_OP_N, s.m, s.n, s.k, &one, A, s.m, B, s.k,
                       &zero, C, s.m),
          "ladder_sgemm", ladder_gemm_message(gemm));
    out.plan = ladder_gemm_last(gemm).plan;

    int count = ladder_gemm_candidates(gemm, s.m, s.n, s.k, plans, MOST_PLANS), kept = 0;
    if (count > MOST_PLANS)
        count = MOST_PLANS;
    double cublas_ms = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        multiply(s, &plans[i]);
        if (ladder_gemm_last(gemm).fell_back)
            continue; /* no workspace for it */
        if (simulated) {
            kept++;
            continue;
        }
        double ms = time_of(s, &plans[i], 1), runs = 0.3 / (ms > 1e-3 ? ms : 1e-3);
        if (i == 0)
            cublas_ms = ms;
        if (ms > 3 * cublas_ms)
            continue; /* too slow to be the best even with noise */
        entrants[kept] = (struct entrant){s, &plans[i], runs < 1 ? 1 : (int)runs + 1};
        all[kept] = (struct contestant){time_entrant, &entrants[kept]};
        sum += ms * entrants[kept++].runs;
    }
    out.candidates = kept;
    if (simulated)
        return out;
    time_in_turn(all, kept, rounds_within(60, sum, 3, MOST_ROUNDS));
    qsort(all, (size_t)kept, sizeof *all, by_time);

    int runs = cublas_ms < 0.3 ? (int)(0.3 / cublas_ms) + 1 : 1, count_last = 3;
    finalists[0] = (struct entrant){s, &out.plan, runs};
    finalists[1] = finalists[2] = (struct entrant){s, NULL, runs};
    for (int i = 0; i < kept && count_last < FINALISTS; i++) {
        const struct entrant *entrant = all[i].what;
        if (!same(entrant->plan, &out.plan) && strcmp(entrant->plan->variant, "cublas") != 0)
            finalists[count_last++] = *entrant;
    }
    for (int i = 0; i < count_last; i++)
        last[i] = (struct contestant){time_entrant, &finalists[i]};
    time_in_turn(last, count_last, cublas_ms > 20 ? FINAL_ROUNDS / 2 : FINAL_ROUNDS);
    out.ms = last[0].timing.median;
    out.cublas_ms = last[1].timing.median, out.again_ms = last[2].timing.median;
    out.best = out.plan, out.best_ms = out.ms;
    if (out.cublas_ms < out.best_ms)
        out.best = plans[0], out.best_ms = out.cublas_ms;
    for (int i = 3; i < count_last; i++)
        if (last[i].timing.median < out.best_ms)
            out.best = *finalists[i].plan, out.best_ms = last[i].timing.median;
    return out;
}
/// [exhaustive]

static void print_line(FILE *out, const struct comparison *x)
{
    struct json json = json_begin(out), *j = &json;
    json_text(j, "step", "20-tuner");
    json_text(j, "backend", backend);
    json_text(j, "device", device.name);
    json_text(j, "mode", modes[mode]);
    json_whole(j, "m", x->shape.m);
    json_whole(j, "n", x->shape.n);
    json_whole(j, "k", x->shape.k);
    json_text(j, "plan", x->plan.variant);
    json_whole(j, "levels", x->plan.levels);
    json_whole(j, "parameter", (double)x->plan.parameter);
    json_number_if(j, !simulated, "ms", x->ms);
    json_number_if(j, !simulated, "cublas_ms", x->cublas_ms);
    json_number_if(j, !simulated, "cublas_again_ms", x->again_ms);
    json_text(j, "best", simulated ? NULL : x->best.variant);
    json_number_if(j, !simulated, "best_levels", x->best.levels);
    json_number_if(j, !simulated, "best_parameter", (double)x->best.parameter);
    json_number_if(j, !simulated, "best_ms", x->best_ms);
    json_whole(j, "candidates", x->candidates);
    json_end(j);
    fflush(out);
}

static void name(const struct comparison *x, char *text, size_t size)
{
    snprintf(text, size, "%d x %d x %d, %s with %d levels", x->shape.m, x->shape.n, x->shape.k,
             x->plan.variant, x->plan.levels);
}

/// [summary]
/* The noise is how far apart two series of the same cublasSgemm are, at most, in 95 of 100
   shapes. A plan that is cublasSgemm is the same call, and differs by the noise alone. Returns
   how many of the others are slower than cuBLAS by more than the noise. */
static int summarise(const struct comparison *x, int count)
{
    double *apart = malloc((size_t)count * sizeof *apart), worst = 0, slowest = 0, gain = 0;
    int near = 0, slower = 0, beyond = 0, others = 0, far = 0, slow = 0;
    char text[128];
    check(!apart, "20-tuner", "not enough memory");
    for (int i = 0; i < count; i++)
        apart[i] = fabs(x[i].again_ms / x[i].cublas_ms - 1);
    double noise = part_of(apart, count, 0.95);
    for (int i = 0; i < count; i++) {
        double from_best = x[i].ms / x[i].best_ms - 1;
        double from_cublas = x[i].ms / ((x[i].cublas_ms + x[i].again_ms) / 2) - 1;
        int other = strcmp(x[i].plan.variant, "cublas") != 0;
        near += from_best <= 0.02;
        slower += other && from_cublas > 0;
        beyond += other && from_cublas > noise;
        others += other;
        gain += other ? log1p(from_cublas) : 0;
        if (from_best > worst)
            worst = from_best, far = i;
        if (other && from_cublas > slowest)
            slowest = from_cublas, slow = i;
    }
    fprintf(stderr,
            "%d shapes: %d within 2 %% of the best candidate, %d with another plan than "
            "cublasSgemm\n",
            count, near, others);
    name(&x[far], text, sizeof text);
    fprintf(stderr, "furthest from the best: %.2f %% (%s; best %s with %d)\n", 100 * worst,
            text, x[far].best.variant, x[far].best.levels);
    fprintf(stderr,
            "noise: two series of cublasSgemm differ by %.2f %% or less in 95 of 100 shapes\n",
            100 * noise);
    fprintf(stderr, "of the others slower than cublasSgemm: %d, %d of them beyond the noise",
            slower, beyond);
    if (slowest > 0) {
        name(&x[slow], text, sizeof text);
        fprintf(stderr, "; most: %.2f %% (%s)", 100 * slowest, text);
    }
    fprintf(stderr, "\nspeed against cublasSgemm, geometric mean: %.3f\n", exp(-gain / count));
    free(apart);
    return beyond;
}
/// [summary]

/* What can be reported without times. */
static int count_candidates(const struct comparison *x, int count)
{
    long candidates = 0;
    for (int i = 0; i < count; i++)
        candidates += x[i].candidates;
    fprintf(stderr,
            "no times on the simulated GPU: counted are the candidates that ran, %ld for %d "
            "shape%s.\nWhich of them is fastest only a GPU can tell.\n",
            candidates, count, count == 1 ? "" : "s");
    return 0;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: 20-tuner [--mode M] [--plans FILE] [--guess] [--out FILE] [--list]\n"
            "                [N | MxNxK ...]\n\n"
            "  --mode M      float, tensor or tensor-fast: how exact products must be\n"
            "  --plans FILE  the tuning file to read and to add to (default: none)\n"
            "  --guess       the plans of a handle that measures nothing\n"
            "  --out FILE    the JSON lines go there too\n"
            "  --list        print the shapes, and end\n"
            "  --json        accepted and ignored: what it prints is JSON anyway\n\n"
            "Without shapes a list of its own. The summary goes to stderr. Exit status: 0;\n"
            "1 a shape is slower than cuBLAS beyond the noise, 2 usage, 3 no GPU or memory.\n");
    return USAGE;
}

int main(int argc, char **argv)
{
    const char *plans = NULL, *out_name = NULL;
    int list = 0, devices = 0, measures = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--plans") == 0 && i + 1 < argc)
            plans = argv[++i];
        else if (strcmp(argv[i], "--out") == 0 && i + 1 < argc)
            out_name = argv[++i];
        else if (strcmp(argv[i], "--guess") == 0)
            measures = 0;
        else if (strcmp(argv[i], "--mode") == 0 && i + 1 < argc &&
                 (mode = mode_named(argv[i + 1])) >= 0)
            i++;
        else if (strcmp(argv[i], "--list") == 0)
            list = 1;
        else if (strcmp(argv[i], "--json") == 0)
            continue; /* what it prints is JSON anyway */
        else if (!add_named(argv[i]))
            return usage();
    }
    if (shape_count == 0)
        default_shapes();
    for (int i = 0; list && i < shape_count; i++)
        printf("%dx%dx%d\n", shapes[i].m, shapes[i].n, shapes[i].k);
    if (list)
        return RIGHT;

    check(cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0, "20-tuner",
          "no NVIDIA GPU can be used");
    CUDA(cudaGetDeviceProperties(&device, 0));
    FILE *out = out_name ? fopen(out_name, "w") : NULL;
    check(out_name && !out, out_name, strerror(errno));
    check(ladder_gemm_create(&gemm, plans), "20-tuner", ladder_gemm_message(NULL));
    ladder_gemm_measure(gemm, measures && !simulated);
    check(ladder_gemm_set_math_mode(gemm, mode), "20-tuner", ladder_gemm_message(gemm));
#ifdef LADDER_SIM
    ladder_gemm_smallest_leaf(gemm, 8); /* so that small shapes have candidates */
#endif
    check(cublasCreate(&cublas), "cublasCreate", "failed");
    CUDA(cudaEventCreate(&begun));
    CUDA(cudaEventCreate(&ended));
    make_operands();
    struct comparison *outcomes = calloc((size_t)shape_count, sizeof *outcomes);
    check(!outcomes, "20-tuner", "not enough memory");
    for (int i = 0; i < shape_count; i++) {
        if (isatty(2))
            fprintf(stderr, "\r\033[K%d of %d: %d x %d x %d", i + 1, shape_count, shapes[i].m,
                    shapes[i].n, shapes[i].k);
        outcomes[i] = compare(shapes[i]);
        if (isatty(2))
            fprintf(stderr, "\r\033[K");
        print_line(stdout, &outcomes[i]);
        if (out)
            print_line(out, &outcomes[i]);
    }
    if (out)
        fclose(out);
    int beyond =
        simulated ? count_candidates(outcomes, shape_count) : summarise(outcomes, shape_count);
    free(outcomes);
    cudaFree(A), cudaFree(B), cudaFree(C);
    cudaEventDestroy(begun), cudaEventDestroy(ended);
    cublasDestroy(cublas);
    ladder_gemm_destroy(gemm);
    return beyond > 0 ? WRONG : RIGHT;
}
