/* SPDX-License-Identifier: MIT */
/** @file 17-double.cu
 * dStrassen and dWinograd (Li et al. (2011), section 8.2): the multilevel methods in double
 * precision, over dgemm.
 */
#include "common/device/libraries/cublas.h"
#include "steps/14-strassen-multilevel/multilevel.h"
#include "steps/15-winograd-multilevel/winograd.h"

/// [tables]
static const struct variant variants[] = {
    {.name = "dstrassen",
     .sentence = "Figure 16 with dgemm instead of GPU8",
     .multiply = strassen,
     .workspace = workspace_strassen,
     .cost = cost_strassen,
     .bound = {.scheme = &strassen_scheme},
     .shapes = {.pad_m = WHOLE_M, .pad_n = WHOLE_N, .pad_k = WHOLE_K}},
    {.name = "dwinograd",
     .sentence = "Figure 23 with dgemm instead of GPU8",
     .multiply = winograd,
     .workspace = workspace_winograd,
     .cost = cost_winograd,
     .bound = {.scheme = &winograd_scheme},
     .shapes = {.pad_m = WHOLE_M, .pad_n = WHOLE_N, .pad_k = WHOLE_K}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "dgemm",
     .sentence = "cublasDgemm; sums by separate kernels",
     .multiply = multiply_cublas},
    {.name = "gpu8",
     .sentence = "GPU8 in double, with sums fused into it",
     .simple = multiply_by_gpu8,
     .kernels = &gpu8_kernels},
    {0},
};
/// [tables]

const struct step STEP = {
    .name = "17-double",
    .idea = "double precision: dStrassen and dWinograd over dgemm",
    .variants = variants,
    .leaves = leaves,
    .default_n = 256,
    .default_tau1 = 2048,
};
