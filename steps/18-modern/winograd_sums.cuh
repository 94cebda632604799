/* SPDX-License-Identifier: MIT */
/** @file winograd_sums.cuh
 * The additions of Winograd's variant on a modern GPU: each kernel reads what it needs once and
 * writes everything that follows from it, four neighbouring elements per thread.
 */
#ifndef STEPS_18_MODERN_WINOGRAD_SUMS_CUH
#define STEPS_18_MODERN_WINOGRAD_SUMS_CUH

#include "context.cuh"

/** Blocks of a kernel of sums: one for each of its tiles, or the most that the context allows.
 * With fewer, each block does several tiles, and the kernel leaves
 * multiprocessors to others. */
static inline unsigned sum_blocks(const struct context *ctx, long tiles)
{
    long most = ctx->gpu->sum_blocks;
    return (unsigned)(most && tiles > most ? most : tiles);
}

/* A block of 32 x 8 threads works on tiles of 8 rows by 128 columns; the last ones reach over
   the edge. Columns and leading dimensions are multiples of 4. */
static __host__ __device__ __forceinline__ long tiles_of(struct block x)
{
    return (x.rows + 7) / 8 * ((x.cols + 127) / 128);
}
static inline dim3 four_block(void) { return dim3(32, 8); }

/* A thread's row and first column in a tile. */
struct four_position {
    int row, col;
};

static __device__ __forceinline__ struct four_position position_in(struct block x, long tile)
{
    int across = (int)(x.cols + 127) / 128;
    struct four_position at;
    at.row = (int)(tile / across) * 8 + threadIdx.y;
    at.col = (int)(tile % across) * 128 + threadIdx.x * 4;
    return at;
}

/* The four elements there. */
static __device__ __forceinline__ real4 *four(struct block x, struct four_position at)
{
    return (real4 *)(x.at + (size_t)at.row * x.ld + at.col);
}

static __device__ __forceinline__ bool is_outside(struct block x, struct four_position at)
{
    return at.row >= x.rows || at.col >= x.cols;
}

static __device__ __forceinline__ real4 plus(real4 x, real4 y)
{
    x.x += y.x, x.y += y.y, x.z += y.z, x.w += y.w;
    return x;
}

static __device__ __forceinline__ real4 minus(real4 x, real4 y)
{
    x.x -= y.x, x.y -= y.y, x.z -= y.z, x.w -= y.w;
    return x;
}

static __global__ void plain_add_kernel(struct block x, struct block y, struct block z)
{
    for (long tile = blockIdx.x; tile < tiles_of(z); tile += gridDim.x) {
        struct four_position at = position_in(z, tile);
        if (!is_outside(z, at))
            *four(z, at) = plus(*four(x, at), *four(y, at));
    }
}

static __global__ void plain_sub_kernel(struct block x, struct block y, struct block z)
{
    for (long tile = blockIdx.x; tile < tiles_of(z); tile += gridDim.x) {
        struct four_position at = position_in(z, tile);
        if (!is_outside(z, at))
            *four(z, at) = minus(*four(x, at), *four(y, at));
    }
}

/** Z = X + Y: three transfers of a quadrant. Z may be X or Y. */
static inline void plain_add(const struct context *ctx, struct block x, struct block y,
                             struct block z)
{
    plain_add_kernel<<<sum_blocks(ctx, tiles_of(z)), four_block(), 0, ctx->stream>>>(x, y, z);
    GPU_CALL(ctx, launch_error(ctx));
}

/** Z = X - Y: also three transfers. */
static inline void plain_sub(const struct context *ctx, struct block x, struct block y,
                             struct block z)
{
    plain_sub_kernel<<<sum_blocks(ctx, tiles_of(z)), four_block(), 0, ctx->stream>>>(x, y, z);
    GPU_CALL(ctx, launch_error(ctx));
}

/** Four blocks of one shape: S1 to S4, or T1 to T4. */
struct four_blocks {
    struct block s1, s2, s3, s4;
};

