/* SPDX-License-Identifier: MIT */
/** @file byte_wgmma.cuh
 * The hand-written product of bytes for compute capability 9.0, modelled on step 21's:
 * persistent thread blocks, two of them a cluster, compute tiles of 128 x 256 of all products
 * one after another, and reduce the sums before storing them. Only byte_leaf.cu includes it.
 */
#ifndef STEPS_23_EXACT_BYTE_WGMMA_CUH
#define STEPS_23_EXACT_BYTE_WGMMA_CUH

#include "steps/21-tensor-cores/hopper.cuh"

/* A stage: one slice of a tile of A, one of a tile of B. One warp fetches stages, two
   warpgroups multiply 64 rows each. */
enum {
    BYTES_LEFT = LEFT_LINES * LINE_BYTES,
    BYTES_RIGHT = RIGHT_LINES * LINE_BYTES,
    BYTES_STAGE = BYTES_LEFT + BYTES_RIGHT,
    BYTE_STAGES = 4,
    BYTE_MULTIPLIERS = 2,
    BYTE_GROUP = 128, /* threads of a warpgroup */
    BYTE_THREADS = (1 + BYTE_MULTIPLIERS) * BYTE_GROUP,
    BYTE_SHARED = BYTE_STAGES * BYTES_STAGE + 1024 + BYTE_STAGES * 16,
    BYTE_SUMS = RIGHT_LINES / 2, /* registers of a thread for 64 x 256 sums of its warpgroup */
    BYTE_PACE = 8,               /* slices after which thread blocks wait for each other */
    BYTE_PATIENCE = 40,          /* looks, after which they go on anyway */
    ROWS_TOGETHER = 8 /* rows of pairs of tiles side by side: they share B in the L2 cache */
};
static_assert(BYTE_SHARED <= 227 * 1024, "the stages do not fit in shared memory");
static_assert((int)TILES_TOGETHER == (int)CLUSTER,
              "copies go to both thread blocks of a cluster");

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define BYTES_IN_CLUSTERS __cluster_dims__(CLUSTER, 1, 1)
#else
#define BYTES_IN_CLUSTERS
#endif

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

#define EIGHT_SUMS(i)                                                                          \
    "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3]), "+r"(d[i + 4]),                \
        "+r"(d[i + 5]), "+r"(d[i + 6]), "+r"(d[i + 7])

/** d (64 x 256 ints of the warpgroup) = a * b, 32 terms of signed bytes, or d + a * b. */
static __device__ __forceinline__ void
multiply_wide_bytes(unsigned d[BYTE_SUMS], unsigned long long a, unsigned long long b, int add)
{
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, "
        "%110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, "
        "%123, %124, %125, %126, %127}, %128, %129, p;\n}\n"
        : EIGHT_SUMS(0), EIGHT_SUMS(8), EIGHT_SUMS(16), EIGHT_SUMS(24), EIGHT_SUMS(32),
          EIGHT_SUMS(40), EIGHT_SUMS(48), EIGHT_SUMS(56), EIGHT_SUMS(64), EIGHT_SUMS(72),
          EIGHT_SUMS(80), EIGHT_SUMS(88), EIGHT_SUMS(96), EIGHT_SUMS(104), EIGHT_SUMS(112),
          EIGHT_SUMS(120)
        : "l"(a), "l"(b), "r"(add));
}
#undef EIGHT_SUMS

/* The stages in shared memory, a ring buffer like step 21's, with stages of another size. */
struct byte_ring {
    unsigned stages, full, empty;
    int stage, parity;
};

static __device__ __forceinline__ struct byte_ring byte_ring_create(unsigned char *memory)
{
    struct byte_ring r;
    r.stages = (shared_address(memory) + 1023) / 1024 * 1024;
    r.full = r.stages + BYTE_STAGES * BYTES_STAGE, r.empty = r.full + BYTE_STAGES * 8;
    r.stage = r.parity = 0;
    if (threadIdx.x == 0) {
        for (int i = 0; i < BYTE_STAGES; i++) {
            barrier_create(r.full + i * 8, 1);
            barrier_create(r.empty + i * 8, BYTE_MULTIPLIERS * CLUSTER);
        }
        barriers_created();
    }
    __syncthreads();
    cluster_wait();
    return r;
}

