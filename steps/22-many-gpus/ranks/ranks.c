/* SPDX-License-Identifier: MIT */
/** @file ranks.c
 * The ranks of a run: finds or starts them, and runs a variant on each. All ranks call each of
 * these functions at the same time.
 */
#include "ranks.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check/verify.h"
#include "common/device/host.h"
#include "common/device/timer.h"
#include "common/matrix/npy.h"

static const enum precision precision_here = sizeof(real) == 4 ? PRECISION_F32 : PRECISION_F64;

/* ---- The beginning and the end of a run ---- */

/* The ranks before `last` that run on this rank's host. */
static int ranks_before(const struct comm *comm, int last)
{
    int count = 0;
    for (int r = 0; r < last; r++)
        count += comm->hosts[r] == comm->hosts[comm->rank];
    return count;
}

/* Checks that all ranks have been asked for the same product. */
static void compare_sizes(const struct options *o, struct comm *comm)
{
    double mine[5] = {(double)o->m, (double)o->n, (double)o->k, (double)o->seed,
                      (double)o->levels};
    double *all = comm_gather(comm, mine, 5);
    for (int r = 0; r < comm->ranks; r++)
        if (memcmp(all + 5 * r, mine, sizeof mine) != 0)
            comm_abort(
                comm,
                "this rank was asked for m, n, k = %ld, %ld, %ld, rank %d for %.0f, %.0f, %.0f "
                "(or another seed or other levels): give all ranks the same options",
                o->m, o->n, o->k, r, all[5 * r], all[5 * r + 1], all[5 * r + 2]);
    free(all);
}

/* Joins this rank to the run, or ends the run if it cannot take part. */
static void join(struct rank *r)
{
    struct comm *comm = r->comm;
    long asked = r->options->settings[SET_RANKS];
    if (comm->ranks > MOST_RANKS)
        comm_abort(comm, "this program takes 1 to %d ranks, not %d", MOST_RANKS, comm->ranks);
    if (asked > 1 && comm->ranks != asked)
        comm_abort(comm, "--ranks says %ld ranks, but mpirun started %d", asked, comm->ranks);
    const char *why =
        place_open(ranks_before(comm, comm->rank), ranks_before(comm, comm->ranks));
    if (why)
        comm_abort(comm, "%s", why);
    compare_sizes(r->options, comm);
    const char *output = r->options->output;
    const char *wrong = comm->rank == 0 && output ? npy_has_folder(output) : NULL;
    if (wrong)
        comm_abort(comm, "--output %s", wrong);
}

/* The matrices are stored where they are multiplied. */
static void choose_place(struct comm *comm)
{
    if (place_of_leaves->is_host)
        return;
    comm->place = place_of_leaves;
#ifdef LADDER_NCCL
    comm_use_nccl(comm);
#else
    if (comm->rank == 0 && comm->ranks > 1)
        say(stderr, "NCCL was not there when this was built (Debian, Ubuntu: libnccl-dev, from "
                    "NVIDIA's repository): messages go through host memory, and are slower\n");
#endif
}

/* What each rank does, and the data of a rank that is a thread of this process. */
struct work {
    const struct options *options;
    int (*run)(const struct options *options);
    struct comm *comm;
    pthread_t thread;
    int status;
};

static int run_rank(const struct work *work)
{
    struct options o = *work->options;
    struct comm *comm = work->comm;
    struct rank r = {.options = &o, .comm = comm};
    o.rank = &r;
    join(&r);
    choose_place(comm);
    int status = work->run(&o);
#ifdef LADDER_NCCL
    if (!comm->place->is_host)
        comm_leave_nccl(comm);
#endif
    place_close();
    comm_close(comm);
    return status;
}

static void *run_in_thread(void *what)
{
    struct work *work = what;
    comm_begin_thread(work->comm);
    work->status = run_rank(work);
    return NULL;
}

/* Runs all ranks as threads of this process and returns the largest of their statuses. */
static int run_threads(struct work work, int ranks, double limit)
{
    struct comm *comms = comm_open_threads(ranks, limit);
    struct work *each = comm_allocate(comms, (size_t)ranks * sizeof *each, "the ranks");
    int status = 0;
    for (int r = ranks - 1; r >= 0; r--) {
        each[r] = work;
        each[r].comm = &comms[r];
        int failed = r ? pthread_create(&each[r].thread, NULL, run_in_thread, &each[r]) : 0;
        if (failed)
            comm_abort(&comms[r], "its thread cannot be started: %s", strerror(failed));
    }
    run_in_thread(&each[0]); /* rank 0 is this thread */
    for (int r = 0; r < ranks; r++) {
        if (r > 0)
            pthread_join(each[r].thread, NULL);
        status = each[r].status > status ? each[r].status : status;
    }
    comm_close_threads(comms);
    free(each);
    return status;
}

