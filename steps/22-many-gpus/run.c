/**
 * @file run.c
 * Runs the variants on all ranks: makes the matrices where they are needed, times, counts and judges.
 */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/backend.h"
#include "common/bench.h"
#include "common/host.h"
#include "common/matrix.h"
#include "common/timer.h"
#include "common/verify.h"
#include "device.h"
#include "show.h"

enum { GUARD = 64, MOST_LEVELS = 4 };

/* ---- Memory of a rank ---- */

/* Elements between guard cells that nobody may write. */
struct room {
    const struct place *place;
    real *at;
    char *block;
    size_t elements;
};

static size_t room_bytes(size_t elements)
{
    return (elements + 2 * GUARD) * sizeof(real);
}

static const enum precision here = sizeof(real) == 4 ? PRECISION_F32 : PRECISION_F64;

static struct block guards_at(real *at)
{
    return (struct block){at, 1, GUARD, GUARD};
}

static struct room room_open(struct comm *comm, const struct place *place, size_t elements)
{
    real guards[GUARD];
    double have = place->memory_free(), need = (double)room_bytes(elements);
    struct room room = {place, NULL, place->allocate(room_bytes(elements)), elements};
    if (!room.block)
        comm_abort(comm, "not enough memory: %.0f bytes (%s) are needed, %.0f (%s) are free", need,
                   readable_bytes(need), have, readable_bytes(have));
    room.at = (real *)room.block + GUARD;
    place->poison(room.block, room_bytes(elements));
    guards_write(here, guards, GUARD, 0);
    place->bring(guards_at(room.at - GUARD), guards_at(guards), false);
    place->bring(guards_at(room.at + elements), guards_at(guards), false);
    return room;
}

static bool room_is_whole(const struct room *room)
{
    real before[GUARD], after[GUARD];
    size_t at;
    room->place->fetch(guards_at(before), guards_at(room->at - GUARD));
    room->place->fetch(guards_at(after), guards_at(room->at + room->elements));
    return guards_hold(here, before, GUARD, 0, &at) && guards_hold(here, after, GUARD, 0, &at);
}

static void poison(struct room *room)
{
    room->place->poison(room->at, room->elements * sizeof(real));
}

/* ---- A variant on this rank ---- */

struct trial_on_ranks {
    const struct options *o;
    struct comm *comm;
    struct plan plan;
    struct world world;
    struct shares shares;
    struct room a, b, c, work, leaf;
    struct judged_product judged;
    int members[3 * MOST_RANKS];
};

/* Ranks side by side, above each other and behind each other in the grid; Cannon's rows and columns need
   no group. */
static void open_groups(struct trial_on_ranks *t)
{
    const struct plan *p = &t->plan;
    int me = t->comm->rank, *row = t->members, *column = row + MOST_RANKS, *behind = column + MOST_RANKS;
    int layer_ranks = p->down * p->across, in_layer = me % layer_ranks, layer = me / layer_ranks;
    int i = in_layer / p->across, j = in_layer % p->across;
    for (int x = 0; x < p->across; x++)
        row[x] = layer * layer_ranks + i * p->across + x;
    for (int x = 0; x < p->down; x++)
        column[x] = layer * layer_ranks + x * p->across + j;
    for (int x = 0; x < p->layers; x++)
        behind[x] = x * layer_ranks + in_layer;
    group_open(t->comm, &t->world.row, row, p->across, row[0]);
    group_open(t->comm, &t->world.column, column, p->down, column[0]);
    group_open(t->comm, &t->world.layers, behind, p->layers, behind[0]);
}

