/* SPDX-License-Identifier: MIT */
/** @file 24-gpu.cu
 * The table of Dumas, Pernet and Sedoglavic over step 19's panels, next to Winograd's method.
 */
#include "common/model.h"
#include "dps.cuh"
#include "frontier.h"

static const struct variant variants[] = {
    {.name = "winograd",
     .sentence = "step 19's last rung: Winograd's sums during the multiplications",
     .multiply = in_program<beside<winograd_method>>,
     .workspace = workspace_beside<winograd_method>,
     .cost = model_winograd_flops,
     .bound = {.kind = BOUND_WINOGRAD},
     .shapes = {.pad_m = 4, .pad_n = 4, .pad_k = 4}},
    {.name = "dps-passes",
     .sentence = "the sums of dps, an operand in one pass, over cuBLAS",
     .multiply = over_cublas<dps_passes>,
     .workspace = workspace_dps_passes,
     .bound = {.kind = BOUND_DPS},
     .shapes = {.pad_m = 4, .pad_n = 4, .pad_k = 4}},
    {.name = "dps-panels",
     .sentence = "the sums of dps, the last two levels in one pass",
     .multiply = in_program<two_levels<dps_method>>,
     .workspace = workspace_two_levels<dps_method>,
     .bound = {.kind = BOUND_DPS},
     .shapes = {.pad_m = 4, .pad_n = 4, .pad_k = 4}},
    {.name = "dps",
     .sentence = "the same, the next problem's sums during the multiplications",
     .multiply = in_program<beside<dps_method>>,
     .workspace = workspace_beside<dps_method>,
     .bound = {.kind = BOUND_DPS},
     .shapes = {.pad_m = 4, .pad_n = 4, .pad_k = 4}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "cublas", .sentence = "cublasSgemm or cublasDgemm", .multiply = multiply_cublas},
    {0},
};

static const struct action actions[] = {
    {.name = "frontier",
     .help = "time and error of cuBLAS and every variant, in turn, with 1 to 5 levels at --n",
     .run = measure_frontier,
     .json = 1,
     .heeds = "n,levels,variant,leaf,beside"},
    {0},
};

static const struct setting settings[] = {
    {.name = "beside",
     .argument = "N",
     .help = "most blocks of a kernel of sums during multiplications; 0: no limit; f64: 44",
     .max = 1000000,
     .standard = sizeof(real) == 4 ? 264 : 44},
    {0},
};

const struct step STEP = {
    .name = "24-gpu",
    .idea = "seven products with a fifth of Winograd's error, at nearly the same speed",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .settings = settings,
    .default_n = 256,
    .default_tau1 = 1024,
};
