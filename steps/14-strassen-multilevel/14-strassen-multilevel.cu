/* SPDX-License-Identifier: MIT */
/** @file 14-strassen-multilevel.cu
 * Strassen's method on any number of levels (Li et al. (2011), section 7.1, Figure 16).
 */
#include "multilevel.h"

MULTILEVEL_VARIANTS(strassen, "Figure 16 over Figure 12 over GPU8", BOUND_STRASSEN);

const struct step STEP = {
    .name = "14-strassen-multilevel",
    .idea = "Strassen on any number of levels, two temporaries each",
    .variants = variants,
    .leaves = multilevel_leaves,
    .actions = multilevel_actions,
    .default_n = 512,
    .default_tau1 = 2048,
};