static void open_trial(struct trial_on_ranks *t, const struct options *o, struct comm *comm,
                       const struct plan *plan, struct device *device)
{
    *t = (struct trial_on_ranks){.o = o, .comm = comm, .plan = *plan};
    const struct variant *leaf = find_variant(o->step->leaves, o->leaf ? o->leaf : o->step->leaves->name);
    struct problem largest = {.m = bottom_m(plan), .n = bottom_n(plan), .k = bottom_k(plan)};
    largest.threads = (int)o->threads;
    t->shares = plan_shares(plan, comm->rank);
    t->a = room_open(comm, comm->place, (size_t)share_elements(&t->shares.a));
    t->b = room_open(comm, comm->place, (size_t)share_elements(&t->shares.b));
    t->c = room_open(comm, comm->place, (size_t)share_elements(&t->shares.c));
    t->work = room_open(comm, comm->place, plan_workspace(plan, comm->rank));
    t->leaf = room_open(comm, place_of_leaves, leaf->workspace ? leaf->workspace(&largest) : 0);
    t->shares.a.at = t->a.at, t->shares.b.at = t->b.at, t->shares.c.at = t->c.at;
    t->world = (struct world){.comm = comm, .plan = &t->plan, .device = device};
    t->world.leaf = (struct context){leaf, t->leaf.at, (int)o->threads, 0, NULL};
    open_groups(t);
}

static void close_trial(struct trial_on_ranks *t)
{
    group_close(t->comm, &t->world.row);
    group_close(t->comm, &t->world.column);
    group_close(t->comm, &t->world.layers);
    struct room *rooms[] = {&t->a, &t->b, &t->c, &t->work, &t->leaf};
    for (int i = 0; i < 5; i++)
        rooms[i]->place->release(rooms[i]->block);
}

static enum bound_kind kind_of(const struct plan *p)
{
    return p->above + p->dealt ? BOUND_STRASSEN : BOUND_CLASSICAL;
}

static void fill_share(const struct place *place, const struct share *x, const struct source *operand)
{
    for (long b = 0; b < 1L << 2 * x->layout.levels; b++) {
        long row, col;
        tile_origin(x, b, &row, &col);
        place->fill(tile_of(x, b), operand, row, col);
    }
}

/* Makes A and B; with integers everything stays exact. */
static void fill(struct trial_on_ranks *t, enum input input)
{
    const struct options *o = t->o;
    int levels = t->plan.above + t->plan.dealt;
    int magnitude = integer_magnitude(kind_of(&t->plan), levels, o->k, here);
    uint64_t seed = (uint64_t)o->seed;
    t->judged = (struct judged_product){o->m, o->n, o->k,
                                        {input, OPERAND_A, seed, magnitude, o->m, o->k},
                                        {input, OPERAND_B, seed, magnitude, o->k, o->n},
                                        0};
    if (input != INPUT_INTEGERS) {
        double largest = input == INPUT_SCALED ? 1024 : 1;
        t->judged.bound = bound_factor(kind_of(&t->plan), levels, o->k) * precision_roundoff(here) * largest *
                          largest;
    }
    fill_share(t->comm->place, &t->shares.a, &t->judged.a);
    fill_share(t->comm->place, &t->shares.b, &t->judged.b);
    t->comm->place->finish();
}

/* One run on a C and a workspace of NaN; all ranks begin together, and the last to end counts. */
static double run_once(struct trial_on_ranks *t)
{
    poison(&t->c);
    poison(&t->work);
    comm_largest(t->comm, 0);
    comm_forget(t->comm);
    double begun = timer_now();
    plan_multiply(&t->world, &t->shares, t->work.at);
    return comm_largest(t->comm, timer_now() - begun);
}

/* Every rank's counters beside the model's, of the last run. */
static bool counts_agree(struct trial_on_ranks *t, struct outcome_on_ranks *r)
{
    struct comm *comm = t->comm;
    double mine[4] = {comm->received.words, comm->received.messages, comm->sent.words, comm->sent.messages};
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
                     "rank %d received %.0f words in %.0f messages and sent %.0f in %.0f; the model says %.0f "
                     "in %.0f and %.0f in %.0f",
                     rank, x[0], x[1], x[2], x[3], received.words, received.messages, sent.words, sent.messages);
        agree = agree && same;
    }
    free(all);
    return agree;
}

