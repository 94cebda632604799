/* SPDX-License-Identifier: MIT */
/** @file 22-many-gpus.c
 * Matrices larger than one GPU: the classical product and Strassen's on several ranks. Runs the
 * variants on all ranks, one after another, or prints what they send.
 */
#include <math.h>
#include <stdio.h>

#include "common/device/host.h"
#include "freivalds.h"
#include "rank_report.h"
#include "rank_trial.h"
#include "ranks.h"

/// [variants]
static const struct variant variants[] = {
    [SUMMA] = {.name = "summa",
               .sentence = "the classical product: panels broadcast along rows and columns"},
    [CANNON] = {.name = "cannon",
                .sentence =
                    "Cannon's shifts, on layers of square grids (2.5-D) where P is no square"},
    [STRASSEN_BFS] = {.name = "strassen-bfs",
                      .sentence =
                          "Strassen's products dealt out, each to one rank (breadth first)"},
    [STRASSEN_DFS] =
        {.name = "strassen-dfs",
         .sentence =
             "all ranks on each product, one after another (depth first), rows of A stay"},
    [CAPS] = {.name = "caps",
              .sentence = "depth first until --memory suffices, then breadth first"},
    [STRASSEN_OVER_SUMMA] = {.name = "strassen-over-summa",
                             .sentence =
                                 "all ranks on each product, by SUMMA on the best grid"},
    [CAPS_GROUPS] =
        {.name = "caps-groups",
         .sentence =
             "caps on 7, 49 or 343 ranks: products dealt to groups, and in them to groups",
         .by_name = 1},
    [SUMMA_BROKEN] = {.name = "summa-short",
                      .sentence = "leaves the last panel out",
                      .broken = 1},
    [VARIANTS] = {0},
};
/// [variants]

static const struct setting settings[] = {
    [SET_RANKS] = {"ranks", "P",
                   "ranks to start, each a process under mpirun; 0: a thread of this process "
                   "for each GPU, or one rank",
                   0, MOST_RANKS, 0},
    [SET_ONE_PROCESS] = {"one-process", NULL,
                         "the ranks of --ranks are threads of this process, which needs no MPI",
                         0, 1, 0},
    [SET_MEMORY] = {"memory", "MIB",
                    "MiB of matrices and workspace a rank, what needs more is left out "
                    "(--model: says so); 0: no limit",
                    0, 1 << 30, 0},
    [SET_DEVICE_MEMORY] =
        {"device-memory", "KIB",
         "KiB for tiles where a rank multiplies, matrices stay outside; 0: inside", 0, 1 << 30,
         0},
    [SET_LIMIT] = {"limit", "S", "seconds that any wait for another rank may take", 1, 3600,
                   20},
    [SET_PANELS] = {"panels", "N",
                    "summa: panels of k, each on its way while the one before is multiplied", 1,
                    1 << 20, 2},
    [SET_GFLOPS] = {"gflops", "G",
                    "for --model: a rank's rate in GFLOP/s, measured before; 0: no times", 0,
                    1 << 30, 0},
    [SET_LINK] = {"link", "GB",
                  "for --model: GB/s that a rank receives, measured before; 0: no times", 0,
                  1 << 30, 0},
    {0},
};

/* ---- Options ---- */

enum { MOST_LEVELS = 4 };
enum { RUN = 1, MESSAGES = 2, MODEL = 4 }; /* what a setting is looked at by */

/* What does not go with matrices that are made on each rank, or with mpirun; false after a
 * message. */
static bool matrices_can_be_made(const struct options *o)
{
    if (o->settings[SET_ONE_PROCESS] && comm_is_started()) {
        fprintf(stderr, "--one-process: mpirun has started a process for each rank. Leave "
                        "mpirun out, or --one-process\n");
        return false;
    }
    if (o->levels > MOST_LEVELS) {
        fprintf(stderr, "%s divides --levels times, 0 to %d\n", o->step->name, MOST_LEVELS);
        return false;
    }
    if (o->input != INPUT_FILE && !input_is_kaporin(o->input))
        return true;
    fprintf(stderr,
            "%s makes its matrices on each rank: --input takes uniform, integers, positive, "
            "scaled, identity or zeros here\n",
            o->step->name);
    return false;
}

/* The step's own numbers that the run, --messages or --model would not look at; false after a
 * message. */
