/* SPDX-License-Identifier: MIT */
/** @file gpu8.cuh
 * GPU8 (Li et al. (2011), section 4, Figures 7 to 9). It needs nothing but CUDA. A file that
 * includes it first defines what an element is: `real`, and `real4`, a vector of four of them.
 */
#ifndef STEPS_10_GPU8_GPU8_CUH
#define STEPS_10_GPU8_GPU8_CUH

#include <cuda_runtime.h>

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

/** Where a thread's column of 16 starts in a matrix with leading dimension `ld`. */
static __device__ __forceinline__ size_t gpu8_position(int ld)
{
    return (size_t)16 * blockIdx.y * ld + 128 * blockIdx.x + threadIdx.y * 16 + threadIdx.x;
}

/// [gpu8]
/** Four neighbouring elements by one load. */
static __device__ __forceinline__ real4 load4(const real *a) { return *(const real4 *)a; }

/**
 * GPU8 up to its store, by Figures 8 and 9 corrected: cr[0..15] becomes 16 rows of one column
 * of A * B. Left and Right are pointers here. In step 16 they are textures, which have the same
 * operators and load4().
 * @param a   A, read by load4(); lda is a multiple of 4
 * @param b   B, read by single elements
 * @param k   columns of A, a multiple of 64
 * @param as  shared memory, 16 * GPU8_ROW elements
 * @param cr  the thread's 16 elements, zero at the start
 */
template <class Left, class Right>
static __device__ __forceinline__ void gpu8_main_loop(Left a, int lda, Right b, int ldb, int k,
                                                      real *as, real *cr)
{
    int row = threadIdx.y, col = threadIdx.x, tid = row * 16 + col;
    size_t ld = ldb;
    a += (size_t)(16 * blockIdx.y + row) * lda + col * 4;
    b += 128 * blockIdx.x + tid;

    for (int i = 0; i < k / GPU8_K; i++) {
        /* The 16 x 64 tile is a 16 x 16 matrix of vectors of 4; it is stored transposed, so
           that vector (row, col) is at row col. Figure 8 stores each vector at once, which is
           misaligned in rows of 65; four stores cost no transaction. */
        real4 upper = load4(a), lower = load4(a + (size_t)8 * lda);
        real *to = as + col * GPU8_ROW + row * 4;
        to[0] = upper.x, to[1] = upper.y, to[2] = upper.z, to[3] = upper.w;
        to[32] = lower.x, to[33] = lower.y, to[34] = lower.z, to[35] = lower.w;
        __syncthreads(); /* wait for the tile */

        real br0 = b[0], br1 = b[ld], br2 = b[2 * ld], br3 = b[3 * ld];
        b += 4 * ld;
#pragma unroll
        for (int l = 0; l < 15; l++) {
            const real *al = as + l * GPU8_ROW; /* columns 4l ... 4l + 3 of the tile */
            /* the next b is on its way while this one is used */
            gpu8_update(al, br0, cr), br0 = b[0];
            gpu8_update(al + 1, br1, cr), br1 = b[ld];
            gpu8_update(al + 2, br2, cr), br2 = b[2 * ld];
            gpu8_update(al + 3, br3, cr), br3 = b[3 * ld];
            b += 4 * ld;
        }
        const real *al = as + 15 * GPU8_ROW;
        gpu8_update(al, br0, cr);
        gpu8_update(al + 1, br1, cr);
        gpu8_update(al + 2, br2, cr);
        gpu8_update(al + 3, br3, cr);

        a += GPU8_K;
        __syncthreads(); /* no thread may still need the tile when it is filled again */
    }
}

/** C = A * B. C has multiples of 16 rows and of 128 columns, k is a multiple of 64, and lda of
 * 4. */
template <class Left, class Right>
static __global__ void gpu8(Left a, int lda, Right b, int ldb, real *c, int ldc, int k)
{
    __shared__ real as[16 * GPU8_ROW];
    real cr[16] = {0};
    gpu8_main_loop(a, lda, b, ldb, k, as, cr);
    c += gpu8_position(ldc);
#pragma unroll
    for (int j = 0; j < 16; j++, c += ldc)
        c[0] = cr[j];
}
/// [gpu8]

/** The grid for an m x n result; m is a multiple of 16 and n of 128. */
static inline dim3 gpu8_grid(long m, long n) { return dim3(n / GPU8_N, m / GPU8_M); }

/** The thread block: half-warps along x. */
static inline dim3 gpu8_block(void) { return dim3(16, 8); }

#endif
