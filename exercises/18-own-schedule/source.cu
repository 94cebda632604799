/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 18-own-schedule: seven products in an order of your own.
 */
#include "exercises/blocks.cuh"

/* YOUR CODE: one level, c = a * b, and the elements of workspace it takes for n x n matrices */
/* STUB: static void one_level(struct block a, struct block b, struct block c, */
/* STUB:                       real *workspace) */
/* STUB: { */
/* STUB: } */
/* STUB: */
/* STUB: static size_t elements(long n) { return 0; } */
/* Winograd's variant with two temporaries and fifteen separate sums: three sums fewer than the
   goal allows, and half of the workspace. Fusing pairs of sums would save more. */
static void one_level(struct block a, struct block b, struct block c, real *workspace)
{
    struct quadrants A = quadrants_of(a), B = quadrants_of(b), C = quadrants_of(c);
    long h = c.rows / 2;
    struct block T1 = take_block(&workspace, h, h), T2 = take_block(&workspace, h, h);
    sub(A.q11, A.q21, T1), sub(B.q22, B.q12, T2), mul(T1, T2, C.q21);    /* M4 */
    add(A.q21, A.q22, T1), sub(B.q12, B.q11, T2), mul(T1, T2, C.q22);    /* M5 */
    sub(T1, A.q11, T1), sub(B.q22, T2, T2), mul(T1, T2, C.q11);          /* M1 */
    sub(A.q12, T1, T1), mul(T1, B.q22, C.q12), add(C.q12, C.q22, C.q12); /* M6 + M5 */
    mul(A.q11, B.q11, T1), add(C.q11, T1, C.q11);                        /* V1 */
    add(C.q12, C.q11, C.q12), add(C.q11, C.q21, C.q11);                  /* C12, V2 */
    sub(T2, B.q21, T2), mul(A.q22, T2, C.q21);                           /* M7 */
    sub(C.q11, C.q21, C.q21), add(C.q11, C.q22, C.q22);                  /* C21, C22 */
    mul(A.q12, B.q21, C.q11), add(C.q11, T1, C.q11);                     /* M3 + M2 */
}

static size_t elements(long n) { return (size_t)(n / 2) * (size_t)(n / 2) * 2; }
/* END */

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    count_from_zero();
    one_level(p.a, p.b, p.c, workspace);
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    return elements(p.c.cols);
}

static int levels_one(const struct context *ctx, struct product p, int levels) { return 1; }

/* Seven products of 16 x 16 tiles and eighteen sums of three passes. */
static struct cost cost_yours(const struct context *ctx, struct product p, int levels)
{
    long n = p.c.cols;
    double q = (double)n * (double)n / 4, h = (double)n / 2;
    return (struct cost){14 * h * h * h + 18 * q, 7 * (q * h / 128 + q / 16) + 18 * 3 * q / 16,
                         -1};
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your schedule",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .cost = cost_yours,
     .bound = {.scheme = &winograd_scheme},
     .levels = levels_one,
     .shapes = {.square = 1, .multiple = 1}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "tiles", .sentence = "16 x 16 tiles in shared memory", .multiply = NULL}, {0}};

const struct step STEP = {
    .name = "18-own-schedule",
    .idea = "seven products in an order of your own",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 1,
    .note = counted_note,
};
