/* SPDX-License-Identifier: MIT */
/** @file factors.cu
 * Makes a batch's factors. See operands.h.
 */
#include "operands.h"

#include "signs.cuh"
#include "terms.cuh"

enum { THREADS = 256 };

/* Where a thread stores its four terms: a line of the tile whose first slice, for the first
   product, is at `slices`. */
struct target {
    unsigned char *slices;
    int tile, line, k, k_padded, right;
    enum format format;
    const int
        *exponent; /* of the first product's line; NULL for lines that pad the last tile */
};

/* Stores the seven sums of four quadrants, for products `first` to first + 6. */
static __device__ __forceinline__ void store_sums(const struct factors &x,
                                                  const struct target &to, int first,
                                                  const float quadrants[4][WIDTH])
{
#pragma unroll
    for (int o = 0; o < 7; o++) {
        float sum[WIDTH];
#pragma unroll
        for (int i = 0; i < WIDTH; i++) {
            sum[i] = 0;
#pragma unroll
            for (int q = 0; q < 4; q++)
                if (sign_of(to.right, o, q))
                    sum[i] += sign_of(to.right, o, q) * quadrants[q][i];
        }
        store_terms(to.slices + (first + o) * x.stride, to.tile, to.line, to.k, to.k_padded,
                    sum, to.exponent ? to.exponent[(long)(first + o) * x.lines] : 0, to.right,
                    to.format);
    }
}

/* Turns four terms of one line in every block into the same four terms in every product's
   factor. With two levels the upper level's sums are made of blocks, and the lower level's of
   those sums. */
static __device__ __forceinline__ void
store_factors(const struct factors &x, const struct target &to, float v[16][WIDTH], int levels)
{
    if (levels == 0)
        store_terms(to.slices, to.tile, to.line, to.k, to.k_padded, v[0],
                    to.exponent ? *to.exponent : 0, to.right, to.format);
    else if (levels == 1)
        store_sums(x, to, 0, v);
    else {
#pragma unroll
        for (int p = 0; p < 7; p++) {
            float upper[4][WIDTH];
#pragma unroll
            for (int q = 0; q < 4; q++)
#pragma unroll
                for (int i = 0; i < WIDTH; i++) {
                    upper[q][i] = 0;
#pragma unroll
                    for (int u = 0; u < 4; u++)
                        if (sign_of(to.right, p, u))
                            upper[q][i] += sign_of(to.right, p, u) * v[block_at(u, q)][i];
                }
            store_sums(x, to, p * 7, upper);
        }
    }
}

static __device__ __forceinline__ struct target target_of(const struct factors &x, int tile,
                                                          int line, int k, int k_padded,
                                                          int right, enum format format)
{
    struct target to = {x.slices + (size_t)(line / tile) * tile * k_padded * sizeof(float),
                        tile,
                        line % tile,
                        k,
                        k_padded,
                        right,
                        format,
                        line < x.lines ? x.exponents + line : NULL};
    return to;
}

enum { LINES_A_BLOCK = 32, TERMS_A_BLOCK = THREADS / LINES_A_BLOCK * WIDTH };

/* Makes 32 rows of A's blocks x 32 terms of k. */
static __device__ __forceinline__ void make_left(const struct factors &x, int k_padded,
                                                 int levels, enum format format)
{
    int blocks = 1 << levels, length = x.cols >> levels;
    int k = blockIdx.x * TERMS_A_BLOCK + threadIdx.x % 8 * WIDTH;
    int line = blockIdx.y * LINES_A_BLOCK + threadIdx.x / 8;
    if ((int)blockIdx.y * LINES_A_BLOCK >= padded_lines(&x))
        return;
    float v[16][WIDTH];
#pragma unroll
    for (int q = 0; q < blocks * blocks; q++) {
        float4 f = make_float4(0, 0, 0, 0);
        long row = (long)(q / blocks) * x.lines + line;
        if (line < x.lines && k < length && !x.dropped[row]) {
            float mean = x.means[row];
            f = *(const float4 *)(x.at + row * x.ld + (long)(q % blocks) * length + k);
            f.x -= mean, f.y -= mean, f.z -= mean, f.w -= mean;
        }
        v[q][0] = f.x, v[q][1] = f.y, v[q][2] = f.z, v[q][3] = f.w;
    }
    store_factors(x, target_of(x, TILE_M, line, k, k_padded, 0, format), v, levels);
}

