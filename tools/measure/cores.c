/* SPDX-License-Identifier: MIT */
/** @file cores.c
 * Times the packed product, step 05's by-size, OpenBLAS and BLIS on some threads, in three
 * states of the machine. "rested": in turn, each run after all threads have gone to sleep.
 * "after": in turn, each run immediately after another's, whose threads may still spin.
 * "alone": runs of the same product, one immediately after another.
 *
 *   cores THREADS REPS SHAPE...    cores all 15 512 64x4096x4096
 *
 * A shape is n or m x n x k. Prints a line of JSON for each, with the ratios to the libraries'
 * neighbouring runs. WAYS=packed,mixed1,mixed2,mixed3,by-size,openblas,blis in the environment
 * chooses the ways; RESTED_ONLY=1 skips the other two states. SERIES and PROCESS are written
 * into the lines.
 *
 *   cores parts THREADS    the work around a product: starting threads, and packing
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/device/host.h"
#include "common/device/vendor.h"
#include "common/matrix/input.h"
#include "common/measure/json.h"
#include "common/measure/timing_loop.h"
#include "steps/02-cpu-blocked/packed.h"
#include "steps/05-cpu-winograd/packing.h"

enum { MOST = 7 };

struct way {
    const char *name;
    multiplication *multiply;
    struct context context;
    struct product product;
    real *workspace;
    bool rests;
    int levels;
};

static double run_way(void *what)
{
    const struct way *way = what;
    if (way->rests)
        let_threads_sleep();
    double start = timer_now();
    way->multiply(&way->context, way->product, way->levels, way->workspace);
    return timer_now() - start;
}

/* How many times as fast as the neighbouring runs of a library; NAN in state "alone". */
static double ratio_to(const struct contestant *library, const struct contestant *own,
                       bool alone)
{
    double ratios[TIMING_MOST];
    for (int i = 0; i < own->count; i++)
        ratios[i] = library->ms[i] / own->ms[i];
    return alone ? library->timing.median / own->timing.median
                 : timing_of(ratios, own->count).median;
}

/* Prints one line; NULL for a library that is not installed. */
static void report(const struct way *way, const char *state, const struct contestant *own,
                   const struct contestant *openblas, const struct contestant *blis)
{
    struct json json = json_begin(stdout), *j = &json;
    struct product p = way->product;
    bool alone = strcmp(state, "alone") == 0;
    json_text(j, "step",
              way->multiply == multiply_packed ? "02-cpu-blocked" : "05-cpu-winograd");
    json_text(j, "variant", way->name);
    json_text(j, "state", state);
    json_text(j, "precision", sizeof(real) == 4 ? "f32" : "f64");
    json_whole(j, "m", (double)p.c.rows);
    json_whole(j, "n", (double)p.c.cols);
    json_whole(j, "k", (double)p.a.cols);
    json_whole(j, "levels", way->levels);
    json_whole(j, "threads", way->context.threads);
    json_whole(j, "reps", own->timing.reps);
    json_number(j, "ms_median", own->timing.median);
    json_number(j, "ms_min", own->timing.min);
    json_number(j, "ms_max", own->timing.max);
    json_number(j, "gflops",
                2e-6 * (double)p.c.rows * (double)p.c.cols * (double)p.a.cols /
                    own->timing.median);
    if (openblas) {
        json_text(j, "reference", openblas_load(way->context.threads));
        json_number(j, "reference_ms_median", openblas->timing.median);
        json_number(j, "reference_ms_min", openblas->timing.min);
        json_number(j, "reference_ms_max", openblas->timing.max);
        json_number(j, "ratio", ratio_to(openblas, own, alone));
    }
    if (blis) {
        json_text(j, "blis", blis_load());
        json_number(j, "blis_ms_median", blis->timing.median);
        json_number(j, "blis_ratio", ratio_to(blis, own, alone));
    }
    json_text(j, "note", packed_note());
    if (getenv("SERIES"))
        json_text(j, "series", getenv("SERIES"));
    if (getenv("PROCESS"))
        json_whole(j, "process", atof(getenv("PROCESS")));
    json_end(j);
    fflush(stdout);
}

/* True if WAYS in the environment names it; without WAYS, every way except mixed ones. */
static bool is_wanted(const char *name)
{
    const char *ways = getenv("WAYS");
    return ways ? strstr(ways, name) != NULL : strncmp(name, "mixed", 5) != 0;
}

