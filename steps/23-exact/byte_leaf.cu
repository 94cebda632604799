/* SPDX-License-Identifier: MIT */
/** @file byte_leaf.cu
 * The products for all moduli, reduced to residues: cuBLAS and a pass that reduces its sums, or
 * a hand-written kernel that reduces its sums and writes bytes.
 */
#include "byte_mma.h"

enum { REDUCE_THREADS = 256 };

/* ---- cuBLAS ---- */

/// [reduce sums]
/* Reduces cuBLAS's sums of multiplications of bytes to residues; adds them to C's unless
 * `first`. */
static __global__ void reduce_sums_kernel(struct modulus m, const int *sums, int cols,
                                          int padded, unsigned char *to, size_t row_bytes,
                                          int first)
{
    int col = blockIdx.x * REDUCE_THREADS + threadIdx.x, row = blockIdx.y;
    if (col >= cols)
        return;
    unsigned char *at = to + row * row_bytes + product_place(col);
    *at =
        (unsigned char)residue_of_sum((first ? 0 : *at) + sums[(size_t)row * padded + col], &m);
}

/* One product of bytes. cuBLAS is column-major: it sees our lines of k bytes as columns, so its
   C has a column for each of our rows. */
static void multiply_by_cublas_bytes(const struct context *ctx, const struct exact_batch *b,
                                     const signed char *left, const signed char *right,
                                     const struct modulus *m, unsigned char *to)
{
    const int one = 1, zero = 0;
    int k = b->left.terms_padded, cols = b->right.lines_padded;
    for (int first = 0; first < k; first += TERMS_IN_A_SUM) {
        int terms = (int)smaller(TERMS_IN_A_SUM, k - first);
        BLAS_CALL(ctx, cublasGemmEx(ctx->gpu->cublas, CUBLAS_OP_T, CUBLAS_OP_N, cols, b->m,
                                    terms, &one, right + first, CUDA_R_8I, k, left + first,
                                    CUDA_R_8I, k, &zero, b->sums, CUDA_R_32I, cols,
                                    CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
        /* Includes the columns that pad the last tile, since rebuild() reads whole words. */
        reduce_sums_kernel<<<dim3(blocks_for(cols, REDUCE_THREADS), b->m), REDUCE_THREADS, 0,
                             ctx->stream>>>(*m, b->sums, cols, cols, to, b->row, first == 0);
        GPU_CALL(ctx, cudaGetLastError());
    }
}
/// [reduce sums]

static void multiply_all_by_cublas(const struct context *ctx, const struct exact_batch *b,
                                   int first, int count)
{
    enter_cublas(ctx, NULL);
    for (int i = 0; i < count; i++)
        for (int o = 0; o < b->products; o++) {
            size_t at = (size_t)i * b->products + o;
            multiply_by_cublas_bytes(
                ctx, b, (const signed char *)b->left.bytes + at * b->left.stride,
                (const signed char *)b->right.bytes + at * b->right.stride, &b->r.m[first + i],
                b->residues + ((size_t)first * b->products + at) * b->stride);
        }
    leave_cublas(ctx);
}

/* ---- Hand-written ---- */

/* Sums one element's products, read from the slices: for GPUs without the instructions below,
   and for the simulated one. */
static __global__ void
multiply_bytes_plain_kernel(const __grid_constant__ struct byte_arguments g)
{
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y,
        problem = blockIdx.z;
    int i = row % LEFT_LINES, j = col % RIGHT_LINES, sum = 0;
    const unsigned char *a =
        g.left + problem * g.left_stride +
        ((size_t)(row / LEFT_LINES) * g.slices * LEFT_LINES + i) * LINE_BYTES;
    const unsigned char *b =
        g.right + problem * g.right_stride +
        ((size_t)(col / RIGHT_LINES) * g.slices * RIGHT_LINES + j) * LINE_BYTES;
    for (int s = g.begin; s < g.end; s++)
        for (int k = 0; k < LINE_BYTES; k += 4) {
            int x = *(const int *)(a + (size_t)s * LEFT_LINES * LINE_BYTES +
                                   (k / 16 ^ i % 8) * 16 + k % 16);
            int y = *(const int *)(b + (size_t)s * RIGHT_LINES * LINE_BYTES +
                                   (k / 16 ^ j % 8) * 16 + k % 16);
            sum = __dp4a(x, y, sum);
        }
    unsigned char *to = g.to + problem * g.to_stride + row * g.row_bytes + product_place(col);
    *to = (unsigned char)residue_of_sum((g.add ? *to : 0) + sum, &g.m[problem / g.products]);
}

static void launch_plain(const struct context *ctx, const struct byte_arguments *g)
{
    multiply_bytes_plain_kernel<<<dim3(g->across * RIGHT_LINES / 16, g->rows / 16, g->problems),
                                  dim3(16, 16), 0, ctx->stream>>>(*g);
    GPU_CALL(ctx, cudaGetLastError());
}

#ifndef LADDER_SIM
#include "byte_wgmma.cuh"
#endif

/* Launches the fastest product that this GPU has, or the one by mma.sync. */
static void launch_bytes(const struct context *ctx, enum exact_leaf leaf,
                         const struct byte_arguments *g)
{
#ifdef LADDER_SIM
    bool has_mma = leaf == EXACT_MMA;
#else
    bool has_mma = ctx->gpu->capability >= 80;
    if (leaf == EXACT_FUSED && launch_byte_wgmma(ctx, g))
        return;
#endif
    if (has_mma)
        launch_byte_mma(ctx, g);
    else
        launch_plain(ctx, g);
}

void multiply_residues(const struct context *ctx, const struct exact_batch *b, int first,
                       int count)
{
    if (b->leaf == EXACT_CUBLAS) {
        multiply_all_by_cublas(ctx, b, first, count);
        return;
    }
    struct byte_arguments g;
    g.left = b->left.bytes, g.right = b->right.bytes;
    g.left_stride = b->left.stride, g.right_stride = b->right.stride, g.to_stride = b->stride;
    g.to = b->residues + (size_t)first * b->products * b->stride, g.row_bytes = b->row;
    g.rows = b->left.lines_padded, g.problems = count * b->products, g.products = b->products;
    g.slices = b->left.terms_padded / LINE_BYTES;
    g.across = b->right.lines_padded / RIGHT_LINES;
    g.down = b->left.lines_padded / (LEFT_LINES * TILES_TOGETHER);
    g.arrived = b->arrived;
    for (int i = 0; i < count; i++)
        g.m[i] = b->r.m[first + i];
    const int most =
        (int)TERMS_IN_A_SUM / (int)LINE_BYTES - 2; /* one for the residue that is added */
    for (g.begin = 0; g.begin < g.slices; g.begin = g.end) {
        g.end = (int)smaller(g.slices, g.begin + most), g.add = g.begin > 0;
        launch_bytes(ctx, b->leaf, &g);
    }
}
