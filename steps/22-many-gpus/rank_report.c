/* SPDX-License-Identifier: MIT */
/** @file rank_report.c
 * Rows for people, JSON lines for programs.
 */
#include "rank_report.h"

#include "share.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/host.h"
#include "common/measure/json.h"

static double largest_share(const struct rank_plan *p)
{
    double most = 0;
    for (int rank = 0; rank < p->ranks; rank++)
        most = fmax(most, plan_share_bytes(p, rank));
    return most;
}

/* "2 x 2", "7 levels ..." as a reader needs it. */
static const char *grid_of(const struct rank_plan *p)
{
    static char text[64];
    if (p->layers > 1)
        snprintf(text, sizeof text, "%d x %d x %d", p->down, p->across, p->layers);
    else
        snprintf(text, sizeof text, "%d x %d", p->down, p->across);
    return text;
}

/* The levels, D for each that all ranks do together (depth first), B for each whose products
   are dealt out (breadth first). */
static const char *levels_of(const struct rank_plan *p)
{
    static char text[32];
    int used = 0;
    for (int i = 0; i < p->above && used < 30; i++)
        text[used++] = 'D';
    for (int i = 0; i < p->dealt && used < 30; i++)
        text[used++] = 'B';
    if (!used)
        text[used++] = '-';
    text[used] = '\0';
    return text;
}

/* How the last dealt level's products come out even: rounds in which each rank gets one, and
   ranks that get none in the last. No rounds where products are not dealt to single ranks. */
struct rounds {
    long products, rounds, idle;
};

static struct rounds rounds_of(const struct rank_plan *p)
{
    struct rounds d = {1, 0, 0};
    if (p->bottom != &bottom_dealt || p->dealt == 0)
        return d;
    for (int level = 0; level < p->dealt; level++)
        d.products *= PRODUCTS;
    d.rounds = pieces_of(d.products, p->ranks);
    d.idle = d.rounds * p->ranks - d.products;
    return d;
}

static bool is_classical(const struct rank_plan *p) { return p->above + p->dealt == 0; }

/* With as much memory as the plan takes. */
static double bound_of(const struct options *o, const struct rank_plan *p)
{
    double memory = plan_bytes(p) / sizeof(real), m = (double)o->m, n = (double)o->n,
           k = (double)o->k;
    return is_classical(p) ? bound_classical(m, n, k, p->ranks, memory)
                           : bound_strassen(m, n, k, p->ranks, memory);
}

/* What the ranks are, and by which library they speak; NULL: there is one only, and none to
 * start more. */
static const char *library_of(const struct comm *comm)
{
    return comm->threads && comm->ranks > 1 ? "threads of one process" : comm_library();
}

void show_start(const struct options *o, const struct comm *comm)
{
    if (o->json || o->quiet)
        return;
    printf("%s: %s\n", o->step->name, o->step->idea);
    printf("C (%ld x %ld) = A (%ld x %ld) * B (%ld x %ld), %s, %s input, seed %ld\n", o->m,
           o->n, o->m, o->k, o->k, o->n, precision_names[o->precision], input_names[o->input],
           o->seed);
    printf("on %d rank%s of %s, %ld thread%s each, leaf %s\n", comm->ranks,
           comm->ranks == 1 ? "" : "s", place_device(), o->threads, o->threads == 1 ? "" : "s",
           o->leaf ? o->leaf : o->step->leaves->name);
    if (!library_of(comm))
        printf("MPI was not there when this was built: one rank runs. For more, on Debian: "
               "apt-get install openmpi-bin libopenmpi-dev, then configure and build again. Or "
               "threads of one process: --one-process --ranks 4\n");
    else if (comm->ranks == 1)
        printf("one rank: --ranks 4 starts four under %s, --one-process --ranks 4 as threads\n",
               comm_library());
    else
        printf("messages by %s over %s\n", comm->engine->name, library_of(comm));
    printf("\n%-20s %-9s %-6s %10s %9s %10s %12s %9s %10s  %s\n", "variant", "grid", "levels",
           "ms", "GFLOP/s", "predicted", "words a rank", "messages", "rms error", "verdict");
    fflush(stdout);
}

