/**
 * @file modern.cuh
 * Winograd's variant for a modern GPU, one change after another. Each multiplies
 * C (m x n) = A (m x k) * B (k x n), row-major, m, n and k multiples of 4 * 2^levels.
 */
#ifndef LADDER_MODERN_CUH
#define LADDER_MODERN_CUH

#include "common/model/flops.h"
#include "common/sizes.h"
#include "leaf.cuh"
#ifdef LADDER_F32
#include "fused.cuh"
#endif

static void multiply_leaf(const struct problem *p, struct block a, struct block b, struct block c)
{
    struct context x = context_of(p);
    enter_cublas();
    multiply_leaf(&x, product_on(a, b, c));
    leave_cublas();
}

/* ---- 1. The plain hybrid
 * -------------------------------------------------------------------------- */

/* Two temporaries a level: T1 under the shapes of A's and C's quadrants, T2 under B's. */
static size_t workspace_plain(const struct problem *p)
{
    size_t elements = 0;
    long m = p->m, n = p->n, k = p->k;
    for (int level = 0; level < p->levels; level++) {
        m /= 2, n /= 2, k /= 2;
        elements += (size_t)(m * larger(n, k)) + (size_t)(k * n);
    }
    return elements;
}

/// [plain hybrid]
/* 000 Figure 3: fifteen sums of three transfers each, 45 in all. */
static void plain(const struct problem *p, struct block a, struct block b, struct block c,
                  int levels, real *workspace)
{
    if (levels == 0) {
        multiply_leaf(p, a, b, c);
        return;
    }
    struct quadrants A = quadrants_of(a), B = quadrants_of(b), C = quadrants_of(c);
    long m = C.q11.rows, n = C.q11.cols, k = A.q11.cols;
    real *t1 = take_block(&workspace, m, larger(n, k)).at;
    struct block T1A = {t1, m, k, k}, T1C = {t1, m, n, n}, T2 = take_block(&workspace, k, n);
    int rest = levels - 1;

    plain_sub(A.q11, A.q21, T1A), plain_sub(B.q22, B.q12, T2);
    plain(p, T1A, T2, C.q21, rest, workspace); /* P7 */
    plain_add(A.q21, A.q22, T1A), plain_sub(B.q12, B.q11, T2);
    plain(p, T1A, T2, C.q22, rest, workspace); /* P5 */
    plain_sub(T1A, A.q11, T1A), plain_sub(B.q22, T2, T2);
    plain(p, T1A, T2, C.q11, rest, workspace); /* P6 */
    plain_sub(A.q12, T1A, T1A);
    plain(p, T1A, B.q22, C.q12, rest, workspace); /* P3 */
    plain_add(C.q12, C.q22, C.q12);
    plain(p, A.q11, B.q11, T1C, rest, workspace); /* P1 */
    plain_add(C.q11, T1C, C.q11);                 /* U2 */
    plain_add(C.q12, C.q11, C.q12);
    plain_add(C.q11, C.q21, C.q11); /* U3 */
    plain_sub(T2, B.q21, T2);
    plain(p, A.q22, T2, C.q21, rest, workspace); /* P4 */
    plain_sub(C.q11, C.q21, C.q21);
    plain_add(C.q22, C.q11, C.q22);
    plain(p, A.q12, B.q21, C.q11, rest, workspace); /* P2 */
    plain_add(C.q11, T1C, C.q11);
}
/// [plain hybrid]

static void multiply_plain(const struct problem *p, void *workspace)
{
    plain(p, block_a(p), block_b(p), block_c(p), p->levels, (real *)workspace);
}

/* ---- 2. One pass over each operand
 * ---------------------------------------------------------------- */

/* Four sums of A's quadrants, four of B's, three products. */
static size_t level_elements(long m, long n, long k)
{
    return (size_t)(4 * m * k) + (size_t)(4 * k * n) + (size_t)(3 * m * n);
}

/* The same for p's first `levels` levels, the first of them once, the others `times`. */
static size_t levels_elements(const struct problem *p, int levels, int times)
{
    size_t elements = 0;
    for (int level = 1; level <= levels; level++)
        elements +=
            level_elements(p->m >> level, p->n >> level, p->k >> level) * (level > 1 ? times : 1);
    return elements;
}

/* 11/4 n^2 for the first level, at most 11/3 n^2 for all. */
static size_t workspace_one_pass(const struct problem *p)
{
    return levels_elements(p, p->levels, 1);
}

