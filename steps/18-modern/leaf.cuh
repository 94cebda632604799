/**
 * @file leaf.cuh
 * An own sgemm for the leaves, in CUDA C: one kernel multiplies several matrices of one shape.
 *
 * A block of 256 threads computes 256 x 128 of C, each thread 8 x 16 in registers. Tiles of A and
 * B, 16 deep, come into shared memory by asynchronous copies, three tiles ahead of each other.
 */
#ifndef LADDER_LEAF_CUH
#define LADDER_LEAF_CUH

#include "common/block.h"
#include "common/gpu.h"
#include "sums.cuh"

/** A tile of A lies transposed in shared memory: element (i, l) at l * LEAF_A_ROW + i. Four
 * elements more than 256 in a row put the eight elements that eight threads copy from each of four
 * rows into 32 different banks, and leave rows aligned for real4. */
enum {
    LEAF_M = 256,
    LEAF_N = 128,
    LEAF_K = 16,
    LEAF_STAGES = 3,
    LEAF_THREADS = 256,
    LEAF_A_ROW = LEAF_M + 4,
    LEAF_B_ROW = LEAF_N,
    LEAF_A_TILE = LEAF_K * LEAF_A_ROW,
    LEAF_B_TILE = LEAF_K * LEAF_B_ROW,
    LEAF_SHARED = LEAF_STAGES * (LEAF_A_TILE + LEAF_B_TILE) /* elements */
};

/** Products of one shape that one launch computes: C = A * B for each. */
enum { LEAF_BATCH = 7 };
struct leaf_batch {
    struct block a[LEAF_BATCH], b[LEAF_BATCH], c[LEAF_BATCH];
};

/// [copy]
/* Copies 4 or 16 bytes from global to shared memory, without a register in between, where `inside`;
   otherwise zeros. The simulated GPU has no asynchronous copies: there it is an assignment. */
static __device__ __forceinline__ void leaf_copy_1(real *to, const real *from, bool inside)
{
#ifdef LADDER_SIM
    *to = inside ? *from : 0;
#else
    unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from),
                 "r"(inside ? 4 : 0));
#endif
}

static __device__ __forceinline__ void leaf_copy_4(real *to, const real *from, bool inside)
{
#ifdef LADDER_SIM
    real4 zero = {0, 0, 0, 0};
    *(real4 *)to = inside ? *(const real4 *)from : zero;
#else
    unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                 "r"(inside ? 16 : 0));
#endif
}

/* Ends a group of copies; waits until all groups but the last `but` have come. */
static __device__ __forceinline__ void leaf_commit(void)
{
#ifndef LADDER_SIM
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

static __device__ __forceinline__ void leaf_wait(void)
{
#ifndef LADDER_SIM
    asm volatile("cp.async.wait_group %0;" ::"n"(LEAF_STAGES - 2) : "memory");
#endif
}
/// [copy]

/* What a thread copies: eight rows of A, 32 apart, at columns l and l + 8 of a tile; two rows of B,
   8 apart, four elements of each. Outside the matrices, zeros. */
struct leaf_source {
    const real *a, *b;
    int lda, ldb;
    int a_to, b_to;       /* where its first element goes in a tile */
    int a_rows, b_inside; /* rows of A from its first one on; is its column inside B? */
};

/* Starts the copies of the tile whose first column of A is l; `k` columns there are in all. */
static __device__ __forceinline__ void leaf_load(const struct leaf_source *from, real *stage, int l,
                                                 int k, int a_column, int b_row)
{
    real *as = stage + from->a_to, *bs = stage + LEAF_A_TILE + from->b_to;
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int half = 0; half < 2; half++)
            leaf_copy_1(as + half * 8 * LEAF_A_ROW + i * 32,
                        from->a + (size_t)(i * 32) * from->lda + l + half * 8,
                        i * 32 < from->a_rows && l + half * 8 + a_column < k);
#pragma unroll
    for (int half = 0; half < 2; half++)
        leaf_copy_4(bs + half * 8 * LEAF_B_ROW, from->b + (size_t)(l + half * 8) * from->ldb,
                    from->b_inside && l + half * 8 + b_row < k);
}

/* The eight elements of a column of A and the sixteen of a row of B that a thread multiplies. */
static __device__ __forceinline__ void leaf_fragments(const real *as, const real *bs, real *a,
                                                      real *b)
{
#pragma unroll
    for (int i = 0; i < 2; i++)
        *(real4 *)(a + 4 * i) = *(const real4 *)(as + 32 * i);
#pragma unroll
    for (int j = 0; j < 4; j++)
        *(real4 *)(b + 4 * j) = *(const real4 *)(bs + 16 * j);
}

