/**
 * @file judge.c
 * Judges a variant on all ranks, counts what it moved, and times it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/device/backend.h"
#include "common/measure/timing_loop.h"
#include "common/device/timer.h"
#include "device.h"
#include "rank_trial.h"

/* Every rank's counters beside the model's, of the last run. */
static bool counts_agree(struct rank_trial *t, struct outcome_on_ranks *r)
{
    struct comm *comm = t->comm;
    double mine[4] = {comm->received.words, comm->received.messages, comm->sent.words,
                      comm->sent.messages};
    double *all = malloc(4 * sizeof *all * (size_t)comm->ranks);
    if (!all)
        comm_abort(comm, "no memory for %d counters", 4 * comm->ranks);
    comm_all(comm, mine, 4, all);
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
                     "model says %.0f "
                     "in %.0f and %.0f in %.0f",
                     rank, x[0], x[1], x[2], x[3], received.words, received.messages,
                     sent.words, sent.messages);
        agree = agree && same;
    }
    free(all);
    return agree;
}

static bool guards_are_whole(struct rank_trial *t)
{
    bool whole = room_is_whole(&t->a) && room_is_whole(&t->b) && room_is_whole(&t->c) &&
                 room_is_whole(&t->work) && room_is_whole(&t->leaf);
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
    struct problem p = {.m = o->m,
                        .n = o->n,
                        .k = o->k,
                        .a = t->a.at,
                        .lda = o->k,
                        .b = t->b.at,
                        .ldb = o->n,
                        .c = t->c.at,
                        .ldc = o->n,
                        .threads = (int)o->threads};
    double ms[TIMING_MOST];
    if (t->comm->ranks > 1 || t->comm->place != place_of_leaves)
        return;
    r->reference = backend.vendor((int)o->threads);
    for (int i = -1; r->reference && i < reps; i++) { /* the first warms up */
        double begun = timer_now();
        backend.vendor_multiply(precision_here, &p);
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
    if (!t->comm->threads || t->comm->place->is_host)
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
    r->device_there = comm_largest(t->comm, device_words(t->world.device).there);
    r->device_back = comm_largest(t->comm, device_words(t->world.device).back);
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
