/* SPDX-License-Identifier: MIT */
/** @file leaf.cuh
 * A hand-written SGEMM kernel for the leaves, in CUDA C: one kernel multiplies several pairs of
 * factors of one shape, which are stored in panels.
 *
 * A block of 128 threads computes 128 x 128 of C, each thread 8 x 16 in registers. Tiles of A
 * and B, 16 deep, come into shared memory by asynchronous copies, up to three ahead of the one
 * in use.
 */
#ifndef STEPS_19_OWN_LEAF_LEAF_CUH
#define STEPS_19_OWN_LEAF_LEAF_CUH

#include "panels.cuh"

#ifdef LADDER_F32
enum {
    LEAF_THREADS = 128,
    LEAF_TILE = PANEL * DEPTH,                  /* elements of a tile of A, and of one of B */
    LEAF_COPIES = LEAF_TILE / 4 / LEAF_THREADS, /* copies of 4 elements per thread and tile */
    LEAF_RING = STAGES * 2 * LEAF_TILE          /* elements of all stages */
};

/// [copy]
/* Copies 16 bytes from global to shared memory without a register in between. Compute
   capability 7.5 has no asynchronous copies: there it is an assignment. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define LEAF_ASSIGNS 1
#else
#define LEAF_ASSIGNS 0
#endif
static __device__ __forceinline__ void leaf_copy(real *to, const real *from)
{
#if LEAF_ASSIGNS
    *(real4 *)to = *(const real4 *)from;
#else
    unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from));
#endif
}

/* Ends a group of copies. */
static __device__ __forceinline__ void leaf_commit(void)
{
#if !LEAF_ASSIGNS
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Waits for all groups but the last two, and for all threads of the block: then the next tile
   has arrived, and every thread has read the one before. */
static __device__ __forceinline__ void leaf_next_tile(void)
{
#if !LEAF_ASSIGNS
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
#endif
    __syncthreads();
}
/// [copy]

/* A thread's share of the next tile of A and of B; a panel's tiles are stored one after
 * another. */
static __device__ __forceinline__ void leaf_load(real *to, const real *a, const real *b)
{
#pragma unroll
    for (int i = 0; i < LEAF_COPIES; i++)
        leaf_copy(to + i * 4 * LEAF_THREADS, a + i * 4 * LEAF_THREADS);
#pragma unroll
    for (int i = 0; i < LEAF_COPIES; i++)
        leaf_copy(to + LEAF_TILE + i * 4 * LEAF_THREADS, b + i * 4 * LEAF_THREADS);
}

/* The eight elements of a column of A and the sixteen of a row of B that a
   thread multiplies. */
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

/* Product z of the batch: tile (y, x) of C is the product of panel y of A and panel x of B. C's
   products are c_size elements apart. */
static __global__ void __launch_bounds__(LEAF_THREADS, 2)
    leaf_kernel(struct panels left, struct panels right, struct block C, long c_size)
{
    extern __shared__ real tiles[];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    long panel = (long)PANEL * left.depth;
    const real *a = left.at + blockIdx.z * left.size + blockIdx.y * panel + 4 * threadIdx.x;
    const real *b = right.at + blockIdx.z * right.size + blockIdx.x * panel + 4 * threadIdx.x;

    /* A warp computes 64 x 64, as 8 x 4 threads; a thread's rows are 4 and 4, its columns 4
       times 4, so that neighbouring threads read neighbouring real4 from shared memory. */
    int m = warp / 2 * 64 + lane / 4 * 4, n = warp % 2 * 64 + lane % 4 * 4;
    real sums[8][16], as[2][8], bs[2][16];
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 16; j++)
            sums[i][j] = 0;

    int tile_count = left.depth / DEPTH;
    real *to = tiles + 4 * threadIdx.x; /* in the stage that is filled next */
#pragma unroll
    for (int t = 0; t < STAGES - 1; t++) {
        if (t < tile_count) {
            leaf_load(to, a, b);
            a += LEAF_TILE, b += LEAF_TILE;
        }
        to += 2 * LEAF_TILE;
        leaf_commit();
    }
    leaf_next_tile();
    const real *stage = tiles, *end = tiles + LEAF_RING; /* the tile in use */
    leaf_fragments(stage + m, stage + LEAF_TILE + n, as[0], bs[0]);

#pragma unroll 1
    for (int t = 0; t < tile_count; t++) {
        bool more = t + STAGES - 1 < tile_count;
#pragma unroll
        for (int l = 0; l < DEPTH; l++) {
            if (l == 2 && more)
                leaf_load(to, a, b);
            if (l == DEPTH - 1) {
                leaf_commit();
                leaf_next_tile();
                to = (real *)stage + 4 * threadIdx.x; /* every thread has read it */
                stage += 2 * LEAF_TILE;
                if (stage >= end)
                    stage -= LEAF_RING;
                a += LEAF_TILE, b += LEAF_TILE;
            }
            /* Loads the next index while index l is multiplied. After the last tile this loads
               old elements, which nothing uses. */
            int ahead = (l + 1) % DEPTH;
            leaf_fragments(stage + ahead * PANEL + m, stage + LEAF_TILE + ahead * PANEL + n,
                           as[(l + 1) % 2], bs[(l + 1) % 2]);
#pragma unroll
            for (int j = 0; j < 16; j++)
#pragma unroll
                for (int i = 0; i < 8; i++) {
                    /* so that neighbours share an operand */
                    int serpentine = j % 2 ? 7 - i : i;
                    sums[serpentine][j] += as[l % 2][serpentine] * bs[l % 2][j];
                }
        }
    }
    real *out = C.at + blockIdx.z * c_size;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        int row = blockIdx.y * PANEL + m + i % 4 + i / 4 * 32;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int col = blockIdx.x * PANEL + n + 16 * j;
            real4 four_sums = {sums[i][4 * j], sums[i][4 * j + 1], sums[i][4 * j + 2],
                               sums[i][4 * j + 3]};
            if (row < C.rows && col < C.cols)
                *(real4 *)(out + (size_t)row * C.ld + col) = four_sums;
        }
    }
}

/** C[i] = A[i] * B[i] for i < count: C[0] is `C`, the others are c_size elements apart. Columns
 * and leading dimension of C are multiples of 4. One launch. */
static inline void multiply_panels(const struct context *ctx, struct panels a, struct panels b,
                                   struct block C, long c_size, int count)
{
    size_t bytes = LEAF_RING * sizeof(real);
    GPU_CALL(ctx, cudaFuncSetAttribute(leaf_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       (int)bytes));
    dim3 grid(b.panels, a.panels, count);
    leaf_kernel<<<grid, LEAF_THREADS, bytes, ctx->stream>>>(a, b, C, c_size);
    GPU_CALL(ctx, launch_error(ctx));
}
#else
/** The same in double, where cuBLAS's product uses the tensor cores: in its column-major eyes
 * C^T = B^T A^T. One call. */
static inline void multiply_panels(const struct context *ctx, struct panels a, struct panels b,
                                   struct block C, long c_size, int count)
{
    const double one = 1, zero = 0;
    enter_cublas(ctx, ctx->leaf_workspace);
    BLAS_CALL(ctx, cublasDgemmStridedBatched(ctx->gpu->cublas, CUBLAS_OP_N, CUBLAS_OP_N,
                                             (int)C.cols, (int)C.rows, b.depth, &one, b.at,
                                             width_of(b), b.size, a.at, width_of(a), a.size,
                                             &zero, C.at, (int)C.ld, c_size, count));
    leave_cublas(ctx);
}
#endif

#endif
