/* SPDX-License-Identifier: MIT */
/** @file modern.cuh
 * Winograd's variant for a modern GPU over cuBLAS, one change after another. Each method
 * multiplies C (m x n) = A (m x k) * B (k x n), row-major, m, n and k multiples of 4 *
 * 2^levels.
 */
#ifndef STEPS_18_MODERN_MODERN_CUH
#define STEPS_18_MODERN_MODERN_CUH

#include "common/model.h"
#include "context.cuh"
#include "winograd_sums.cuh"

/* A row for such a method in a step's table. */
static constexpr struct variant method_row(
    const char *name, const char *sentence, multiplication *multiply,
    size_t (*workspace)(const struct context *, struct product, int),
    const struct scheme *scheme = &winograd_scheme,
    struct cost (*cost)(const struct context *, struct product, int) = model_winograd_flops)
{
    return {.name = name,
            .sentence = sentence,
            .multiply = multiply,
            .workspace = workspace,
            .cost = cost,
            .bound = {.scheme = scheme},
            .shapes = {.pad_m = 4, .pad_n = 4, .pad_k = 4}};
}

/* ---- 1. The plain hybrid
 * -------------------------------------------------------------------------- */

/* Two temporaries per level: T1 holds a quadrant of A or of C, T2 one of B. */
static inline size_t plain_elements(long m, long n, long k)
{
    return (size_t)(m * larger(n, k)) + (size_t)(k * n);
}

static inline size_t workspace_plain(const struct context *, struct product p, int levels)
{
    return workspace_of_levels(p, levels, plain_elements);
}

/* Li et al. (2011), Figure 3: fifteen sums of three transfers each, 45 in all. */
static inline void plain(const struct context *ctx, struct product p, int levels,
                         real *workspace)
{
    if (levels == 0) {
        multiply_leaf(ctx, p);
        return;
    }
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    long m = C.q11.rows, n = C.q11.cols, k = A.q11.cols;
    real *t1 = take_block(&workspace, m, larger(n, k)).at;
    struct block T1A = {t1, m, k, k}, T1C = {t1, m, n, n}, T2 = take_block(&workspace, k, n);
    int rest = levels - 1;

    plain_sub(ctx, A.q11, A.q21, T1A), plain_sub(ctx, B.q22, B.q12, T2);
    plain(ctx, product_on(T1A, T2, C.q21), rest, workspace); /* M4 */
    plain_add(ctx, A.q21, A.q22, T1A), plain_sub(ctx, B.q12, B.q11, T2);
    plain(ctx, product_on(T1A, T2, C.q22), rest, workspace); /* M5 */
    plain_sub(ctx, T1A, A.q11, T1A), plain_sub(ctx, B.q22, T2, T2);
    plain(ctx, product_on(T1A, T2, C.q11), rest, workspace); /* M1 */
    plain_sub(ctx, A.q12, T1A, T1A);
    plain(ctx, product_on(T1A, B.q22, C.q12), rest, workspace); /* M6 */
    plain_add(ctx, C.q12, C.q22, C.q12);
    plain(ctx, product_on(A.q11, B.q11, T1C), rest, workspace); /* M2 */
    plain_add(ctx, C.q11, T1C, C.q11);                          /* U2 */
    plain_add(ctx, C.q12, C.q11, C.q12);
    plain_add(ctx, C.q11, C.q21, C.q11); /* U3 */
    plain_sub(ctx, T2, B.q21, T2);
    plain(ctx, product_on(A.q22, T2, C.q21), rest, workspace); /* M7 */
    plain_sub(ctx, C.q11, C.q21, C.q21);
    plain_add(ctx, C.q22, C.q11, C.q22);
    plain(ctx, product_on(A.q12, B.q21, C.q11), rest, workspace); /* M3 */
    plain_add(ctx, C.q11, T1C, C.q11);
}

/* ---- 2. One pass over each operand
 * ---------------------------------------------------------------- */

/* Four sums of A's quadrants, four of B's, three products. */
static inline size_t level_elements(long m, long n, long k)
{
    return (size_t)(4 * m * k) + (size_t)(4 * k * n) + (size_t)(3 * m * n);
}

/* The elements for all levels: those of the first level once, those of the others `times`
   times. For n x n matrices the first level takes 11/4 n^2. With `times` 1 all levels take at
   most 11/3 n^2. */