static struct four_blocks take_four(real **workspace, long rows, long cols)
{
    struct four_blocks x;
    x.s1 = take_block(workspace, rows, cols);
    x.s2 = take_block(workspace, rows, cols);
    x.s3 = take_block(workspace, rows, cols);
    x.s4 = take_block(workspace, rows, cols);
    return x;
}

/// [one pass]
enum { PRODUCTS = 7 };

/* A level: the seven products to compute, where they go, and the sums that five of them need. The
   first two need none. */
enum { WITHOUT_SUMS = 2 };
struct level {
    struct product products[PRODUCTS];
    struct products p;
    struct quadrants a, b, c;
    struct four_blocks s, t;
};

static struct level plan_level(struct product whole, real **workspace)
{
    struct quadrants A = quadrants_of(whole.a), B = quadrants_of(whole.b),
                     C = quadrants_of(whole.c);
    long m = C.q11.rows, n = C.q11.cols, k = A.q11.cols;
    struct four_blocks S = take_four(workspace, m, k), T = take_four(workspace, k, n);
    struct products P = {C.q11, C.q12, C.q21, C.q22};
    P.p5 = take_block(workspace, m, n);
    P.p6 = take_block(workspace, m, n);
    P.p7 = take_block(workspace, m, n);
    return (struct level){{{A.q11, B.q11, P.p1},
                           {A.q12, B.q21, P.p2},
                           {S.s4, B.q22, P.p3},
                           {A.q22, T.s4, P.p4},
                           {S.s1, T.s1, P.p5},
                           {S.s2, T.s2, P.p6},
                           {S.s3, T.s3, P.p7}},
                          P,
                          A,
                          B,
                          C,
                          S,
                          T};
}

static void sum_level(const struct level *level)
{
    sums_of_a(level->a, level->s);
    sums_of_b(level->b, level->t);
}

static struct level begin_level(struct product whole, real **workspace)
{
    struct level level = plan_level(whole, workspace);
    sum_level(&level);
    return level;
}

/* The sums of A and of B, the seven products, the sums of C: 8 + 8 + 11 = 27 transfers. */
static void one_pass(const struct problem *p, struct product whole, int levels, real *workspace)
{
    if (levels == 0) {
        multiply_leaf(p, whole.a, whole.b, whole.c);
        return;
    }
    struct level level = begin_level(whole, &workspace);
    for (int i = 0; i < PRODUCTS; i++)
        one_pass(p, level.products[i], levels - 1, workspace);
    combine(level.p, level.c);
}

static void multiply_one_pass(const struct problem *p, void *workspace)
{
    one_pass(p, product_of(p), p->levels, (real *)workspace);
}
/// [one pass]

/* ---- 3. Two products at a time
 * -------------------------------------------------------------------- */

static size_t workspace_overlapped(const struct problem *p)
{
    struct problem half = *p;
    half.m /= 2, half.n /= 2, half.k /= 2, half.levels--;
    size_t all = workspace_one_pass(p);
    return p->levels < 2 ? all : all + (LANES - 1) * workspace_one_pass(&half) + LANES * LANE_ROOM;
}

/// [overlapped]
/* The seven products of the first level in turn on two streams, each with a workspace of its own:
   while one waits for memory, in its sums, the other has multiplications, and the last blocks of
   one product do not leave the GPU half empty. */
static void multiply_overlapped(const struct problem *p, void *room)
{
    real *workspace = (real *)room;
    if (p->levels < 2) {
        multiply_one_pass(p, (real *)workspace);
        return;
    }
    workspace = take_lane_rooms(workspace);
    struct level level = begin_level(product_of(p), &workspace);
    struct problem half = *p;
    half.m /= 2, half.n /= 2, half.k /= 2, half.levels--;
    size_t below = workspace_one_pass(&half);

    fork_lanes();
    for (int i = 0; i < PRODUCTS; i++) {
        stream = lanes[i % LANES].stream;
        one_pass(p, level.products[i], half.levels, workspace + (i % LANES) * below);
    }
    join_lanes();
    combine(level.p, level.c);
}
/// [overlapped]

/* ---- 4. to 6. The last levels in panels, for the own leaf
 * ----------------------------------------- */

/* How many of p's levels the panels take at most: the last ones. */
enum { OWN = 0, BATCHED = 1, TWO_LEVELS = 2 };

static int last_levels(const struct problem *p, int most)
{
    return p->levels < most ? p->levels : most;
}

