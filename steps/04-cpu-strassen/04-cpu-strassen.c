/* SPDX-License-Identifier: MIT */
/** @file 04-cpu-strassen.c
 * Seven products instead of eight: down to 2 x 2, and as a hybrid with three memory plans.
 */
#include "common/model.h"
#include "divide.h"
#include "steps/01-cpu-naive/ikj.h"
#include "steps/04-cpu-strassen/threshold/threshold.h"
#ifndef LADDER_I32
#include "common/device/libraries/vendor.h"
#include "steps/02-cpu-blocked/packed.h"
#endif

/* ---- Down to 2 x 2 (Musella, appendix 5.1)
 * --------------------------------------------------- */

/// [two by two]
/* The seven products of 2 x 2 matrices, as numbers. */
static void multiply_2x2(struct block A, struct block B, struct block C)
{
    real a11 = A.at[0], a12 = A.at[1], a21 = A.at[A.ld], a22 = A.at[A.ld + 1];
    real b11 = B.at[0], b12 = B.at[1], b21 = B.at[B.ld], b22 = B.at[B.ld + 1];
    real m1 = (a11 + a22) * (b11 + b22), m2 = (a21 + a22) * b11, m3 = a11 * (b12 - b22);
    real m4 = a22 * (b21 - b11), m5 = (a11 + a12) * b22, m6 = (a21 - a11) * (b11 + b12);
    real m7 = (a12 - a22) * (b21 + b22); /* Musella's Algorithms 3 and 4 print A12 - A21 here */
    C.at[0] = m1 + m4 - m5 + m7;
    C.at[1] = m3 + m5;
    C.at[C.ld] = m2 + m4;
    C.at[C.ld + 1] = m1 - m2 + m3 + m6;
}
/// [two by two]

static const struct leaf leaf_2x2 = {.name = "2x2", .simple = multiply_2x2};

/* The order of the square matrices that 2 x 2 takes, a power of two. */
static struct product square_size(int levels)
{
    long order = 2L << levels;
    return product_of_size(order, order, order);
}

/* A step down to 2 x 2 takes as many levels as the largest dimension needs. */
static int levels_to_2x2(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)levels; /* the sizes decide */
    long largest = larger(p.c.rows, larger(p.c.cols, p.a.cols));
    int halvings = 0;
    while (2L << halvings < largest)
        halvings++;
    return halvings;
}

static struct context context_of_2x2(const struct context *ctx)
{
    struct context below = *ctx;
    below.leaf = &leaf_2x2;
    return below;
}

/* ---- Plan 1: all seven products at once (the optimisation study, "Strassen's algorithm")
 * ----- */

/* 21 quadrants, then seven times the same one level down: 21/4 n^2, then + 147/16 n^2 ... */
static size_t workspace_seven_level(long m, long n, long k, int levels)
{
    if (levels == 0)
        return 0;
    m /= 2, n /= 2, k /= 2;
    return 7 * ((size_t)(m * k + k * n + m * n) + workspace_seven_level(m, n, k, levels - 1));
}

/* S1..S7, T1..T7 and M1..M7 each have a place: 21 quadrants, and a region for each product. */
static void level_seven(const struct context *ctx, struct product p, int levels,
                        real *workspace)
{
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct block S[8], T[8], M[8];
    for (int i = 1; i <= 7; i++) {
        S[i] = take_block(&workspace, A.q11.rows, A.q11.cols);
        T[i] = take_block(&workspace, B.q11.rows, B.q11.cols);
        M[i] = take_block(&workspace, C.q11.rows, C.q11.cols);
    }
    add(A.q11, A.q22, S[1]), add(B.q11, B.q22, T[1]);
    add(A.q21, A.q22, S[2]), copy(B.q11, T[2]);
    copy(A.q11, S[3]), sub(B.q12, B.q22, T[3]);
    copy(A.q22, S[4]), sub(B.q21, B.q11, T[4]);
    add(A.q11, A.q12, S[5]), copy(B.q22, T[5]);
    sub(A.q21, A.q11, S[6]), add(B.q11, B.q12, T[6]);
    sub(A.q12, A.q22, S[7]), add(B.q21, B.q22, T[7]);

    size_t region = workspace_seven_level(C.q11.rows, C.q11.cols, A.q11.cols, levels - 1);
    for (int i = 1; i <= 7; i++, workspace += region)
        multiply_divided(ctx, product_on(S[i], T[i], M[i]), levels - 1, workspace, level_seven);

    add(M[1], M[4], C.q11), sub(C.q11, M[5], C.q11), add(C.q11, M[7], C.q11);
    add(M[3], M[5], C.q12);
    add(M[2], M[4], C.q21);
    sub(M[1], M[2], C.q22), add(C.q22, M[3], C.q22), add(C.q22, M[6], C.q22);
}

