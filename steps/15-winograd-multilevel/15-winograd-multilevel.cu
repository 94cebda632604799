/* SPDX-License-Identifier: MIT */
/** @file 15-winograd-multilevel.cu
 * Winograd's variant on any number of levels (Li et al. (2011), section 7.2, Figure 23).
 */
#include "steps/14-strassen-multilevel/multilevel.h"
#include "winograd.h"

static const struct variant variants[] = {
    {.name = "winograd",
     .sentence = "Figure 23 over Figure 13 over GPU8",
     .multiply = winograd,
     .workspace = workspace_winograd,
     .cost = cost_winograd,
     .bound = {.kind = BOUND_WINOGRAD},
     .shapes = {.pad_m = WHOLE_M, .pad_n = WHOLE_N, .pad_k = WHOLE_K}},
    {.name = "winograd-peeled",
     .sentence = "the largest part in whole tiles, the border by a separate kernel",
     .multiply = multiply_peeled,
     .workspace = workspace_peeled,
     .bound = {.kind = BOUND_WINOGRAD},
     .levels = levels_peeled,
     .shapes = {.core = CORE},
     .role = BY_NAME},
    {.name = "winograd-either",
     .sentence = "peeled or padded, whichever has the lower price of --edges",
     .multiply = multiply_either,
     .workspace = workspace_either,
     .bound = {.kind = BOUND_WINOGRAD},
     .levels = levels_either,
     .shapes = {.core = CORE},
     .role = BY_NAME},
    {0},
};

const struct step STEP = {
    .name = "15-winograd-multilevel",
    .idea = "Winograd's variant on any number of levels, two temporaries each",
    .variants = variants,
    .leaves = multilevel_leaves,
    .actions = multilevel_actions,
    .default_n = 512,
    .default_tau1 = 2048,
};
