/* SPDX-License-Identifier: MIT */
/** @file mma_tile.cuh
 * The common part of the products by mma.sync of this step and of step 23: the shape of a tile,
 * and the instructions of a warp.
 */
#ifndef STEPS_21_TENSOR_CORES_LEAF_MMA_TILE_CUH
#define STEPS_21_TENSOR_CORES_LEAF_MMA_TILE_CUH

#include <stdio.h>

#include "tile_order.cuh"

/* Eight warps, each with 64 rows x 32 columns of the tile: 4 x 4 matrix instructions of 16 x 8.
   A stage is a slice of 128 rows of A and of 128 columns of B; three stages fit on every GPU
   from compute capability 8.0 on. */
enum {
    WARP_ROWS = 64,
    WARP_COLS = 32,
    MMA_THREADS = 256,
    MMA_STAGES = 3,
    MMA_STAGE_BYTES = 2 * MMA_TILE * SLICE,
    MMA_SHARED_BYTES = MMA_STAGES * MMA_STAGE_BYTES,
    LINES_AT_ONCE = MMA_THREADS * 16 / SLICE, /* copied by all threads, 16 bytes each */
    COPIES = MMA_TILE / LINES_AT_ONCE         /* of a factor's tile, by one thread */
};
static_assert(MMA_SHARED_BYTES <= 99 * 1024, "compute capability 8.6 has no more");

/* Older GPUs get empty kernels, which are never launched. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
enum { HAS_MMA = 0 };
#else
enum { HAS_MMA = 1 };
#endif

/** What the current GPU lacks for this kernel, or NULL. */
static inline const char *mma_missing(const void *kernel)
{
    static thread_local char why[160];
    struct cudaFuncAttributes attributes;
    int device, major = 0, minor = 0;
    if (cudaGetDevice(&device) == cudaSuccess) {
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    }
    bool is_compiled = cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess;
    if (!is_compiled)
        cudaGetLastError();
    if (major >= 8 && is_compiled)
        return NULL;
    snprintf(
        why, sizeof why,
        major < 8
            ? "the hand-written product is for compute capability 8.0 and up; this GPU has "
              "%d.%d"
            : "there is no machine code for this GPU: build with CMAKE_CUDA_ARCHITECTURES=%d%d",
        major, minor);
    return why;
}

/* ---- Instructions without a function in CUDA C ---- */

static __device__ __forceinline__ void copy_16(unsigned to, const unsigned char *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
}

static __device__ __forceinline__ void copies_end(void)
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/** Waits until at most `groups` groups of copies, each ended by copies_end(), are still
 * running. */
template <int groups> static __device__ __forceinline__ void copies_wait(void)
{
    asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
}

/** Loads four matrices of 8 lines x 16 bytes: lane l gives the address of one line, and gets
 * four bytes of line l / 4 of each matrix. */
static __device__ __forceinline__ void load_matrices(unsigned to[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address));
}

/** d (16 x 8) += a (16 rows) * b (8 columns): 16 terms of halves, and sums that are floats. */
static __device__ __forceinline__ void mma_halves(unsigned d[4], const unsigned a[4],
                                                  const unsigned b[2])
{
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/** The same with 32 terms of signed bytes, and sums that are int. */
static __device__ __forceinline__ void mma_bytes(unsigned d[4], const unsigned a[4],
                                                 const unsigned b[2])
{
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* ---- The warp's part of a tile ---- */

/* Loads the warp's lines of A, or of B, for one step of k: two pieces of 16 bytes, swizzled as
   operands.h says. Lanes 0 to 7 give the addresses of the first 8 of 16 lines, and so on. */
static __device__ __forceinline__ void load_left(unsigned a[4][4], unsigned stage, int piece)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned lines = stage + (warp / 4 * WARP_ROWS + lane % 16) * SLICE;
#pragma unroll
    for (int i = 0; i < 4; i++)
        load_matrices(a[i], lines + i * 16 * SLICE + ((piece + lane / 16) ^ lane % 8) * 16);
}

static __device__ __forceinline__ void load_right(unsigned b[2][4], unsigned stage, int piece)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned lines =
        stage + (MMA_TILE + warp % 4 * WARP_COLS + lane / 16 * 8 + lane % 8) * SLICE;
#pragma unroll
    for (int j = 0; j < 2; j++) /* two columns of instructions each */
        load_matrices(b[j], lines + j * 16 * SLICE + ((piece + lane / 8 % 2) ^ lane % 8) * 16);
}

/* The warp's 4 x 4 instructions for one step of k. */
template <void mma(unsigned d[4], const unsigned a[4], const unsigned b[2])>
static __device__ __forceinline__ void multiply(unsigned sums[4][4][4], const unsigned a[4][4],
                                                const unsigned b[2][4])
{
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            mma(sums[i][j], a[i], &b[j / 2][j % 2 * 2]);
}

#endif
