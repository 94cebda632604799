/**
 * @file run.c
 * Runs the variants on all ranks, one after another, or prints what they send.
 */
#include "run.h"

#include <math.h>
#include <stdio.h>

#include "common/device/host.h"
#include "device.h"
#include "place.h"
#include "rank_trial.h"
#include "ranks.h"
#include "show.h"

/* What the variants of a run came to. */
struct tally {
    int right, wrong, left_out;
    bool missing;        /* one that is left out was asked for by name */
    double needed, free; /* bytes: what the smallest needs for which memory is missing, or 0;
                            and what is there */
};

/* False when the plan's memory is not there on one of the hosts, with the reason. A GPU is one
 * rank's alone. */
static bool memory_is_there(struct comm *comm, const struct plan *plan, struct tally *t,
                            char *why, size_t size)
{
    bool is_host = comm->place->is_host;
    double need =
        plan_bytes(plan) + (double)(plan->m + plan->k + 2 * plan->n) * CHECK_VECTORS * 8;
    double have = comm->place->memory_free();
    if (is_host)
        need *= ranks_here(comm);
    if (comm_largest(comm, need > have ? 1 : 0) == 0)
        return true;
    snprintf(why, size, "it needs %.0f bytes (%s) %s, %.0f (%s) are free%s", need,
             readable_bytes(need),
             is_host ? "for all ranks of this host" : "of each rank's GPU", have,
             readable_bytes(have),
             is_host ? "" : "; --device-memory keeps the matrices outside");
    t->needed = t->needed > 0 ? fmin(t->needed, need) : need;
    t->free = have;
    return false;
}

static bool is_chosen(const struct options *o, const struct variant *v)
{
    return o->variant ? is_listed(o->variant, v->name) : !v->broken && !v->by_name;
}

/* The plan; false when the variant cannot run, after a line that says why. The others run all
 * the same. */
static bool find_plan(const struct options *o, struct comm *comm, int variant,
                      struct plan *plan, struct tally *t)
{
    double memory = (double)o->settings[SET_MEMORY] * 1048576;
    char text[256];
    const char *why = plan_for_variant(plan, o, variant, comm->ranks, memory);
    if (!why && memory > 0 && plan_bytes(plan) > memory) {
        snprintf(text, sizeof text, "it needs %.0f bytes a rank, --memory allows %.0f",
                 plan_bytes(plan), memory);
        why = text;
    }
    if (!why && !memory_is_there(comm, plan, t, text, sizeof text))
        why = text;
    if (!why)
        return true;
    if (comm->rank == 0 && (!o->quiet || o->variant))
        show_left_out(o, variant, comm->ranks, why);
    t->left_out++;
    t->missing = t->missing || o->variant;
    return false;
}

/* Nothing has run. `told`: each variant has said why. */
static void say_that_none_ran(const struct comm *comm, const struct tally *t, bool told)
{
    if (t->needed > 0)
        fprintf(stderr,
                "not enough memory: %.0f bytes (%s) for the smallest variant are needed, %.0f "
                "(%s) are free\n",
                t->needed, readable_bytes(t->needed), t->free, readable_bytes(t->free));
    else
        fprintf(stderr, "no variant can run on %d rank%s with these options: %s\n", comm->ranks,
                comm->ranks == 1 ? "" : "s",
                told ? "the reasons stand above" : "without --quiet each says why");
}

static int run_variants_on_ranks(const struct options *o, struct comm *comm,
                                 struct device *device)
{
    struct tally t = {0};
    for (int variant = 0; variant < VARIANTS; variant++) {
        static _Thread_local struct rank_trial
            trial; /* of this rank; too large for the stack */
        struct outcome_on_ranks result = {.variant = &o->step->variants[variant]};
        if (!is_chosen(o, result.variant) || !find_plan(o, comm, variant, &result.plan, &t))
            continue;
        rank_trial_open(&trial, o, comm, &result.plan, device);
        rank_trial_fill(&trial, o->input);
        if (!o->untimed && o->reps != 0)
            rank_trial_predict(&trial, &result);
        rank_trial_judge(&trial, &result);
        rank_trial_close(&trial);
        *(result.passed ? &t.right : &t.wrong) += 1;
        if (comm->rank == 0)
            show_result(o, comm, &result);
    }
    bool ran = t.right + t.wrong > 0;
    if (comm->rank == 0 && ran)
        show_end(o, t.right, t.wrong, t.left_out);
    if (comm->rank == 0 && !ran)
        say_that_none_ran(comm, &t, !o->quiet || o->variant);
    return t.wrong ? EXIT_WRONG : t.missing || !ran ? EXIT_RESOURCE : EXIT_RIGHT;
}

static int run_on_rank(const struct options *o, struct comm *comm)
{
    int status;
    struct device *device = NULL;
    double limit = (double)o->settings[SET_DEVICE_MEMORY] * 1024, need;
    if (limit == 0 && !place_of_leaves->is_host)
        ranks_move_to(comm, place_of_leaves);
    if (limit > 0) {
        comm->place = place_outside();
        device = device_open(limit, &need);
    }
    if (comm_largest(comm, limit > 0 && !device) > 0) { /* one that has none ends all */
        if (comm->rank == 0)
            fprintf(stderr,
                    "--device-memory: the smallest tiles need %.0f bytes, %.0f are free\n",
                    need, limit);
        status = EXIT_RESOURCE;
    } else {
        if (comm->rank == 0)
            show_start(o, comm);
        status = run_variants_on_ranks(o, comm, device);
    }
    device_close(device);
    return status;
}

int run_ranks(const struct options *o) { return ranks_run(o, run_on_rank); }

static int print_on_rank(const struct options *o, struct comm *comm)
{
    static _Thread_local struct rank_trial trial;
    struct plan plan;
    struct tally tally = {0};
    int status = EXIT_RIGHT, variant = 0;
    while (variant < VARIANTS - 1 && !is_chosen(o, &o->step->variants[variant]))
        variant++;
    if (!place_of_leaves->is_host)
        ranks_move_to(comm, place_of_leaves);
    if (find_plan(o, comm, variant, &plan, &tally)) {
        rank_trial_open(&trial, o, comm, &plan, NULL);
        rank_trial_fill(&trial, INPUT_INTEGERS);
        comm->keep_log = true;
        comm->apart = comm->threads != NULL; /* as in a first run, see judge.c */
        rank_trial_run(&trial);
        show_messages(o, comm, &o->step->variants[variant], &plan);
        rank_trial_close(&trial);
    } else {
        status = EXIT_RESOURCE;
    }
    return status;
}

int print_messages(const struct options *o) { return ranks_run(o, print_on_rank); }

int print_model(const struct options *o)
{
    int asked = (int)o->settings[SET_RANKS], first = asked ? asked : 1,
        last = asked ? asked : MOST_RANKS, rows = 0;
    bool missing = false;
    if (!ranks_options_hold(o))
        return EXIT_USAGE;
    for (int variant = 0; variant < VARIANTS; variant++) {
        if (!is_chosen(o, &o->step->variants[variant]))
            continue;
        for (int ranks = first; ranks <= last; ranks = show_next_count(ranks)) {
            struct plan plan;
            const char *why = plan_for_variant(&plan, o, variant, ranks,
                                               (double)o->settings[SET_MEMORY] * 1048576);
            if (!why)
                show_model(o, &o->step->variants[variant], &plan), rows++;
            else if (asked)
                show_left_out(o, variant, ranks, why), missing = true;
        }
    }
    return rows && !(missing && o->variant) ? EXIT_RIGHT : EXIT_RESOURCE;
}