/// [sums]
static __global__ void sums_of_a_kernel(struct quadrants A, struct four_blocks s)
{
    for (long tile = blockIdx.x; tile < tiles_of(s.s1); tile += gridDim.x) {
        struct four_position at = position_in(s.s1, tile);
        if (is_outside(s.s1, at))
            continue;
        real4 a11 = *four(A.q11, at), a12 = *four(A.q12, at), a21 = *four(A.q21, at),
              a22 = *four(A.q22, at);
        real4 s1 = plus(a21, a22), s2 = minus(s1, a11);
        *four(s.s1, at) = s1;
        *four(s.s2, at) = s2;
        *four(s.s3, at) = minus(a11, a21);
        *four(s.s4, at) = minus(a12, s2);
    }
}

static __global__ void sums_of_b_kernel(struct quadrants B, struct four_blocks t)
{
    for (long tile = blockIdx.x; tile < tiles_of(t.s1); tile += gridDim.x) {
        struct four_position at = position_in(t.s1, tile);
        if (is_outside(t.s1, at))
            continue;
        real4 b11 = *four(B.q11, at), b12 = *four(B.q12, at), b21 = *four(B.q21, at),
              b22 = *four(B.q22, at);
        real4 t1 = minus(b12, b11), t2 = minus(b22, t1);
        *four(t.s1, at) = t1;
        *four(t.s2, at) = t2;
        *four(t.s3, at) = minus(b22, b12);
        *four(t.s4, at) = minus(t2, b21);
    }
}

/** S1 = A21 + A22, S2 = S1 - A11, S3 = A11 - A21, S4 = A12 - S2: eight transfers instead of
 * twelve.
 */
static inline void sums_of_a(const struct context *ctx, struct quadrants A,
                             struct four_blocks s)
{
    sums_of_a_kernel<<<sum_blocks(ctx, tiles_of(s.s1)), four_block(), 0, ctx->stream>>>(A, s);
    GPU_CALL(ctx, launch_error(ctx));
}

/** T1 = B12 - B11, T2 = B22 - T1, T3 = B22 - B12, T4 = T2 - B21: eight transfers. */
static inline void sums_of_b(const struct context *ctx, struct quadrants B,
                             struct four_blocks t)
{
    sums_of_b_kernel<<<sum_blocks(ctx, tiles_of(t.s1)), four_block(), 0, ctx->stream>>>(B, t);
    GPU_CALL(ctx, launch_error(ctx));
}
/// [sums]

/** Where the seven products go, in the order in which a level computes them. The first four are
 * the quadrants of C: see combine(). */
struct products {
    struct block m2, m3, m6, m7, m5, m1, m4;
};

static __global__ void combine_kernel(struct products p, struct quadrants C)
{
    for (long tile = blockIdx.x; tile < tiles_of(C.q11); tile += gridDim.x) {
        struct four_position at = position_in(C.q11, tile);
        if (is_outside(C.q11, at))
            continue;
        real4 m2 = *four(p.m2, at), m5 = *four(p.m5, at);
        real4 c11 = plus(m2, *four(p.m3, at));
        real4 u2 = plus(m2, *four(p.m1, at)), u3 = plus(u2, *four(p.m4, at)), u4 = plus(u2, m5);
        real4 c12 = plus(u4, *four(p.m6, at)), c21 = minus(u3, *four(p.m7, at));
        *four(C.q11, at) = c11;
        *four(C.q12, at) = c12;
        *four(C.q21, at) = c21;
        *four(C.q22, at) = plus(u3, m5);
    }
}

/** C11 = M2 + M3, U2 = M1 + M2, U3 = U2 + M4, C12 = U2 + M5 + M6, C21 = U3 - M7, C22 = U3 + M5:
 *  eleven transfers instead of 21. A thread reads all its elements before it writes the first,
 * so that a product may be in a quadrant of C. */
static inline void combine(const struct context *ctx, struct products p, struct quadrants C)
{
    combine_kernel<<<sum_blocks(ctx, tiles_of(C.q11)), four_block(), 0, ctx->stream>>>(p, C);
    GPU_CALL(ctx, launch_error(ctx));
}

#endif
