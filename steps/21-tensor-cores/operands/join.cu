/* SPDX-License-Identifier: MIT */
/** @file join.cu
 * Joins C from the products, and computes the lines of C that were dropped. See operands.h.
 */
#include "operands.h"

#include <math.h>

#include "steps/21-tensor-cores/launch.cuh"
#include "powers.cuh"
#include "signs.cuh"

enum { THREADS = 256 };

/* Joins two neighbouring elements of each quadrant of C from those of the seven products. */
static __device__ __forceinline__ void join(const float2 m[7], float2 c[4])
{
    c[0] = make_float2(m[0].x + m[3].x - m[4].x + m[6].x, m[0].y + m[3].y - m[4].y + m[6].y);
    c[1] = make_float2(m[2].x + m[4].x, m[2].y + m[4].y);
    c[2] = make_float2(m[1].x + m[3].x, m[1].y + m[3].y);
    c[3] = make_float2(m[0].x - m[1].x + m[2].x + m[5].x, m[0].y - m[1].y + m[2].y + m[5].y);
}

/* Stores two neighbouring elements of C, after adding what centring subtracted from A's row. */
static __device__ __forceinline__ void store_pair(const struct batch &b, float *c, long ldc,
                                                  long row, long col, float2 pair)
{
    float mean = b.left.means[row];
    if (mean != 0) {
        int of_row = b.left.scale[row];
        const int *of_col = b.right.scale + col;
        float2 sum = *(const float2 *)(b.right.sums + col);
        mean = times_power(mean, -of_row);
        pair.x += unscaled(mean * sum.x, of_row + of_col[0]);
        pair.y += unscaled(mean * sum.y, of_row + of_col[1]);
    }
    *(float2 *)(c + row * ldc + col) = pair;
}

static __global__ void __launch_bounds__(THREADS)
    join_one_level_kernel(struct batch b, float *c, long ldc)
{
    size_t at = ((size_t)blockIdx.x * THREADS + threadIdx.x) * 2;
    if (at >= b.stride_c)
        return;
    long row = at / b.n, col = at % b.n;
    float2 m[7], out[4];
#pragma unroll
    for (int o = 0; o < 7; o++)
        m[o] = *(const float2 *)(b.c + o * b.stride_c + at);
    join(m, out);
#pragma unroll
    for (int q = 0; q < 4; q++)
        store_pair(b, c, ldc, (long)(q / 2) * b.m + row, (long)(q % 2) * b.n + col, out[q]);
}

static __global__ void __launch_bounds__(THREADS)
    join_two_levels_kernel(struct batch b, float *c, long ldc)
{
    size_t at = ((size_t)blockIdx.x * THREADS + threadIdx.x) * 2;
    if (at >= b.stride_c)
        return;
    long row = at / b.n, col = at % b.n;
    float2 upper[4][7]; /* the upper level's products, quadrant by quadrant */
#pragma unroll
    for (int p = 0; p < 7; p++) {
        float2 m[7], out[4];
#pragma unroll
        for (int o = 0; o < 7; o++)
            m[o] = *(const float2 *)(b.c + (p * 7 + o) * b.stride_c + at);
        join(m, out);
#pragma unroll
        for (int q = 0; q < 4; q++)
            upper[q][p] = out[q];
    }
#pragma unroll
    for (int q = 0; q < 4; q++) {
        float2 out[4];
        join(upper[q], out);
#pragma unroll
        for (int p = 0; p < 4; p++) {
            int block = block_at(p, q);
            store_pair(b, c, ldc, (long)(block / 4) * b.m + row, (long)(block % 4) * b.n + col,
                       out[p]);
        }
    }
}

void join_products(const struct context *ctx, const struct batch *b, struct block C)
{
    unsigned blocks = blocks_for(b->stride_c / 2, THREADS);
    if (b->levels == 1)
        join_one_level_kernel<<<blocks, THREADS, 0, ctx->stream>>>(*b, C.at, C.ld);
    else if (b->levels == 2)
        join_two_levels_kernel<<<blocks, THREADS, 0, ctx->stream>>>(*b, C.at, C.ld);
    GPU_CALL(ctx, launch_error(ctx));
}

/* ---- Lines that were dropped ---- */

#ifdef LADDER_SIM
enum { REPAIR_BLOCKS = 4 /* they run one after another */ };
#else
enum { REPAIR_BLOCKS = 264 };
#endif
enum { REPAIR_TILE = 32, REPAIR_HALF = REPAIR_TILE / 2 };

/* Lists those of LISTED lines, from `first` on, that were dropped; returns how many. The order
   is the same in all thread blocks, since each computes other tiles of the listed lines. */