/* ---- Plan 2: one product at a time from one arena (the optimisation study)
 * ------------------- */

/* Three quadrants per level, one level at a time: 3/4 n^2, 15/16 n^2 ... always < n^2. */
static size_t workspace_one_level(long m, long n, long k, int levels)
{
    if (levels == 0)
        return 0;
    m /= 2, n /= 2, k /= 2;
    return (size_t)(m * k + k * n + m * n) + workspace_one_level(m, n, k, levels - 1);
}

/// [one]
/* One S, one T, one M: each product is added to C before the next is made. A sum of one term is
   no sum: the quadrant itself goes into the product. */
static void level_one(const struct context *ctx, struct product p, int levels, real *workspace)
{
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    int rest = levels - 1;
    struct block S = take_block(&workspace, A.q11.rows, A.q11.cols);
    struct block T = take_block(&workspace, B.q11.rows, B.q11.cols);
    struct block M = take_block(&workspace, C.q11.rows, C.q11.cols);

    add(A.q11, A.q22, S), add(B.q11, B.q22, T);
    multiply_divided(ctx, product_on(S, T, M), rest, workspace, level_one); /* M1 */
    copy(M, C.q11), copy(M, C.q22);
    add(A.q21, A.q22, S);
    multiply_divided(ctx, product_on(S, B.q11, M), rest, workspace, level_one); /* M2 */
    copy(M, C.q21), sub(C.q22, M, C.q22);
    sub(B.q12, B.q22, T);
    multiply_divided(ctx, product_on(A.q11, T, M), rest, workspace, level_one); /* M3 */
    copy(M, C.q12), add(C.q22, M, C.q22);
    sub(B.q21, B.q11, T);
    multiply_divided(ctx, product_on(A.q22, T, M), rest, workspace, level_one); /* M4 */
    add(C.q11, M, C.q11), add(C.q21, M, C.q21);
    add(A.q11, A.q12, S);
    multiply_divided(ctx, product_on(S, B.q22, M), rest, workspace, level_one); /* M5 */
    sub(C.q11, M, C.q11), add(C.q12, M, C.q12);
    sub(A.q21, A.q11, S), add(B.q11, B.q12, T);
    multiply_divided(ctx, product_on(S, T, M), rest, workspace, level_one); /* M6 */
    add(C.q22, M, C.q22);
    sub(A.q12, A.q22, S), add(B.q21, B.q22, T);
    multiply_divided(ctx, product_on(S, T, M), rest, workspace, level_one); /* M7 */
    add(C.q11, M, C.q11);
}
/// [one]

/* ---- Plan 3: two temporaries, C's quadrants as scratch (Li et al. (2011), Figure 2)
 * ---------- */

/* T1 holds products and sums of B, T2 products and sums of A. In between C12 holds sums of A
   and C21 sums of B: a rectangular sum that does not fit there gets a separate place. */
static size_t workspace_two_level(long m, long n, long k, int levels)
{
    if (levels == 0)
        return 0;
    m /= 2, n /= 2, k /= 2;
    return (size_t)(n * larger(m, k)) + (size_t)(m * larger(n, k)) +
           (size_t)(k > n ? m * k : 0) + (size_t)(k > m ? k * n : 0) +
           workspace_two_level(m, n, k, levels - 1);
}

