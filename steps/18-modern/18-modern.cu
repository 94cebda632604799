/**
 * @file 18-modern.cu
 * Winograd's variant for a modern GPU, one change after another.
 */
#include "common/cublas.h"
#include "sums.cuh"
#ifdef LADDER_F32
#include "leaf.cuh"
#endif

static void multiply_leaf(const struct problem *p, struct block a, struct block b, struct block c)
{
    struct problem product = problem_on(p, a, b, c);
    p->leaf->multiply(&product, NULL);
}

/* ---- 1. The plain hybrid
 * -------------------------------------------------------------------------- */

static long larger(long x, long y)
{
    return x > y ? x : y;
}

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

static void multiply_plain(const struct problem *p, real *workspace)
{
    plain(p, block_a(p), block_b(p), block_c(p), p->levels, workspace);
}

/* ---- 2. One pass over each operand, 3. the last level in one launch
 * ------------------------------- */

/* Four sums of A's quadrants, four of B's, three products: 11/4 n^2 a level, at most 11/3 n^2. */
static size_t workspace_one_pass(const struct problem *p)
{
    size_t elements = 0;
    long m = p->m, n = p->n, k = p->k;
    for (int level = 0; level < p->levels; level++) {
        m /= 2, n /= 2, k /= 2;
        elements += (size_t)(4 * m * k) + (size_t)(4 * k * n) + (size_t)(3 * m * n);
    }
    return elements;
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

/* The seven products of a level: factors and places. */
enum { PRODUCTS = 7 };
struct product {
    struct block a, b, c;
};

#ifdef LADDER_F32
static void multiply_own(const struct problem *p, real *workspace)
{
    struct leaf_batch one;
    one.a[0] = block_a(p), one.b[0] = block_b(p), one.c[0] = block_c(p);
    multiply_batch(&one, 1);
}

static void multiply_seven(const struct product *products)
{
    struct leaf_batch batch;
    for (int i = 0; i < PRODUCTS; i++)
        batch.a[i] = products[i].a, batch.b[i] = products[i].b, batch.c[i] = products[i].c;
    multiply_batch(&batch, PRODUCTS);
}
#endif

/// [one pass]
/* The sums of A and of B, the seven products, the sums of C: 8 + 8 + 11 = 27 transfers. With
   `batched` the products of the last level are one launch of the own leaf. */
static void one_pass(const struct problem *p, struct block a, struct block b, struct block c,
                     int levels, int batched, real *workspace)
{
    if (levels == 0) {
        multiply_leaf(p, a, b, c);
        return;
    }
    struct quadrants A = quadrants_of(a), B = quadrants_of(b), C = quadrants_of(c);
    long m = C.q11.rows, n = C.q11.cols, k = A.q11.cols;
    struct four_blocks S = take_four(&workspace, m, k), T = take_four(&workspace, k, n);
    struct products P = {C.q11,
                         C.q12,
                         C.q21,
                         C.q22,
                         take_block(&workspace, m, n),
                         take_block(&workspace, m, n),
                         take_block(&workspace, m, n)};
    const struct product products[PRODUCTS] = {
        {A.q11, B.q11, P.p1}, {A.q12, B.q21, P.p2}, {S.s4, B.q22, P.p3}, {A.q22, T.s4, P.p4},
        {S.s1, T.s1, P.p5},   {S.s2, T.s2, P.p6},   {S.s3, T.s3, P.p7}};

    sums_of_a(A, S);
    sums_of_b(B, T);
#ifdef LADDER_F32
    if (batched && levels == 1)
        multiply_seven(products);
    else
#endif
        for (int i = 0; i < PRODUCTS; i++)
            one_pass(p, products[i].a, products[i].b, products[i].c, levels - 1, batched,
                     workspace);
    combine(P, C);
}
/// [one pass]

static void multiply_one_pass(const struct problem *p, real *workspace)
{
    one_pass(p, block_a(p), block_b(p), block_c(p), p->levels, 0, workspace);
}

#ifdef LADDER_F32
static void multiply_batched(const struct problem *p, real *workspace)
{
    if (p->levels == 0)
        multiply_own(p, workspace);
    else
        one_pass(p, block_a(p), block_b(p), block_c(p), p->levels, 1, workspace);
}
#endif

/* Four sums of A's quadrants, four of B's, seven of C's a level. */
static struct cost cost_of_winograd(const struct problem *p)
{
    double m = (double)p->m, n = (double)p->n, k = (double)p->k, products = 1, flops = 0;
    for (int level = 0; level < p->levels; level++) {
        m /= 2, n /= 2, k /= 2;
        flops += products * (4 * m * k + 4 * k * n + 7 * m * n);
        products *= 7;
    }
    return (struct cost){flops + products * (2 * m * n * k - m * n), -1, -1};
}

#define ROW(variant_name, text, function, places)                                                  \
    {                                                                                              \
        .name = variant_name, .sentence = text, .multiply = function, .workspace = places,         \
        .cost = cost_of_winograd, .bound = BOUND_WINOGRAD, .multiple_m = 4, .multiple_n = 4,       \
        .multiple_k = 4                                                                            \
    }

static const struct variant variants[] = {
    ROW("plain", "fifteen sums, each a kernel of its own", multiply_plain, workspace_plain),
    ROW("one-pass", "all sums of an operand in one pass over it", multiply_one_pass,
        workspace_one_pass),
#ifdef LADDER_F32
    ROW("batched", "the last level's seven products in one launch of the own leaf",
        multiply_batched, workspace_one_pass),
#endif
    {0},
};

static const struct variant leaves[] = {
    {.name = "cublas", .sentence = "cublasSgemm or cublasDgemm", .multiply = multiply_cublas},
#ifdef LADDER_F32
    {.name = "own",
     .sentence = "256 x 128 x 16 tiles, 8 x 16 a thread, asynchronous copies",
     .multiply = multiply_own},
#endif
    {0},
};

const struct step STEP = {
    .name = "18-modern",
    .idea = "what a modern GPU asks for: fewer passes, full waves, an own leaf",
    .variants = variants,
    .leaves = leaves,
    .default_n = 256,
    .default_tau1 = 2048,
};
