/**
 * @file sums.cuh
 * The additions of Winograd's variant on a modern GPU: each kernel reads what it needs once and
 * writes all that comes of it, four neighbouring elements a thread.
 */
#ifndef LADDER_SUMS_CUH
#define LADDER_SUMS_CUH

#include "common/block.h"
#include "common/gpu.h"

/** The stream that this step launches everything into; 0 until a variant uses several. */
static cudaStream_t stream;

/* A block of 32 x 8 threads works on 8 rows of 128; the last ones reach over the edge. Columns and
   leading dimensions are multiples of 4. */
static inline dim3 four_grid(struct block x)
{
    return dim3(blocks_for(x.cols, 128), blocks_for(x.rows, 8));
}
static inline dim3 four_block(void)
{
    return dim3(32, 8);
}

/* Row and first column of a thread. */
static __device__ __forceinline__ int four_row(void)
{
    return blockIdx.y * 8 + threadIdx.y;
}
static __device__ __forceinline__ int four_col(void)
{
    return (blockIdx.x * 32 + threadIdx.x) * 4;
}

/* The four elements there. */
static __device__ __forceinline__ real4 *four(struct block x)
{
    return (real4 *)(x.at + (size_t)four_row() * x.ld + four_col());
}

static __device__ __forceinline__ bool four_outside(struct block x)
{
    return four_row() >= x.rows || four_col() >= x.cols;
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

/// [plain]
static __global__ void plain_add_kernel(struct block x, struct block y, struct block z)
{
    if (!four_outside(z))
        *four(z) = plus(*four(x), *four(y));
}

static __global__ void plain_sub_kernel(struct block x, struct block y, struct block z)
{
    if (!four_outside(z))
        *four(z) = minus(*four(x), *four(y));
}

/** Z = X + Y: three transfers of a quadrant. Z may be X or Y. */
static void plain_add(struct block x, struct block y, struct block z)
{
    plain_add_kernel<<<four_grid(z), four_block(), 0, stream>>>(x, y, z);
    CHECK_LAUNCH();
}

/** Z = X - Y: the same. */
static void plain_sub(struct block x, struct block y, struct block z)
{
    plain_sub_kernel<<<four_grid(z), four_block(), 0, stream>>>(x, y, z);
    CHECK_LAUNCH();
}
/// [plain]

/** Four blocks of one shape: S1 to S4, or T1 to T4. */
struct four_blocks {
    struct block s1, s2, s3, s4;
};

/// [sums]
static __global__ void sums_of_a_kernel(struct quadrants a, struct four_blocks s)
{
    if (four_outside(s.s1))
        return;
    real4 a11 = *four(a.q11), a12 = *four(a.q12), a21 = *four(a.q21), a22 = *four(a.q22);
    real4 s1 = plus(a21, a22), s2 = minus(s1, a11);
    *four(s.s1) = s1;
    *four(s.s2) = s2;
    *four(s.s3) = minus(a11, a21);
    *four(s.s4) = minus(a12, s2);
}

static __global__ void sums_of_b_kernel(struct quadrants b, struct four_blocks t)
{
    if (four_outside(t.s1))
        return;
    real4 b11 = *four(b.q11), b12 = *four(b.q12), b21 = *four(b.q21), b22 = *four(b.q22);
    real4 t1 = minus(b12, b11), t2 = minus(b22, t1);
    *four(t.s1) = t1;
    *four(t.s2) = t2;
    *four(t.s3) = minus(b22, b12);
    *four(t.s4) = minus(t2, b21);
}

/** S1 = A21 + A22, S2 = S1 - A11, S3 = A11 - A21, S4 = A12 - S2: eight transfers instead of twelve.
 */
static void sums_of_a(struct quadrants a, struct four_blocks s)
{
    sums_of_a_kernel<<<four_grid(s.s1), four_block(), 0, stream>>>(a, s);
    CHECK_LAUNCH();
}

/** T1 = B12 - B11, T2 = B22 - T1, T3 = B22 - B12, T4 = T2 - B21: eight transfers. */
static void sums_of_b(struct quadrants b, struct four_blocks t)
{
    sums_of_b_kernel<<<four_grid(t.s1), four_block(), 0, stream>>>(b, t);
    CHECK_LAUNCH();
}
/// [sums]

/** Where the seven products lie. Four of them are the quadrants of C: see combine(). */
struct products {
    struct block p1, p2, p3, p4, p5, p6, p7;
};

/// [combine]
static __global__ void combine_kernel(struct products p, struct quadrants c)
{
    if (four_outside(c.q11))
        return;
    real4 p1 = *four(p.p1), p5 = *four(p.p5);
    real4 c11 = plus(p1, *four(p.p2));
    real4 u2 = plus(p1, *four(p.p6)), u3 = plus(u2, *four(p.p7)), u4 = plus(u2, p5);
    real4 c12 = plus(u4, *four(p.p3)), c21 = minus(u3, *four(p.p4));
    *four(c.q11) = c11;
    *four(c.q12) = c12;
    *four(c.q21) = c21;
    *four(c.q22) = plus(u3, p5);
}

/** C11 = P1 + P2, U2 = P1 + P6, U3 = U2 + P7, C12 = U2 + P5 + P3, C21 = U3 - P4, C22 = U3 + P5:
 *  eleven transfers instead of 21. A thread reads all its elements before it writes the first, so
 *  that a product may lie in a quadrant of C. */
static void combine(struct products p, struct quadrants c)
{
    combine_kernel<<<four_grid(c.q11), four_block(), 0, stream>>>(p, c);
    CHECK_LAUNCH();
}
/// [combine]

#endif
