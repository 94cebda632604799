/* SPDX-License-Identifier: MIT */
/** @file rank_trial.c
 * A variant on this rank: its matrices and workspace, made, run, judged and timed.
 */
#include "rank_trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/device/backend.h"
#include "common/device/host.h"
#include "common/matrix/matrix.h"
#include "common/measure/timing_loop.h"

/** The precision of `real`. */
static const enum precision precision_here = sizeof(real) == 4 ? PRECISION_F32 : PRECISION_F64;

/* ---- Memory ---- */

enum { GUARD = 64 };

static size_t buffer_bytes(size_t elements) { return (elements + 2 * GUARD) * sizeof(real); }

static struct block guards_at(real *at) { return (struct block){at, 1, GUARD, GUARD}; }

/* Takes memory for so many elements, full of NaN. Where there is too little, the run of all
   ranks ends. */
static struct guarded_buffer buffer_open(struct comm *comm, const struct place *place,
                                         size_t elements)
{
    real guards[GUARD];
    double have = place->memory_free(), need = (double)buffer_bytes(elements);
    struct guarded_buffer buffer = {place, NULL, place->allocate(buffer_bytes(elements)),
                                    elements};
    if (!buffer.block)
        comm_abort(comm, "not enough memory: %.0f bytes (%s) are needed, %.0f (%s) are free",
                   need, readable_bytes(need), have, readable_bytes(have));
    buffer.at = (real *)buffer.block + GUARD;
    place->poison(buffer.block, buffer_bytes(elements));
    guards_write(precision_here, guards, GUARD, 0);
    place->bring(guards_at(buffer.at - GUARD), guards_at(guards), false);
    place->bring(guards_at(buffer.at + elements), guards_at(guards), false);
    return buffer;
}

static void buffer_close(struct guarded_buffer *buffer)
{
    buffer->place->release(buffer->block);
}

/* True while the guard cells are as they were. */
static bool buffer_is_whole(const struct guarded_buffer *buffer)
{
    real before[GUARD], after[GUARD];
    size_t at;
    buffer->place->fetch(guards_at(before), guards_at(buffer->at - GUARD));
    buffer->place->fetch(guards_at(after), guards_at(buffer->at + buffer->elements));
    return guards_hold(precision_here, before, GUARD, 0, &at) &&
           guards_hold(precision_here, after, GUARD, 0, &at);
}

/* Fills the elements with NaN again. */
static void buffer_poison(struct guarded_buffer *buffer)
{
    buffer->place->poison(buffer->at, buffer->elements * sizeof(real));
}

/* ---- A variant's matrices ---- */

/* Ranks side by side, above each other and behind each other in the grid. */
static void open_groups(struct rank_trial *t)
{
    const struct rank_plan *p = &t->plan;
    int me = t->comm->rank, layer_ranks = p->down * p->across, in_layer = me % layer_ranks;
    t->world.row = group_open(t->comm, me - me % p->across, 1, p->across);
    t->world.column =
        group_open(t->comm, me - in_layer + in_layer % p->across, p->across, p->down);
    t->world.layers = group_open(t->comm, in_layer, layer_ranks, p->layers);
}

void rank_trial_open(struct rank_trial *t, const struct options *o, struct comm *comm,
                     const struct rank_plan *plan, struct out_of_core *device)
{
    *t = (struct rank_trial){.o = o, .comm = comm, .plan = *plan};
    const struct variant *leaf =
        find_variant(o->step->leaves, o->leaf ? o->leaf : o->step->leaves->name);
    struct product largest = product_of_size(bottom_m(plan), bottom_n(plan), bottom_k(plan));
    struct context *x = &t->world.leaf;
    t->shares = plan->bottom->shares(plan, comm->rank);
    t->a = buffer_open(comm, comm->place, (size_t)share_elements(&t->shares.a));
    t->b = buffer_open(comm, comm->place, (size_t)share_elements(&t->shares.b));
    t->c = buffer_open(comm, comm->place, (size_t)share_elements(&t->shares.c));
    t->work = buffer_open(comm, comm->place, plan_workspace(plan, comm->rank));
    t->world = (struct world){.comm = comm, .plan = &t->plan, .device = device};
    *x = (struct context){.threads = (int)o->threads, .leaf = leaf};
    t->leaf = buffer_open(comm, place_of_leaves, leaf_workspace(x, largest));
    x->leaf_workspace = t->leaf.at;
    t->shares.a.at = t->a.at, t->shares.b.at = t->b.at, t->shares.c.at = t->c.at;
    open_groups(t);
}

