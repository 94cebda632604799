/* SPDX-License-Identifier: MIT */
/** @file gpu8.cuh
 * GPU8 (Li et al. (2011), section 4, Figures 7 to 9): its main loop as a device function. Each
 * kernel of later steps calls it and stores the result in its own way.
 */
#ifndef STEPS_10_GPU8_GPU8_CUH
#define STEPS_10_GPU8_GPU8_CUH

#include "common/matrix/block.h"
#include "common/device/gpu.h"

/* A block of 16 x 8 threads computes 16 x 128 of C, in steps of 64 along k. */
enum { GPU8_M = 16, GPU8_N = 128, GPU8_K = 64 };
static_assert(GPU8_N == 16 * 8, "a thread of a 16 x 8 block computes one column");
static_assert(GPU8_M == 16 && GPU8_K == 16 * 4,
              "the tile of A is 16 x 16 vectors of four elements");

/** Row length of the shared tile: 16 rows of 64 and one more. A multiple of four would keep
 * float4 stores aligned; 65 keeps scalar stores free of bank conflicts on 16 banks. */
enum { GPU8_ROW = GPU8_K + 1 };
static_assert(GPU8_ROW % 16 == 1, "rows must begin in 16 different banks");

/// [update]
/** Figure 7: c[0..15] += 16 elements of a column of A times one b. */
static __device__ __forceinline__ void gpu8_update(const real *a, real b, real *c)
{
#pragma unroll
    for (int i = 0; i < 16; i++)
        c[i] += a[i * 4] * b;
}
/// [update]

/// [factor]
/** A factor of a product as a kernel gets it: element (i, j) is at[i * ld + j]. */
struct factor {
    const real *at;
    int ld;
};

/** How the main loop reads a factor: the element `i` elements after its place, or four from
 * there on (i a multiple of 4); and how it moves the place by `i` elements. The main loop gets
 * these functions as arguments, and `with` for what they need beside the factor. The compiler
 * knows which functions they are, so it puts their bodies into the loop and no call is left. */
typedef real load_1(const struct factor *x, size_t i, const void *with);
typedef real4 load_4(const struct factor *x, size_t i, const void *with);
typedef void move(struct factor *x, size_t i, void *with);

static __device__ __forceinline__ real load_1_by_pointer(const struct factor *x, size_t i,
                                                         const void *with)
{
    return x->at[i];
}

static __device__ __forceinline__ real4 load_4_by_pointer(const struct factor *x, size_t i,
                                                          const void *with)
{
    return *(const real4 *)(x->at + i);
}

static __device__ __forceinline__ void move_pointer(struct factor *x, size_t i, void *with)
{
    x->at += i;
}
/// [factor]

/// [loop]
/**
 * Figures 8 and 9 up to the store: cr[0..15] becomes 16 rows of one column of A * B.
 * @param a      A, k columns; a.ld a multiple of 4
 * @param left   how A is read, how its place is moved, and with what
 * @param b      B, k rows
 * @param right  how B is read, how its place is moved, and with what
 * @param k      a multiple of 64
 * @param as     shared memory, 16 * GPU8_ROW elements
 * @param cr     the thread's 16 elements, zero at the start
 */
static __device__ __forceinline__ void
gpu8_main_loop(struct factor a, load_4 *left, move *move_left, void *left_with, struct factor b,
               load_1 *right, move *move_right, void *right_with, int k, real *as, real *cr)
{
    int row = threadIdx.y, col = threadIdx.x, tid = row * 16 + col;
    size_t ldb = b.ld;
    move_left(&a, (size_t)(16 * blockIdx.y + row) * a.ld + col * 4, left_with);
    move_right(&b, 128 * blockIdx.x + tid, right_with);

    for (int i = 0; i < k / GPU8_K; i++) {
        /* The 16 x 64 tile is a 16 x 16 matrix of vectors of 4; it is stored transposed, so
           that vector (row, col) lies at row col. Figure 8 stores each vector at once, which is
           misaligned in rows of 65; four stores cost no transaction. */
        real4 upper = left(&a, 0, left_with), lower = left(&a, (size_t)8 * a.ld, left_with);
        real *to = as + col * GPU8_ROW + row * 4;
        to[0] = upper.x, to[1] = upper.y, to[2] = upper.z, to[3] = upper.w;
        to[32] = lower.x, to[33] = lower.y, to[34] = lower.z, to[35] = lower.w;
        __syncthreads(); /* wait for the tile */

        real br0 = right(&b, 0, right_with), br1 = right(&b, ldb, right_with);
        real br2 = right(&b, 2 * ldb, right_with), br3 = right(&b, 3 * ldb, right_with);
        move_right(&b, 4 * ldb, right_with);
#pragma unroll
        for (int l = 0; l < 15; l++) {
            const real *al = as + l * GPU8_ROW; /* columns 4l ... 4l + 3 of the tile */
            /* the next b is on its way while this one is used */
            gpu8_update(al, br0, cr), br0 = right(&b, 0, right_with);
            gpu8_update(al + 1, br1, cr), br1 = right(&b, ldb, right_with);
            gpu8_update(al + 2, br2, cr), br2 = right(&b, 2 * ldb, right_with);
            gpu8_update(al + 3, br3, cr), br3 = right(&b, 3 * ldb, right_with);
            move_right(&b, 4 * ldb, right_with);
        }
        const real *al = as + 15 * GPU8_ROW;
        gpu8_update(al, br0, cr);
        gpu8_update(al + 1, br1, cr);
        gpu8_update(al + 2, br2, cr);
        gpu8_update(al + 3, br3, cr);

        move_left(&a, GPU8_K, left_with);
        __syncthreads(); /* wait until nobody needs the tile */
    }
}
/// [loop]

/** Where a thread's column of 16 starts in a matrix with leading dimension `ld`. */
static __device__ __forceinline__ size_t gpu8_position(int ld)
{
    return (size_t)16 * blockIdx.y * ld + 128 * blockIdx.x + threadIdx.y * 16 + threadIdx.x;
}

/** The grid for an m x n result; m is a multiple of 16 and n of 128. */
static inline dim3 gpu8_grid(long m, long n) { return dim3(n / GPU8_N, m / GPU8_M); }

/** The thread block: half-warps along x. */
static inline dim3 gpu8_block(void) { return dim3(16, 8); }

#endif
