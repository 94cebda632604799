/* SPDX-License-Identifier: MIT */
/** @file 12-strassen-one-level.cu
 * One level of Strassen with the sums fused into the products' stores (Li et al. (2011),
 * section 6.1).
 */
#include "one-level.cuh"
#include "program.cuh"

static size_t workspace_one_level(const struct context *x, struct product p, int levels)
{
    return workspace_of_levels(p, levels, places_elements);
}

/* Figure 12. */
static void multiply_one_level(const struct context *x, struct product p, int levels,
                               real *workspace)
{
    multiply_at_most_one(x, p, levels, workspace, strassen_one_level);
}

static struct cost cost_one_level(const struct context *x, struct product p, int levels)
{
    return cost_fused(x, p, levels, model_strassen);
}

static const struct variant variants[] = {
    {.name = "strassen",
     .sentence = "Figure 12: four of the seven fused kernels, two temporaries",
     .multiply = multiply_one_level,
     .workspace = workspace_one_level,
     .cost = cost_one_level,
     .bound = {.kind = BOUND_STRASSEN},
     .levels = at_most_one,
     .shapes = {.pad_m = GPU8_M, .pad_n = GPU8_N, .pad_k = GPU8_K}},
    {0},
};

const struct step STEP = {
    .name = "12-strassen-one-level",
    .idea = "one level of Strassen, its sums fused into the products",
    .variants = variants,
    .leaves = gpu8_leaves,
    .default_n = 256,
    .default_tau1 = 64,
};