/* Leaves look up this computer at their first call, which several threads must not do at the
 * same time. So it is done here. */
static void look_up(const struct options *o)
{
    struct context ctx = context_of(o);
    if (ctx.leaf->missing)
        ctx.leaf->missing();
    leaf_workspace(&ctx, product_of_size(1, 1, 1));
}

int ranks_start(const struct options *o, int (*run)(const struct options *options))
{
    struct comm comm;
    struct work work = {.options = o, .run = run, .comm = &comm};
    double limit = (double)o->settings[SET_LIMIT];
    int asked = (int)o->settings[SET_RANKS];
    if (comm_is_started() && !comm_library()) {
        fprintf(stderr, "mpirun has started several of us, but this program was built without "
                        "MPI: each would run alone. Install libopenmpi-dev, then configure and "
                        "build again\n");
        return EXIT_RESOURCE;
    }
    if (comm_is_started()) {
        comm_open(&comm, limit);
        return run_rank(&work);
    }
    look_up(o);
    return run_threads(work, asked ? asked : place_ranks(), limit);
}

bool rank_prints(const struct rank *r) { return r->comm->rank == 0; }

/* ---- Which variants run ---- */

/* The bytes of the plan and of the check's vectors. */
static double bytes_with_check(const struct rank_plan *p)
{
    return plan_bytes(p) + (double)(p->m + p->k + 2 * p->n) * CHECK_VECTORS * 8;
}

/* Returns false, with the reason, if one of the hosts lacks the plan's memory. A GPU belongs to
 * one rank alone. */
static bool memory_is_there(struct rank *r)
{
    const struct rank_plan *p = &r->plan;
    bool is_host = r->comm->place->is_host;
    double need = bytes_with_check(p), have = r->comm->place->memory_free();
    if (is_host)
        need *= ranks_before(r->comm, r->comm->ranks);
    if (comm_largest(r->comm, need > have ? 1 : 0) == 0)
        return true;
    snprintf(r->why, sizeof r->why, "it needs %.0f bytes (%s) %s, %.0f (%s) are free", need,
             readable_bytes(need),
             is_host ? "for all ranks of this host" : "of each rank's GPU", have,
             readable_bytes(have));
    r->needed = r->needed > 0 ? fmin(r->needed, need) : need;
    r->free = have;
    return false;
}

const char *rank_leaf(const struct options *o)
{
    return o->leaf ? o->leaf : o->step->leaves->name;
}

/* Whether this rank lacks room for the leaf's workspace for whole panels, in addition to the
   matrices and panels: 1 or 0; -1: the leaf needs none. */
static double short_of_room(const struct rank *r)
{
    const struct rank_plan *p = &r->plan;
    struct product panels = summa_leaf_product(p, r->comm->rank);
    double wanted = place_leaf_bytes(rank_leaf(r->options), panels);
    if (wanted == 0)
        return -1;
    return bytes_with_check(p) + wanted > r->comm->place->memory_free();
}

/* Narrows SUMMA's panels on all ranks until the leaf has room on each. If even the narrowest
   for which its method is worth while take too much, the leaf cuts its products into pieces. A
   single rank has no panels. */
static void narrow_panels(struct rank *r)
{
    struct rank_plan *p = &r->plan;
    if (p->bottom != &bottom_summa || p->ranks == 1)
        return;
    while (comm_largest(r->comm, short_of_room(r)) > 0 && summa_widest(p) > LEAST_PANEL) {
        p->panels *= 2;
        if (comm_largest(r->comm, -short_of_room(r)) > 0) {
            p->panels /= 2; /* the leaf would give narrower ones to cuBLAS */
            return;
        }
    }
}

bool rank_plans(struct rank *r, struct result *result)
{
    const struct options *o = r->options;
    struct rank_plan *p = &r->plan;
    double memory = (double)o->settings[SET_MEMORY] * 1048576;
    plan_for_variant(p, o, (int)(result->variant - o->step->variants), r->comm->ranks, memory);
    bool fits = memory <= 0 || plan_bytes(p) <= memory;
    if (fits)
        narrow_panels(r);
    else
        snprintf(r->why, sizeof r->why, "it needs %.0f bytes a rank, --memory allows %.0f",
                 plan_bytes(p), memory);
    if (!fits || !memory_is_there(r)) {
        snprintf(result->note, sizeof result->note, "on %d rank%s: %s", r->comm->ranks,
                 r->comm->ranks == 1 ? "" : "s", r->why);
        return false;
    }
    result->levels = p->above + p->dealt;
    result->workspace_bytes = (size_t)(plan_bytes(p) - plan_share_bytes(p));
    return true;
}

