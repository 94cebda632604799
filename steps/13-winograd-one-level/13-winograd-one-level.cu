/* SPDX-License-Identifier: MIT */
/** @file 13-winograd-one-level.cu
 * One level of Winograd with the sums fused into the products' stores (Li et al. (2011),
 * section 6.2).
 */
#include "figure13.cuh"
#include "steps/12-strassen-one-level/one-level.cuh"

ONE_LEVEL(winograd, "Figure 13: three more fused kernels, two temporaries",
          winograd_places_elements, BOUND_WINOGRAD);

const struct step STEP = {
    .name = "13-winograd-one-level",
    .idea = "one level of Winograd, its sums fused into the products",
    .variants = variants,
    .leaves = leaves,
    .default_n = 256,
    .default_tau1 = 64,
    .lacks = "unfused", /* its level is always fused */
};
