/**
 * @file
 * Exercise 12-whole-level: one level of Strassen with fused kernels and two temporaries.
 */
#include "common/model/multilevel.h"
#include "exercises/fused.cuh"

/* C = A * B; all quadrants and T1 and T2 have the same size. */
static void one_level(struct quadrants A, struct quadrants B, struct quadrants C, struct block T1,
                      struct block T2)
{
    /* YOUR CODE: ten sums, seven products */
    /* END */
}

static void multiply_yours(const struct problem *p, void *room)
{
    real *workspace = (real *)room;
    long h = p->n / 2;
    struct block T1 = take_block(&workspace, h, h), T2 = take_block(&workspace, h, h);
    one_level(quadrants_of(block_a(p)), quadrants_of(block_b(p)), quadrants_of(block_c(p)), T1, T2);
}

static size_t workspace_yours(const struct problem *p) { return (size_t)(p->n * p->n / 2); }

static int one(const struct problem *p) { return 1; }

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your sequence",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .cost = model_strassen,
     .bound = BOUND_STRASSEN,
     .levels = one,
     .multiple_m = 128,
     .multiple_n = 128,
     .multiple_k = 128},
    {0},
};

static const struct variant leaves[] = {
    {.name = "gpu8", .sentence = "GPU8 of step 10, fused into the products", .multiply = NULL}, {0}};

const struct step STEP = {
    .name = "12-whole-level",
    .idea = "one level of Strassen with fused kernels and two temporaries",
    .variants = variants,
    .leaves = leaves,
    .default_n = 256,
    .default_tau1 = 64,
};