enum { LISTED = 1024 };
static __device__ int list_dropped(const int *dropped, int lines, int first, int *list)
{
    __shared__ int counts[THREADS / 32];
    int thread = threadIdx.y * REPAIR_HALF + threadIdx.x, listed = 0;
    for (int line = first + thread; line - thread < min(lines, first + LISTED);
         line += THREADS) {
        bool is_dropped = line < lines && dropped[line];
        unsigned votes = __ballot_sync(~0u, is_dropped);
        int at = listed + __popc(votes & ((1u << thread % 32) - 1));
        __syncthreads(); /* the counts and the list before are still being read */
        if (thread % 32 == 0)
            counts[thread / 32] = __popc(votes);
        __syncthreads();
        for (int warp = 0; warp < THREADS / 32; warp++) {
            at += warp < thread / 32 ? counts[warp] : 0;
            listed += counts[warp];
        }
        if (is_dropped)
            list[at] = line;
    }
    __syncthreads();
    return listed;
}

/* Computes C along the listed rows of A, or along the listed columns of B, in
   tiles of 32 x 32, four elements for each thread. In double no sum overflows if the element of
   C fits in a float. A sum that is NaN stays NaN, so a tile ends when all its sums are NaN: a
   matrix full of NaNs takes little time. */
static __device__ void repair_lines(const struct factors &a, const struct factors &b, float *c,
                                    long ldc, const int *row_list, int rows,
                                    const int *col_list, int cols)
{
    __shared__ double left[REPAIR_TILE][REPAIR_HALF + 1], right[REPAIR_HALF][REPAIR_TILE + 1];
    int x = threadIdx.x, y = threadIdx.y, across = (cols + REPAIR_TILE - 1) / REPAIR_TILE;
    long tiles = (long)((rows + REPAIR_TILE - 1) / REPAIR_TILE) * across;
    for (long tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        double sum[2][2];
        int row[2], col[2]; /* of the matrices; -1: there is none */
        for (int i = 0; i < 2; i++) {
            int r = (int)(tile / across) * REPAIR_TILE + i * REPAIR_HALF + y;
            int s = (int)(tile % across) * REPAIR_TILE + i * REPAIR_HALF + x;
            row[i] = r >= rows ? -1 : row_list ? row_list[r] : r;
            col[i] = s >= cols ? -1 : col_list ? col_list[s] : s;
        }
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                sum[i][j] = row[i] < 0 || col[j] < 0 || a.dropped[row[i]] == HAS_A_NAN ||
                                    b.dropped[col[j]] == HAS_A_NAN
                                ? NAN
                                : 0;
        for (int k = 0; k < a.cols && __syncthreads_or(!isnan(sum[0][0]) || !isnan(sum[0][1]) ||
                                                       !isnan(sum[1][0]) || !isnan(sum[1][1]));
             k += REPAIR_HALF) {
            for (int i = 0; i < 2; i++) {
                left[i * REPAIR_HALF + y][x] =
                    row[i] >= 0 && k + x < a.cols ? a.at[row[i] * a.ld + k + x] : 0;
                right[y][i * REPAIR_HALF + x] =
                    col[i] >= 0 && k + y < a.cols ? b.at[(k + y) * b.ld + col[i]] : 0;
            }
            __syncthreads();
            for (int t = 0; t < REPAIR_HALF; t++)
                for (int i = 0; i < 2; i++)
                    for (int j = 0; j < 2; j++)
                        sum[i][j] +=
                            left[i * REPAIR_HALF + y][t] * right[t][j * REPAIR_HALF + x];
        }
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) /* the blocks of A's rows compute where both cross */
                if (row[i] >= 0 && col[j] >= 0 && (row_list || !a.dropped[row[i]]))
                    c[row[i] * ldc + col[j]] = (float)sum[i][j];
    }
}

/* The dropped rows of A (blockIdx.y 0) and the dropped columns of B (1). Usually there are
   none, and the kernel ends at once. */
static __global__ void repair_kernel(struct factors a, struct factors b, float *c, long ldc)
{
    __shared__ int list[LISTED];
    const int *dropped = blockIdx.y ? b.dropped : a.dropped;
    int lines = blockIdx.y ? b.cols : a.rows, any = 0;
    wait_for_kernel_before();
    for (int i = 4 * (threadIdx.y * REPAIR_HALF + threadIdx.x); i < lines; i += 4 * THREADS) {
        int4 four = *(const int4 *)(dropped + i);
        any |= four.x | four.y | four.z | four.w;
    }
    if (!__syncthreads_or(any))
        return;
    for (int first = 0; first < lines; first += LISTED) {
        int count = list_dropped(dropped, lines, first, list);
        if (blockIdx.y)
            repair_lines(a, b, c, ldc, NULL, a.rows, list, count);
        else
            repair_lines(a, b, c, ldc, list, count, NULL, b.cols);
    }
}

void repair(const struct context *ctx, const struct batch *b, struct block C, bool early)
{
    launch_early(ctx, early, repair_kernel, dim3(REPAIR_BLOCKS, 2),
                 dim3(REPAIR_HALF, REPAIR_HALF), 0, b->left, b->right, C.at, C.ld);
}

void load_join(const struct context *ctx)
{
    struct cudaFuncAttributes attributes;
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)join_one_level_kernel));
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)join_two_levels_kernel));
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)repair_kernel));
}
