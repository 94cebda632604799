/* SPDX-License-Identifier: MIT */
/** @file 17-double.cu
 * dStrassen and dWinograd (Li et al. (2011), section 8.2): the multilevel methods in double
 * precision, over dgemm.
 */
#include "common/device/cublas.h"
#include "steps/14-strassen-multilevel/strassen.cuh"
#include "steps/15-winograd-multilevel/winograd.cuh"
#include "elements.cuh"
#include "figure44.cuh"

/// [tables]
static const struct variant variants[] = {
    {.name = "dstrassen",
     .sentence = "Figure 16 with dgemm instead of GPU8",
     .multiply = multiply_strassen,
     .workspace = workspace_strassen,
     .cost = cost_strassen,
     .bound = BOUND_STRASSEN,
     .multiple_m = GPU8_M,
     .multiple_n = GPU8_N,
     .multiple_k = GPU8_K},
    {.name = "dwinograd",
     .sentence = "Figure 23 with dgemm instead of GPU8",
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
    {.name = "dgemm",
     .sentence = "cublasDgemm; sums by kernels of their own",
     .multiply = multiply_cublas},
    {.name = "gpu8",
     .sentence = "GPU8 in double, with sums fused into it",
     .multiply = multiply_gpu8},
    {0},
};
/// [tables]

static const struct action actions[] = {
    {"elements", "compute Figure 44 on the processor, for inputs from [-1, 1] and [0, 1]",
     print_elements, 1},
    {"figure-44", "measure Figure 44 with all elements and dgemm's row; ten pairs, or --reps",
     print_figure_44, 1},
    {0},
};

const struct step STEP = {
    .name = "17-double",
    .idea = "double precision: dStrassen and dWinograd over dgemm",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .default_n = 256,
    .default_tau1 = 2048,
};
