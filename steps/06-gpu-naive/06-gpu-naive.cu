/* SPDX-License-Identifier: MIT */
/** @file 06-gpu-naive.cu
 * The first kernels: one thread for each element of C. Their speed depends on whether
 * neighbouring threads read neighbouring elements.
 */
#include "common/matrix/block.h"
#include "common/device/gpu.h"
#include "common/model.h"

enum {
    BLOCK = 16
}; /* threads of a block in each direction; a half-warp is 16 threads along x */
static_assert(BLOCK % 16 == 0, "a row of a block must be whole half-warps");
static_assert(BLOCK * BLOCK <= 512, "a block has at most 512 threads on the GPUs of 2008");

/// [coalesced]
/* Neighbouring threads compute neighbours in a row of C: a half-warp reads one a for all and 16
   neighbouring b (the optimisation study, Algorithm 2). */
static __global__ void coalesced(const real *a, int lda, const real *b, int ldb, real *c,
                                 int ldc, int m, int n, int k)
{
    int i = blockIdx.y * BLOCK + threadIdx.y;
    int j = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= m || j >= n)
        return;
    real sum = 0;
    for (int l = 0; l < k; l++)
        sum += a[(size_t)i * lda + l] * b[(size_t)l * ldb + j];
    c[(size_t)i * ldc + j] = sum;
}

static void multiply_coalesced(struct block A, struct block B, struct block C)
{
    long m = C.rows, n = C.cols, k = A.cols;
    dim3 block(BLOCK, BLOCK), grid(blocks_for(n, BLOCK), blocks_for(m, BLOCK));
    coalesced<<<grid, block>>>(A.at, A.ld, B.at, B.ld, C.at, C.ld, m, n, k);
    CHECK_LAUNCH();
}
/// [coalesced]

/// [uncoalesced]
/* The same work with x and y exchanged: neighbouring threads compute neighbours in a column,
   and each reads its own row of A. */
static __global__ void uncoalesced(const real *a, int lda, const real *b, int ldb, real *c,
                                   int ldc, int m, int n, int k)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int j = blockIdx.y * BLOCK + threadIdx.y;
    if (i >= m || j >= n)
        return;
    real sum = 0;
    for (int l = 0; l < k; l++)
        sum += a[(size_t)i * lda + l] * b[(size_t)l * ldb + j];
    c[(size_t)i * ldc + j] = sum;
}

static void multiply_uncoalesced(struct block A, struct block B, struct block C)
{
    long m = C.rows, n = C.cols, k = A.cols;
    dim3 block(BLOCK, BLOCK), grid(blocks_for(m, BLOCK), blocks_for(n, BLOCK));
    uncoalesced<<<grid, block>>>(A.at, A.ld, B.at, B.ld, C.at, C.ld, m, n, k);
    CHECK_LAUNCH();
}
/// [uncoalesced]

/// [memory]
/* As coalesced, but the sum lives in device memory (the optimisation study, Algorithm 1).
   `volatile` keeps the compiler from doing what Algorithm 2 does by hand. */
static __global__ void in_memory(const real *a, int lda, const real *b, int ldb,
                                 volatile real *c, int ldc, int m, int n, int k)
{
    int i = blockIdx.y * BLOCK + threadIdx.y;
    int j = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= m || j >= n)
        return;
    c[(size_t)i * ldc + j] = 0;
    for (int l = 0; l < k; l++)
        c[(size_t)i * ldc + j] =
            c[(size_t)i * ldc + j] + a[(size_t)i * lda + l] * b[(size_t)l * ldb + j];
}

static void multiply_in_memory(struct block A, struct block B, struct block C)
{
    long m = C.rows, n = C.cols, k = A.cols;
    dim3 block(BLOCK, BLOCK), grid(blocks_for(n, BLOCK), blocks_for(m, BLOCK));
    in_memory<<<grid, block>>>(A.at, A.ld, B.at, B.ld, C.at, C.ld, m, n, k);
    CHECK_LAUNCH();
}
/// [memory]

/* As model_naive(), and at each step a half-warp reads and writes 16 c; before the first it
   writes 16: mn/16 (4k + 1) transactions, mn/16 (224k + 64) bytes. */
static struct cost cost_in_memory(const struct context *, struct product p, int)
{
    return model_classical(p, 16, 16, 8, 4 / 16.0, 1 / 16.0, (32 + 3 * 64) / 16.0, 64 / 16.0);
}

/* A half-warp computes 16 neighbours of a column: 16 rows of a (32 bytes each) and one b; every
   c is a separate transaction. Rows must be 128 bytes apart or more. In all 17n^3/16 + n^2
   transactions, 34n^3 + 32n^2 bytes. */
static struct cost cost_uncoalesced(const struct context *, struct product p, int)
{
    struct cost cost = model_classical(p, 16, 16, 8, 17 / 16.0, 1, 17 * 32 / 16.0, 32);
    if (p.a.cols < 32 || p.c.cols < 32)
        cost.transactions = cost.volume = -1;
    return cost;
}

static const struct variant variants[] = {
    {.name = "memory",
     .sentence = "neighbours along a row, the sum in device memory",
     .simple = multiply_in_memory,
     .cost = cost_in_memory},
    {.name = "coalesced",
     .sentence = "neighbours along a row, the sum in a register",
     .simple = multiply_coalesced,
     .cost = model_naive},
    {.name = "uncoalesced",
     .sentence = "neighbours down a column, the sum in a register",
     .simple = multiply_uncoalesced,
     .cost = cost_uncoalesced},
    {0},
};

const struct step STEP = {
    .name = "06-gpu-naive",
    .idea = "a thread for each element; coalesced and uncoalesced",
    .variants = variants,
    .default_n = 128,
};
