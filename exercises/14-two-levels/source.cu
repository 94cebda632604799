/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 14-two-levels: Strassen's recursion with two temporaries on each level.
 */
#include "exercises/blocks.cuh"

/* YOUR CODE: c = a * b by `levels` levels, in this workspace */
/* STUB: static void multiply(struct block a, struct block b, struct block c, int levels, */
/* STUB:                      real *workspace) */
/* STUB: { */
/* STUB: } */
static void multiply(struct block a, struct block b, struct block c, int levels,
                     real *workspace)
{
    if (levels == 0) {
        mul(a, b, c);
        return;
    }
    struct quadrants A = quadrants_of(a), B = quadrants_of(b), C = quadrants_of(c);
    long h = c.rows / 2;
    struct block T1 = take_block(&workspace, h, h), T2 = take_block(&workspace, h, h);
    int rest = levels - 1;
    /* The seven calls share the rest of the workspace: none leaves anything there. */
    sub(A.q21, A.q11, C.q12), add(B.q11, B.q12, C.q21);
    multiply(C.q12, C.q21, C.q22, rest, workspace); /* M6 */
    sub(A.q12, A.q22, C.q12), add(B.q21, B.q22, C.q21);
    multiply(C.q12, C.q21, C.q11, rest, workspace); /* M7 */
    add(A.q11, A.q22, C.q12), add(B.q11, B.q22, C.q21);
    multiply(C.q12, C.q21, T1, rest, workspace); /* M1 */
    add(C.q11, T1, C.q11), add(C.q22, T1, C.q22);
    add(A.q21, A.q22, T2);
    multiply(T2, B.q11, C.q21, rest, workspace); /* M2 */
    sub(C.q22, C.q21, C.q22);
    sub(B.q21, B.q11, T1);
    multiply(A.q22, T1, T2, rest, workspace); /* M4 */
    add(C.q11, T2, C.q11), add(C.q21, T2, C.q21);
    sub(B.q12, B.q22, T1);
    multiply(A.q11, T1, C.q12, rest, workspace); /* M3 */
    add(C.q22, C.q12, C.q22);
    add(A.q11, A.q12, T2);
    multiply(T2, B.q22, T1, rest, workspace); /* M5 */
    add(C.q12, T1, C.q12), sub(C.q11, T1, C.q11);
}
/* END */

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    count_from_zero();
    multiply(p.a, p.b, p.c, levels, workspace);
}

/* Elements of workspace for this size and these levels. */
static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    /* YOUR CODE: all levels together */
    /* STUB: return 0; */
    size_t elements = 0;
    for (long level = 0, n = p.c.cols; level < levels; level++) {
        n /= 2;
        elements += 2 * (size_t)(n * n);
    }
    return elements;
    /* END */
}

/* Products of 16 x 16 tiles below the last level; on each level eighteen sums of three passes.
 */
static double transactions(double n, long levels)
{
    double q = n * n / 4;
    return levels == 0 ? n * n * n / 128 + n * n / 16
                       : 18 * 3 * q / 16 + 7 * transactions(n / 2, levels - 1);
}

static struct cost cost_yours(const struct context *ctx, struct product p, int levels)
{
    return (struct cost){-1, transactions((double)p.c.cols, levels), -1};
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your recursion",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .cost = cost_yours,
     .bound = {.scheme = &strassen_scheme},
     .shapes = {.square = 1, .multiple = 16}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "tiles", .sentence = "16 x 16 tiles in shared memory", .multiply = NULL}, {0}};

const struct step STEP = {
    .name = "14-two-levels",
    .idea = "Strassen's recursion with two temporaries on each level",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 32,
    .note = counted_note,
};