static __device__ __forceinline__ void byte_ring_next(struct byte_ring *r)
{
    if (++r->stage == BYTE_STAGES)
        r->stage = 0, r->parity ^= 1;
}

/* The order of the tiles: which pair of tiles of which product has this number. */
struct byte_tile {
    int problem, row, col;
};

static __device__ __forceinline__ struct byte_tile byte_tile_of(const struct byte_arguments &g,
                                                                int number)
{
    int each = g.down * g.across, within = number % each, strip = ROWS_TOGETHER * g.across;
    int first = within / strip * ROWS_TOGETHER, rows = min((int)ROWS_TOGETHER, g.down - first);
    struct byte_tile at = {number / each, first + within % strip % rows, within % strip / rows};
    return at;
}

/* One thread fetches all slices of all tiles; see step 21 for why thread blocks keep pace. */
static __device__ __forceinline__ void fetch_bytes(const struct byte_arguments &g,
                                                   struct byte_ring r)
{
    const int half = BYTES_RIGHT / CLUSTER;
    int rank = rank_in_cluster(), tiles = g.down * g.across * g.problems, expected = 0;
    int clusters = gridDim.x / CLUSTER, number = blockIdx.x / CLUSTER;
    for (int tile = number; tile < tiles; tile += clusters) {
        struct byte_tile at = byte_tile_of(g, tile);
        int busy = min(clusters, tiles - (tile - number)) * CLUSTER;
        const unsigned char *a =
            g.left + at.problem * g.left_stride +
            ((size_t)(at.row * CLUSTER + rank) * g.slices + g.begin) * BYTES_LEFT;
        const unsigned char *b = g.right + at.problem * g.right_stride +
                                 ((size_t)at.col * g.slices + g.begin) * BYTES_RIGHT +
                                 rank * half;
        for (int i = g.begin; i < g.end; i++, a += BYTES_LEFT, b += BYTES_RIGHT) {
            if ((i - g.begin) % BYTE_PACE == 0) {
                expected += busy;
                atomicAdd(g.arrived, 1);
                for (int look = 0;
                     look < BYTE_PATIENCE && *(volatile int *)g.arrived < expected; look++)
                    ;
            }
            unsigned to = r.stages + r.stage * BYTES_STAGE, full = r.full + r.stage * 8;
            barrier_wait(r.empty + r.stage * 8, r.parity ^ 1);
            barrier_expect(full, BYTES_STAGE);
            copy_bulk(to, a, BYTES_LEFT, full);
            copy_bulk_to_all(to + BYTES_LEFT + rank * half, b, half, full);
            byte_ring_next(&r);
        }
    }
}

/* Tells both thread blocks that this warpgroup no longer needs the stage. */
static __device__ __forceinline__ void release_bytes(const struct byte_ring &r, int stage)
{
    if (threadIdx.x % BYTE_GROUP < CLUSTER)
        barrier_arrive(r.empty + stage * 8, threadIdx.x % BYTE_GROUP);
}

/// [epilogue]
/* Reduces the sums of a warpgroup's 64 rows to bytes and stores them. Thread t holds columns 2
   (t % 4) and the next of every 8, in rows t / 4 % 8 and 8 further of its warp's 16: 64 bytes
   of each of two rows, which product_place() puts side by side. */
