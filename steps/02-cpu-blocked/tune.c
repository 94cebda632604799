/* SPDX-License-Identifier: MIT */
/** @file tune.c
 * --tune, after ATLAS: rather than believe a formula, measure.
 *
 * Candidates form a grid around the block sizes that the cache sizes suggest. Measurements
 * are noisy, so the race has rounds: every candidate runs once, the slower half drops out, and
 * so on; a candidate's time is its best. The default never drops out: it is measured as often
 * as the winner.
 */
#include "tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/measure/timing_loop.h"
#include "common/device/host.h"
#include "common/matrix/input.h"
#include "packed.h"

enum { TUNE_KC = 5, TUNE_MC = 4, TUNE_NC = 2, TUNE_ROUNDS = 8, TUNE_MS = 20000 };
enum { CANDIDATES = 1 + TUNE_KC * TUNE_MC * TUNE_NC };

struct candidate {
    struct blocks blocks;
    double ms; /* the best so far */
};

/* Candidate 0 is the default. */
static void make_grid(struct blocks base, struct candidate grid[CANDIDATES])
{
    static const long kc_percent[TUNE_KC] = {50, 75, 100, 150, 200},
                      mc_percent[TUNE_MC] = {50, 100, 150, 200},
                      nc_percent[TUNE_NC] = {25, 100};
    grid[0] = (struct candidate){base, INFINITY};
    for (int i = 0; i < CANDIDATES - 1; i++) {
        long kc = base.kc * kc_percent[i % TUNE_KC] / 100;
        long mc =
            base.mc * mc_percent[i / TUNE_KC % TUNE_MC] / 100 * base.kc / kc; /* fills L2 */
        long nc = base.nc * nc_percent[i / TUNE_KC / TUNE_MC] / 100;
        grid[1 + i] = (struct candidate){{larger(mc, 1), kc, larger(nc, 1), base.mr}, INFINITY};
    }
}

/* A candidate in the race. */
struct runner {
    struct product product;
    struct candidate *candidate;
    double deadline; /* no runs after it */
    bool *enough;    /* set to false when there is no memory for a run */
};

/* Runs a candidate once and keeps the time if it is its best. */
static double run_candidate(void *what)
{
    const struct runner *r = what;
    if (timer_now() > r->deadline)
        return -1;
    struct candidate *x = r->candidate;
    struct context one_thread = {.threads = 1};
    struct product p = r->product;
    size_t elements = workspace_of_blocks(p.c.rows, p.c.cols, p.a.cols, 1, x->blocks);
    real *workspace = aligned_alloc(64, (size_t)round_up((long)(elements * sizeof(real)), 64));
    if (!workspace) {
        *r->enough = false;
        return -1;
    }
    memset(workspace, 0,
           elements * sizeof(real)); /* pages are first touched outside the time */
    double start = timer_now();
    multiply_with_blocks(&one_thread, p, x->blocks, workspace);
    double ms = timer_now() - start;
    x->ms = fmin(x->ms, ms);
    free(workspace);
    return ms;
}

static int by_time(const void *x, const void *y)
{
    double a = ((const struct candidate *)x)->ms, b = ((const struct candidate *)y)->ms;
    return (a > b) - (a < b);
}

/* The default, grid[0], never drops out, and its runs have no deadline. false: no memory. */
static bool run_race(struct product p, struct candidate grid[CANDIDATES])
{
    struct runner runners[CANDIDATES];
    struct contestant contestants[CANDIDATES];
    int left = CANDIDATES - 1;
    bool enough = true;
    double deadline = timer_now() + TUNE_MS;
    for (int i = 0; i < CANDIDATES; i++) {
        runners[i] = (struct runner){p, &grid[i], i == 0 ? INFINITY : deadline, &enough};
        contestants[i] = (struct contestant){run_candidate, &runners[i]};
    }
    for (int round = 0; enough && round < TUNE_ROUNDS; round++) {
        if (terminal_is_live(stderr))
            fprintf(stderr, "\r\033[Kround %d of %d: %d candidates ...", round + 1, TUNE_ROUNDS,
                    left + 1);
        time_in_turn(contestants, left + 1, 1);
        qsort(grid + 1, (size_t)left, sizeof *grid, by_time);
        left = left > 4 ? left / 2 : left;
    }
    if (terminal_is_live(stderr))
        fputs("\r\033[K", stderr);
    return enough;
}