static bool guards_are_whole(struct trial_on_ranks *t)
{
    bool whole = room_is_whole(&t->a) && room_is_whole(&t->b) && room_is_whole(&t->c) &&
                 room_is_whole(&t->work) && room_is_whole(&t->leaf);
    return comm_largest(t->comm, whole ? 0 : 1) == 0;
}

static void judge(struct trial_on_ranks *t, struct outcome_on_ranks *r, const char *when, bool elements)
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
static void judge_exactly(struct trial_on_ranks *t, struct outcome_on_ranks *r)
{
    const double most = 1 << 24;
    const struct options *o = t->o;
    if (integer_magnitude(kind_of(&t->plan), t->plan.above + t->plan.dealt, o->k, here) == 0)
        return;
    fill(t, INPUT_INTEGERS);
    run_once(t);
    r->judged_exactly = true;
    judge(t, r, "on integers: ", (double)o->m * (double)o->n * (double)o->k <= most);
    if (r->passed)
        judge(t, r, "on integers: ", false);
    if (!counts_agree(t, r))
        r->passed = false;
}

/* The vendor's product of this size, where one rank has it all. Only its time counts: it reads what is there
   as if it lay row after row, and comes after the last check. */
static void time_vendor(struct trial_on_ranks *t, struct outcome_on_ranks *r, int reps)
{
    const struct options *o = t->o;
    struct problem p = {.m = o->m, .n = o->n, .k = o->k, .a = t->a.at, .lda = o->k, .b = t->b.at, .ldb = o->n,
                        .c = t->c.at, .ldc = o->n, .threads = (int)o->threads};
    double ms[BENCH_MOST];
    if (t->comm->ranks > 1 || t->comm->place != place_of_leaves)
        return;
    r->reference = backend.vendor((int)o->threads);
    for (int i = -1; r->reference && i < reps; i++) { /* the first warms up */
        double begun = timer_now();
        backend.vendor_multiply(here, &p);
        place_of_leaves->finish();
        if (i >= 0)
            ms[i] = timer_now() - begun;
    }
    if (r->reference)
        r->reference_timing = timing_of(ms, reps);
}

static void judge_and_time(struct trial_on_ranks *t, struct outcome_on_ranks *r)
{
    const struct options *o = t->o;
    double ms[BENCH_MOST];
    r->passed = true;
    judge_exactly(t, r);
    if (!r->passed)
        return;
    fill(t, o->input);
    double first = run_once(t);
    judge(t, r, "", false);
    int reps = o->untimed || o->reps == 0 ? 0
               : o->reps > 0              ? (int)smaller(o->reps, BENCH_MOST)
                                          : bench_rounds(2000, first, 3, 21);
    reps = (int)comm_largest(t->comm, reps);
    for (int i = 0; i < reps; i++)
        ms[i] = run_once(t);
    if (reps)
        r->timing = timing_of(ms, reps);
    if (reps && r->passed)
        judge(t, r, "after the timed runs: ", false);
    if (reps && r->passed)
        time_vendor(t, r, reps);
}

/* ---- Rates, for predictions ---- */

/* Flops a millisecond of a product of this plan's size, on all ranks at a time. */
static double leaf_rate(struct trial_on_ranks *t)
{
    enum { EDGE = 512 };
    struct block c = tile_of(&t->shares.c, 0), a = tile_of(&t->shares.a, 0), b = tile_of(&t->shares.b, 0);
    long m = smaller(EDGE, smaller(c.rows, a.rows)), n = smaller(EDGE, smaller(c.cols, b.cols));
    long k = smaller(EDGE, smaller(a.cols, b.rows));
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        double begun = timer_now();
        if (m > 0 && n > 0 && k > 0)
            multiply_here(&t->world, product_on(part(a, 0, 0, m, k), part(b, 0, 0, k, n), part(c, 0, 0, m, n)));
        place_of_leaves->finish();
        best = fmin(best, timer_now() - begun);
    }
    double rate = m > 0 && n > 0 && k > 0 ? 2.0 * (double)m * (double)n * (double)k / fmax(best, 1e-6) : INFINITY;
    return -comm_largest(t->comm, -rate);
}

