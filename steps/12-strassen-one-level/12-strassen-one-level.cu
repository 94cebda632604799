/* SPDX-License-Identifier: MIT */
/** @file 12-strassen-one-level.cu
 * One level of Strassen with the sums fused into the products' stores (Li et al. (2011),
 * section 6.1).
 */
#include "common/model.h"
#include "one-level.cuh"

/* One level, or none: then GPU8 multiplies alone (n <= tau1). */
static void multiply_strassen(const struct context *ctx, struct product p, int levels,
                              real *workspace)
{
    if (levels == 0)
        multiply_leaf(ctx, p);
    else
        strassen_one_level(ctx, p, workspace);
}

static size_t workspace_strassen(const struct context *, struct product p, int levels)
{
    return workspace_of_levels(p, levels, places_elements);
}

/* The level is always the fused one, whatever --tau2 says. */
static struct cost cost_strassen(const struct context *ctx, struct product p, int levels)
{
    struct context fused = *ctx;
    fused.fused = 1;
    return model_strassen(&fused, p, levels);
}

static const struct variant variants[] = {
    {.name = "strassen",
     .sentence = "Figure 12: four of the seven fused kernels, two temporaries",
     .multiply = multiply_strassen,
     .workspace = workspace_strassen,
     .cost = cost_strassen,
     .bound = {.scheme = &strassen_scheme},
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
    .name = "12-strassen-one-level",
    .idea = "one level of Strassen, its sums fused into the products",
    .variants = variants,
    .leaves = leaves,
    .default_n = 256,
    .default_tau1 = 64,
    .lacks = "unfused", /* its level is always fused */
};