const char *rank_has_nothing_left(struct rank *r)
{
    const struct options *o = r->options;
    if (r->needed > 0)
        snprintf(r->why, sizeof r->why,
                 "not enough memory: %.0f bytes (%s) for the smallest variant are needed, %.0f "
                 "(%s) are free",
                 r->needed, readable_bytes(r->needed), r->free, readable_bytes(r->free));
    else
        snprintf(r->why, sizeof r->why,
                 "no variant can run on %d rank%s with these options: %s", r->comm->ranks,
                 r->comm->ranks == 1 ? "" : "s",
                 o->quiet && !o->variant ? "without --quiet each says why"
                                         : "see the reasons above");
    return r->why;
}

/* ---- A variant's memory ---- */

enum { A, B, C, WORK, PARTS, GUARD = 64 };

/* The guard cells before part i, or after the last part. */
static struct block guards_before(const struct rank *r, int i)
{
    const struct block *x = &r->held[i ? i - 1 : 0];
    real *from = i ? x->at + block_elements(*x) : r->block, *to = r->held[i % PARTS].at;
    long count = i < PARTS ? to - from : GUARD;
    return (struct block){from, 1, count, count};
}

/* Writes all guard cells, or compares them; true if they are unchanged. */
static bool go_through_guards(const struct rank *r, bool write)
{
    const struct place *place = r->comm->place;
    bool hold = true;
    for (int i = 0; i <= PARTS; i++) {
        real cells[2 * GUARD];
        struct block there = guards_before(r, i), here = there;
        size_t at, count = (size_t)there.cols;
        here.at = cells;
        if (write)
            guards_write(precision_here, cells, count, (uintptr_t)there.at);
        if (write)
            place->bring(there, here);
        else
            place->fetch(here, there);
        hold = hold && guards_hold(precision_here, cells, count, (uintptr_t)there.at, &at);
    }
    return hold;
}

bool rank_guards_hold(const struct rank *r)
{
    return comm_largest(r->comm, go_through_guards(r, false) ? 0 : 1) == 0;
}

/* Takes memory for A, B, C and the workspace, full of NaN, with guard cells before, between and
   after them. If there is too little, the run of all ranks ends. */
static void take_memory(struct rank *r, size_t workspace)
{
    const struct place *place = r->comm->place;
    long elements = GUARD, starts[PARTS];
    r->held[A] = share_at(&r->shares.a, NULL);
    r->held[B] = share_at(&r->shares.b, NULL);
    r->held[C] = share_at(&r->shares.c, NULL);
    r->held[WORK] = (struct block){NULL, 1, (long)workspace, (long)workspace};
    for (int i = 0; i < PARTS; i++) {
        starts[i] = elements;
        elements += round_up(block_elements(r->held[i]), GUARD) + GUARD;
    }
    size_t bytes = (size_t)elements * sizeof(real);
    double have = place->memory_free(), need = (double)bytes;
    r->block = place->allocate(bytes);
    if (!r->block)
        comm_abort(r->comm, "not enough memory: %.0f bytes (%s) are needed, %.0f (%s) are free",
                   need, readable_bytes(need), have, readable_bytes(have));
    for (int i = 0; i < PARTS; i++)
        r->held[i].at = (real *)r->block + starts[i];
    place->poison(r->block, bytes);
    go_through_guards(r, true);
}

struct rank_part rank_open(struct rank *r, struct result *result)
{
    struct context ctx = context_of(r->options);
    rank_plans(r, result);
    const struct rank_plan *p = &r->plan;
    struct sides s = bottom_sides(p);
    size_t own = (size_t)round_up((long)plan_workspace(p, r->comm->rank), GUARD);
    size_t leaf = leaf_workspace(&ctx, product_of_size(s.m, s.n, s.k));
    r->shares = p->bottom->shares(p, r->comm->rank);
    take_memory(r, own + leaf);
    int me = r->comm->rank, layer = p->down * p->across, in_layer = me % layer;
    r->row = group_open(r->comm, me - me % p->across, 1, p->across);
    r->column = group_open(r->comm, me - in_layer + in_layer % p->across, p->across, p->down);
    r->layers = group_open(r->comm, in_layer, layer, p->layers);
    r->has_run = false;
    return (struct rank_part){product_on(r->held[A], r->held[B], r->held[C]), r->held[WORK].at,
                              leaf ? r->held[WORK].at + own : NULL};
}

