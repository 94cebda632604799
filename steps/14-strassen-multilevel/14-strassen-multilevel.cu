/**
 * @file 14-strassen-multilevel.cu
 * Strassen's method on any number of levels (Li et al. (2011), section 7.1, Figure 16).
 */
#include "common/device/cublas.h"
#include "edges.cuh"
#include "strassen.cuh"

#define PADDED_ROW                                                                             \
    {                                                                                          \
        .name = "strassen", .sentence = "Figure 16 over Figure 12 over GPU8",                  \
        .multiply = multiply_strassen, .workspace = workspace_strassen, .cost = cost_strassen, \
        .bound = BOUND_STRASSEN, .multiple_m = GPU8_M, .multiple_n = GPU8_N,                   \
        .multiple_k = GPU8_K                                                                   \
    }

/// [rows]
static const struct variant padded = PADDED_ROW;
PEELABLE(strassen, &padded)

static const struct variant variants[] = {
    PADDED_ROW,
    {.name = "strassen-peeled",
     .sentence = "the largest part in whole tiles, the border by a kernel of its own",
     .multiply = multiply_strassen_peeled,
     .workspace = workspace_strassen_peeled,
     .bound = BOUND_STRASSEN,
     .levels = levels_peeled,
     .core = CORE,
     .by_name = 1},
    {.name = "strassen-either",
     .sentence = "peeled or padded, whichever has the lower price of --edges",
     .multiply = multiply_strassen_either,
     .workspace = workspace_strassen_either,
     .bound = BOUND_STRASSEN,
     .levels = levels_strassen_either,
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
    return print_edges_of(&peelable_strassen, o);
}

static const struct action actions[] = {
    {"edges", "measure what padding and peeling cost around this size", print_edges},
    {0},
};

const struct step STEP = {
    .name = "14-strassen-multilevel",
    .idea = "Strassen on any number of levels, two temporaries each",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .default_n = 512,
    .default_tau1 = 2048,
};