void rank_trial_close(struct rank_trial *t)
{
    group_close(t->comm, &t->world.row);
    group_close(t->comm, &t->world.column);
    group_close(t->comm, &t->world.layers);
    struct guarded_buffer *buffers[] = {&t->a, &t->b, &t->c, &t->work, &t->leaf};
    for (int i = 0; i < 5; i++)
        buffer_close(buffers[i]);
}

/* Which error bound holds for the plan. */
static enum bound_kind plan_kind(const struct rank_plan *p)
{
    return p->above + p->dealt ? BOUND_STRASSEN : BOUND_CLASSICAL;
}

static void fill_share(const struct place *place, const struct share *x,
                       const struct source *operand)
{
    for (long b = 0; b < 1L << 2 * x->layout.levels; b++) {
        long row, col;
        tile_origin(x, b, &row, &col);
        place->fill(tile_of(x, b), operand, row, col);
    }
}

void rank_trial_fill(struct rank_trial *t, enum input input)
{
    const struct options *o = t->o;
    int levels = t->plan.above + t->plan.dealt;
    int magnitude = integer_magnitude(plan_kind(&t->plan), levels, o->k, precision_here);
    uint64_t seed = (uint64_t)o->seed;
    t->judged = (struct judged_product){o->m,
                                        o->n,
                                        o->k,
                                        {input, OPERAND_A, seed, magnitude, o->m, o->k},
                                        {input, OPERAND_B, seed, magnitude, o->k, o->n},
                                        0};
    if (input != INPUT_INTEGERS) {
        double largest = input == INPUT_SCALED ? 1024 : 1;
        t->judged.bound = bound_factor(plan_kind(&t->plan), levels, o->k) *
                          precision_roundoff(precision_here) * largest * largest;
    }
    fill_share(t->comm->place, &t->shares.a, &t->judged.a);
    fill_share(t->comm->place, &t->shares.b, &t->judged.b);
    t->comm->place->finish();
}

double rank_trial_run(struct rank_trial *t)
{
    buffer_poison(&t->c);
    buffer_poison(&t->work);
    comm_largest(t->comm, 0);
    comm_forget(t->comm);
    out_of_core_forget(t->world.device);
    double begun = timer_now();
    plan_multiply(&t->world, &t->shares, t->work.at);
    return comm_largest(t->comm, timer_now() - begun);
}

/* ---- Judging ---- */

/* Every rank's counters beside the model's, of the last run. */
static bool counts_agree(struct rank_trial *t, struct outcome_on_ranks *r)
{
    struct comm *comm = t->comm;
    double mine[4] = {comm->moved.received.words, comm->moved.received.messages,
                      comm->moved.sent.words, comm->moved.sent.messages};
    double *all = comm_gather(comm, mine, 4);
    bool agree = true;
    for (int rank = 0; rank < comm->ranks; rank++) {
        struct traffic sent, received;
        plan_traffic(&t->plan, rank, &sent, &received);
        const double *x = all + 4 * rank;
        r->words = fmax(r->words, x[0]), r->messages = fmax(r->messages, x[1]);
        r->model_words = fmax(r->model_words, received.words);
        r->model_messages = fmax(r->model_messages, received.messages);
        bool same = x[0] == received.words && x[1] == received.messages && x[2] == sent.words &&
                    x[3] == sent.messages;
        if (!same && agree && r->passed)
            snprintf(r->reason, sizeof r->reason,
                     "rank %d received %.0f words in %.0f messages and sent %.0f in %.0f; the "
                     "model says %.0f in %.0f and %.0f in %.0f",
                     rank, x[0], x[1], x[2], x[3], received.words, received.messages,
                     sent.words, sent.messages);
        agree = agree && same;
    }
    free(all);
    return agree;
}