static void show_row(const struct options *o, const struct outcome_on_ranks *r)
{
    printf("%-20s %-9s %-6s ", r->variant->name, grid_of(&r->plan), levels_of(&r->plan));
    if (r->timing.reps)
        printf("%10.3f %9.2f %10.3f ", r->timing.median,
               2.0 * (double)o->m * (double)o->n * (double)o->k / (r->timing.median * 1e6),
               r->predicted);
    else
        printf("%10s %9s %10s ", "-", "-", "-");
    printf("%12.0f %9.0f %10.2e  %s\n", r->words, r->messages, r->rms,
           r->passed ? "right" : "WRONG");
    printf("%-20s %s a rank", "", readable_bytes(plan_bytes(&r->plan)));
    if (r->outside)
        printf("; %.0f words to the device, %.0f back", r->device_there, r->device_back);
    if (r->reference_timing.reps)
        printf("; %s takes %.3f ms", r->reference, r->reference_timing.median);
    if (r->plan.ranks > 1)
        printf("; model %.0f words in %.0f messages (%s); %s %.0f words", r->model_words,
               r->model_messages,
               r->words == r->model_words && r->messages == r->model_messages ? "equal"
                                                                              : "they differ",
               is_classical(&r->plan) ? "no classical product moves less than"
                                      : "Strassen's order of growth is",
               bound_of(o, &r->plan));
    putchar('\n');
    struct rounds deal = rounds_of(&r->plan);
    if (deal.rounds && r->plan.ranks > 1) {
        printf("%-20s %s%ld products, each to one rank, in %ld round%s", "",
               r->plan.above ? "for each product of the levels D: " : "", deal.products,
               deal.rounds, deal.rounds == 1 ? "" : "s");
        if (deal.idle)
            printf("; in the last round %ld of %d ranks have none", deal.idle, r->plan.ranks);
        putchar('\n');
    }
    if (!r->passed)
        printf("    %s\n", r->reason);
}

static void json_plan(struct json *j, const struct options *o, const struct variant *v,
                      const struct rank_plan *p)
{
    json_text(j, "step", o->step->name);
    json_text(j, "variant", v->name);
    json_text(j, "precision", precision_names[o->precision]);
    json_whole(j, "m", (double)o->m);
    json_whole(j, "n", (double)o->n);
    json_whole(j, "k", (double)o->k);
    json_whole(j, "ranks", p->ranks);
    json_text(j, "grid", grid_of(p));
    json_text(j, "plan", levels_of(p));
    json_whole(j, "levels", p->above + p->dealt);
    json_number_if(j, p->bottom == &bottom_summa, "panels", (double)p->panels);
}

static void json_rounds(struct json *j, const struct rank_plan *p)
{
    struct rounds deal = rounds_of(p);
    json_number_if(j, deal.rounds > 0, "rounds", (double)deal.rounds);
    json_number_if(j, deal.rounds > 0, "idle_in_last_round", (double)deal.idle);
}

