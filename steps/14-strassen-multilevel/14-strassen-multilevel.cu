/**
 * @file 14-strassen-multilevel.cu
 * Strassen's method on any number of levels (Li et al. (2011), section 7.1, Figure 16).
 */
#include "common/cublas.h"
#include "strassen.cuh"

static const struct variant variants[] = {
    {.name = "strassen",
     .sentence = "Figure 16 over Figure 12 over GPU8",
     .multiply = multiply_strassen,
     .workspace = workspace_strassen,
     .cost = cost_strassen,
     .bound = BOUND_STRASSEN,
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
    .name = "14-strassen-multilevel",
    .idea = "Strassen on any number of levels, two temporaries each",
    .variants = variants,
    .leaves = leaves,
    .default_n = 512,
    .default_tau1 = 2048,
};