/* Lists the ways of a product on these threads; by-size only if it uses a level. */
static int list_ways(struct product p, int threads, real *workspace, struct way ways[MOST])
{
    static const struct way all[MOST] = {{.name = "packed", .multiply = multiply_packed},
                                         {.name = "mixed1", multiply_mixed, .levels = 1},
                                         {.name = "mixed2", multiply_mixed, .levels = 2},
                                         {.name = "mixed3", multiply_mixed, .levels = 3},
                                         {.name = "by-size", .multiply = multiply_by_size},
                                         {.name = "openblas", .multiply = multiply_openblas},
                                         {.name = "blis", .multiply = multiply_blis}};
    int count = 0;
    for (int i = 0; i < MOST; i++) {
        struct way way = all[i];
        way.context.threads = threads;
        way.product = p;
        way.workspace = workspace;
        bool by_size = way.multiply == multiply_by_size;
        if (by_size)
            way.levels = levels_by_size(&way.context, p, 0);
        if (is_wanted(way.name) && (!by_size || way.levels > 0) &&
            (way.multiply != multiply_openblas || !openblas_missing()) &&
            (way.multiply != multiply_blis || !blis_missing()))
            ways[count++] = way;
    }
    return count;
}

static void time_state(const char *state, struct way *ways, int count, int reps)
{
    struct contestant contestants[MOST], *openblas = NULL, *blis = NULL;
    for (int i = 0; i < count; i++) {
        ways[i].rests = strcmp(state, "rested") == 0;
        contestants[i] = (struct contestant){run_way, &ways[i]};
        openblas = strcmp(ways[i].name, "openblas") == 0 ? &contestants[i] : openblas;
        blis = strcmp(ways[i].name, "blis") == 0 ? &contestants[i] : blis;
    }
    if (strcmp(state, "alone") == 0) {
        for (int i = 0; i < count; i++) {
            let_threads_sleep();
            warm_up_in_turn(&contestants[i], 1, 2);
            time_in_turn(&contestants[i], 1, reps);
        }
    } else {
        warm_up_in_turn(contestants, count, 2);
        time_in_turn(contestants, count, reps);
    }
    for (int i = 0; i < count; i++)
        if (&contestants[i] != openblas && &contestants[i] != blis)
            report(&ways[i], state, &contestants[i], openblas, blis);
}

/* Times one shape on one number of threads. Returns false without memory. */
static bool time_shape(long m, long n, long k, int threads, int reps)
{
    struct context ctx = {.threads = threads};
    struct product p = product_of_size(m, n, k);
    struct matrix a = {0}, b = {0}, c = {0};
    enum precision precision = sizeof(real) == 4 ? PRECISION_F32 : PRECISION_F64;
    int levels = getenv("WAYS") && strstr(getenv("WAYS"), "mixed") ? 3 : 0;
    size_t elements = (size_t)larger((long)workspace_by_size(&ctx, p, 0),
                                     (long)workspace_mixed(&ctx, p, levels));
    real *workspace = backend.allocate(elements * sizeof(real));
    bool enough = workspace && matrix_create(&a, precision, m, k, k) &&
                  matrix_create(&b, precision, k, n, n) &&
                  matrix_create(&c, precision, m, n, n);
    if (enough) {
        input_fill(&a, INPUT_UNIFORM, OPERAND_A, 1, 1);
        input_fill(&b, INPUT_UNIFORM, OPERAND_B, 1, 1);
        memset(workspace, 0, elements * sizeof(real));
        memset(c.host, 0, (size_t)(m * n) * sizeof(real));
        p.a.at = a.host, p.b.at = b.host, p.c.at = c.host;
        struct way ways[MOST];
        int count = list_ways(p, threads, workspace, ways);
        time_state("rested", ways, count, reps);
        if (!getenv("RESTED_ONLY") && threads > 1) {
            time_state("after", ways, count, reps);
            time_state("alone", ways, count, reps);
        }
    }
    matrix_destroy(&a), matrix_destroy(&b), matrix_destroy(&c);
    backend.release(workspace);
    return enough;
}

/* ---- The work around a product ---- */

enum { PART_REPS = 41, MOST_THREADS = 1024 };

static void report_part(const char *part, long n, int threads, double *ms, int count)
{
    if (count == 0)
        return;
    struct timing t = timing_of(ms, count);
    struct json json = json_begin(stdout), *j = &json;
    json_text(j, "what", part);
    json_number_if(j, n > 0, "n", (double)n);
    json_whole(j, "threads", threads);
    json_whole(j, "reps", count);
    json_number(j, "us_median", 1e3 * t.median);
    json_number(j, "us_min", 1e3 * t.min);
    json_number(j, "us_max", 1e3 * t.max);
    json_end(j);
    fflush(stdout);
}

/* When each thread of a team started, in milliseconds after the call. */
struct arrivals {
    double start, first, ms[MOST_THREADS];
    atomic_int count;
    int threads;
};

