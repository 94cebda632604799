/**
 * @file 13-winograd-one-level.cu
 * One level of Winograd with its sums fused into the products (Li et al. (2011), section 6.2).
 */
#include "common/model/multilevel.h"
#include "one-level.cuh"

static int at_most_one(const struct problem *p) { return p->levels > 1 ? 1 : p->levels; }

static size_t workspace_one_level(const struct problem *p)
{
    return p->levels ? winograd_places_elements(p->m / 2, p->n / 2, p->k / 2) : 0;
}

/* n <= tau1: GPU8; otherwise Figure 13. */
static void multiply_one_level(const struct problem *p, void *workspace)
{
    struct context x = context_with_products(p);
    if (p->levels == 0)
        multiply_last(&x, product_of(p));
    else
        winograd_one_level(&x, product_of(p), (real *)workspace);
}

/* The level here is always the fused one, whatever --tau2 says. */
static struct cost cost_one_level(const struct problem *p)
{
    struct problem fused = *p;
    fused.fused = 1;
    return model_winograd(&fused);
}

static const struct variant variants[] = {
    {.name = "winograd",
     .sentence = "Figure 13: three more fused kernels, two temporaries",
     .multiply = multiply_one_level,
     .workspace = workspace_one_level,
     .cost = cost_one_level,
     .bound = BOUND_WINOGRAD,
     .levels = at_most_one,
     .multiple_m = GPU8_M,
     .multiple_n = GPU8_N,
     .multiple_k = GPU8_K},
    {0},
};

static const struct variant leaves[] = {
    {.name = "gpu8",
     .sentence = "GPU8 of step 10, with sums fused into it",
     .multiply = multiply_gpu8},
    {0},
};

const struct step STEP = {
    .name = "13-winograd-one-level",
    .idea = "one level of Winograd, its sums fused into the products",
    .variants = variants,
    .leaves = leaves,
    .default_n = 256,
    .default_tau1 = 64,
};