static bool guards_are_whole(struct rank_trial *t)
{
    bool whole = buffer_is_whole(&t->a) && buffer_is_whole(&t->b) && buffer_is_whole(&t->c) &&
                 buffer_is_whole(&t->work) && buffer_is_whole(&t->leaf);
    return comm_largest(t->comm, whole ? 0 : 1) == 0;
}

static void judge(struct rank_trial *t, struct outcome_on_ranks *r, const char *when,
                  bool elements)
{
    struct verdict_on_ranks v = elements ? check_elements(t->comm, &t->shares, &t->judged)
                                         : check_product(t->comm, &t->shares, &t->judged);
    r->rms = v.rms, r->bound = t->judged.bound;
    r->passed = r->passed && v.passed;
    if (!v.passed)
        snprintf(r->reason, sizeof r->reason, "%s%s", when, v.reason);
    if (r->passed && !guards_are_whole(t)) {
        r->passed = false;
        snprintf(r->reason, sizeof r->reason, "%swritten outside a rank's elements", when);
    }
}

/* Integers first: element by element while that is quick, by Freivalds' vectors at any size. */
static void judge_exactly(struct rank_trial *t, struct outcome_on_ranks *r)
{
    const double most = 1 << 24;
    const struct options *o = t->o;
    if (integer_magnitude(plan_kind(&t->plan), t->plan.above + t->plan.dealt, o->k,
                          precision_here) == 0)
        return;
    rank_trial_fill(t, INPUT_INTEGERS);
    rank_trial_run(t);
    r->judged_exactly = true;
    judge(t, r, "on integers: ", (double)o->m * (double)o->n * (double)o->k <= most);
    if (r->passed)
        judge(t, r, "on integers: ", false);
    if (!counts_agree(t, r))
        r->passed = false;
}

/* The vendor's product of this size, where one rank has it all. Only its time counts: it reads
   what is there as if it lay row after row, and comes after the last check. */
static void time_vendor(struct rank_trial *t, struct outcome_on_ranks *r, int reps)
{
    const struct options *o = t->o;
    struct product p = product_of_size(o->m, o->n, o->k);
    double ms[TIMING_MOST];
    if (t->comm->ranks > 1 || t->comm->place != place_of_leaves)
        return;
    p.a.at = t->a.at, p.b.at = t->b.at, p.c.at = t->c.at;
    r->reference = backend.vendor((int)o->threads);
    for (int i = -1; r->reference && i < reps; i++) { /* the first warms up */
        double begun = timer_now();
        backend.vendor_multiply(precision_here, p);
        place_of_leaves->finish();
        if (i >= 0)
            ms[i] = timer_now() - begun;
    }
    if (r->reference)
        r->reference_timing = timing_of(ms, reps);
}

/* GPUs of one process have one driver, and what it does on one of them for the first time
   (loading a kernel, taking or freeing memory) may wait for the others, whose messages wait for
   this one. So a first run does all of that while no message is under way. */
static void rehearse(struct rank_trial *t)
{
    if (!t->comm->threads || t->comm->ranks == 1 || t->comm->place->is_host)
        return;
    rank_trial_fill(t, INPUT_INTEGERS);
    t->comm->apart = true;
    rank_trial_run(t);
    t->comm->apart = false;
}

