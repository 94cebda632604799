/* SPDX-License-Identifier: MIT */
/** @file tuner.c
 * Measures how good the plans of ladder_gemm.h are: finds the plan of many shapes, measures all
 * candidates of each, and reports how far the plan is from the best and from cublasSgemm. With
 * --compare, and in double, it runs only the library's call and cuBLAS's, and lists the shapes
 * where the library is slower. The simulated GPU has no times: there it counts the candidates
 * that can run.
 */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/device/timer.h"
#include "common/measure/json.h"
#include "common/matrix/random.h"
#include "steps/20-library/methods.h"

enum { RIGHT, WRONG, USAGE, RESOURCE };
enum { MOST_SHAPES = 1024, MOST_PLANS = 64, FINALISTS = 5, FINAL_ROUNDS = 9, MOST_ROUNDS = 15 };

struct product_shape {
    int m, n, k;
    int count; /* of a batch; 1: no batch */
};

static struct product_shape shapes[MOST_SHAPES];
static int shape_count;

/* The mode of --mode: `float`, `double`, or that of a method. */
static const char *mode = "float";
static int math;
static bool wide; /* in double */

static bool take_mode(const char *name)
{
    math = 0, wide = strcmp(name, "double") == 0;
    bool known = wide || strcmp(name, "float") == 0;
    for (int i = 0; !known && ladder_added[i]; i++)
        if (ladder_added[i]->mode && strcmp(name, ladder_added[i]->mode) == 0)
            known = true, math = ladder_added[i]->math, wide = ladder_added[i]->wide;
    mode = name;
    return known;
}

static ladder_gemm_t gemm;
static cublasHandle_t cublas;
static cudaEvent_t begun, ended;
static void *A, *B, *C; /* of floats, or of doubles in the modes of double */
static int compare_only;
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
static void check_cuda(const char *what, cudaError_t status)
{
    check(status != cudaSuccess, what, cudaGetErrorString(status));
}

/* ---- The shapes ---- */

static void add_batch(int m, int n, int k, int count)
{
    if (shape_count < MOST_SHAPES)
        shapes[shape_count++] = (struct product_shape){m, n, k, count};
}

static void add(int m, int n, int k) { add_batch(m, n, k, 1); }

