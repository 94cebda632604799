/* SPDX-License-Identifier: MIT */
/** @file 14-strassen-multilevel.cu
 * Strassen's method on any number of levels (Li et al. (2011), section 7.1, Figure 16).
 */
#include "multilevel.h"

static const struct variant variants[] = {
    {.name = "strassen",
     .sentence = "Figure 16 over Figure 12 over GPU8",
     .multiply = strassen,
     .workspace = workspace_strassen,
     .cost = cost_strassen,
     .bound = {.kind = BOUND_STRASSEN},
     .shapes = {.pad_m = WHOLE_M, .pad_n = WHOLE_N, .pad_k = WHOLE_K}},
    {.name = "strassen-peeled",
     .sentence = "the largest part in whole tiles, the border by a separate kernel",
     .multiply = multiply_peeled,
     .workspace = workspace_peeled,
     .bound = {.kind = BOUND_STRASSEN},
     .levels = levels_peeled,
     .shapes = {.core = CORE},
     .role = BY_NAME},
    {.name = "strassen-either",
     .sentence = "peeled or padded, whichever has the lower price of --edges",
     .multiply = multiply_either,
     .workspace = workspace_either,
     .bound = {.kind = BOUND_STRASSEN},
     .levels = levels_either,
     .shapes = {.core = CORE},
     .role = BY_NAME},
    {0},
};

const struct step STEP = {
    .name = "14-strassen-multilevel",
    .idea = "Strassen on any number of levels, two temporaries each",
    .variants = variants,
    .leaves = multilevel_leaves,
    .actions = multilevel_actions,
    .default_n = 512,
    .default_tau1 = 2048,
};
