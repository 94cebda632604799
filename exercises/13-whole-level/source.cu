/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 13-whole-level: one level of Winograd's variant with fused kernels.
 */
#include "common/model.h"
#include "exercises/fused_products.cuh"

/* C = A * B; all quadrants and T1 and T2 have the same size. */
static void one_level(struct quadrants A, struct quadrants B, struct quadrants C,
                      struct block T1, struct block T2)
{
    /* YOUR CODE: eight sums, seven products */
    /* Each sum replaces the one that it is made from, as soon as the old one is not needed any
     * more. */
    sub(A.q11, A.q21, T1), sub(B.q22, B.q12, T2); /* S3, S7 */
    mul(T1, T2, C.q21);                           /* M4 */
    add(A.q21, A.q22, T1), sub(B.q12, B.q11, T2); /* S1, S5 */
    mul(T1, T2, C.q22);                           /* M5 */
    sub(T1, A.q11, T1), sub(B.q22, T2, T2);       /* S2, S6 */
    mul(T1, T2, C.q11);                           /* M1 */
    sub(A.q12, T1, T1);                           /* S4 */
    mulAdd(T1, B.q22, C.q22, C.q12);              /* M5 + M6 */
    mulIncIncInc(A.q11, B.q11, T1, C.q21, C.q11, C.q12);
    sub(T2, B.q21, T2);                        /* S8 */
    mulSubInc(A.q22, T2, C.q11, C.q21, C.q22); /* V2 - M7, V2 + M5 */
    mulAdd(A.q12, B.q21, T1, C.q11);           /* M2 + M3 */
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
     .cost = model_winograd,
     .bound = {.scheme = &winograd_scheme},
     .levels = one,
     .shapes = {.pad_m = 128, .pad_n = 128, .pad_k = 128}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "gpu8", .sentence = "GPU8 of step 10, fused into the products", .multiply = NULL},
    {0}};

const struct step STEP = {
    .name = "13-whole-level",
    .idea = "one level of Winograd's variant with fused kernels",
    .variants = variants,
    .leaves = leaves,
    .default_n = 256,
    .default_tau1 = 64,
    .note = counted_note,
};