/* Words a millisecond when all ranks send to their neighbour at a time. */
static double link_rate(struct trial_on_ranks *t)
{
    struct comm *comm = t->comm;
    long words = smaller(1 << 18, smaller(share_elements(&t->shares.a), share_elements(&t->shares.c)));
    words = -(long)comm_largest(comm, -(double)words);
    double best = INFINITY;
    for (int i = 0; i < 3 && comm->ranks > 1 && words > 0; i++) {
        struct exchange x;
        comm_largest(comm, 0);
        double begun = timer_now();
        exchange_begin(&x, comm, "rate of the links");
        exchange_send(&x, (struct block){t->shares.a.at, 1, words, words}, (comm->rank + 1) % comm->ranks);
        exchange_receive(&x, (struct block){t->shares.c.at, 1, words, words},
                         (comm->rank + comm->ranks - 1) % comm->ranks);
        exchange_start(&x);
        exchange_end(&x);
        best = fmin(best, timer_now() - begun);
    }
    return -comm_largest(comm, -(double)words / fmax(best, 1e-6));
}

static void predict(struct trial_on_ranks *t, struct outcome_on_ranks *r)
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

/* ---- All variants ---- */

static int ranks_here(const struct comm *comm)
{
    int count = 0;
    for (int r = 0; r < comm->ranks; r++)
        count += comm->peers[r].host == comm->peers[comm->rank].host;
    return count;
}

/* Exit status 0 when this plan's memory is there, on every host. A GPU is one rank's alone. */
static int memory_is_there(struct comm *comm, const struct plan *plan)
{
    double need = plan_bytes(plan), have = comm->place->memory_free();
    if (comm->place->is_host)
        need = ranks_here(comm) * (need + (double)(plan->m + plan->k + 2 * plan->n) * CHECK_VECTORS * 8);
    bool missing = comm_largest(comm, need > have ? 1 : 0) > 0;
    if (missing && comm->rank == 0)
        fprintf(stderr, "not enough memory: %.0f bytes (%s) for %s are needed, %.0f (%s) are free%s\n", need,
                readable_bytes(need), comm->place->is_host ? "all ranks of this host" : "each rank's GPU", have,
                readable_bytes(have), comm->place->is_host ? "" : "; --device-memory keeps the matrices outside");
    return missing ? EXIT_RESOURCE : EXIT_RIGHT;
}

static bool is_chosen(const struct options *o, const struct variant *v)
{
    return o->variant ? is_listed(o->variant, v->name) : !v->broken && !v->by_name;
}

/* The plan, or why there is none: an error where the variant was asked for by name, otherwise a note. */
static bool find_plan(const struct options *o, struct comm *comm, int variant, struct plan *plan, int *status)
{
    const struct variant *v = &o->step->variants[variant];
    double memory = (double)o->settings[SET_MEMORY] * 1048576;
    char text[160];
    const char *why = plan_for_variant(plan, o, variant, comm->ranks, memory);
    if (!why && memory > 0 && plan_bytes(plan) > memory) {
        snprintf(text, sizeof text, "it needs %.0f bytes a rank, --memory allows %.0f", plan_bytes(plan), memory);
        why = text;
    }
    if (why && comm->rank == 0 && !o->quiet)
        fprintf(stderr, "%s on %d rank%s: %s\n", v->name, comm->ranks, comm->ranks == 1 ? "" : "s", why);
    if (why && o->variant)
        *status = EXIT_RESOURCE;
    return !why;
}

