/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 13-whole-level: one level of Winograd's variant with fused kernels.
 */
/* clang-format off */
/* GOALS
square 129..256 --levels 1
exactly products 7
# of 256 x 256 matrices: every size drawn is padded to that
exactly multiplications 7*128^3
at-most transactions model_transactions
at-most volume_bytes model_volume_bytes
forbid counted_products counted_multiplications count_product count_from_zero counted_note
# Variants: as it is; A's columns exchanged; C's rows; C's columns.
vary A.q11 = A.q12 = =
vary A.q12 = A.q11 = =
vary A.q21 = A.q22 = =
vary A.q22 = A.q21 = =
vary C.q11 = = C.q21 C.q12
vary C.q12 = = C.q22 C.q11
vary C.q21 = = C.q11 C.q22
vary C.q22 = = C.q12 C.q21
vary quadrants_of(p.a) = columns_exchanged(quadrants_of(p.a)) = =
vary quadrants_of(p.c) = = rows_exchanged(quadrants_of(p.c)) columns_exchanged(quadrants_of(p.c))
vary **The~target.** = **Your~variant.**~Here~A.q11~is~A12,~A.q12~A11,~A.q21~A22,~and~A.q22~A21.~**The~target.** **Your~variant.**~Here~C.q11~is~C21,~C.q12~C22,~C.q21~C11,~and~C.q22~C12.~**The~target.** **Your~variant.**~Here~C.q11~is~C12,~C.q12~C11,~C.q21~C22,~and~C.q22~C21.~**The~target.**
*/
/* HINTS
## 1

Names as in step 05: S1 = A21 + A22, S2 = S1 − A11, S3 = A11 − A21, S4 = A12 − S2; S5 = B12 − B11,
S6 = B22 − S5, S7 = B22 − B12, S8 = S6 − B21. M1 = S2·S6, M2 = A11·B11, M3 = A12·B21, M4 = S3·S7,
M5 = S1·S5, M6 = S4·B22, M7 = A22·S8.

## 2

First M4 into C21, M5 into C22, M1 into C11, by `mul`, with T1 and T2 for the sums: S2 grows out of S1
in T1, S6 out of S5 in T2. Then `mulAdd` makes M5 + M6 in C12.

## 3

`mulIncIncInc(A11, B11, T1, C21, C11, C12)`: T1 = M2, C11 becomes V1, C12 gets it, C11 becomes V2. Then
S8, `mulSubInc(A22, T2, C11, C21, C22)`, and at last C11 = M3 + T1 by `mulAdd`.
*/
/* clang-format on */
#include "common/model.h"
#include "exercises/fused_products.cuh"

/* C = A * B; all quadrants and T1 and T2 have the same size. */
static void one_level(struct quadrants A, struct quadrants B, struct quadrants C,
                      struct block T1, struct block T2)
{
    /* YOUR CODE: eight sums, seven products */
    /* Each sum replaces the one that it is made from, as soon as that one is not needed any
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
    struct block T1 = take_block(&workspace, h, h), T2 = take_block(&workspace, h, h);
    count_from_zero();
    one_level(quadrants_of(p.a), quadrants_of(p.b), quadrants_of(p.c), T1, T2);
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    return (size_t)(p.c.cols * p.c.cols / 2);
}

static int one(const struct context *ctx, struct product p, int levels) { return 1; }

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your sequence",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .cost = model_winograd,
     .bound = {.kind = BOUND_WINOGRAD},
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
