/* SPDX-License-Identifier: MIT */
/** @file 13-winograd-one-level.cu
 * One level of Winograd with the sums fused into the products' stores (Li et al. (2011),
 * section 6.2).
 */
#include "common/model.h"
#include "figure13.cuh"

/* One level, or none: then GPU8 multiplies alone (n <= tau1). */
static void multiply_winograd(const struct context *ctx, struct product p, int levels,
                              real *workspace)
{
    if (levels == 0)
        multiply_leaf(ctx, p);
    else
        winograd_one_level(ctx, p, workspace);
}

static size_t workspace_winograd(const struct context *, struct product p, int levels)
{
    return workspace_of_levels(p, levels, winograd_places_elements);
}

/* The level is always the fused one, whatever --tau2 says. */
static struct cost cost_winograd(const struct context *ctx, struct product p, int levels)
{
    struct context fused = *ctx;
    fused.fused = 1;
    return model_winograd(&fused, p, levels);
}

static const struct variant variants[] = {
    {.name = "winograd",
     .sentence = "Figure 13: three more fused kernels, two temporaries",
     .multiply = multiply_winograd,
     .workspace = workspace_winograd,
     .cost = cost_winograd,
     .bound = {.scheme = &winograd_scheme},
     .levels = at_most_one,
     .shapes = {.pad_m = GPU8_M, .pad_n = GPU8_N, .pad_k = GPU8_K}},
    {0},
};

static void multiply_gpu8(struct block A, struct block B, struct block C)
{
    mul<by_pointer>(NULL, A, B, C);
}

static const struct fused_kernels gpu8_kernels = kernels_that_read<by_pointer>();

static const struct leaf leaves[] = {
    {.name = "gpu8",
     .sentence = "GPU8 of step 10, with sums fused into it",
     .simple = multiply_gpu8,
     .kernels = &gpu8_kernels},
    {0},
};

const struct step STEP = {
    .name = "13-winograd-one-level",
    .idea = "one level of Winograd, its sums fused into the products",
    .variants = variants,
    .leaves = leaves,
    .default_n = 256,
    .default_tau1 = 64,
    .lacks = "unfused", /* its level is always fused */
};