/* Squares, squares with odd edges, boxes of six edges, boxes of any edges, slabs and bars. */
static void default_shapes(void)
{
    static const int odd[] = {513,  600,  777,  1000, 1023, 1025, 1234, 1531,
                              1777, 1999, 2047, 2049, 2500, 2745, 3001, 3333,
                              3789, 4000, 4095, 4097, 4500, 5001, 5555, 5999},
                     edges[] = {512, 1024, 1536, 2048, 3000, 4096};
    static const int long_ones[][3] = {
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
        add(long_ones[i][0], long_ones[i][1], long_ones[i][2]);
}

/* The shapes of --compare: squares from 64 to 32768, layers of neural networks, updates of a
   factorisation (a short k), and, in float, batches. */
static void shapes_to_compare(void)
{
    static const int boxes[][3] = {
        {128, 4096, 4096},   {512, 4096, 4096},   {1024, 4096, 4096},  {4096, 128, 4096},
        {4096, 384, 4096},   {4096, 512, 4096},   {4096, 1024, 4096},  {8192, 128, 8192},
        {4096, 11008, 4096}, {4096, 4096, 11008}, {11008, 4096, 4096}, {8192, 14336, 4096},
        {14336, 8192, 4096}, {4096, 32000, 4096}, {32000, 4096, 4096}, {16384, 1024, 1024},
        {1024, 16384, 1024}, {1000, 3000, 5000},  {3000, 1000, 5000},  {4096, 4096, 128},
        {8192, 8192, 128},   {8192, 8192, 256},   {8192, 8192, 512},   {8192, 8192, 1024}};
    for (int n = 64; n <= 32768; n *= 2) {
        add(n, n, n);
        if (n >= 1024 && n <= 8192)
            add(n / 2 * 3, n / 2 * 3, n / 2 * 3);
    }
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        add(boxes[i][0], boxes[i][1], boxes[i][2]);
    for (int n = 128; n <= 4096 && !wide; n *= 2)
        add_batch(n, n, n, n <= 1024 ? 16 : 4);
}

/* "512", "512x1024x256", or a batch of 16 such products: "512x1024x256x16". */
static int add_named(const char *text)
{
    struct product_shape s = {0, 0, 0, 1};
    int box = 0, batch = 0, square = 0;
    int count =
        sscanf(text, "%d%nx%dx%d%nx%d%n", &s.m, &square, &s.n, &s.k, &box, &s.count, &batch);
    if (count == 1)
        s.n = s.k = s.m;
    int end = count == 1 ? square : count == 3 ? box : count == 4 ? batch : 0;
    if (!end || text[end] || s.m < 1 || s.n < 1 || s.k < 1 || s.count < 1)
        return 0;
    add_batch(s.m, s.n, s.k, s.count);
    return 1;
}

/* ---- Operands: each matrix of a shape is the beginning of one of three blocks ---- */

static size_t largest(size_t x, size_t y) { return x > y ? x : y; }
static size_t smaller_size(size_t x, size_t y) { return x < y ? x : y; }

static size_t bytes_of(long long elements)
{
    return (size_t)elements * (wide ? sizeof(double) : sizeof(float));
}

/* Full-mantissa numbers in [-1, 1); those of a large matrix repeat. */
static void fill(void *at, size_t bytes, uint64_t seed)
{
    size_t count = smaller_size((size_t)1 << 24, bytes / bytes_of(1)),
           done = bytes_of((long long)count);
    double *host = malloc(count * sizeof *host);
    check(!host, "20-tuner", "not enough memory");
    for (size_t i = 0; i < count; i++) {
        host[i] = random_uniform(random_bits(i * RANDOM_STEP + random_bits(seed)));
        if (!wide)
            ((float *)host)[i] = (float)host[i];
    }
    check_cuda("cudaMemcpy", cudaMemcpy(at, host, done, cudaMemcpyHostToDevice));
    free(host);
    for (; done < bytes; done += smaller_size(done, bytes - done))
        check_cuda("cudaMemcpy",
                   cudaMemcpy((char *)at + done, at, smaller_size(done, bytes - done),
                              cudaMemcpyDeviceToDevice));
}

/* How far the matrices of a batch are apart. */
static long long stride(int rows, int columns) { return (long long)rows * columns; }

static void make_operands(void)
{
    size_t a = 0, b = 0, c = 0;
    for (int i = 0; i < shape_count; i++) {
        struct product_shape s = shapes[i];
        a = largest(a, bytes_of(stride(s.m, s.k) * s.count));
        b = largest(b, bytes_of(stride(s.k, s.n) * s.count));
        c = largest(c, bytes_of(stride(s.m, s.n) * s.count));
    }
    check_cuda("cudaMalloc", cudaMalloc(&A, a));
    check_cuda("cudaMalloc", cudaMalloc(&B, b));
    check_cuda("cudaMalloc", cudaMalloc(&C, c));
    fill(A, a, 1), fill(B, b, 2);
}

/* ---- Times ---- */

/* What is timed: the library with this plan, or with the plan that it chooses if `plan` points
   to `chosen`; cuBLAS if `plan` is NULL. */
struct entrant {
    struct product_shape shape;
    const struct ladder_plan *plan;
    int runs; /* in a sample */
};

static const struct ladder_plan chosen;
static const cublasOperation_t N = CUBLAS_OP_N;
static const float one = 1, zero = 0;
static const double one_double = 1, zero_double = 0;

static int multiply_by_cublas(struct product_shape s)
{
    if (wide)
        return (int)cublasDgemm(cublas, N, N, s.m, s.n, s.k, &one_double, A, s.m, B, s.k,
                                &zero_double, C, s.m);
    if (s.count == 1)
        return (int)cublasSgemm(cublas, N, N, s.m, s.n, s.k, &one, A, s.m, B, s.k, &zero, C,
                                s.m);
    return (int)cublasSgemmStridedBatched(cublas, N, N, s.m, s.n, s.k, &one, A, s.m,
                                          stride(s.m, s.k), B, s.k, stride(s.k, s.n), &zero, C,
                                          s.m, stride(s.m, s.n), s.count);
}

static int multiply_by_library(struct product_shape s)
{
    if (wide)
        return ladder_dgemm(gemm, N, N, s.m, s.n, s.k, &one_double, A, s.m, B, s.k,
                            &zero_double, C, s.m);
    if (s.count == 1)
        return ladder_sgemm(gemm, N, N, s.m, s.n, s.k, &one, A, s.m, B, s.k, &zero, C, s.m);
    return ladder_sgemm_strided_batched(gemm, N, N, s.m, s.n, s.k, &one, A, s.m,
                                        stride(s.m, s.k), B, s.k, stride(s.k, s.n), &zero, C,
                                        s.m, stride(s.m, s.n), s.count);
}

static void multiply(struct product_shape s, const struct ladder_plan *plan)
{
    if (!plan) {
        check(multiply_by_cublas(s), "cuBLAS", "a product failed");
        return;
    }
    ladder_gemm_force(gemm, plan == &chosen ? NULL : plan);
    check(multiply_by_library(s), "20-tuner", ladder_gemm_message(gemm));
}

static double time_of(struct product_shape s, const struct ladder_plan *plan, int runs)
{
    float ms = 0;
    check_cuda("cudaEventRecord", cudaEventRecord(begun, 0));
    for (int i = 0; i < runs; i++)
        multiply(s, plan);
    check_cuda("cudaEventRecord", cudaEventRecord(ended, 0));
    check_cuda("cudaEventSynchronize", cudaEventSynchronize(ended));
    check_cuda("cudaEventElapsedTime", cudaEventElapsedTime(&ms, begun, ended));
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

/* Times all candidates in turn; then, on fresh samples, the plan, cuBLAS twice and the best of
   the others. Fresh, because the best of many noisy times looks better than it is. */
static struct comparison compare(struct product_shape s)
{
    struct ladder_plan plans[MOST_PLANS];
    struct entrant entrants[MOST_PLANS], finalists[FINALISTS];
    struct contestant all[MOST_PLANS], last[FINALISTS];
    struct comparison out = {.shape = s};
    multiply(s, &chosen);
    out.plan = ladder_gemm_last(gemm).plan;

    int count = compare_only || wide || s.count > 1
                    ? 0
                    : ladder_gemm_candidates(gemm, s.m, s.n, s.k, plans, MOST_PLANS);
    int kept = 0;
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
    if (kept > 0)
        time_in_turn(all, kept, rounds_within(60, sum, 3, MOST_ROUNDS));
    qsort(all, (size_t)kept, sizeof *all, by_time);

    multiply(s, NULL);
    cublas_ms = time_of(s, NULL, 1);
    int runs = cublas_ms < 0.3 ? (int)(0.3 / cublas_ms) + 1 : 1, count_last = 3;
    finalists[0] = (struct entrant){s, &chosen, runs};
    finalists[1] = finalists[2] = (struct entrant){s, NULL, runs};
    for (int i = 0; i < kept && count_last < FINALISTS; i++) {
        const struct entrant *entrant = all[i].what;
        if (!same(entrant->plan, &out.plan) && strcmp(entrant->plan->variant, "cublas") != 0)
            finalists[count_last++] = *entrant;
    }
    for (int i = 0; i < count_last; i++)
        last[i] = (struct contestant){time_entrant, &finalists[i]};
    time_in_turn(last, count_last,
                 rounds_within(900, 3 * runs * cublas_ms, FINAL_ROUNDS / 3, FINAL_ROUNDS));
    out.ms = last[0].timing.median;
    out.cublas_ms = last[1].timing.median, out.again_ms = last[2].timing.median;
    out.best = out.plan, out.best_ms = out.ms;
    if (out.cublas_ms < out.best_ms)
        out.best = (struct ladder_plan){"cublas", 0, 0}, out.best_ms = out.cublas_ms;
    for (int i = 3; i < count_last; i++)
        if (last[i].timing.median < out.best_ms)
            out.best = *finalists[i].plan, out.best_ms = last[i].timing.median;
    return out;
}

static void print_line(const struct comparison *x)
{
    struct json json = json_begin(stdout), *j = &json;
    json_text(j, "step", "20-tuner");
    json_text(j, "backend", backend);
    json_text(j, "device", device.name);
    json_text(j, "mode", mode);
    json_whole(j, "m", x->shape.m);
    json_whole(j, "n", x->shape.n);
    json_whole(j, "k", x->shape.k);
    if (x->shape.count > 1)
        json_whole(j, "count", x->shape.count);
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
    fflush(stdout);
}

static void name(const struct comparison *x, char *text, size_t size)
{
    int end = x->shape.count > 1 ? snprintf(text, size, "%d products of ", x->shape.count) : 0;
    snprintf(text + end, size - (size_t)end, "%d x %d x %d, %s with %d levels", x->shape.m,
             x->shape.n, x->shape.k, x->plan.variant, x->plan.levels);
}

/* The noise is the difference between two series of the same cublasSgemm that 95 of 100 shapes
   do not exceed. Plans that are cublasSgemm differ by noise alone. Returns how many of the
   others are slower than cuBLAS by more than the noise. */
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
            "%d shapes: %d within 2 %% of the best candidate, %d with a plan other than "
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

/* Lists the shapes where the library is slower than cuBLAS by more than a fiftieth, whether the
   plan or the call itself is the cause. Returns their number. */
static int list_slower(const struct comparison *x, int count)
{
    const double least = 0.98;
    int slower = 0;
    char text[128];
    for (int i = 0; i < count; i++) {
        double speed = (x[i].cublas_ms + x[i].again_ms) / 2 / x[i].ms;
        if (speed >= least)
            continue;
        slower++;
        name(&x[i], text, sizeof text);
        fprintf(
            stderr,
            "%.3f times as fast as cuBLAS: mode %s, %s;\n    %.4f ms, cuBLAS %.4f and %.4f\n",
            speed, mode, text, x[i].ms, x[i].cublas_ms, x[i].again_ms);
    }
    fprintf(stderr, "mode %s: %d of %d shapes below %.2f times cuBLAS's speed\n", mode, slower,
            count, least);
    return slower;
}

/* Reports without times, for the simulated GPU. */
static int count_candidates(const struct comparison *x, int count)
{
    long candidates = 0;
    for (int i = 0; i < count; i++)
        candidates += x[i].candidates;
    fprintf(stderr,
            "no times on the simulated GPU: %ld candidates ran for %d shape%s.\n"
            "Only a GPU shows which of them is fastest.\n",
            candidates, count, count == 1 ? "" : "s");
    return 0;
}

static int usage(void)
{
    fprintf(stderr, "usage: 20-tuner [--mode M] [--plans FILE] [--guess] [--compare] [--list]\n"
                    "                [N | MxNxK | MxNxKxCOUNT ...]\n\n"
                    "  --mode M      how exact products must be: float, double, or one of\n");
    fprintf(stderr, "%15s", "");
    for (int i = 0; ladder_added[i]; i++)
        if (ladder_added[i]->mode)
            fprintf(stderr, " %s", ladder_added[i]->mode);
    fprintf(
        stderr,
        "\n"
        "  --plans FILE  the tuning file to read and to add to (default: none)\n"
        "  --guess       the plans of a handle that measures nothing\n"
        "  --compare     only the library's call and cuBLAS's, in turn\n"
        "  --list        print the shapes, and end\n"
        "  --json        accepted and ignored: it always prints JSON\n\n"
        "COUNT products are a batch, in float. Without shapes there is a list. The summary\n"
        "goes to stderr. Exit status: 0; 1 a shape is slower than cuBLAS, beyond the noise\n"
        "or, with --compare, by more than a fiftieth; 2 usage; 3 no GPU or memory.\n");
    return USAGE;
}

int main(int argc, char **argv)
{
    const char *plans = NULL;
    int list = 0, devices = 0, measures = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--plans") == 0 && i + 1 < argc)
            plans = argv[++i];
        else if (strcmp(argv[i], "--guess") == 0)
            measures = 0;
        else if (strcmp(argv[i], "--compare") == 0)
            compare_only = 1;
        else if (strcmp(argv[i], "--mode") == 0 && i + 1 < argc && take_mode(argv[i + 1]))
            i++;
        else if (strcmp(argv[i], "--list") == 0)
            list = 1;
        else if (strcmp(argv[i], "--json") == 0)
            continue; /* it always prints JSON */
        else if (!add_named(argv[i]))
            return usage();
    }
    for (int i = 0; i < shape_count; i++)
        if (shapes[i].count > 1 && wide)
            return usage();
    if (shape_count == 0 && compare_only)
        shapes_to_compare();
    else if (shape_count == 0)
        default_shapes();
    for (int i = 0; list && i < shape_count; i++)
        printf(shapes[i].count > 1 ? "%dx%dx%dx%d\n" : "%dx%dx%d\n", shapes[i].m, shapes[i].n,
               shapes[i].k, shapes[i].count);
    if (list)
        return RIGHT;

    check(cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0, "20-tuner",
          "no NVIDIA GPU can be used");
    check_cuda("cudaGetDeviceProperties", cudaGetDeviceProperties(&device, 0));
    check(ladder_gemm_create(&gemm, plans), "20-tuner", ladder_gemm_message(NULL));
    ladder_gemm_measure(gemm, measures && !simulated);
    check((wide ? ladder_gemm_set_double_mode : ladder_gemm_set_math_mode)(gemm, math),
          "20-tuner", ladder_gemm_message(gemm));
#ifdef LADDER_SIM
    ladder_gemm_smallest_leaf(gemm, 8); /* so that small shapes have candidates */
#endif
    check(cublasCreate(&cublas), "cublasCreate", "failed");
    check_cuda("cudaEventCreate", cudaEventCreate(&begun));
    check_cuda("cudaEventCreate", cudaEventCreate(&ended));
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
        print_line(&outcomes[i]);
    }
    int beyond = simulated      ? count_candidates(outcomes, shape_count)
                 : compare_only ? list_slower(outcomes, shape_count)
                                : summarise(outcomes, shape_count);
    free(outcomes);
    cudaFree(A), cudaFree(B), cudaFree(C);
    cudaEventDestroy(begun), cudaEventDestroy(ended);
    cublasDestroy(cublas);
    ladder_gemm_destroy(gemm);
    return beyond > 0 ? WRONG : RIGHT;
}
