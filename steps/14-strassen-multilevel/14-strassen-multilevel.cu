/* SPDX-License-Identifier: MIT */
/** @file 14-strassen-multilevel.cu
 * Strassen's method on any number of levels (Li et al. (2011), section 7.1, Figure 16).
 */
#include "common/device/libraries/cublas.h"
#include "multilevel.h"

static const struct variant variants[] = {
    {.name = "strassen",
     .sentence = "Figure 16 over Figure 12 over GPU8",
     .multiply = strassen,
     .workspace = workspace_strassen,
     .cost = cost_strassen,
     .bound = {.scheme = &strassen_scheme},
     .shapes = {.pad_m = WHOLE_M, .pad_n = WHOLE_N, .pad_k = WHOLE_K}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "gpu8",
     .sentence = "GPU8 of step 10, with sums fused into it",
     .simple = multiply_by_gpu8,
     .kernels = &gpu8_kernels},
    {.name = "cublas",
     .sentence = "cublasSgemm or Dgemm; sums by separate kernels",
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