void rank_trial_judge(struct rank_trial *t, struct outcome_on_ranks *r)
{
    const struct options *o = t->o;
    double ms[TIMING_MOST];
    r->passed = true;
    rehearse(t);
    if (o->reps != 0)
        judge_exactly(t, r);
    if (!r->passed)
        return;
    rank_trial_fill(t, o->input);
    double first = rank_trial_run(t); /* which warms up as well */
    judge(t, r, "", false);
    r->outside = t->world.device != NULL;
    r->device_there = comm_largest(t->comm, copied_words(t->world.device).there);
    r->device_back = comm_largest(t->comm, copied_words(t->world.device).back);
    for (long i = 1; i < o->warmup && !o->untimed && o->reps != 0; i++)
        rank_trial_run(t);
    int reps = o->untimed || o->reps == 0 ? 0
               : o->reps > 0              ? (int)smaller(o->reps, TIMING_MOST)
                                          : rounds_within(2000, first, 3, 21);
    reps = (int)comm_largest(t->comm, reps);
    for (int i = 0; i < reps; i++)
        ms[i] = rank_trial_run(t);
    if (reps)
        r->timing = timing_of(ms, reps);
    if (reps && r->passed)
        judge(t, r, "after the timed runs: ", false);
    if (reps && r->passed)
        time_vendor(t, r, reps);
}

/* ---- Predicting ---- */

/* What is large enough to be as fast as it gets: the edge of a product, and the words of a
 * message. */
static long large_edge(void) { return place_of_leaves->is_host ? 512 : 8192; }
static long large_message(void) { return place_of_leaves->is_host ? 1 << 18 : 1 << 26; }

/* Flops a millisecond of a product of this plan's size, on all ranks at a time. */
static double leaf_rate(struct rank_trial *t)
{
    struct block c = tile_of(&t->shares.c, 0), a = tile_of(&t->shares.a, 0),
                 b = tile_of(&t->shares.b, 0);
    long edge = large_edge(), m = smaller(edge, smaller(c.rows, a.rows)),
         n = smaller(edge, smaller(c.cols, b.cols));
    long k = smaller(edge, smaller(a.cols, b.rows));
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        double begun = timer_now();
        if (m > 0 && n > 0 && k > 0)
            multiply_here(&t->world, product_on(part(a, 0, 0, m, k), part(b, 0, 0, k, n),
                                                part(c, 0, 0, m, n)));
        place_of_leaves->finish();
        best = fmin(best, timer_now() - begun);
    }
    double rate = m > 0 && n > 0 && k > 0
                      ? 2.0 * (double)m * (double)n * (double)k / fmax(best, 1e-6)
                      : INFINITY;
    return -comm_largest(t->comm, -rate);
}

/* Words a millisecond when all ranks send to their neighbour at a time. */
static double link_rate(struct rank_trial *t)
{
    struct comm *comm = t->comm;
    long words = smaller(large_message(),
                         smaller(share_elements(&t->shares.a), share_elements(&t->shares.c)));
    words = -(long)comm_largest(comm, -(double)words);
    double best = INFINITY;
    for (int i = 0; i < 3 && comm->ranks > 1 && words > 0; i++) {
        struct exchange x;
        comm_largest(comm, 0);
        double begun = timer_now();
        exchange_begin(&x, comm, "rate of the links");
        exchange_send(&x, (struct block){t->shares.a.at, 1, words, words},
                      (comm->rank + 1) % comm->ranks);
        exchange_receive(&x, (struct block){t->shares.c.at, 1, words, words},
                         (comm->rank + comm->ranks - 1) % comm->ranks);
        exchange_start(&x);
        exchange_end(&x);
        best = fmin(best, timer_now() - begun);
    }
    return -comm_largest(comm, -(double)words / fmax(best, 1e-6));
}

void rank_trial_predict(struct rank_trial *t, struct outcome_on_ranks *r)
{
    double rate = leaf_rate(t), link = link_rate(t), words = 0;
    for (int rank = 0; rank < t->plan.ranks; rank++) {
        struct traffic sent, received;
        plan_traffic(&t->plan, rank, &sent, &received);
        words = fmax(words, received.words);
    }
    r->leaf_gflops = rate / 1e6;
    r->link_gb = link * sizeof(real) / 1e6;
    r->predicted = plan_flops(&t->plan) / rate + (words > 0 ? words / link : 0);
}
