/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 05-fifteen-sums: one level of Winograd's variant.
 */
#include "exercises/counted.h"

/* C = A * B; all dimensions are even. S[1] to S[4] have the size of a quadrant of A, S[5] to
   S[8] of one of B, M[1] to M[7] of one of C. */
static void one_level(struct quadrants A, struct quadrants B, struct quadrants C,
                      struct block *S, struct block *M)
{
    /* YOUR CODE: eight sums, seven products, seven sums */
    plus(A.q21, A.q22, S[1]), minus(S[1], A.q11, S[2]);
    minus(A.q11, A.q21, S[3]), minus(A.q12, S[2], S[4]);
    minus(B.q12, B.q11, S[5]), minus(B.q22, S[5], S[6]);
    minus(B.q22, B.q12, S[7]), minus(S[6], B.q21, S[8]);
    product(S[2], S[6], M[1]);
    product(A.q11, B.q11, M[2]);
    product(A.q12, B.q21, M[3]);
    product(S[3], S[7], M[4]);
    product(S[1], S[5], M[5]);
    product(S[4], B.q22, M[6]);
    product(A.q22, S[8], M[7]);
    /* V1 and V2 are used two and three times: they, S1, S2 and S5 save the three sums. */
    plus(M[2], M[3], C.q11);
    plus(M[1], M[2], M[1]); /* V1 */
    plus(M[1], M[5], C.q12), plus(C.q12, M[6], C.q12);
    plus(M[1], M[4], M[1]); /* V2 */
    minus(M[1], M[7], C.q21);
    plus(M[1], M[5], C.q22);
    /* END */
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct block S[9], M[8];
    for (int i = 1; i <= 8; i++)
        S[i] = i <= 4 ? take_block(&workspace, A.q11.rows, A.q11.cols)
                      : take_block(&workspace, B.q11.rows, B.q11.cols);
    for (int i = 1; i <= 7; i++)
        M[i] = take_block(&workspace, C.q11.rows, C.q11.cols);
    count_from_zero();
    one_level(A, B, C, S, M);
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    return (size_t)(4 * m * k + 4 * k * n + 7 * m * n) / 4;
}

static int one(const struct context *ctx, struct product p, int levels) { return 1; }

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your fifteen sums",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .bound = {.scheme = &winograd_scheme},
     .levels = one,
     .shapes = {.multiple = 1}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "ikj", .sentence = "the triple loop of step 01", .multiply = multiply_ikj}, {0}};

const struct step STEP = {
    .name = "05-fifteen-sums",
    .idea = "one level of Winograd's variant",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 1,
    .note = counted_note,
};
