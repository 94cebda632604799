/**
 * @file 15-winograd-multilevel.cu
 * Winograd's variant on any number of levels (Li et al. (2011), section 7.2, Figure 23).
 */
#include "common/device/cublas.h"
#include "steps/14-strassen-multilevel/edges.cuh"
#include "winograd.cuh"

#define PADDED_ROW                                                                             \
    {                                                                                          \
        .name = "winograd", .sentence = "Figure 23 over Figure 13 over GPU8",                  \
        .multiply = multiply_winograd, .workspace = workspace_winograd, .cost = cost_winograd, \
        .bound = BOUND_WINOGRAD, .multiple_m = GPU8_M, .multiple_n = GPU8_N,                   \
        .multiple_k = GPU8_K                                                                   \
    }

/// [rows]
static const struct variant padded = PADDED_ROW;
PEELABLE(winograd, &padded)

static const struct variant variants[] = {
    PADDED_ROW,
    {.name = "winograd-peeled",
     .sentence = "the largest part in whole tiles, the border by a kernel of its own",
     .multiply = multiply_winograd_peeled,
     .workspace = workspace_winograd_peeled,
     .bound = BOUND_WINOGRAD,
     .levels = levels_peeled,
     .core = CORE,
     .by_name = 1},
    {.name = "winograd-either",
     .sentence = "peeled or padded, whichever has the lower price of --edges",
     .multiply = multiply_winograd_either,
     .workspace = workspace_winograd_either,
     .bound = BOUND_WINOGRAD,
     .levels = levels_winograd_either,
     .core = CORE,
     .by_name = 1},
    {0},
};
/// [rows]

static const struct variant leaves[] = {
    {.name = "gpu8",
     .sentence = "GPU8 of step 10, with sums fused into it",
     .multiply = multiply_gpu8},
    {.name = "cublas",
     .sentence = "cublasSgemm or Dgemm; sums by kernels of their own",
     .multiply = multiply_cublas},
    {0},
};

static int print_edges(const struct options *o)
{
    return print_edges_of(&peelable_winograd, o);
}

static const struct action actions[] = {
    {"edges", "measure what padding and peeling cost around this size", print_edges},
    {0},
};

const struct step STEP = {
    .name = "15-winograd-multilevel",
    .idea = "Winograd's variant on any number of levels, two temporaries each",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .default_n = 512,
    .default_tau1 = 2048,
};
