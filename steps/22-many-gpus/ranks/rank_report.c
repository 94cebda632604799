/* SPDX-License-Identifier: MIT */
/** @file rank_report.c
 * What rank 0 prints in addition to the runner: rows for people, JSON for programs.
 */
#include <stdio.h>
#include <stdlib.h>

#include "common/device/host.h"
#include "common/measure/json.h"
#include "ranks.h"

/* "2 x 2", or "2 x 2 x 3" with layers. */
static const char *grid_of(const struct rank_plan *p)
{
    static char text[64];
    if (p->layers > 1)
        snprintf(text, sizeof text, "%d x %d x %d", p->down, p->across, p->layers);
    else
        snprintf(text, sizeof text, "%d x %d", p->down, p->across);
    return text;
}

/* The levels: D for each that all ranks do together (depth first), B for each whose products
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

/* Rounds in which each rank gets one of the dealt products, and ranks that get none in the last
   round. No rounds if products are not dealt to single ranks. */
struct rounds {
    long products, rounds, idle;
};

static struct rounds rounds_of(const struct rank_plan *p)
{
    long products = dealt_products(p), rounds = pieces_of(products, p->ranks);
    if (p->bottom != &bottom_dealt || p->dealt == 0)
        return (struct rounds){products, 0, 0};
    return (struct rounds){products, rounds, rounds * p->ranks - products};
}

static bool is_classical(const struct rank_plan *p) { return p->above + p->dealt == 0; }

static double bound_of(const struct options *o, const struct rank_plan *p)
{
    return plan_bound(p, (double)o->m, (double)o->n, (double)o->k);
}

/* What the ranks are: threads, or processes that send messages with a version of MPI. */
static const char *library_of(const struct comm *comm)
{
    return comm->threads ? "threads of one process" : comm_library();
}

void report_ranks(const struct options *o)
{
    const struct comm *comm = o->rank->comm;
    printf("on %d rank%s of %s, %ld thread%s each, leaf %s\n", comm->ranks,
           comm->ranks == 1 ? "" : "s", backend.device(), o->threads,
           o->threads == 1 ? "" : "s", rank_leaf(o));
    printf("%s\n", place_twin);
    if (comm->ranks == 1)
        say(stdout, "one rank: --ranks 4 starts four threads, mpirun -n 4 %s four processes\n",
            o->argv[0]);
    else
        printf("messages by %s over %s\n", comm->engine->name, library_of(comm));
}

void report_row(const struct options *o, const struct result *result)
{
    const struct rank *r = o->rank;
    const struct rank_plan *p = &r->plan;
    struct rounds deal = rounds_of(p);
    char text[2048] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out)
        return;
    fprintf(out, "%-22s    grid %s, levels %s, %s a rank, rms error %.2e", "", grid_of(p),
            levels_of(p), readable_bytes(plan_bytes(p)), r->rms);
    if (result->timing.reps && !backend.simulated)
        fprintf(out, ", predicted %.3f ms", r->predicted);
    if (*r->leaf.by)
        fprintf(out, "; leaf %s: %s, %s more", rank_leaf(r->options), r->leaf.by,
                readable_bytes(r->leaf.bytes));
    if (r->leaf.pieces > 1)
        fprintf(out, ", a product in up to %ld pieces", r->leaf.pieces);
    if (r->leaf.fell_back)
        fprintf(out, ", %ld product%s had no room for the plan", r->leaf.fell_back,
                r->leaf.fell_back == 1 ? "" : "s");
    if (result->reference_timing.reps)
        fprintf(out, "; %s takes %.3f ms", result->reference, result->reference_timing.median);
    if (p->ranks > 1)
        fprintf(out,
                "\n%-22s    %.0f words per rank in %.0f messages, model %.0f in %.0f (%s); "
                "%s %.0f words",
                "", r->most.words, r->most.messages, r->model.words, r->model.messages,
                r->most.words == r->model.words && r->most.messages == r->model.messages
                    ? "equal"
                    : "they differ",
                is_classical(p)
                    ? "no classical product moves less than"
                    : "the expected scaling of Strassen's method (constant unknown) is",
                bound_of(r->options, p));
    if (deal.rounds && p->ranks > 1)
        fprintf(out, "\n%-22s    %s%ld products, each to one rank, in %ld round%s", "",
                p->above ? "for each product of the levels D: " : "", deal.products,
                deal.rounds, deal.rounds == 1 ? "" : "s");
    if (deal.idle && p->ranks > 1)
        fprintf(out, "; in the last round %ld of %d ranks are idle", deal.idle, p->ranks);
    fclose(out);
    say(stdout, "%s\n", text);
}