static void show_json(const struct options *o, const struct comm *comm,
                      const struct outcome_on_ranks *r)
{
    bool timed = r->timing.reps > 0;
    struct json json = json_begin(stdout), *j = &json;
    json_plan(j, o, r->variant, &r->plan);
    json_rounds(j, &r->plan);
    json_text(j, "backend", place_of_leaves->is_host ? "cpu" : place_of_leaves->name);
    json_text(j, "device", place_device());
    json_text(j, "library", library_of(comm));
    json_text(j, "engine", comm->ranks > 1 ? comm->engine->name : "alone");
    json_text(j, "leaf", o->leaf ? o->leaf : o->step->leaves->name);
    json_text(j, "input", input_names[o->input]);
    json_number(j, "threads", (double)o->threads);
    json_number_if(j, timed, "reps", r->timing.reps);
    json_number_if(j, timed, "ms_median", r->timing.median);
    json_number_if(j, timed, "ms_min", r->timing.min);
    json_number_if(j, timed, "ms_max", r->timing.max);
    json_number_if(j, timed, "gflops",
                   2.0 * (double)o->m * (double)o->n * (double)o->k / (r->timing.median * 1e6));
    json_text(j, "reference", r->reference);
    json_number_if(j, r->reference_timing.reps > 0, "reference_ms_median",
                   r->reference_timing.median);
    json_number_if(j, r->reference_timing.reps > 0, "ratio",
                   r->reference_timing.median / r->timing.median);
    /* What every step's line has, and this one has no numbers for. */
    static const char *const missing[] = {
        "tau1",         "tau2",         "max_error",          "mean_error",
        "transactions", "volume_bytes", "model_transactions", "model_volume_bytes"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        json_number_if(j, false, missing[i], 0);
    json_number_if(j, timed, "ms_predicted", r->predicted);
    json_number_if(j, timed, "leaf_gflops", r->leaf_gflops);
    json_number_if(j, timed && comm->ranks > 1, "link_gb_s", r->link_gb);
    json_number(j, "rms_error", r->rms);
    json_number(j, "error_bound", r->bound);
    json_bool(j, "passed", r->passed);
    json_text(j, "judged_by",
              r->judged_exactly ? "integers, freivalds, guards, counts" : "freivalds, guards");
    json_text(j, "reason", r->passed ? NULL : r->reason);
    json_whole(j, "words", r->words);
    json_whole(j, "messages", r->messages);
    json_whole(j, "model_words", r->model_words);
    json_whole(j, "model_messages", r->model_messages);
    json_number(j, is_classical(&r->plan) ? "bound_words" : "order_words",
                bound_of(o, &r->plan));
    json_whole(j, "bytes_a_rank", plan_bytes(&r->plan));
    json_number_if(j, r->outside, "device_words_there", r->device_there);
    json_number_if(j, r->outside, "device_words_back", r->device_back);
    json_text(j, "host_memory", place_outside_is());
    json_whole(j, "workspace_bytes", plan_bytes(&r->plan) - largest_share(&r->plan));
    json_end(j);
}

void show_result(const struct options *o, const struct comm *comm,
                 const struct outcome_on_ranks *r)
{
    if (o->json)
        show_json(o, comm, r);
    else if (!o->quiet)
        show_row(o, r);
    else if (!r->passed)
        printf("%s: %s\n", r->variant->name, r->reason);
    fflush(stdout);
}

void show_left_out(const struct options *o, int variant, int ranks, const char *why)
{
    fprintf(stderr, "%s on %d rank%s: %s\n", o->step->variants[variant].name, ranks,
            ranks == 1 ? "" : "s", why);
}

void show_end(const struct options *o, int right, int wrong, int left_out)
{
    if (o->json)
        return;
    printf("%s%s: %s %d of %d variants", o->quiet ? "" : "\n", o->step->name,
           wrong ? "WRONG:" : "right:", wrong ? wrong : right, right + wrong);
    if (left_out)
        printf("; %d left out", left_out);
    putchar('\n');
}

void show_messages(const struct options *o, struct comm *comm, const struct variant *v,
                   const struct rank_plan *p)
{
    enum { FIELDS = 3, NAME = 24 };
    int most = (int)comm_largest(comm, comm->logged);
    long size = (long)most * FIELDS;
    double *mine = calloc((size_t)larger(1, size), sizeof *mine);
    double *all = calloc((size_t)larger(1, size) * (size_t)comm->ranks, sizeof *all);
    if (!mine || !all)
        comm_abort(comm, "no memory for the log of %d messages", most);
    for (int i = 0; i < comm->logged; i++) {
        const struct log_entry *m = &comm->log[i];
        mine[FIELDS * i] = m->from, mine[FIELDS * i + 1] = m->exchange,
                      mine[FIELDS * i + 2] = m->words;
    }
    comm_all(comm, mine, (int)size, all);
    for (int rank = 0; rank < comm->ranks && comm->rank == 0; rank++)
        for (int i = 0; i < most; i++) {
            const double *m = all + rank * size + FIELDS * i;
            if (m[2] == 0)
                continue;
            struct json json = json_begin(stdout), *j = &json;
            json_plan(j, o, v, p);
            json_text(j, "device", "any computer");
            json_whole(j, "exchange", m[1]);
            json_whole(j, "from", m[0]);
            json_whole(j, "to", rank);
            json_whole(j, "words", m[2]);
            json_end(j);
        }
    free(mine), free(all);
}

void show_model(const struct options *o, const struct variant *v, const struct rank_plan *p)
{
    double words = 0, messages = 0;
    for (int rank = 0; rank < p->ranks; rank++) {
        struct traffic sent, received;
        plan_traffic(p, rank, &sent, &received);
        words = fmax(words, received.words), messages = fmax(messages, received.messages);
    }
    struct json json = json_begin(stdout), *j = &json;
    json_plan(j, o, v, p);
    json_rounds(j, p);
    json_text(j, "device", "any computer");
    json_bool(j, "simulated", true);
    json_whole(j, "model_words", words);
    json_whole(j, "model_messages", messages);
    json_number(j, is_classical(p) ? "bound_words" : "order_words", bound_of(o, p));
    double bytes = plan_bytes(p), memory = (double)o->settings[SET_MEMORY] * 1048576;
    json_whole(j, "bytes_a_rank", bytes);
    json_number_if(j, memory > 0, "memory_bytes", memory);
    if (memory > 0)
        json_bool(j, "fits", bytes <= memory);
    else
        json_text(j, "fits", NULL);
    double gflops = (double)o->settings[SET_GFLOPS], link = (double)o->settings[SET_LINK];
    json_number_if(j, gflops > 0 && link > 0, "ms_simulated",
                   plan_flops(p) / (gflops * 1e6) +
                       words * (double)sizeof(real) / (link * 1e6));
    json_end(j);
}

int show_next_count(int ranks)
{
    static const int counts[] = {1, 2, 4, 7, 8, 16, 32, 49, 64, 128, 256, 343, 512, 1024, 1025};
    int i = 0;
    while (counts[i] <= ranks)
        i++;
    return counts[i];
}
