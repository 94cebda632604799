/**
 * @file 15-winograd-multilevel.cu
 * Winograd's variant on any number of levels (Li et al. (2011), section 7.2, Figure 23).
 */
#include "common/cublas.h"
#include "winograd.cuh"

static const struct variant variants[] = {
    {.name = "winograd",
     .sentence = "Figure 23 over Figure 13 over GPU8",
     .multiply = multiply_winograd,
     .workspace = workspace_winograd,
     .cost = cost_winograd,
     .bound = BOUND_WINOGRAD,
     .multiple_m = GPU8_M,
     .multiple_n = GPU8_N,
     .multiple_k = GPU8_K},
    {0},
};

static const struct variant leaves[] = {
    {.name = "gpu8",
     .sentence = "GPU8 of step 10, with sums fused into it",
     .multiply = multiply_gpu8},
    {.name = "cublas",
     .sentence = "cublasSgemm or Dgemm; sums by kernels of their own",
     .multiply = multiply_cublas},
    {0},
};

const struct step STEP = {
    .name = "15-winograd-multilevel",
    .idea = "Winograd's variant on any number of levels, two temporaries each",
    .variants = variants,
    .leaves = leaves,
    .default_n = 512,
    .default_tau1 = 2048,
};
