/* SPDX-License-Identifier: MIT */
/** @file 15-winograd-multilevel.cu
 * Winograd's variant on any number of levels (Li et al. (2011), section 7.2, Figure 23).
 */
#include "common/device/libraries/cublas.h"
#include "steps/14-strassen-multilevel/multilevel.h"
#include "winograd.h"

static const struct variant variants[] = {
    {.name = "winograd",
     .sentence = "Figure 23 over Figure 13 over GPU8",
     .multiply = winograd,
     .workspace = workspace_winograd,
     .cost = cost_winograd,
     .bound = {.scheme = &winograd_scheme},
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
    .name = "15-winograd-multilevel",
    .idea = "Winograd's variant on any number of levels, two temporaries each",
    .variants = variants,
    .leaves = leaves,
    .default_n = 512,
    .default_tau1 = 2048,
};
