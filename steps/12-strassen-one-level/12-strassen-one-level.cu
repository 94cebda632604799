/* SPDX-License-Identifier: MIT */
/** @file 12-strassen-one-level.cu
 * One level of Strassen with the sums fused into the products' stores (Li et al. (2011),
 * section 6.1).
 */
#include "one-level.cuh"

ONE_LEVEL(strassen, "Figure 12: four of the seven fused kernels, two temporaries",
          places_elements, BOUND_STRASSEN);

const struct step STEP = {
    .name = "12-strassen-one-level",
    .idea = "one level of Strassen, its sums fused into the products",
    .variants = variants,
    .leaves = leaves,
    .default_n = 256,
    .default_tau1 = 64,
    .lacks = "unfused", /* its level is always fused */
};
