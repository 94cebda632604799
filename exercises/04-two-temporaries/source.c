/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 04-two-temporaries: Strassen's level in two quadrants of workspace.
 */
/* clang-format off */
/* GOALS
square 1..16 x 2 --levels 1
square 8..16 x 4 --levels 1
exactly products 7
exactly multiplications 7/8*n^3
at-most sums 18
at-most workspace_bytes 2*n*n
forbid counted count_product scale_products scale_back count_from_zero counted_note multiply_ikj add_ikj add_ijk add sub at
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

A product must not be written over one of its factors. C12 and C21 get their values late in a good
order, so until then C12 can hold sums of A and C21 sums of B.

## 2

Begin with the products that go to one place only: M6 straight into C22, M7 straight into C11. Then M1
into a temporary, to be added to both.

## 3

Figure 2 of [Li et al. (2011)](../../docs/sources.md) goes on: M2 straight into C21 (and subtract it
from C22), M4 through a temporary, M3 straight into C12, M5 through a temporary. From M2 on the sums
need places outside C: T2 for those of A, T1 for those of B.
*/
/* clang-format on */
#include "exercises/counted.h"

/* Elements of workspace for one level on n x n matrices. */
static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    /* YOUR CODE: quadrants have (n / 2) * (n / 2) elements */
    /* STUB: return 0; */
    return (size_t)(p.c.cols / 2) * (size_t)(p.c.cols / 2) * 2;
    /* END */
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    long h = p.c.cols / 2;
    count_from_zero();
    scale_products();
    /* YOUR CODE: take_block(&workspace, h, h) gives the next temporary */
    /* Li et al. (2011), Figure 2: C12 holds sums of A and C21 sums of B until their own
       products are stored there. */
    struct block T1 = take_block(&workspace, h, h), T2 = take_block(&workspace, h, h);
    minus(A.q21, A.q11, C.q12), plus(B.q11, B.q12, C.q21);
    product(C.q12, C.q21, C.q22); /* M6 */
    minus(A.q12, A.q22, C.q12), plus(B.q21, B.q22, C.q21);
    product(C.q12, C.q21, C.q11); /* M7 */
    plus(A.q11, A.q22, C.q12), plus(B.q11, B.q22, C.q21);
    product(C.q12, C.q21, T1); /* M1 */
    plus(T1, C.q11, C.q11), plus(T1, C.q22, C.q22);
    plus(A.q21, A.q22, T2);
    product(T2, B.q11, C.q21); /* M2 */
    minus(C.q22, C.q21, C.q22);
    minus(B.q21, B.q11, T1);
    product(A.q22, T1, T2); /* M4 */
    plus(C.q21, T2, C.q21), plus(C.q11, T2, C.q11);
    minus(B.q12, B.q22, T1);
    product(A.q11, T1, C.q12); /* M3 */
    plus(C.q22, C.q12, C.q22);
    plus(A.q11, A.q12, T2);
    product(T2, B.q22, T1); /* M5 */
    plus(C.q12, T1, C.q12), minus(C.q11, T1, C.q11);
    /* END */
    scale_back(p.c);
}

static int one(const struct context *ctx, struct product p, int levels) { return 1; }

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your order",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .bound = {.kind = BOUND_STRASSEN},
     .levels = one,
     .shapes = {.square = 1, .multiple = 1}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "ikj", .sentence = "the triple loop of step 01", .multiply = multiply_ikj}, {0}};

const struct step STEP = {
    .name = "04-two-temporaries",
    .idea = "Strassen's level in two quadrants of workspace",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 1,
    .note = counted_note,
};
