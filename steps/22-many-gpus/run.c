/**
 * @file run.c
 * Runs the variants on all ranks, one after another, or prints what they send.
 */
#include "run.h"

#include <stdio.h>

#include "common/host.h"
#include "device.h"
#include "place.h"
#include "rank_trial.h"
#include "ranks.h"
#include "show.h"

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
    if (why && comm->rank == 0 && (!o->quiet || o->variant))
        fprintf(stderr, "%s on %d rank%s: %s\n", v->name, comm->ranks, comm->ranks == 1 ? "" : "s", why);
    if (why && o->variant)
        *status = EXIT_RESOURCE;
    return !why;
}

static int run_variants_on_ranks(const struct options *o, struct comm *comm, struct device *device)
{
    int right = 0, wrong = 0, status = EXIT_RIGHT;
    for (int variant = 0; variant < VARIANTS && status == EXIT_RIGHT; variant++) {
        static _Thread_local struct rank_trial trial; /* of this rank; too large for the stack */
        struct outcome_on_ranks result = {.variant = &o->step->variants[variant]};
        if (!is_chosen(o, result.variant) || !find_plan(o, comm, variant, &result.plan, &status))
            continue;
        if ((status = memory_is_there(comm, &result.plan)) != EXIT_RIGHT)
            break;
        rank_trial_open(&trial, o, comm, &result.plan, device);
        rank_trial_fill(&trial, o->input);
        if (!o->untimed && o->reps != 0)
            rank_trial_predict(&trial, &result);
        rank_trial_judge(&trial, &result);
        rank_trial_close(&trial);
        *(result.passed ? &right : &wrong) += 1;
        if (comm->rank == 0)
            show_result(o, comm, &result);
    }
    if (comm->rank == 0 && status == EXIT_RIGHT)
        show_end(o, right, wrong);
    return status != EXIT_RIGHT ? status : wrong ? EXIT_WRONG : right ? EXIT_RIGHT : EXIT_RESOURCE;
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
            fprintf(stderr, "--device-memory: the smallest tiles need %.0f bytes, %.0f are free\n", need, limit);
        status = EXIT_RESOURCE;
    } else {
        if (comm->rank == 0)
            show_start(o, comm);
        status = run_variants_on_ranks(o, comm, device);
    }
    device_close(device);
    return status;
}

int run_ranks(const struct options *o)
{
    return ranks_run(o, run_on_rank);
}

static int print_on_rank(const struct options *o, struct comm *comm)
{
    static _Thread_local struct rank_trial trial;
    struct plan plan;
    int status = EXIT_RIGHT, variant = 0;
    while (variant < VARIANTS - 1 && !is_chosen(o, &o->step->variants[variant]))
        variant++;
    if (!place_of_leaves->is_host)
        ranks_move_to(comm, place_of_leaves);
    if (find_plan(o, comm, variant, &plan, &status)) {
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

int print_messages(const struct options *o)
{
    return ranks_run(o, print_on_rank);
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