/// [leaf]
static __global__ void __launch_bounds__(LEAF_THREADS, 1)
    leaf_kernel(struct leaf_batch batch, int k)
{
    extern __shared__ real tiles[];
    struct block a = batch.a[blockIdx.z], b = batch.b[blockIdx.z], c = batch.c[blockIdx.z];
    int row = blockIdx.y * LEAF_M, col = blockIdx.x * LEAF_N; /* of the block's tile of C */
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    int a_row = warp * 4 + lane / 8, a_column = lane % 8, b_column = lane * 4;
    struct leaf_source from;
    from.a = a.at + (size_t)(row + a_row) * a.ld + a_column;
    from.b = b.at + (size_t)warp * b.ld + col + b_column;
    from.lda = a.ld, from.ldb = b.ld;
    from.a_to = a_column * LEAF_A_ROW + a_row, from.b_to = warp * LEAF_B_ROW + b_column;
    from.a_rows = c.rows - row - a_row, from.b_inside = col + b_column < c.cols;

    /* A warp computes 64 x 64, as 8 x 4 threads; a thread's rows are 4 and 4, its columns 4 times
       4, so that neighbouring threads read neighbouring real4 from shared memory. */
    int m = warp / 2 * 64 + lane / 4 * 4, n = warp % 2 * 64 + lane % 4 * 4;
    real sums[8][16] = {{0}}, as[2][8], bs[2][16];

    int tile_count = (k + LEAF_K - 1) / LEAF_K;
    for (int t = 0; t < LEAF_STAGES - 1; t++) {
        if (t < tile_count)
            leaf_load(&from, tiles + t * (LEAF_A_TILE + LEAF_B_TILE), t * LEAF_K, k, a_column,
                      warp);
        leaf_commit();
    }
    leaf_wait();
    __syncthreads();
    int now = 0, free = LEAF_STAGES - 1; /* stages: the one in use, the one to be filled next */
    leaf_fragments(tiles + m, tiles + LEAF_A_TILE + n, as[0], bs[0]);

    for (int t = 0; t < tile_count; t++) {
        const real *tile = tiles + now * (LEAF_A_TILE + LEAF_B_TILE);
#pragma unroll
        for (int l = 0; l < LEAF_K; l++) {
            if (l == 0) { /* everybody is done with the tile before this one: its stage is free */
                int next = t + LEAF_STAGES - 1;
                if (next < tile_count)
                    leaf_load(&from, tiles + free * (LEAF_A_TILE + LEAF_B_TILE), next * LEAF_K, k,
                              a_column, warp);
                leaf_commit();
                free = now;
            }
            if (l == LEAF_K - 1) { /* the next tile must have come */
                leaf_wait();
                __syncthreads();
                now = now + 1 == LEAF_STAGES ? 0 : now + 1;
                tile = tiles + now * (LEAF_A_TILE + LEAF_B_TILE);
            }
            int ahead = (l + 1) % LEAF_K; /* its elements are on their way while l is multiplied */
            if (l < LEAF_K - 1 || t + 1 < tile_count)
                leaf_fragments(tile + ahead * LEAF_A_ROW + m,
                               tile + LEAF_A_TILE + ahead * LEAF_B_ROW + n, as[(l + 1) % 2],
                               bs[(l + 1) % 2]);
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 16; j++)
                    sums[i][j] += as[l % 2][i] * bs[l % 2][j];
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        int to_row = row + m + i % 4 + i / 4 * 32;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int to_col = col + n + 16 * j;
            real4 four_sums = {sums[i][4 * j], sums[i][4 * j + 1], sums[i][4 * j + 2],
                               sums[i][4 * j + 3]};
            if (to_row < c.rows && to_col < c.cols)
                *(real4 *)(c.at + (size_t)to_row * c.ld + to_col) = four_sums;
        }
    }
}

/** C[i] = A[i] * B[i] for i < count <= 7, all of one shape, n and every leading dimension a
 * multiple of 4, in one launch. */
static void multiply_batch(const struct leaf_batch *batch, int count)
{
    size_t bytes = LEAF_SHARED * sizeof(real);
    CUDA_CHECK(
        cudaFuncSetAttribute(leaf_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    struct block c = batch->c[0];
    dim3 grid(blocks_for(c.cols, LEAF_N), blocks_for(c.rows, LEAF_M), count);
    leaf_kernel<<<grid, LEAF_THREADS, bytes, stream>>>(*batch, batch->a[0].cols);
    CHECK_LAUNCH();
}
/// [leaf]

#endif