/* Room for one problem of the last levels: factors in panels, products. */
static struct panels left_panels(const struct problem *p, int last)
{
    long m = p->m >> p->levels, k = p->k >> p->levels;
#ifdef LADDER_F32
    return panels_for(m, k, products_of(last));
#else
    return panels_for(k, m, products_of(last)); /* in rows, as the right ones */
#endif
}
static struct panels right_panels(const struct problem *p, int last)
{
    return panels_for(p->n >> p->levels, p->k >> p->levels, products_of(last));
}
static size_t product_elements(const struct problem *p, int last)
{
    size_t one = (size_t)((p->m >> p->levels) * (p->n >> p->levels));
    return last ? products_of(last) * one : 0;
}
static size_t last_elements(const struct problem *p, int last)
{
    return panel_elements(left_panels(p, last)) + panel_elements(right_panels(p, last)) +
           product_elements(p, last);
}

static size_t workspace_in_panels(const struct problem *p, int most)
{
    int last = last_levels(p, most);
    return last_elements(p, last) + levels_elements(p, p->levels - last, 1);
}

/// [in panels]
/* A problem of the last levels: its factors in panels, where its products go. */
struct last {
    struct panels left, right;
    real *products;
    struct block c;
};

static void begin_last(const struct problem *p, struct product whole, int levels, real *workspace,
                       struct last *x)
{
    x->left = left_panels(p, levels), x->right = right_panels(p, levels), x->c = whole.c;
    x->left.at = workspace;
    x->right.at = x->left.at + panel_elements(x->left);
    x->products = x->right.at + panel_elements(x->right);
    pack(whole.a, x->left, whole.b, x->right, levels);
}

/* All its products in one launch; without levels the only one is C itself. */
static void multiply_last(const struct last *x, int levels)
{
    struct block c = x->c;
    c.rows >>= levels, c.cols >>= levels;
    if (levels)
        c.at = x->products, c.ld = c.cols;
    multiply_panels(x->left, x->right, c, c.rows * c.cols, products_of(levels));
}

static void end_last(const struct last *x, int levels)
{
    if (levels)
        combine_all(x->products, x->c, levels);
}

/* Winograd with the last `most` levels in panels, one after another. */
static void in_panels(const struct problem *p, struct product whole, int levels, int most,
                      real *workspace)
{
    if (levels <= most) {
        struct last x;
        begin_last(p, whole, levels, workspace, &x);
        multiply_last(&x, levels);
        end_last(&x, levels);
        return;
    }
    struct level level = begin_level(whole, &workspace);
    for (int i = 0; i < PRODUCTS; i++)
        in_panels(p, level.products[i], levels - 1, most, workspace);
    combine(level.p, level.c);
}
/// [in panels]

#ifdef LADDER_F32
static void multiply_own(const struct problem *p, void *workspace)
{
    in_panels(p, product_of(p), 0, OWN, (real *)workspace);
}
static size_t workspace_own(const struct problem *p)
{
    return workspace_in_panels(p, OWN);
}
static int no_levels(const struct problem *p)
{
    (void)p;
    return 0;
}
#endif

static void multiply_batched(const struct problem *p, void *workspace)
{
    in_panels(p, product_of(p), p->levels, BATCHED, (real *)workspace);
}
static size_t workspace_batched(const struct problem *p)
{
    return workspace_in_panels(p, BATCHED);
}

static void multiply_two_levels(const struct problem *p, void *workspace)
{
    in_panels(p, product_of(p), p->levels, TWO_LEVELS, (real *)workspace);
}
static size_t workspace_two_levels(const struct problem *p)
{
    return workspace_in_panels(p, TWO_LEVELS);
}

/* ---- 7. The sums beside the multiplications
 * ------------------------------------------------------- */

/// [beside]
/* The levels above the last ones, unrolled: problem i of the last levels, counted in the order of
   the recursion, is number i / last_below among the nodes at a depth. All sums go into the urgent
   stream, in few blocks, so that they take few multiprocessors from the multiplications. Problem
   i + 1 is summed while i is multiplied, and multiplied on the other lane, where its first blocks
   fill what the last ones of i leave; so everything below the first level is there twice. The sums
   of a level are queued behind those of the first problem of its second product: the first two
   products need none. */
enum { MOST_UPPER = 32 };
struct upper {
    struct level node[2]; /* of each two neighbours at this depth one */
    real *workspace[2];
    long last_below; /* problems of the last levels in one of them */
};

static struct product operands(const struct upper *upper, int depth, long i, struct product whole)
{
    if (depth == 0)
        return whole;
    const struct upper *parent = upper + depth - 1;
    long below = parent->last_below / PRODUCTS;
    return parent->node[i / parent->last_below % 2].products[i / below % PRODUCTS];
}

