/**
 * @file 22-many-gpus.c
 * Matrices larger than one GPU: the classical product and Strassen's on several ranks.
 */
#include "place.h"
#include "plan.h"
#include "run.h"
#include "show.h"

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