static __device__ __forceinline__ void store_bytes(const struct byte_arguments &g,
                                                   struct byte_tile at, int warpgroup,
                                                   const unsigned sums[BYTE_SUMS])
{
    int t = threadIdx.x % BYTE_GROUP;
    long row = (at.row * CLUSTER + rank_in_cluster()) * (long)LEFT_LINES + warpgroup * 64 +
               t / 32 * 16 + t % 32 / 4;
    const struct modulus m = g.m[at.problem / g.products];
    unsigned char *to = g.to + at.problem * g.to_stride + row * g.row_bytes +
                        (size_t)at.col * RIGHT_LINES + t % 4 * (RIGHT_LINES / 4);
#pragma unroll
    for (int half = 0; half < 2; half++, to += 8 * g.row_bytes)
#pragma unroll
        for (int piece = 0; piece < 4; piece++) {
            unsigned word[4];
            uint4 before = make_uint4(0, 0, 0, 0);
            if (g.add)
                before = *(const uint4 *)(to + piece * 16);
            const unsigned old[4] = {before.x, before.y, before.z, before.w};
#pragma unroll
            for (int w = 0; w < 4; w++) {
                int j = piece * 8 + w * 2;
                word[w] = 0;
#pragma unroll
                for (int i = 0; i < 4; i++)
                    word[w] |= residue_of_sum((int)(sums[4 * (j + i / 2) + 2 * half + i % 2] +
                                                    (old[w] >> 8 * i & 255)),
                                              &m)
                               << 8 * i;
            }
            *(uint4 *)(to + piece * 16) = make_uint4(word[0], word[1], word[2], word[3]);
        }
}
/// [epilogue]

static __device__ __forceinline__ void multiply_byte_tiles(const struct byte_arguments &g)
{
    extern __shared__ unsigned char memory[];
    struct byte_ring r = byte_ring_create(memory);
    if (threadIdx.x < BYTE_GROUP) {
        WARPGROUP_GIVES_BACK_TO(40);
        if (threadIdx.x == 0)
            fetch_bytes(g, r);
    } else {
        WARPGROUP_TAKES(232);
        int warpgroup = threadIdx.x / BYTE_GROUP - 1, tiles = g.down * g.across * g.problems;
        for (int tile = blockIdx.x / CLUSTER; tile < tiles; tile += gridDim.x / CLUSTER) {
            int before = -1;
            unsigned sums[BYTE_SUMS];
            for (int i = g.begin; i < g.end; i++) {
                barrier_wait(r.full + r.stage * 8, r.parity);
                unsigned stage = r.stages + r.stage * BYTES_STAGE;
                unsigned long long a = lines_at(stage + warpgroup * 64 * LINE_BYTES);
                unsigned long long b = lines_at(stage + BYTES_LEFT);
                products_begin();
#pragma unroll
                for (int piece = 0; piece < 8; piece += 2)
                    multiply_wide_bytes(sums, a + piece, b + piece, (i - g.begin) | piece);
                products_end();
                PRODUCTS_WAIT(1);
                if (before >= 0)
                    release_bytes(r, before);
                before = r.stage;
                byte_ring_next(&r);
            }
            PRODUCTS_WAIT(0);
            release_bytes(r, before);
            store_bytes(g, byte_tile_of(g, tile), warpgroup, sums);
        }
    }
    cluster_wait(); /* a thread block must not end before the other's last arrival here */
}

#endif

static __global__ void BYTES_IN_CLUSTERS __launch_bounds__(BYTE_THREADS, 1)
    multiply_byte_tiles_kernel(const __grid_constant__ struct byte_arguments g)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    multiply_byte_tiles(g);
#endif
}

/* Launches the kernel above if it was compiled for this GPU, otherwise the plain one. */
static void launch_bytes(const struct context *ctx, const struct byte_arguments *g)
{
    int device = 0, processors = 0, major = 0, minor = 0;
    GPU_CALL(ctx, cudaGetDevice(&device));
    GPU_CALL(ctx, cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    GPU_CALL(ctx, cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    GPU_CALL(ctx, cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
#ifdef LADDER_SM90A
    if (major == 9 && minor == 0) {
        GPU_CALL(ctx, cudaMemsetAsync(g->arrived, 0, sizeof(int), ctx->stream));
        GPU_CALL(ctx, cudaFuncSetAttribute(multiply_byte_tiles_kernel,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           BYTE_SHARED));
        if (is_failed(ctx))
            return;
        multiply_byte_tiles_kernel<<<processors / CLUSTER * CLUSTER, BYTE_THREADS, BYTE_SHARED,
                                     ctx->stream>>>(*g);
        LAUNCHED(ctx);
        return;
    }
#endif
    launch_plain(ctx, g);
}

#endif