template <size_t (*elements)(long m, long n, long k) = level_elements>
static inline size_t levels_elements(struct product p, int levels, int times)
{
    size_t first = workspace_of_levels(p, levels > 0, elements);
    return first + times * (workspace_of_levels(p, levels, elements) - first);
}

static inline struct four_blocks take_four(real **workspace, long rows, long cols)
{
    struct four_blocks x;
    x.s1 = take_block(workspace, rows, cols);
    x.s2 = take_block(workspace, rows, cols);
    x.s3 = take_block(workspace, rows, cols);
    x.s4 = take_block(workspace, rows, cols);
    return x;
}

/// [one pass]
/* A level: the seven products to compute, where they go, and the sums that five of them need.
   The first two need none. */
enum { PRODUCTS = 7, WITHOUT_SUMS = 2 };
struct winograd_level {
    struct product products[PRODUCTS];
    struct products p; /* the blocks of M1 to M7 */
    struct quadrants a, b, c;
    struct four_blocks s, t;
};

static inline struct winograd_level plan_level(struct product whole, real **workspace)
{
    struct quadrants A = quadrants_of(whole.a), B = quadrants_of(whole.b),
                     C = quadrants_of(whole.c);
    long m = C.q11.rows, n = C.q11.cols, k = A.q11.cols;
    struct four_blocks S = take_four(workspace, m, k), T = take_four(workspace, k, n);
    struct products M = {C.q11, C.q12, C.q21, C.q22};
    M.m5 = take_block(workspace, m, n);
    M.m1 = take_block(workspace, m, n);
    M.m4 = take_block(workspace, m, n);
    return (struct winograd_level){{{A.q11, B.q11, M.m2},
                                    {A.q12, B.q21, M.m3},
                                    {S.s4, B.q22, M.m6},
                                    {A.q22, T.s4, M.m7},
                                    {S.s1, T.s1, M.m5},
                                    {S.s2, T.s2, M.m1},
                                    {S.s3, T.s3, M.m4}},
                                   M,
                                   A,
                                   B,
                                   C,
                                   S,
                                   T};
}

static inline void sum_level(const struct context *ctx, const struct winograd_level *level)
{
    sums_of_a(ctx, level->a, level->s);
    sums_of_b(ctx, level->b, level->t);
}

static inline struct winograd_level begin_level(const struct context *ctx, struct product whole,
                                                real **workspace)
{
    struct winograd_level level = plan_level(whole, workspace);
    sum_level(ctx, &level);
    return level;
}

static inline size_t workspace_one_pass(const struct context *, struct product p, int levels)
{
    return levels_elements(p, levels, 1);
}

/* The sums of A and of B, the seven products, the sums of C: 8 + 8 + 11 = 27 transfers. */
static inline void one_pass(const struct context *ctx, struct product p, int levels,
                            real *workspace)
{
    if (levels == 0) {
        multiply_leaf(ctx, p);
        return;
    }
    struct winograd_level level = begin_level(ctx, p, &workspace);
    for (int i = 0; i < PRODUCTS; i++)
        one_pass(ctx, level.products[i], levels - 1, workspace);
    combine(ctx, level.p, level.c);
}
/// [one pass]

/* ---- 3. Two products at a time
 * -------------------------------------------------------------------- */

static inline size_t workspace_overlapped(const struct context *, struct product p, int levels)
{
    return levels_elements(p, levels, LANES) + (levels < 2 ? 0 : LANE_WORKSPACES);
}

/// [overlapped]
/* The seven products of the first level in turn on two streams, each with its own workspace:
   while one waits for memory, in its sums, the other has multiplications, and the last
   blocks of one product do not leave the GPU half empty. */
static inline void overlapped(const struct context *ctx, struct product p, int levels,
                              real *workspace)
{
    if (levels < 2) {
        one_pass(ctx, p, levels, workspace);
        return;
    }
    struct context lane[LANES];
    for (int i = 0; i < LANES; i++)
        lane[i] = context_in_lane(ctx, i, workspace);
    workspace += LANE_WORKSPACES;
    struct winograd_level level = begin_level(ctx, p, &workspace);
    size_t below = workspace_one_pass(ctx, level.products[0], levels - 1);

    fork_lanes(ctx);
    for (int i = 0; i < PRODUCTS; i++)
        one_pass(&lane[i % LANES], level.products[i], levels - 1,
                 workspace + i % LANES * below);
    join_lanes(ctx);
    combine(ctx, level.p, level.c);
}
/// [overlapped]

#endif
