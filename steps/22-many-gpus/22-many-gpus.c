/* SPDX-License-Identifier: MIT */
/** @file 22-many-gpus.c
 * Matrices larger than one GPU: the classical product and Strassen's on several ranks. The
 * step's table, its options, and what it prints in addition to its runs: messages, and the
 * model's numbers.
 */
#include <stdio.h>

#include "common/device/host.h"
#include "common/measure/report.h"
#include "steps/22-many-gpus/ranks/ranks.h"

static const struct variant variants[] = {
    [SUMMA] = {.name = "summa",
               .sentence = "the classical product: panels broadcast along rows and columns",
               .multiply = multiply_summa},
    [CANNON] = {.name = "cannon",
                .sentence =
                    "Cannon's shifts, on layers of square grids (2.5-D) where P is no square",
                .multiply = multiply_cannon},
    [STRASSEN_BFS] = {.name = "strassen-bfs",
                      .sentence =
                          "Strassen's products dealt out, each to one rank (breadth first)",
                      .multiply = multiply_dealt,
                      .bound = {.scheme = &strassen_scheme}},
    [STRASSEN_DFS] =
        {.name = "strassen-dfs",
         .sentence =
             "all ranks on each product, one after another (depth first), rows of A stay",
         .multiply = multiply_together,
         .bound = {.scheme = &strassen_scheme}},
    [CAPS] = {.name = "caps",
              .sentence = "depth first until --memory suffices, then breadth first",
              .multiply = multiply_together,
              .bound = {.scheme = &strassen_scheme}},
    [STRASSEN_OVER_SUMMA] = {.name = "strassen-over-summa",
                             .sentence = "all ranks on each product, by SUMMA on the best grid",
                             .multiply = multiply_together,
                             .bound = {.scheme = &strassen_scheme}},
    [SUMMA_BROKEN] = {.name = "summa-short",
                      .sentence = "leaves the last panel out",
                      .multiply = multiply_summa,
                      .role = WRONG_ON_PURPOSE},
    [VARIANTS] = {0},
};

/* Name, argument, help, least, most and standard value. */
static const struct setting settings[] = {
    [SET_RANKS] = {"ranks", "P",
                   "ranks, each a thread of this program; 0: one for each GPU, or one. Under "
                   "mpirun each process is a rank",
                   0, MOST_RANKS, 0},
    [SET_MEMORY] = {"memory", "MIB",
                    "MiB of matrices and workspace per rank; more is left out "
                    "(--model: says so); 0: no limit",
                    0, 1 << 30, 0},
    [SET_LIMIT] = {"limit", "S", "seconds that any wait for another rank may take", 1, 3600,
                   20},
    [SET_PANELS] = {"panels", "N",
                    "summa: panels of k, each on its way while the one before is multiplied", 1,
                    1 << 20, 2},
    {0},
};

/* ---- Options ---- */

enum { MOST_LEVELS = 4 };

/* Checks the options that cannot go with matrices made on each rank; false after a message. */
static bool matrices_can_be_made(const struct options *o)
{
    if (o->levels > MOST_LEVELS) {
        say(stderr, "%s divides --levels times, 0 to %d\n", o->step->name, MOST_LEVELS);
        return false;
    }
    if (o->input != INPUT_FILE && !input_is_kaporin(o->input))
        return true;
    say(stderr,
        "%s makes its matrices on each rank: --input takes uniform, integers, positive, "
        "scaled, identity or zeros here\n",
        o->step->name);
    return false;
}

static int start(const struct options *o, int (*run)(const struct options *options))
{
    return matrices_can_be_made(o) ? ranks_start(o, run) : EXIT_USAGE;
}

static int measure_on_ranks(const struct options *o) { return start(o, rank_measure); }

static const struct report_more in_reports = {.introduce = report_ranks,
                                              .row = report_row,
                                              .json_before = report_json_before,
                                              .json_after = report_json_after};

/* ---- Actions ---- */

/* The first of the variants asked for. */
static const struct variant *first_variant(const struct options *o)
{
    const struct variant *v = variants;
    while (v->name && !is_chosen(o, v))
        v++;
    return v;
}

static int print_messages_on_rank(const struct options *o)
{
    struct rank *r = o->rank;
    struct result result = {.variant = first_variant(o)};
    if (!rank_plans(r, &result)) {
        if (rank_prints(r))
            say(stderr, "%s %s\n", result.variant->name, result.note);
        return EXIT_RESOURCE;
    }
    struct context ctx = context_of(o);
    struct rank_part part = rank_open(r, &result);
    ctx.leaf_workspace = part.leaf_workspace;
    rank_fill(r, INPUT_INTEGERS, 1);
    r->comm->keep_log = true;
    rank_run(r, result.variant, &ctx, &part);
    report_messages(r, result.variant);
    rank_close(r);
    return EXIT_RIGHT;
}

static int print_messages(const struct options *o) { return start(o, print_messages_on_rank); }

/* Prints words, messages and bytes by the formulas, for --ranks or for 1 to 1024 ranks, a JSON
   line each. A plan that needs more than --memory has a line, too, with the bytes it needs. */
static int print_model(const struct options *o)
{
    static const int counts[] = {1, 2, 4, 7, 8, 16, 32, 49, 64, 128, 256, 343, 512, 1024};
    int asked = (int)o->settings[SET_RANKS];
    int rows = asked ? 1 : (int)(sizeof counts / sizeof *counts);
    if (!matrices_can_be_made(o))
        return EXIT_USAGE;
    for (const struct variant *v = variants; v->name; v++)
        for (int i = 0; i < rows && is_chosen(o, v); i++) {
            struct rank_plan plan;
            plan_for_variant(&plan, o, (int)(v - variants), asked ? asked : counts[i],
                             (double)o->settings[SET_MEMORY] * 1048576);
            report_model(o, v, &plan);
        }
    return EXIT_RIGHT;
}

static const struct action actions[] = {
    {.name = "messages",
     .help =
         "run one variant, the first of --variant, and print its messages, a JSON line each",
     .run = print_messages,
     .json = 1,
     .heeds = "n,m,k,variant,threads,levels,leaf,ranks,memory,limit,panels"},
    {.name = "model",
     .help = "words, messages and bytes by the formulas, a JSON line each: for --ranks, or for "
             "1 to 1024",
     .run = print_model,
     .json = 1,
     .heeds = "n,m,k,variant,levels,ranks,memory,panels"},
    {0},
};

const struct step STEP = {
    .name = "22-many-gpus",
    .idea = "matrices larger than one GPU: the product on many ranks, and what they must send "
            "each other",
    .variants = variants,
    .leaves = place_leaves,
    .actions = actions,
    .settings = settings,
    .default_n = 512,
    .default_tau1 = 256,
    .run = measure_on_ranks,
    .in_reports = &in_reports,
    /* Matrices are made on each rank, there are no thresholds, and kernels are not counted. */
    .lacks = "ld-extra,tau1,tau2,count,no-count,report,gpu,shuffle,addresses,calls",
};
