/* SPDX-License-Identifier: MIT */
/** @file 15-winograd-multilevel.cu
 * Winograd's variant on any number of levels (Li et al. (2011), section 7.2, Figure 23).
 */
#include "steps/14-strassen-multilevel/multilevel.h"
#include "winograd.h"

MULTILEVEL_VARIANTS(winograd, "Figure 23 over Figure 13 over GPU8", BOUND_WINOGRAD);

const struct step STEP = {
    .name = "15-winograd-multilevel",
    .idea = "Winograd's variant on any number of levels, two temporaries each",
    .variants = variants,
    .leaves = multilevel_leaves,
    .actions = multilevel_actions,
    .default_n = 512,
    .default_tau1 = 2048,
};
