/* SPDX-License-Identifier: MIT */
/** @file program.cuh
 * What the programs of steps 14 and 15 share: the functions of the variants that peel, the
 * leaves, and --edges. Their table of variants begins with the method that the
 * runner pads for. */
#ifndef STEPS_14_STRASSEN_MULTILEVEL_PROGRAM_CUH
#define STEPS_14_STRASSEN_MULTILEVEL_PROGRAM_CUH

#include <stdio.h>

#include "common/command/depth.h"
#include "common/command/options.h"
#include "common/device/cublas.h"
#include "peel.cuh"

static const struct variant *padded_method(void) { return &STEP.variants[0]; }

static size_t workspace_peeled(const struct context *x, struct product p, int levels)
{
    return peel_workspace(padded_method(), x, p, levels);
}
static void multiply_peeled(const struct context *x, struct product p, int levels,
                            real *workspace)
{
    peel_multiply(padded_method(), x, p, levels, workspace);
}
static int levels_peeled(const struct context *x, struct product p, int levels)
{
    return core_of(p, levels).levels;
}

static size_t workspace_either(const struct context *x, struct product p, int levels)
{
    return either_workspace(padded_method(), x, p, levels);
}
static void multiply_either(const struct context *x, struct product p, int levels,
                            real *workspace)
{
    either_multiply(padded_method(), x, p, levels, workspace);
}
static int levels_either(const struct context *x, struct product p, int levels)
{
    return either_levels(padded_method(), p, levels);
}

static const struct leaf multilevel_leaves[] = {
    {.name = "gpu8",
     .sentence = "GPU8 of step 10, with sums fused into it",
     .multiply = multiply_gpu8,
     .products = &by_pointer},
    {.name = "cublas",
     .sentence = "cublasSgemm or Dgemm; sums by kernels of their own",
     .multiply = multiply_cublas},
    {0},
};

/* What padding and peeling cost at sizes just below, at and above the size asked for. */
static int print_edges(const struct options *o)
{
    static const long around[] = {-63, -1, 0, 1, 8, 64, 127};
    printf("Padding and peeling, in multiplications of GPU8 over those that the size itself "
           "needs:\n"
           "%8s %7s %20s %20s %8s %8s  %s\n",
           "n", "levels", "padded to", "core", "padding", "peeling", "cheaper");
    for (int i = 0; i < 7; i++) {
        struct options there = *o;
        there.m = there.n = there.k = o->n + around[i];
        if (there.n < 1)
            continue;
        int levels = depth_of(&there).levels;
        struct product p = product_of_size(there.m, there.n, there.k);
        struct product padded = pad_shape(padded_method(), p, levels);
        struct core core = core_of(p, levels);
        struct edges e = edges_of(padded_method(), p, levels);
        char to[64], of[64];
        snprintf(to, sizeof to, "%ld x %ld x %ld", padded.c.rows, padded.c.cols, padded.a.cols);
        snprintf(of, sizeof of, "%ld x %ld x %ld", core.m, core.n, core.k);
        printf("%8ld %7d %20s %20s %8.3f %8.3f  %s\n", there.n, levels, to, of,
               e.padded / e.asked, e.peeled / e.asked,
               e.peeled < e.padded ? "peeling" : "padding");
    }
    return EXIT_RIGHT;
}

static const struct action multilevel_actions[] = {
    {.name = "edges",
     .help = "measure what padding and peeling cost around this size",
     .run = print_edges},
    {0},
};

#endif
