/* SPDX-License-Identifier: MIT */
/** @file byte_leaf.cu
 * The products for all moduli, reduced to residues: cuBLAS and a pass that reduces its sums, or
 * a hand-written kernel that reduces its sums and writes bytes.
 */
#include "byte_mma.h"

enum { REDUCE_THREADS = 256, MOST_DOWN = 65535 /* of a grid */ };

/* ---- cuBLAS ---- */

/* Reduces cuBLAS's sums of multiplications of bytes to residues; adds them to C's unless
 * `first`. */
static __global__ void reduce_sums_kernel(struct modulus m, const int *sums, int rows, int cols,
                                          unsigned char *to, size_t row_bytes, int first)
{
    int col = blockIdx.x * REDUCE_THREADS + threadIdx.x;
    for (int row = blockIdx.y; row < rows && col < cols; row += gridDim.y) {
        unsigned char *at = to + row * row_bytes + product_place(col);
        *at = (unsigned char)residue_of_sum((first ? 0 : *at) + sums[(size_t)row * cols + col],
                                            &m);
    }
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
        dim3 grid(blocks_for(cols, REDUCE_THREADS), smaller(b->m, MOST_DOWN));
        reduce_sums_kernel<<<grid, REDUCE_THREADS, 0, ctx->stream>>>(*m, b->sums, b->m, cols,
                                                                     to, b->row, first == 0);
        GPU_CALL(ctx, launch_error(ctx));
    }
}

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

#include "byte_wgmma.cuh"

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
    g.rows = b->m, g.problems = count * b->products, g.products = b->products;
    g.slices = b->left.terms_padded / LINE_BYTES;
    g.across = b->right.lines_padded / RIGHT_LINES;
    g.down = b->left.lines_padded / (LEFT_LINES * TILES_TOGETHER);
    g.progress = b->progress;
    for (int i = 0; i < count; i++)
        g.m[i] = b->r.m[first + i];
    const int most =
        (int)TERMS_IN_A_SUM / (int)LINE_BYTES - 2; /* one for the residue that is added */
    for (g.begin = 0; g.begin < g.slices; g.begin = g.end) {
        g.end = (int)smaller(g.slices, g.begin + most), g.add = g.begin > 0;
        if (b->leaf == EXACT_MMA || !launch_byte_wgmma(ctx, &g))
            launch_byte_mma(ctx, &g);
    }
}
