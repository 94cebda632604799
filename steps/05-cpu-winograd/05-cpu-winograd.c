/* SPDX-License-Identifier: MIT */
/** @file 05-cpu-winograd.c
 * Seven products and fifteen additions: Winograd's form, one sum at a time and fused.
 */
#include "common/model.h"
#include "common/device/libraries/vendor.h"
#include "packing.h"
#include "winograd.h"
#include "steps/01-cpu-naive/ikj.h"
#include "steps/02-cpu-blocked/packed.h"

/* ---- One sum at a time (Li et al. (2011), Figure 3)
 * ------------------------------------------ */

/* T1 holds sums of A and M2, T2 sums of B: n^2/4 each, n^2/16 ...: at most 2n^2/3. */
static size_t workspace_figure3_level(long m, long n, long k, int levels)
{
    if (levels == 0)
        return 0;
    m /= 2, n /= 2, k /= 2;
    return (size_t)(m * larger(n, k)) + (size_t)(k * n) +
           workspace_figure3_level(m, n, k, levels - 1);
}

/// [figure3]
static void figure3(const struct context *ctx, struct product p, int levels, real *workspace)
{
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    long m = C.q11.rows, n = C.q11.cols, k = A.q11.cols;
    struct block T1 = take_block(&workspace, m, larger(n, k));
    struct block T2 = take_block(&workspace, k, n);
    struct block T1A = {T1.at, m, k, k}, T1C = {T1.at, m, n, n}; /* T1 as a sum, as a product */
    int rest = levels - 1;

    sub(A.q11, A.q21, T1A);                                                         /*  1: S3 */
    sub(B.q22, B.q12, T2);                                                          /*  2: S7 */
    multiply_divided(ctx, product_on(T1A, T2, C.q21), rest, workspace, figure3);    /*  3: M4 */
    add(A.q21, A.q22, T1A);                                                         /*  4: S1 */
    sub(B.q12, B.q11, T2);                                                          /*  5: S5 */
    multiply_divided(ctx, product_on(T1A, T2, C.q22), rest, workspace, figure3);    /*  6: M5 */
    sub(T1A, A.q11, T1A);                                                           /*  7: S2 */
    sub(B.q22, T2, T2);                                                             /*  8: S6 */
    multiply_divided(ctx, product_on(T1A, T2, C.q11), rest, workspace, figure3);    /*  9: M1 */
    sub(A.q12, T1A, T1A);                                                           /* 10: S4 */
    multiply_divided(ctx, product_on(T1A, B.q22, C.q12), rest, workspace, figure3); /* 11: M6 */
    add(C.q22, C.q12, C.q12); /* 12: M5 + M6 */
    multiply_divided(ctx, product_on(A.q11, B.q11, T1C), rest, workspace, figure3); /* 13: M2 */
    add(C.q11, T1C, C.q11);                                                         /* 14: V1 */
    add(C.q11, C.q12, C.q12); /* 15: V1 + M5 + M6 */
    add(C.q11, C.q21, C.q11); /* 16: V2 */
    sub(T2, B.q21, T2);       /* 17: S8 */
    multiply_divided(ctx, product_on(A.q22, T2, C.q21), rest, workspace, figure3); /* 18: M7 */
    sub(C.q11, C.q21, C.q21); /* 19: V2 - M7 */
    add(C.q11, C.q22, C.q22); /* 20: V2 + M5 */
    multiply_divided(ctx, product_on(A.q12, B.q21, C.q11), rest, workspace,
                     figure3); /* 21: M3 */
    add(T1C, C.q11, C.q11);    /* 22: M2 + M3 */
}
/// [figure3]

static size_t workspace_figure3(const struct context *ctx, struct product p, int levels)
{
    return workspace_with_leaf(ctx, p, levels, workspace_figure3_level);
}

static void multiply_figure3(const struct context *ctx, struct product p, int levels,
                             real *workspace)
{
    multiply_with_borders(ctx, p, levels, workspace, figure3);
}

static size_t workspace_fused(const struct context *ctx, struct product p, int levels)
{
    return workspace_with_leaf(ctx, p, levels, workspace_fused_level);
}

static void multiply_fused(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    multiply_with_borders(ctx, p, levels, workspace, level_fused);
}

static const struct variant variants[] = {
    {.name = "by-size",
     .sentence = "mixed, with as many levels as pay at this size, on these threads",
     .multiply = multiply_by_size,
     .workspace = workspace_by_size,
     .cost = model_winograd_flops,
     .bound = {.scheme = &winograd_scheme},
     .levels = levels_by_size},
    {.name = "mixed",
     .sentence = "the last level in the packing, those above it in three passes each",
     .multiply = multiply_mixed,
     .workspace = workspace_mixed,
     .cost = model_winograd_flops,
     .bound = {.scheme = &winograd_scheme}},
    {.name = "packed-both",
     .sentence = "Strassen inside the packing: sums of A and B, several places of C",
     .multiply = multiply_packed_both,
     .workspace = workspace_packed_both,
     .cost = model_strassen_flops,
     .bound = {.scheme = &strassen_scheme},
     .levels = levels_in_packing},
    {.name = "packed-winograd",
     .sentence = "the same with Winograd's method",
     .multiply = multiply_packed_both_winograd,
     .workspace = workspace_packed_both,
     .cost = model_winograd_flops,
     .bound = {.scheme = &winograd_scheme},
     .levels = levels_in_packing},
    {.name = "packed-sums",
     .sentence =
         "sums of A and B inside the packing, each product collected before it goes to C",
     .multiply = multiply_packed_sums,
     .workspace = workspace_packed_sums,
     .cost = model_strassen_flops,
     .bound = {.scheme = &strassen_scheme},
     .levels = levels_in_packing},
    {.name = "fused",
     .sentence = "three passes a level, three products added by the leaf, peeled",
     .multiply = multiply_fused,
     .workspace = workspace_fused,
     .cost = model_winograd_flops,
     .bound = {.scheme = &winograd_scheme}},
    {.name = "figure3",
     .sentence = "two temporaries, one sum at a time (Li et al. (2011), Figure 3), peeled",
     .multiply = multiply_figure3,
     .workspace = workspace_figure3,
     .cost = model_winograd_flops,
     .bound = {.scheme = &winograd_scheme}},
    {.name = "study",
     .sentence =
         "one S, one T, one M: 8 set and 15 add operations (the optimisation study), peeled",
     .multiply = multiply_study,
     .workspace = workspace_study,
     .cost = model_winograd_flops,
     .bound = {.scheme = &winograd_scheme},
     .role = BY_NAME},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "packed",
     .sentence = "step 02's packed kernel",
     .multiply = multiply_packed,
     .workspace = workspace_packed},
    {.name = "openblas",
     .sentence = "OpenBLAS",
     .multiply = multiply_openblas,
     .missing = openblas_missing},
    {.name = "ikj", .sentence = "the triple loop of step 01", .multiply = multiply_ikj},
    {0},
};

static const struct action actions[] = {
    {.name = "order",
     .help = "search the orders of M1 ... M7 for the fewest set and add operations",
     .run = print_orders,
     .json = 1,
     .heeds = ""},
    {0},
};

const struct step STEP = {
    .name = "05-cpu-winograd",
    .idea = "seven products, fifteen additions, in as few passes over memory as possible",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .default_n = 1024,
    .default_tau1 = 512,
    .note = packed_note,
};
