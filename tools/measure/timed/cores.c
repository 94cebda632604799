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
    struct context ctx;
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
    way->multiply(&way->ctx, way->product, way->levels, way->workspace);
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
    json_whole(j, "threads", way->ctx.threads);
    json_whole(j, "reps", own->timing.reps);
    json_number(j, "ms_median", own->timing.median);
    json_number(j, "ms_min", own->timing.min);
    json_number(j, "ms_max", own->timing.max);
    json_number(j, "gflops",
                2e-6 * (double)p.c.rows * (double)p.c.cols * (double)p.a.cols /
                    own->timing.median);
    if (openblas) {
        json_text(j, "reference", openblas_load(way->ctx.threads));
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
        way.ctx.threads = threads;
        way.product = p;
        way.workspace = workspace;
        bool by_size = way.multiply == multiply_by_size;
        if (by_size)
            way.levels = levels_by_size(&way.ctx, p, 0);
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

static int threads_of(const char *text)
{
    return strcmp(text, "all") == 0 ? host_processors() : (int)larger(1, atoi(text));
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[argc - 1], "--json") == 0)
        argc--; /* JSON is the only output */
    if (argc < 4) {
        fprintf(stderr, "usage: cores THREADS REPS SHAPE...\n");
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
