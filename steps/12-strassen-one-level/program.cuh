/* SPDX-License-Identifier: MIT */
/** @file program.cuh
 * What the programs of steps 12 and 13 share: one level, or none. Step 16 has
 * their leaf, too. */
#ifndef STEPS_12_STRASSEN_ONE_LEVEL_PROGRAM_CUH
#define STEPS_12_STRASSEN_ONE_LEVEL_PROGRAM_CUH

#include "common/model/multilevel.h"
#include "kernels.cuh"

static inline int at_most_one(const struct context *x, struct product p, int levels)
{
    return levels > 1 ? 1 : levels;
}

/** GPU8 where no level is left (n <= tau1), otherwise one level by `method`. */
static inline void
multiply_at_most_one(const struct context *x, struct product p, int levels, real *workspace,
                     void (*method)(const struct context *x, struct product p, real *workspace))
{
    if (levels == 0)
        multiply_leaf(x, p);
    else
        method(x, p, workspace);
}

/** The level here is always the fused one, whatever --tau2 says. */
static inline struct cost cost_fused(const struct context *x, struct product p, int levels,
                                     struct cost (*model)(const struct context *x,
                                                          struct product p, int levels))
{
    struct context below = *x;
    below.fused = 1;
    return model(&below, p, levels);
}

static const struct leaf gpu8_leaves[] = {
    {.name = "gpu8",
     .sentence = "GPU8 of step 10, with sums fused into it",
     .multiply = multiply_gpu8,
     .products = &by_pointer},
    {0},
};

#endif