static bool settings_have_a_use(const struct options *o, int use)
{
    static const int uses[] = {[SET_RANKS] = RUN | MESSAGES | MODEL,
                               [SET_ONE_PROCESS] = RUN | MESSAGES,
                               [SET_MEMORY] = RUN | MESSAGES | MODEL,
                               [SET_DEVICE_MEMORY] = RUN,
                               [SET_LIMIT] = RUN | MESSAGES,
                               [SET_PANELS] = RUN | MESSAGES | MODEL,
                               [SET_GFLOPS] = MODEL,
                               [SET_LINK] = MODEL};
    for (int i = 0; o->step->settings[i].name; i++) {
        const struct setting *s = &o->step->settings[i];
        if (o->settings[i] == s->standard || (uses[i] & use))
            continue;
        if (uses[i] == MODEL)
            fprintf(stderr, "--%s is for --model: add --model, or leave --%s out\n", s->name,
                    s->name);
        else
            fprintf(stderr, "--%s does nothing with --%s: leave it out\n", s->name,
                    o->action->name);
        return false;
    }
    if (!o->settings[SET_GFLOPS] != !o->settings[SET_LINK])
        fprintf(stderr, "--gflops and --link make times together: give both, or neither\n");
    return !o->settings[SET_GFLOPS] == !o->settings[SET_LINK];
}

static bool options_hold(const struct options *o, int use)
{
    return settings_have_a_use(o, use) && matrices_can_be_made(o);
}

/* ---- On each rank ---- */

/* What the variants of a run came to. */
struct run_totals {
    int right, wrong, left_out;
    bool missing;        /* one that is left out was asked for by name */
    double needed, free; /* bytes: what the smallest needs for which memory is missing, or 0;
                            and what is there */
};

/* False when the plan's memory is not there on one of the hosts, with the reason. A GPU is one
 * rank's alone. */
static bool memory_is_there(struct comm *comm, const struct rank_plan *plan,
                            struct run_totals *t, char *why, size_t size)
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
                      struct rank_plan *plan, struct run_totals *t)
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
static void say_that_none_ran(const struct comm *comm, const struct run_totals *t, bool told)
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
                                 struct out_of_core *device)
{
    struct run_totals t = {0};
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
    struct out_of_core *device = NULL;
    double limit = (double)o->settings[SET_DEVICE_MEMORY] * 1024, need;
    if (limit == 0 && !place_of_leaves->is_host)
        ranks_move_to(comm, place_of_leaves);
    if (limit > 0) {
        comm->place = place_outside();
        device = out_of_core_open(limit, &need);
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
    out_of_core_close(device);
    return status;
}

static int run_ranks(const struct options *o)
{
    return options_hold(o, RUN) ? ranks_run(o, run_on_rank) : EXIT_USAGE;
}

static int print_on_rank(const struct options *o, struct comm *comm)
{
    static _Thread_local struct rank_trial trial;
    struct rank_plan plan;
    struct run_totals tally = {0};
    int status = EXIT_RIGHT, variant = 0;
    while (variant < VARIANTS - 1 && !is_chosen(o, &o->step->variants[variant]))
        variant++;
    if (!place_of_leaves->is_host)
        ranks_move_to(comm, place_of_leaves);
    if (find_plan(o, comm, variant, &plan, &tally)) {
        rank_trial_open(&trial, o, comm, &plan, NULL);
        rank_trial_fill(&trial, INPUT_INTEGERS);
        comm->keep_log = true;
        comm->apart = comm->threads && comm->ranks > 1; /* as in a first run, see rehearse() */
        rank_trial_run(&trial);
        show_messages(o, comm, &o->step->variants[variant], &plan);
        rank_trial_close(&trial);
    } else {
        status = EXIT_RESOURCE;
    }
    return status;
}

static int print_messages(const struct options *o)
{
    return options_hold(o, MESSAGES) ? ranks_run(o, print_on_rank) : EXIT_USAGE;
}

/* Words, messages and bytes by the formulas for --ranks, or for 1 to 1024 ranks, a JSON line
   each. A plan that needs more than --memory has its line, too, with what it needs. */
static int print_model(const struct options *o)
{
    int asked = (int)o->settings[SET_RANKS], first = asked ? asked : 1,
        last = asked ? asked : MOST_RANKS, rows = 0;
    bool missing = false;
    if (!options_hold(o, MODEL))
        return EXIT_USAGE;
    for (int variant = 0; variant < VARIANTS; variant++) {
        if (!is_chosen(o, &o->step->variants[variant]))
            continue;
        for (int ranks = first; ranks <= last; ranks = show_next_count(ranks)) {
            struct rank_plan plan;
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

static const struct action actions[] = {
    {"messages",
     "run one variant, the first of --variant, and print its messages, a JSON line each",
     print_messages, 1},
    {"model",
     "words, messages and bytes by the formulas, a JSON line each: for --ranks, or for 1 to "
     "1024",
     print_model, 1},
    {0},
};

const struct step STEP = {
    .name = "22-many-gpus",
    .idea = "matrices larger than one GPU: the product on many ranks, and what they must tell "
            "each other",
    .variants = variants,
    .leaves = place_leaves,
    .actions = actions,
    .default_n = 512,
    .default_tau1 = 256,
    .settings = settings,
    .run = run_ranks,
    /* Matrices are made on each rank, a level is a level, and kernels are not counted. */
    .lacks = "output,ld-extra,tau1,tau2,count,no-count,report,gpu,shuffle,addresses,calls",
};