/* Every thread records when it started; the first waits for the others, for at most 5 ms. */
static void arrive(struct member *member, const void *what)
{
    struct arrivals *all = *(struct arrivals *const *)what;
    double ms = timer_now() - all->start;
    int before = atomic_fetch_add(&all->count, 1);
    all->ms[before] = ms;
    for (long i; (i = team_take(member, 1)) >= 0; team_finish(member)) {
        all->first = ms;
        while (atomic_load(&all->count) < all->threads && timer_now() - all->start < 5)
            ;
    }
}

/* With sleeping threads: the time until the median and the last thread of a team start, and the
   time of an empty OpenMP region. */
static void time_calls(int threads)
{
    static struct arrivals all;
    struct arrivals *const what = &all;
    static double first[PART_REPS], middle[PART_REPS], last[PART_REPS], region[PART_REPS];
    for (int i = 0; i < PART_REPS; i++) {
        let_threads_sleep();
        all.threads = threads;
        atomic_store(&all.count, 0);
        all.start = timer_now();
        team_run(threads, arrive, &what, sizeof what);
        let_threads_sleep();
        int came = atomic_load(&all.count);
        sort_ascending(all.ms, came);
        first[i] = all.first, middle[i] = all.ms[came / 2], last[i] = all.ms[came - 1];
        double start = timer_now();
#pragma omp parallel num_threads(threads)
        atomic_fetch_add(&all.count, 1);
        region[i] = timer_now() - start;
    }
    report_part("first thread", 0, threads, first, PART_REPS);
    report_part("half of the team", 0, threads, middle, PART_REPS);
    report_part("last thread", 0, threads, last, PART_REPS);
    report_part("empty OpenMP region", 0, threads, region, PART_REPS);
}

/* Times packing all of A and B, and the whole product, on one thread. */
static void time_packing(struct product p, struct context *ctx, real *workspace)
{
    struct plan plan = plan_for(p.c.rows, p.c.cols, p.a.cols, 1, chosen_blocks(1, NULL));
    struct sum a = sum_of(p.a, false), b = sum_of(p.b, false);
    double packing[PART_REPS], product[PART_REPS];
    for (int i = 0; i < PART_REPS; i++) {
        double start = timer_now();
        for (long l = 0; l < p.a.cols; l += plan.blocks.kc) {
            long kc = smaller(plan.blocks.kc, round_up(p.a.cols - l, STEPS));
            for (long j = 0; j < p.c.cols; j += plan.blocks.nc)
                plan.kernel->pack_b(&b, l, j, 0, kc, kc, smaller(plan.blocks.nc, p.c.cols - j),
                                    workspace);
            for (long r = 0; r < p.c.rows; r += plan.blocks.mc)
                plan.kernel->pack_a(&a, r, l,
                                    smaller(plan.blocks.mc, round_up(p.c.rows - r, plan.mr)),
                                    kc, plan.mr, workspace + plan.blocks.kc * plan.blocks.nc);
        }
        packing[i] = timer_now() - start;
        start = timer_now();
        multiply_packed(ctx, p, 0, workspace);
        product[i] = timer_now() - start;
    }
    report_part("packing", p.c.rows, 1, packing, PART_REPS);
    report_part("product", p.c.rows, 1, product, PART_REPS);
}

/* cores parts THREADS. Returns false without memory. */
static bool time_parts(int threads)
{
    time_calls(threads);
    for (long n = 256; n <= 1024; n *= 2) {
        struct context ctx = {.threads = 1};
        struct product p = product_of_size(n, n, n);
        size_t elements = (size_t)(3 * n * n) + workspace_packed(&ctx, p, 0);
        real *memory = backend.allocate(elements * sizeof(real));
        if (!memory)
            return false;
        memset(memory, 0, elements * sizeof(real));
        p.a.at = memory, p.b.at = memory + n * n, p.c.at = memory + 2 * n * n;
        time_packing(p, &ctx, memory + 3 * n * n);
        backend.release(memory);
    }
    return true;
}

static int threads_of(const char *text)
{
    return strcmp(text, "all") == 0 ? host_processors() : (int)larger(1, atoi(text));
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[argc - 1], "--json") == 0)
        argc--; /* JSON is the only output */
    if (argc == 3 && strcmp(argv[1], "parts") == 0)
        return time_parts((int)smaller(threads_of(argv[2]), MOST_THREADS)) ? 0 : 3;
    if (argc < 4) {
        fprintf(stderr, "usage: cores THREADS REPS SHAPE...    cores parts THREADS\n");
        return 2;
    }
    int threads = threads_of(argv[1]);
    openblas_load(threads);
    for (int i = 3; i < argc; i++) {
        long m, n, k;
        int numbers = sscanf(argv[i], "%ldx%ldx%ld", &m, &n, &k);
        if (numbers == 1)
            n = k = m;
        if ((numbers != 1 && numbers != 3) || !time_shape(m, n, k, threads, atoi(argv[2])))
            return 3;
    }
    return 0;
}