/* The n x 2n x n product in the corners of the matrices. */
static struct product corner_of(struct product p, long n)
{
    return product_on(part(p.a, 0, 0, n, n), part(p.b, 0, 0, n, 2 * n),
                      part(p.c, 0, 0, n, 2 * n));
}

/* The largest n up to 1024 for which the race's hundred runs of n x 2n x n take some 20
 * seconds. */
static long size_of_race(struct product p, struct blocks base)
{
    struct candidate probe = {base, INFINITY};
    bool enough = true;
    struct runner runner = {corner_of(p, 256), &probe, INFINITY, &enough};
    struct contestant contestant = {run_candidate, &runner};
    time_in_turn(&contestant, 1, 3);
    double factor = cbrt(TUNE_MS / 100.0 / probe.ms);
    return factor >= 4 ? 1024 : factor <= 1 ? 256 : (long)(256 * factor);
}

/* Keeps the winner for later runs, in a file that is either complete or not there. */
static void keep_blocks(struct blocks blocks)
{
    char path[600], draft[640];
    if (!blocks_file(path, sizeof path)) {
        printf("not kept: no folder for it can be written (set LADDER_CACHE)\n");
        return;
    }
    snprintf(draft, sizeof draft, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(draft, "w");
    bool written = file && fprintf(file, "%s\n%ld %ld %ld %d\n", host_processor(), blocks.mc,
                                   blocks.kc, blocks.nc, blocks.mr) > 0;
    if (file && fclose(file) == 0 && written && rename(draft, path) == 0)
        printf("kept in %s\n", path);
    else
        printf("not kept: %s cannot be written\n", path);
}

int tune(const struct options *o)
{
    struct candidate grid[CANDIDATES];
    struct matrix a = {0}, b = {0}, c = {0};
    struct product p = {{0}};
    make_grid(default_blocks(1), grid);
    bool done = matrix_create(&a, o->precision, 1024, 1024, 1024) &&
                matrix_create(&b, o->precision, 1024, 2048, 2048) &&
                matrix_create(&c, o->precision, 1024, 2048, 2048);
    if (done) {
        input_fill(&a, INPUT_UNIFORM, OPERAND_A, o->seed, 1);
        input_fill(&b, INPUT_UNIFORM, OPERAND_B, o->seed, 1);
        struct product whole = {
            {a.host, 1024, 1024, 1024}, {b.host, 1024, 2048, 2048}, {c.host, 1024, 2048, 2048}};
        p = corner_of(whole, size_of_race(whole, grid[0].blocks));
        printf("%d candidates around the cache sizes' mc = %ld, kc = %ld, nc = %ld; %s, "
               "%ld x %ld x %ld, one thread\n",
               CANDIDATES, grid[0].blocks.mc, grid[0].blocks.kc, grid[0].blocks.nc,
               precision_names[o->precision], p.c.rows, p.c.cols, p.a.cols);
        fflush(stdout);
        done = run_race(p, grid);
    }
    matrix_destroy(&a);
    matrix_destroy(&b);
    matrix_destroy(&c);
    if (!done) {
        fprintf(stderr,
                "--tune: there is not enough memory for three matrices of 1024 x 2048\n");
        return EXIT_RESOURCE;
    }
    const struct candidate *best = grid[1].ms < grid[0].ms ? &grid[1] : &grid[0];
    double flops = 2.0 * (double)p.c.rows * (double)p.c.cols * (double)p.a.cols;
    printf("best: mc = %ld, kc = %ld, nc = %ld: %.2f GFLOP/s; the default has %.2f\n",
           best->blocks.mc, best->blocks.kc, best->blocks.nc, flops / best->ms / 1e6,
           flops / grid[0].ms / 1e6);
    keep_blocks(best->blocks);
    return EXIT_RIGHT;
}