static void json_plan(struct json *j, const struct rank_plan *p)
{
    struct rounds deal = rounds_of(p);
    json_whole(j, "ranks", p->ranks);
    json_text(j, "grid", grid_of(p));
    json_text(j, "plan", levels_of(p));
    json_whole(j, "levels", p->above + p->dealt);
    json_number_if(j, p->bottom == &bottom_summa, "panels", (double)p->panels);
    json_number_if(j, deal.rounds > 0, "rounds", (double)deal.rounds);
    json_number_if(j, deal.rounds > 0, "idle_in_last_round", (double)deal.idle);
}

/* Writes the model's words and messages, the bounds on them, and the memory. */
static void json_model(struct json *j, const struct options *o, const struct rank_plan *p,
                       struct traffic model)
{
    json_whole(j, "model_words", model.words);
    json_whole(j, "model_messages", model.messages);
    json_number(j, is_classical(p) ? "bound_words" : "order_words", bound_of(o, p));
    json_whole(j, "bytes_a_rank", plan_bytes(p));
}

void report_json_before(const struct options *o, struct json *j)
{
    const struct rank *r = o->rank;
    bool timed = r->predicted > 0 && !backend.simulated;
    json_plan(j, &r->plan);
    json_text(j, "library", library_of(r->comm));
    json_text(j, "engine", r->comm->ranks > 1 ? r->comm->engine->name : "alone");
    json_number_if(j, timed, "ms_predicted", r->predicted);
    json_number_if(j, timed, "leaf_gflops", r->leaf_gflops);
    json_number_if(j, timed && r->comm->ranks > 1, "link_gb_s", r->link_gb);
}

void report_json_after(const struct options *o, struct json *j)
{
    const struct rank *r = o->rank;
    json_number(j, "rms_error", r->rms);
    json_whole(j, "words", r->most.words);
    json_whole(j, "messages", r->most.messages);
    json_model(j, r->options, &r->plan, r->model);
    json_text(j, "host_memory", place_outside_is());
    json_text(j, "leaf_ran", *r->leaf.by ? r->leaf.by : NULL);
    json_number_if(j, *r->leaf.by, "leaf_bytes", r->leaf.bytes);
    json_number_if(j, *r->leaf.by, "leaf_pieces", (double)r->leaf.pieces);
    json_number_if(j, *r->leaf.by, "leaf_fell_back", (double)r->leaf.fell_back);
}

/* ---- The actions --messages and --model ---- */

static struct json begin_line(const struct options *o, const struct variant *v,
                              const struct rank_plan *p)
{
    struct json json = json_begin(stdout), *j = &json;
    json_text(j, "step", o->step->name);
    json_text(j, "variant", v->name);
    json_text(j, "precision", precision_names[o->precision]);
    json_whole(j, "m", (double)o->m);
    json_whole(j, "n", (double)o->n);
    json_whole(j, "k", (double)o->k);
    json_plan(j, p);
    json_text(j, "device", "any computer");
    return json;
}

void report_messages(const struct rank *r, const struct variant *v)
{
    enum { FROM, EXCHANGE, WORDS, FIELDS };
    struct comm *comm = r->comm;
    int most = (int)comm_largest(comm, comm->logged), size = most * FIELDS;
    double *mine = comm_allocate(comm, (size_t)size * sizeof *mine, "the log of messages");
    for (int i = 0; i < comm->logged; i++) {
        const struct log_entry *m = &comm->log[i];
        mine[FIELDS * i + FROM] = m->from;
        mine[FIELDS * i + EXCHANGE] = m->exchange;
        mine[FIELDS * i + WORDS] = m->words;
    }
    double *all = comm_gather(comm, mine, size);
    for (int i = 0; comm->rank == 0 && i < comm->ranks * most; i++) {
        const double *m = all + (long)FIELDS * i;
        if (m[WORDS] == 0)
            continue; /* this rank received fewer messages than others */
        struct json json = begin_line(r->options, v, &r->plan), *j = &json;
        json_whole(j, "exchange", m[EXCHANGE]);
        json_whole(j, "from", m[FROM]);
        json_whole(j, "to", i / most);
        json_whole(j, "words", m[WORDS]);
        json_end(j);
    }
    free(mine), free(all);
}

void report_model(const struct options *o, const struct variant *v, const struct rank_plan *p)
{
    double bytes = plan_bytes(p), memory = (double)o->settings[SET_MEMORY] * 1048576;
    struct traffic model = plan_most_received(p);
    struct sides leaf = plan_leaf(p);
    struct json json = begin_line(o, v, p), *j = &json;
    json_bool(j, "simulated", true);
    json_model(j, o, p, model);
    json_number_if(j, memory > 0, "memory_bytes", memory);
    if (memory > 0)
        json_bool(j, "fits", bytes <= memory);
    else
        json_text(j, "fits", NULL);
    json_whole(j, "flops_a_rank", plan_flops(p));
    json_whole(j, "leaf_m", (double)leaf.m);
    json_whole(j, "leaf_n", (double)leaf.n);
    json_whole(j, "leaf_k", (double)leaf.k);
    json_end(j);
}
