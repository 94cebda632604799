/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 04-two-temporaries: Strassen's level in two quadrants of workspace.
 */
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
}

static int one(const struct context *ctx, struct product p, int levels) { return 1; }

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your order",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .bound = {.scheme = &strassen_scheme},
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