static int run_variants_on_ranks(const struct options *o, struct comm *comm, struct device *device)
{
    int right = 0, wrong = 0, status = EXIT_RIGHT;
    for (int variant = 0; variant < VARIANTS && status == EXIT_RIGHT; variant++) {
        static struct trial_on_ranks trial;
        struct outcome_on_ranks result = {.variant = &o->step->variants[variant]};
        if (!is_chosen(o, result.variant) || !find_plan(o, comm, variant, &trial.plan, &status))
            continue;
        struct plan plan = trial.plan;
        if ((status = memory_is_there(comm, &plan)) != EXIT_RIGHT)
            break;
        open_trial(&trial, o, comm, &plan, device);
        result.plan = plan;
        fill(&trial, o->input);
        if (!o->untimed && o->reps != 0)
            predict(&trial, &result);
        judge_and_time(&trial, &result);
        close_trial(&trial);
        *(result.passed ? &right : &wrong) += 1;
        if (comm->rank == 0)
            show_result(o, comm, &result);
    }
    if (comm->rank == 0 && status == EXIT_RIGHT)
        show_end(o, right, wrong);
    return status != EXIT_RIGHT ? status : wrong ? EXIT_WRONG : right ? EXIT_RIGHT : EXIT_RESOURCE;
}

/* Which of this host's ranks this one is. */
static int number_here(const struct comm *comm)
{
    int number = 0;
    for (int r = 0; r < comm->rank; r++)
        number += comm->peers[r].host == comm->peers[comm->rank].host;
    return number;
}

/* What does not go with matrices that are made on each rank; false after a message. */
static bool options_are_known(const struct options *o)
{
    if (o->levels > MOST_LEVELS || o->tau1 || o->tau2) {
        fprintf(stderr, "%s divides --levels times, 0 to %d; there is no --tau1 and no --tau2\n", o->step->name,
                MOST_LEVELS);
        return false;
    }
    if (o->input != INPUT_FILE && !input_is_kaporin(o->input) && o->ld_extra == 0 && !o->output)
        return true;
    fprintf(stderr, "%s makes its matrices on each rank: --input takes uniform, integers, positive, scaled, "
                    "identity or zeros here, and there is no --ld-extra and no --output\n",
            o->step->name);
    return false;
}

static const char *leaf_missing(const struct options *o)
{
    const struct variant *leaf = o->leaf ? find_variant(o->step->leaves, o->leaf) : o->step->leaves;
    return leaf->missing ? leaf->missing() : NULL;
}

/* Opens what all ways into this step need; the exit status when it cannot, or -1. */
static int begin_ranks(const struct options *o, struct comm *comm)
{
    const char *missing = leaf_missing(o);
    if (!options_are_known(o))
        return EXIT_USAGE;
    if (missing) {
        fprintf(stderr, "--leaf %s: %s\n", o->leaf ? o->leaf : o->step->leaves->name, missing);
        return EXIT_RESOURCE;
    }
    int status = launch_ranks(o);
    if (status >= 0)
        return status;
    comm_open(comm, (double)o->settings[SET_LIMIT]);
    if (comm->ranks > MOST_RANKS)
        comm_abort(comm, "this program takes 1 to %d ranks, not %d", MOST_RANKS, comm->ranks);
    if (o->settings[SET_RANKS] > 1 && comm->ranks != o->settings[SET_RANKS])
        comm_abort(comm, "--ranks says %ld ranks, but mpirun started %d", o->settings[SET_RANKS], comm->ranks);
    const char *place = place_open(number_here(comm), ranks_here(comm));
    if (place)
        comm_abort(comm, "%s", place);
    return -1;
}

