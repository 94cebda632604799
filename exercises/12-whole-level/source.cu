/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 12-whole-level: one level of Strassen with fused kernels and two temporaries.
 */
#include "common/model.h"
#include "exercises/fused_products.cuh"

/* C = A * B; all quadrants and T1 and T2 have the same size. */
static void one_level(struct quadrants A, struct quadrants B, struct quadrants C,
                      struct block T1, struct block T2)
{
    /* YOUR CODE: ten sums, seven products */
    /* C12 and C21 hold sums until their own products, M3 and M2, are stored there. */
    sub(A.q21, A.q11, C.q12), add(B.q11, B.q12, C.q21);
    mul(C.q12, C.q21, C.q22); /* M6 */
    sub(A.q12, A.q22, C.q12), add(B.q21, B.q22, C.q21);
    mul(C.q12, C.q21, C.q11); /* M7 */
    add(A.q11, A.q22, C.q12), add(B.q11, B.q22, C.q21);
    mulIncInc(C.q12, C.q21, C.q11, C.q22); /* M1 */
    add(A.q21, A.q22, T2);
    mulStoreDec(T2, B.q11, C.q21, C.q22); /* M2 */
    sub(B.q21, B.q11, T1);
    mulIncInc(A.q22, T1, C.q21, C.q11); /* M4 */
    sub(B.q12, B.q22, T1);
    mulStoreInc(A.q11, T1, C.q12, C.q22); /* M3 */
    add(A.q11, A.q12, T2);
    mulIncDec(T2, B.q22, C.q12, C.q11); /* M5 */
    /* END */
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long h = p.c.cols / 2;
    /* No two leading dimensions are equal, and none is the number of columns. */
    struct block T1 = {workspace, h, h, h + 32}, T2 = {T1.at + h * T1.ld, h, h, h + 64};
    count_from_zero();
    one_level(quadrants_of(p.a), quadrants_of(p.b), quadrants_of(p.c), T1, T2);
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    long h = p.c.cols / 2;
    return (size_t)(h * (h + 32) + h * (h + 64));
}

static int one(const struct context *ctx, struct product p, int levels) { return 1; }

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your sequence",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .cost = model_strassen,
     .bound = {.scheme = &strassen_scheme},
     .levels = one,
     .shapes = {.pad_m = 128, .pad_n = 128, .pad_k = 128}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "gpu8", .sentence = "GPU8 of step 10, fused into the products", .multiply = NULL},
    {0}};

const struct step STEP = {
    .name = "12-whole-level",
    .idea = "one level of Strassen with fused kernels and two temporaries",
    .variants = variants,
    .leaves = leaves,
    .default_n = 256,
    .default_tau1 = 64,
    .note = counted_note,
};