/* A contiguous rows x cols block at the start of a place that is at least as large. */
static struct block as(struct block place, long rows, long cols)
{
    return (struct block){place.at, rows, cols, cols};
}

/// [two]
static void level_two(const struct context *ctx, struct product p, int levels, real *workspace)
{
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    int rest = levels - 1;
    long m = C.q11.rows, n = C.q11.cols, k = A.q11.cols;
    struct block T1 = take_block(&workspace, larger(m, k), n);
    struct block T2 = take_block(&workspace, m, larger(n, k));
    /* C12 when it holds a sum of A's quadrants (m x k), C21 when it holds one of
       B's (k x n). */
    struct block C12A = k > n ? take_block(&workspace, m, k) : part(C.q12, 0, 0, m, k);
    struct block C21B = k > m ? take_block(&workspace, k, n) : part(C.q21, 0, 0, k, n);
    struct block T1B = as(T1, k, n), T1C = as(T1, m, n), T2A = as(T2, m, k), T2C = as(T2, m, n);

    sub(A.q21, A.q11, C12A); /*  1 */
    add(B.q11, B.q12, C21B); /*  2 */
    multiply_divided(ctx, product_on(C12A, C21B, C.q22), rest, workspace,
                     level_two); /*  3: M6 */
    sub(A.q12, A.q22, C12A);     /*  4 */
    add(B.q21, B.q22, C21B);     /*  5 */
    multiply_divided(ctx, product_on(C12A, C21B, C.q11), rest, workspace,
                     level_two);                                                    /*  6: M7 */
    add(A.q11, A.q22, C12A);                                                        /*  7 */
    add(B.q11, B.q22, C21B);                                                        /*  8 */
    multiply_divided(ctx, product_on(C12A, C21B, T1C), rest, workspace, level_two); /*  9: M1 */
    add(T1C, C.q11, C.q11);                                                         /* 10 */
    add(T1C, C.q22, C.q22);                                                         /* 11 */
    add(A.q21, A.q22, T2A);                                                         /* 12 */
    multiply_divided(ctx, product_on(T2A, B.q11, C.q21), rest, workspace,
                     level_two);                                                    /* 13: M2 */
    sub(C.q22, C.q21, C.q22);                                                       /* 14 */
    sub(B.q21, B.q11, T1B);                                                         /* 15 */
    multiply_divided(ctx, product_on(A.q22, T1B, T2C), rest, workspace, level_two); /* 16: M4 */
    add(C.q21, T2C, C.q21);                                                         /* 17 */
    add(C.q11, T2C, C.q11);                                                         /* 18 */
    sub(B.q12, B.q22, T1B);                                                         /* 19 */
    multiply_divided(ctx, product_on(A.q11, T1B, C.q12), rest, workspace,
                     level_two);                                                    /* 20: M3 */
    add(C.q22, C.q12, C.q22);                                                       /* 21 */
    add(A.q11, A.q12, T2A);                                                         /* 22 */
    multiply_divided(ctx, product_on(T2A, B.q22, T1C), rest, workspace, level_two); /* 23: M5 */
    add(C.q12, T1C, C.q12);                                                         /* 24 */
    sub(C.q11, T1C, C.q11);                                                         /* 25 */
}
/// [two]

/* ---- The table
 * ---------------------------------------------------------------------------------- */

static size_t workspace_seven(const struct context *ctx, struct product p, int levels)
{
    return workspace_with_leaf(ctx, p, levels, workspace_seven_level);
}

static void multiply_seven(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    multiply_with_borders(ctx, p, levels, workspace, level_seven);
}

static size_t workspace_one(const struct context *ctx, struct product p, int levels)
{
    return workspace_with_leaf(ctx, p, levels, workspace_one_level);
}

