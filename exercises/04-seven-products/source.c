/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 04-seven-products: Strassen's level, one product at a time.
 */
#include "exercises/counted.h"

/* C = A * B; all dimensions are even. S, T and M have the size of a quadrant of A, B and C. */
static void one_level(struct quadrants A, struct quadrants B, struct quadrants C,
                      struct block S, struct block T, struct block M)
{
    /* YOUR CODE: seven products */
    /* A product is added to C before the next is made, so one M is enough. */
    plus(A.q11, A.q22, S), plus(B.q11, B.q22, T);
    product(S, T, M); /* M1 */
    copy(M, C.q11), copy(M, C.q22);
    plus(A.q21, A.q22, S);
    product(S, B.q11, M); /* M2 */
    copy(M, C.q21), minus(C.q22, M, C.q22);
    minus(B.q12, B.q22, T);
    product(A.q11, T, M); /* M3 */
    copy(M, C.q12), plus(C.q22, M, C.q22);
    minus(B.q21, B.q11, T);
    product(A.q22, T, M); /* M4 */
    plus(C.q11, M, C.q11), plus(C.q21, M, C.q21);
    plus(A.q11, A.q12, S);
    product(S, B.q22, M); /* M5 */
    minus(C.q11, M, C.q11), plus(C.q12, M, C.q12);
    minus(A.q21, A.q11, S), plus(B.q11, B.q12, T);
    product(S, T, M); /* M6 */
    plus(C.q22, M, C.q22);
    minus(A.q12, A.q22, S), plus(B.q21, B.q22, T);
    product(S, T, M); /* M7 */
    plus(C.q11, M, C.q11);
    /* END */
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct block S = take_block(&workspace, A.q11.rows, A.q11.cols);
    struct block T = take_block(&workspace, B.q11.rows, B.q11.cols);
    struct block M = take_block(&workspace, C.q11.rows, C.q11.cols);
    count_from_zero();
    one_level(A, B, C, S, T, M);
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    return (size_t)(m * k + k * n + m * n) / 4;
}

static int one(const struct context *ctx, struct product p, int levels) { return 1; }

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your seven products",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .bound = {.scheme = &strassen_scheme},
     .levels = one,
     .shapes = {.multiple = 1}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "ikj", .sentence = "the triple loop of step 01", .multiply = multiply_ikj}, {0}};

const struct step STEP = {
    .name = "04-seven-products",
    .idea = "Strassen's level, one product at a time",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 1,
    .note = counted_note,
};