void rank_close(struct rank *r)
{
    group_close(r->comm, &r->row);
    group_close(r->comm, &r->column);
    group_close(r->comm, &r->layers);
    place_leaf_rest();
    r->comm->place->release(r->block);
}

/* ---- Runs ---- */

static void fill_share(const struct rank *r, const struct share *x, struct block held,
                       const struct source *operand)
{
    for (long b = 0; b < tile_count(x); b++) {
        struct tile t = tile_of(x, held, b);
        r->comm->place->fill(t.at, operand, t.row, t.col);
    }
}

/* The largest error of an element, by the levels of the plan and those inside the leaf,
   which are Winograd's. With tensor cores each term of a leaf loses 2^-17 more, as
   ladder_gemm.h says, and a level inside makes that eight times as much. A product of integers
   is exact, unless the library's ordinary levels made it: its coefficients (step 24) have
   fractions. Then it must round to the exact one. */
static double bound_of_errors(const struct rank *r)
{
    int above = r->plan.above + r->plan.dealt, inside = (int)r->leaf.levels;
    double k = (double)r->options->k, largest = r->a.input == INPUT_SCALED ? 1024 : 1;
    if (r->a.input == INPUT_INTEGERS)
        return inside && !r->leaf.tensor ? 0.5 : 0;
    double bound = precision_roundoff(precision_here) *
                   bound_factor(inside ? &winograd_scheme : &strassen_scheme, above + inside,
                                r->options->k);
    if (r->leaf.tensor)
        bound += pow(12, above) * pow(8, inside) * k * 0x1p-17;
    return bound * largest * largest;
}

void rank_fill(struct rank *r, enum input input, int magnitude)
{
    const struct options *o = r->options;
    uint64_t seed = (uint64_t)o->seed;
    r->a = (struct source){input, OPERAND_A, seed, magnitude, o->m, o->k};
    r->b = (struct source){input, OPERAND_B, seed, magnitude, o->k, o->n};
    memset(&r->leaf, 0, sizeof r->leaf);
    r->bound = bound_of_errors(r);
    fill_share(r, &r->shares.a, r->held[A], &r->a);
    fill_share(r, &r->shares.b, r->held[B], &r->b);
    r->comm->place->finish();
}

static void poison(const struct rank *r, int part)
{
    r->comm->place->poison(r->held[part].at,
                           (size_t)block_elements(r->held[part]) * sizeof(real));
}

/* GPUs of one process share a driver, and what it does on one of them for the first time
   (loading a kernel, taking or freeing memory) may wait for the others, whose messages wait for
   this one. So during a variant's first run no message moves while a rank multiplies. */
static void begin(struct rank *r)
{
    struct comm *comm = r->comm;
    comm->apart = !r->has_run && comm->threads && comm->ranks > 1 && !comm->place->is_host;
    r->has_run = true;
    poison(r, C);
    poison(r, WORK);
    comm_barrier(comm);
    comm_forget(comm);
    if (place_leaf_work())
        memset(place_leaf_work(), 0, sizeof *place_leaf_work());
    r->begun = timer_now();
}

static double end(struct rank *r)
{
    place_of_leaves->finish();
    double ms = timer_now() - r->begun;
    if (place_leaf_work()) {
        r->leaf = *place_leaf_work();
        r->leaf.pieces = (long)comm_largest(r->comm, (double)r->leaf.pieces);
        r->leaf.fell_back = (long)comm_largest(r->comm, (double)r->leaf.fell_back);
        r->leaf.bytes = comm_largest(r->comm, r->leaf.bytes);
        r->leaf.levels = (long)comm_largest(r->comm, (double)r->leaf.levels);
        r->leaf.tensor = comm_largest(r->comm, r->leaf.tensor) > 0;
        r->bound = bound_of_errors(r);
    }
    return comm_largest(r->comm, ms);
}

double rank_run(struct rank *r, const struct variant *v, const struct context *ctx,
                const struct rank_part *part)
{
    begin(r);
    v->multiply(ctx, part->product, r->plan.above + r->plan.dealt, part->workspace);
    return end(r);
}

