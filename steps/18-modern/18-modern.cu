/**
 * @file 18-modern.cu
 * Winograd's variant for a modern GPU, one change after another.
 */
#include "common/cublas.h"
#include "common/model.h"
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
/* A level when its sums of A and B are made: the seven products to compute, where they go. */
struct level {
    struct product products[PRODUCTS];
    struct products p;
    struct quadrants c;
};

static struct level begin_level(struct block a, struct block b, struct block c, real **workspace)
{
    struct quadrants A = quadrants_of(a), B = quadrants_of(b), C = quadrants_of(c);
    long m = C.q11.rows, n = C.q11.cols, k = A.q11.cols;
    struct four_blocks S = take_four(workspace, m, k), T = take_four(workspace, k, n);
    struct products P = {C.q11, C.q12, C.q21, C.q22};
    P.p5 = take_block(workspace, m, n);
    P.p6 = take_block(workspace, m, n);
    P.p7 = take_block(workspace, m, n);
    sums_of_a(A, S);
    sums_of_b(B, T);
    return (struct level){{{A.q11, B.q11, P.p1},
                           {A.q12, B.q21, P.p2},
                           {S.s4, B.q22, P.p3},
                           {A.q22, T.s4, P.p4},
                           {S.s1, T.s1, P.p5},
                           {S.s2, T.s2, P.p6},
                           {S.s3, T.s3, P.p7}},
                          P,
                          C};
}

/* The sums of A and of B, the seven products, the sums of C: 8 + 8 + 11 = 27 transfers. With
   `batched` the products of the last level are one launch of the own leaf. */
static void one_pass(const struct problem *p, struct block a, struct block b, struct block c,
                     int levels, int batched, real *workspace)
{
    if (levels == 0) {
        multiply_leaf(p, a, b, c);
        return;
    }
    struct level level = begin_level(a, b, c, &workspace);
#ifdef LADDER_F32
    if (batched && levels == 1)
        multiply_seven(level.products);
    else
#endif
        for (int i = 0; i < PRODUCTS; i++)
            one_pass(p, level.products[i].a, level.products[i].b, level.products[i].c, levels - 1,
                     batched, workspace);
    combine(level.p, level.c);
}
/// [one pass]

/* ---- 4. Two products at a time
 * ---------------------------------------------------------------------- */

/// [overlapped]
enum { STREAMS = 2 };

/* The streams, and an event for each that says that its work is done. Made once. */
static struct lane {
    cudaStream_t stream;
    cudaEvent_t done;
} lanes[STREAMS];
static cudaEvent_t sums_done;

static void make_lanes(void)
{
    if (sums_done)
        return;
    CUDA_CHECK(cudaEventCreateWithFlags(&sums_done, cudaEventDisableTiming));
    for (int i = 0; i < STREAMS; i++) {
        CUDA_CHECK(cudaStreamCreateWithFlags(&lanes[i].stream, cudaStreamNonBlocking));
        CUDA_CHECK(cudaEventCreateWithFlags(&lanes[i].done, cudaEventDisableTiming));
    }
}

static void launch_into(cudaStream_t now)
{
    stream = now;
    CUBLAS_CHECK(cublasSetStream(gpu_cublas(), now));
}

/* The seven products of the first level in turn on two streams, each with a workspace of its own:
   while one waits for memory, in its sums, the other has multiplications, and the last blocks of
   one product do not leave the GPU half empty. */
static void overlapped(const struct problem *p, int batched, real *workspace)
{
    struct level level = begin_level(block_a(p), block_b(p), block_c(p), &workspace);
    struct problem half = problem_on(p, level.products[0].a, level.products[0].b, level.c.q11);
    half.levels = p->levels - 1;
    size_t below = workspace_one_pass(&half);

    make_lanes();
    CUDA_CHECK(cudaEventRecord(sums_done, 0));
    for (int i = 0; i < PRODUCTS; i++) {
        const struct lane *lane = &lanes[i % STREAMS];
        if (i < STREAMS)
            CUDA_CHECK(cudaStreamWaitEvent(lane->stream, sums_done, 0));
        launch_into(lane->stream);
        one_pass(p, level.products[i].a, level.products[i].b, level.products[i].c, half.levels,
                 batched, workspace + (i % STREAMS) * below);
    }
    launch_into(0);
    for (int i = 0; i < STREAMS; i++) {
        CUDA_CHECK(cudaEventRecord(lanes[i].done, lanes[i].stream));
        CUDA_CHECK(cudaStreamWaitEvent(0, lanes[i].done, 0));
    }
    combine(level.p, level.c);
}
/// [overlapped]

static size_t workspace_overlapped(const struct problem *p)
{
    struct problem half = *p;
    half.m /= 2, half.n /= 2, half.k /= 2, half.levels--;
    size_t all = workspace_one_pass(p);
    return p->levels < 2 ? all : all + (STREAMS - 1) * workspace_one_pass(&half);
}

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

static void multiply_overlapped(const struct problem *p, real *workspace)
{
    if (p->levels < 2)
        multiply_one_pass(p, workspace);
    else
        overlapped(p, 0, workspace);
}

#ifdef LADDER_F32
static void multiply_overlapped_batched(const struct problem *p, real *workspace)
{
    if (p->levels < 2)
        multiply_batched(p, workspace);
    else
        overlapped(p, 1, workspace);
}
#endif

#define ROW(variant_name, text, function, places)                                                  \
    {                                                                                              \
        .name = variant_name, .sentence = text, .multiply = function, .workspace = places,         \
        .cost = model_winograd_flops, .bound = BOUND_WINOGRAD, .multiple_m = 4, .multiple_n = 4,       \
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
    ROW("overlapped", "one-pass, two of the first level's products at a time", multiply_overlapped,
        workspace_overlapped),
#ifdef LADDER_F32
    ROW("overlapped-batched", "batched, two of the first level's products at a time",
        multiply_overlapped_batched, workspace_overlapped),
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
