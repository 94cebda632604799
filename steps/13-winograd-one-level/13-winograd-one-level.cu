/* SPDX-License-Identifier: MIT */
/** @file 13-winograd-one-level.cu
 * One level of Winograd with its sums fused into the products (Li et al. (2011),
 * section 6.2). */
#include "one-level.cuh"
#include "steps/12-strassen-one-level/program.cuh"

static size_t workspace_one_level(const struct context *x, struct product p, int levels)
{
    return workspace_of_levels(p, levels, winograd_places_elements);
}

/* Figure 13. */
static void multiply_one_level(const struct context *x, struct product p, int levels,
                               real *workspace)
{
    multiply_at_most_one(x, p, levels, workspace, winograd_one_level);
}

static struct cost cost_one_level(const struct context *x, struct product p, int levels)
{
    return cost_fused(x, p, levels, model_winograd);
}

static const struct variant variants[] = {
    {.name = "winograd",
     .sentence = "Figure 13: three more fused kernels, two temporaries",
     .multiply = multiply_one_level,
     .workspace = workspace_one_level,
     .cost = cost_one_level,
     .bound = {.kind = BOUND_WINOGRAD},
     .levels = at_most_one,
     .shapes = {.pad_m = GPU8_M, .pad_n = GPU8_N, .pad_k = GPU8_K}},
    {0},
};

const struct step STEP = {
    .name = "13-winograd-one-level",
    .idea = "one level of Winograd, its sums fused into the products",
    .variants = variants,
    .leaves = gpu8_leaves,
    .default_n = 256,
    .default_tau1 = 64,
};