bool rank_has_all(const struct rank *r, struct product *p)
{
    const struct options *o = r->options;
    *p = product_of_size(o->m, o->n, o->k);
    p->a.at = r->held[A].at, p->b.at = r->held[B].at, p->c.at = r->held[C].at;
    return r->comm->ranks == 1;
}

void rank_collect(struct rank *r, struct matrix *c)
{
    const struct share *x = &r->shares.c;
    long m = r->options->m, n = r->options->n;
    double *line = comm_allocate(r->comm, (size_t)r->plan.n * sizeof *line, "a row of C");
    real *here = comm_allocate(r->comm, (size_t)r->plan.n * sizeof *here, "a row of C");
    if (r->comm->rank == 0 && !matrix_create(c, precision_here, m, n, n))
        comm_abort(r->comm, "--output: not enough memory for C");
    for (long i = 0; i < m; i++) {
        memset(line, 0, (size_t)n * sizeof *line);
        for (long b = 0; b < tile_count(x); b++) {
            struct tile t = tile_of(x, r->held[C], b);
            if (i < t.row || i >= t.row + t.at.rows)
                continue;
            r->comm->place->fetch((struct block){here, 1, t.at.cols, t.at.cols},
                                  part(t.at, i - t.row, 0, 1, t.at.cols));
            for (long j = 0; j < t.at.cols; j++)
                line[t.col + j] = (double)here[j];
        }
        comm_sum(r->comm, line, n); /* an element has one owner, on all others it is zero */
        for (long j = 0; j < n && c->host; j++)
            matrix_set(c, i, j, line[j]);
    }
    free(line), free(here);
}

/* ---- Predicting ---- */

/* Sizes from which on the speed no longer grows: the edge of a product, and the words of a
 * message. */
static long large_edge(void) { return place_of_leaves->is_host ? 512 : 8192; }
static long large_message(void) { return place_of_leaves->is_host ? 1 << 18 : 1 << 26; }

/* Flops in a millisecond for a product of this plan's size, on all ranks at the same time. */
static double leaf_rate(const struct rank *r, const struct context *ctx, struct product p)
{
    long edge = large_edge(), rows_b = p.b.rows / tile_count(&r->shares.b);
    long m = smaller(edge, smaller(p.c.rows / tile_count(&r->shares.c),
                                   p.a.rows / tile_count(&r->shares.a)));
    long n = smaller(edge, smaller(p.c.cols, p.b.cols));
    long k = smaller(edge, smaller(p.a.cols, rows_b));
    bool is_some = m > 0 && n > 0 && k > 0;
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        double begun = timer_now();
        if (is_some)
            multiply_here(ctx, product_on(part(p.a, 0, 0, m, k), part(p.b, 0, 0, k, n),
                                          part(p.c, 0, 0, m, n)));
        place_of_leaves->finish();
        best = fmin(best, timer_now() - begun);
    }
    double rate =
        is_some ? 2.0 * (double)m * (double)n * (double)k / fmax(best, 1e-6) : INFINITY;
    return -comm_largest(r->comm, -rate);
}

/* Words in a millisecond when all ranks send to their neighbour at the same time. */
static double link_rate(const struct rank *r, struct product p)
{
    struct comm *comm = r->comm;
    long words = smaller(large_message(), smaller(block_elements(p.a), block_elements(p.c)));
    words = -(long)comm_largest(comm, -(double)words);
    double best = INFINITY;
    for (int i = 0; i < 3 && comm->ranks > 1 && words > 0; i++) {
        struct exchange x;
        comm_barrier(comm);
        double begun = timer_now();
        exchange_begin(&x, comm, "rate of the links");
        exchange_send(&x, (struct block){p.a.at, 1, words, words},
                      (comm->rank + 1) % comm->ranks);
        exchange_receive(&x, (struct block){p.c.at, 1, words, words},
                         (comm->rank + comm->ranks - 1) % comm->ranks);
        exchange_start(&x);
        exchange_end(&x);
        best = fmin(best, timer_now() - begun);
    }
    return -comm_largest(comm, -(double)words / fmax(best, 1e-6));
}

void rank_predict(struct rank *r, const struct context *ctx, struct product p)
{
    double rate = leaf_rate(r, ctx, p), link = link_rate(r, p);
    double words = plan_most_received(&r->plan).words;
    r->leaf_gflops = rate / 1e6;
    r->link_gb = link * sizeof(real) / 1e6;
    r->predicted = plan_flops(&r->plan) / rate + (words > 0 ? words / link : 0);
}