/* Makes 32 columns of B's blocks x 32 terms of k: reads rows, transposes in shared memory. */
static __device__ __forceinline__ void make_right(const struct factors &x, int k_padded,
                                                  int levels, enum format format)
{
    __shared__ float tile[TERMS_A_BLOCK][LINES_A_BLOCK + 1];
    int blocks = 1 << levels, length = x.rows >> levels;
    int first_k = blockIdx.x * TERMS_A_BLOCK, first = blockIdx.y * LINES_A_BLOCK;
    int term = threadIdx.x / 8,
        four = threadIdx.x % 8 * 4; /* as read; exchanged when written */
    if (first >= padded_lines(&x))
        return;
    float v[16][WIDTH];
#pragma unroll
    for (int q = 0; q < blocks * blocks; q++) {
        float4 f = make_float4(0, 0, 0, 0);
        long row = (long)(q / blocks) * length + first_k + term;
        long col = (long)(q % blocks) * x.lines + first + four;
        if (first_k + term < length && first + four < x.lines) {
            f = *(const float4 *)(x.at + row * x.ld + col);
            f.x = x.dropped[col] ? 0 : f.x, f.y = x.dropped[col + 1] ? 0 : f.y;
            f.z = x.dropped[col + 2] ? 0 : f.z, f.w = x.dropped[col + 3] ? 0 : f.w;
        }
        if (q > 0)
            __syncthreads(); /* the block before is still being read */
        tile[term][four] = f.x, tile[term][four + 1] = f.y;
        tile[term][four + 2] = f.z, tile[term][four + 3] = f.w;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            v[q][i] = tile[four + i][term];
    }
    store_factors(x, target_of(x, TILE_N, first + term, first_k + four, k_padded, 1, format), v,
                  levels);
}

/* The same two functions for each format and each number of levels, which are constants in
 * them; blockIdx.z: which factor, if both are made. With both in one launch even a small
 * product fills the GPU. */
template <enum format format, int levels>
static __global__ void __launch_bounds__(THREADS)
    factors_kernel(struct factors left, struct factors right, int k_padded, int first_side)
{
    if (first_side + (int)blockIdx.z == 0)
        make_left(left, k_padded, levels, format);
    else
        make_right(right, k_padded, levels, format);
}

typedef void (*kernel_of_factors)(struct factors left, struct factors right, int k_padded,
                                  int first_side);
static const kernel_of_factors factors_kernels[][TENSOR_LEVELS + 1] = {
    {factors_kernel<FORMAT_TWO_HALVES, 0>, factors_kernel<FORMAT_TWO_HALVES, 1>,
     factors_kernel<FORMAT_TWO_HALVES, 2>},
    {factors_kernel<FORMAT_HALF_AND_BYTES, 0>, factors_kernel<FORMAT_HALF_AND_BYTES, 1>,
     factors_kernel<FORMAT_HALF_AND_BYTES, 2>}};

static void make_sides(const struct context *ctx, const struct batch *b, int first, int count,
                       int lines)
{
    dim3 grid(b->k_padded / TERMS_A_BLOCK, lines / LINES_A_BLOCK, count);
    kernel_of_factors factors = factors_kernels[b->format][b->levels];
    factors<<<grid, THREADS, 0, ctx->stream>>>(b->left, b->right, b->k_padded, first);
    GPU_CALL(ctx, launch_error(ctx));
}

static void make_right_factors(const struct context *ctx, const struct batch *b)
{
    zero_factors(ctx, &b->right, b->right.zeros);
    find_right_exponents(ctx, b);
    make_sides(ctx, b, 1, 1, padded_lines(&b->right));
}

void split_factors(const struct context *ctx, const struct batch *b)
{
    if (b->levels > 0) { /* with both in one launch even a small product fills the GPU */
        zero_batch(ctx, b);
        find_exponents(ctx, b);
        make_sides(ctx, b, 0, 2, (int)larger(padded_lines(&b->left), padded_lines(&b->right)));
        return;
    }
    split_rows(ctx, b);
    if (!split_columns(ctx, b, true))
        make_right_factors(ctx, b);
}

void split_right(const struct context *ctx, const struct batch *b)
{
    if (b->levels > 0 || !split_columns(ctx, b, false))
        make_right_factors(ctx, b);
}

void split_left(const struct context *ctx, const struct batch *b)
{
    if (b->levels == 0) {
        split_rows(ctx, b);
        return;
    }
    zero_factors(ctx, &b->left, (char *)b->progress);
    find_left_exponents(ctx, b);
    make_sides(ctx, b, 0, 1, padded_lines(&b->left));
}

void load_factors(const struct context *ctx)
{
    struct cudaFuncAttributes attributes;
    for (int format = 0; format < 2; format++)
        for (int levels = 0; levels <= TENSOR_LEVELS; levels++)
            GPU_CALL(ctx, cudaFuncGetAttributes(&attributes,
                                                (const void *)factors_kernels[format][levels]));
}