static void multiply_one(const struct context *ctx, struct product p, int levels,
                         real *workspace)
{
    multiply_with_borders(ctx, p, levels, workspace, level_one);
}

static size_t workspace_two(const struct context *ctx, struct product p, int levels)
{
    return workspace_with_leaf(ctx, p, levels, workspace_two_level);
}

static void multiply_two(const struct context *ctx, struct product p, int levels,
                         real *workspace)
{
    multiply_with_borders(ctx, p, levels, workspace, level_two);
}

static size_t workspace_two_padded(const struct context *ctx, struct product p, int levels)
{
    return padded_workspace(ctx, p, levels, workspace_two_level);
}

static void multiply_two_padded(const struct context *ctx, struct product p, int levels,
                                real *workspace)
{
    multiply_padded(ctx, p, levels, workspace, level_two);
}

static size_t workspace_2x2(const struct context *ctx, struct product p, int levels)
{
    (void)p; /* the levels decide */
    struct product size = square_size(levels);
    struct context below = context_of_2x2(ctx);
    return padded_elements(size) +
           workspace_with_leaf(&below, size, levels, workspace_one_level);
}

static void multiply_down_to_2x2(const struct context *ctx, struct product p, int levels,
                                 real *workspace)
{
    struct context below = context_of_2x2(ctx);
    multiply_in_copies(&below, p, square_size(levels), levels, workspace, level_one);
}

static const struct variant variants[] = {
    {.name = "2x2",
     .sentence = "padded to a power of two, down to 2 x 2 (Musella)",
     .multiply = multiply_down_to_2x2,
     .workspace = workspace_2x2,
     .cost = model_strassen_flops,
     .bound = {.scheme = &strassen_scheme},
     .levels = levels_to_2x2,
     .shapes = {.to_numbers = 1}},
    {.name = "seven",
     .sentence = "all seven products at once, peeled",
     .multiply = multiply_seven,
     .workspace = workspace_seven,
     .cost = model_strassen_flops,
     .bound = {.scheme = &strassen_scheme}},
    {.name = "one",
     .sentence = "one product at a time from one arena, peeled",
     .multiply = multiply_one,
     .workspace = workspace_one,
     .cost = model_strassen_flops,
     .bound = {.scheme = &strassen_scheme}},
    {.name = "two",
     .sentence = "two temporaries, C as scratch (Li et al. (2011), Figure 2), peeled",
     .multiply = multiply_two,
     .workspace = workspace_two,
     .cost = model_strassen_flops,
     .bound = {.scheme = &strassen_scheme}},
    {.name = "two-padded",
     .sentence = "the same, padded",
     .multiply = multiply_two_padded,
     .workspace = workspace_two_padded,
     .cost = model_strassen_flops,
     .bound = {.scheme = &strassen_scheme}},
    {0},
};

static const struct leaf leaves[] = {
#ifndef LADDER_I32
    {.name = "packed",
     .sentence = "step 02's packed kernel",
     .multiply = multiply_packed,
     .workspace = workspace_packed},
    {.name = "openblas",
     .sentence = "OpenBLAS",
     .multiply = multiply_openblas,
     .missing = openblas_missing},
#endif
    {.name = "ikj", .sentence = "the triple loop of step 01", .multiply = multiply_ikj},
    {.name = "ijk",
     .sentence = "the triple loop as Musella writes it",
     .multiply = multiply_ijk},
    {0},
};

static int find_threshold(const struct options *options)
{
    const struct variant method = {.multiply = multiply_two, .workspace = workspace_two};
    return find_threshold_of(options, &method, "Strassen");
}

static const struct action actions[] = {
    {.name = "find-threshold",
     .help = "measure from which n one level beats the leaf, and draw it",
     .run = find_threshold,
     .json = 1,
     .heeds = THRESHOLD_HEEDS},
    {0},
};

const struct step STEP = {
    .name = "04-cpu-strassen",
    .idea = "seven products instead of eight, in three memory plans",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .default_n = 1024,
    .default_tau1 = 1024,
};