/* Two levels at a time, if then one is left above them. */
static int last_levels_beside(const struct problem *p)
{
    return last_levels(p, p->levels > 2 ? TWO_LEVELS : BATCHED);
}

static void multiply_beside(const struct problem *p, void *given)
{
    real *workspace = (real *)given;
    int last = last_levels_beside(p), uppers = p->levels - last;
    struct upper upper[MOST_UPPER];
    struct last problem[2];
    real *room[2];
    long count = 1; /* problems of the last levels */
    for (int depth = uppers - 1; depth >= 0; depth--)
        upper[depth].last_below = count *= PRODUCTS;
    workspace = take_lane_rooms((real *)workspace);
    for (int depth = 0; depth < uppers; depth++)
        for (int i = 0; i < (depth ? 2 : 1); i++) {
            upper[depth].workspace[i] = workspace;
            workspace +=
                level_elements(p->m >> (depth + 1), p->n >> (depth + 1), p->k >> (depth + 1));
        }
    room[0] = workspace, room[1] = workspace + last_elements(p, last);

    fork_lanes();
    const struct lane *sums = &lanes[URGENT];
    for (long i = 0; i <= count; i++) {
        most_sum_blocks =
            i == 0 || i == count ? 0 : p->parameter; /* nothing beside them: no limit */
        if (i < count) {
            struct last *now = &problem[i % 2];
            for (int depth = 0; depth < uppers; depth++)
                if (i % upper[depth].last_below == 0) {
                    int side = i / upper[depth].last_below % 2;
                    real *space = upper[depth].workspace[side];
                    upper[depth].node[side] =
                        plan_level(operands(upper, depth, i, product_of(p)), &space);
                }
            stream = sums->stream;
            begin_last(p, operands(upper, uppers, i, product_of(p)), last, room[i % 2], now);
            CUDA_CHECK(cudaEventRecord(sums->done, sums->stream));
            for (int depth = 0; depth < uppers; depth++) {
                long below = upper[depth].last_below / PRODUCTS;
                if (i % upper[depth].last_below == (WITHOUT_SUMS - 1) * below)
                    sum_level(&upper[depth].node[i / upper[depth].last_below % 2]);
            }
        }
        if (i > 0)
            CUDA_CHECK(cudaStreamWaitEvent(sums->stream, lanes[(i - 1) % 2].done, 0));
        if (i < count) {
            stream = lanes[i % 2].stream;
            CUDA_CHECK(cudaStreamWaitEvent(stream, sums->done, 0));
            multiply_last(&problem[i % 2], last);
            CUDA_CHECK(cudaEventRecord(lanes[i % 2].done, stream));
        }
        if (i > 0) {
            stream = sums->stream;
            end_last(&problem[(i - 1) % 2], last);
            for (int depth = uppers - 1; depth >= 0; depth--)
                if (i % upper[depth].last_below == 0) {
                    struct level *node = &upper[depth].node[(i - 1) / upper[depth].last_below % 2];
                    combine(node->p, node->c);
                }
        }
    }
    most_sum_blocks = 0;
    join_lanes();
}
/// [beside]

static size_t workspace_beside(const struct problem *p)
{
    int last = last_levels_beside(p), upper = p->levels - last;
    return last_elements(p, last) * (upper ? 2 : 1) + levels_elements(p, upper, 2) +
           LANES * LANE_ROOM;
}

/* ---- 8. The innermost level in one kernel
 * --------------------------------------------------------- */

#ifdef LADDER_F32
/// [fused levels]
/* To the levels above, the innermost one is a leaf. */
static void multiply_innermost(const struct problem *p, void *workspace)
{
    (void)workspace;
    multiply_fused_level(block_a(p), block_b(p), block_c(p));
}

static void multiply_fused(const struct problem *p, void *workspace)
{
    static const struct variant innermost = {.name = "innermost", .multiply = multiply_innermost};
    struct problem above = *p;
    if (p->levels > 0) {
        above.levels--;
        if (fused_fits(p->m >> p->levels, p->lda) && fused_fits(p->k >> p->levels, p->ldb))
            above.leaf = &innermost; /* otherwise there is one level less */
    }
    multiply_plain(&above, workspace);
}

/* The two temporaries of each level above it. */
static size_t workspace_fused(const struct problem *p)
{
    struct problem above = *p;
    above.levels--;
    return workspace_plain(&above);
}
/// [fused levels]
#endif

#endif