/* All ranks must have been asked for the same product. */
static void compare_sizes(const struct options *o, struct comm *comm)
{
    double mine[5] = {(double)o->m, (double)o->n, (double)o->k, (double)o->seed, (double)o->levels};
    double *all = malloc(5 * sizeof *all * (size_t)comm->ranks);
    if (!all)
        comm_abort(comm, "no memory for %d numbers", 5 * comm->ranks);
    comm_all(comm, mine, 5, all);
    for (int r = 0; r < comm->ranks; r++)
        if (memcmp(all + 5 * r, mine, sizeof mine) != 0)
            comm_abort(comm,
                       "this rank was asked for m, n, k = %ld, %ld, %ld, rank %d for %.0f, %.0f, %.0f (or another "
                       "seed or other levels): give all ranks the same options",
                       o->m, o->n, o->k, r, all[5 * r], all[5 * r + 1], all[5 * r + 2]);
    free(all);
}

/* From now on blocks lie on the GPU, and messages go from there: by NCCL where it is. */
static void move_to(struct comm *comm, const struct place *place)
{
    comm->place = place;
#ifdef LADDER_NCCL
    comm_use_nccl(comm);
#else
    if (comm->rank == 0 && comm->ranks > 1)
        fprintf(stderr, "NCCL was not there when this was built (Debian, Ubuntu: libnccl-dev, from NVIDIA's "
                        "repository): messages go through host memory by MPI, and are slower\n");
#endif
}

/* The exit status, when all is let go of: a fault makes it wrong. */
static int end_ranks(struct comm *comm, int status)
{
#ifdef LADDER_NCCL
    if (!comm->place->is_host)
        comm_leave_nccl(comm);
#endif
    bool faults = comm_largest(comm, place_close()) > 0;
    comm_close(comm);
    return faults && status == EXIT_RIGHT ? EXIT_WRONG : status;
}

int run_ranks(const struct options *o)
{
    struct comm comm;
    int status = begin_ranks(o, &comm);
    if (status >= 0)
        return status;
    compare_sizes(o, &comm);
    struct device *device = NULL;
    double limit = (double)o->settings[SET_DEVICE_MEMORY] * 1024, need;
    if (limit == 0 && !place_of_leaves->is_host)
        move_to(&comm, place_of_leaves);
    if (limit > 0 && !(device = device_open(limit, &need))) {
        if (comm.rank == 0)
            fprintf(stderr, "--device-memory: the smallest tiles need %.0f bytes, %.0f are free\n", need, limit);
        status = EXIT_RESOURCE;
    } else {
        if (comm.rank == 0)
            show_start(o, &comm);
        status = run_variants_on_ranks(o, &comm, device);
    }
    device_close(device);
    return end_ranks(&comm, status);
}

int print_messages(const struct options *o)
{
    struct comm comm;
    static struct trial_on_ranks trial;
    struct plan plan;
    int status = begin_ranks(o, &comm), variant = 0;
    if (status >= 0)
        return status;
    compare_sizes(o, &comm);
    while (variant < VARIANTS - 1 && !is_chosen(o, &o->step->variants[variant]))
        variant++;
    status = EXIT_RIGHT;
    if (!place_of_leaves->is_host)
        move_to(&comm, place_of_leaves);
    if (find_plan(o, &comm, variant, &plan, &status)) {
        open_trial(&trial, o, &comm, &plan, NULL);
        fill(&trial, INPUT_INTEGERS);
        comm.keep_log = true;
        run_once(&trial);
        show_messages(o, &comm, &o->step->variants[variant], &plan);
        close_trial(&trial);
    } else {
        status = EXIT_RESOURCE;
    }
    return end_ranks(&comm, status);
}

int print_model(const struct options *o)
{
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int ranks = 1; ranks <= 1024; ranks = show_next_count(ranks)) {
            struct plan plan;
            if (!is_chosen(o, &o->step->variants[variant]) ||
                plan_for_variant(&plan, o, variant, ranks, (double)o->settings[SET_MEMORY] * 1048576))
                continue;
            show_model(o, &o->step->variants[variant], &plan);
        }
    return EXIT_RIGHT;
}
