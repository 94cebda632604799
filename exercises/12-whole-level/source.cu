/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 12-whole-level: one level of Strassen with fused kernels and two temporaries.
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

M6 goes to C22 only and M7 to C11 only: they come first, by `mul`. C12 and C21 are free for sums until
M3 and M2 are stored there.

## 2

Then M1 by `mulIncInc` into C11 and C22. M2 is stored in C21 and subtracted from C22: `mulStoreDec`.
M4 goes to C21 and C11, M3 is stored in C12 and added to C22, M5 goes to C12 and with minus to C11.

## 3

From M2 on the sums of A go to T2, those of B to T1. Figure 12 of
[Li et al. (2011)](../../docs/sources.md) prints the sequence; the chapter shows it with its steps
numbered.
*/
/* clang-format on */
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
     .cost = model_strassen,
     .bound = {.kind = BOUND_STRASSEN},
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
