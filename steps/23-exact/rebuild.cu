/* SPDX-License-Identifier: MIT */
/** @file rebuild.cu
 * Rebuilds C from the residues of the products, and computes the lines that were dropped.
 */
#include "exact_batch.h"

enum { WORDS_ACROSS = 32, AT_A_TIME = 2 /* moduli */ };
enum {
    REPAIR_ACROSS = 32,
    REPAIR_DOWN = 8,
    REPAIR_THREADS = REPAIR_ACROSS * REPAIR_DOWN,
    REPAIR_BLOCKS_DOWN = 8 /* few, since usually no line is dropped */
};

/* The sums of products that are the blocks of C. */
struct result_sums {
    struct block_sum of[BLOCKS_MOST];
};

static __device__ double2 pair_of(const double x[2]) { return make_double2(x[0], x[1]); }
static __device__ float2 pair_of(const float x[2]) { return make_float2(x[0], x[1]); }

/// [rebuild]
/* Each thread takes four bytes of a row of a block of C, for AT_A_TIME moduli at a time;
   threadIdx.y is the block, and above that the row. The blocks of a row read the same products,
   and find them in the L1 cache. Two bytes are added at once, with 16 bits for each. */
template <typename element>
static __global__ void __launch_bounds__(512, 2)
    rebuild_kernel(const __grid_constant__ struct exact_batch b,
                   const __grid_constant__ struct result_sums sums, element *c, long ldc,
                   int in_pairs)
{
    int number = blockIdx.x * WORDS_ACROSS + threadIdx.x;
    int block = threadIdx.y & ((1 << 2 * b.levels) - 1);
    int row = (blockIdx.y * blockDim.y + threadIdx.y) >> 2 * b.levels;
    if (number >= (int)(b.row / 4) || row >= b.m)
        return;
    const unsigned char *from = b.residues + row * b.row + number * 4;
    const struct block_sum &sum = sums.of[block];
    size_t next = b.products * b.stride;
    struct rebuilt x[4] = {};
    /* Unrolled, so that each modulus's constants are operands of the instructions. */
#pragma unroll
    for (int i = 0; i < MODULI_MOST; i += AT_A_TIME) {
        if (i >= b.r.count)
            break;
        uint32_t even[AT_A_TIME], odd[AT_A_TIME];
#pragma unroll
        for (int u = 0; u < AT_A_TIME; u++)
            even[u] = odd[u] = b.r.m[i + u].level_offset * 0x10001;
        for (int o = 0; o < sum.count; o++) {
            const unsigned char *at = from + sum.at[o] * b.stride;
            uint32_t word[AT_A_TIME];
#pragma unroll
            for (int u = 0; u < AT_A_TIME; u++) {
                word[u] = *(const uint32_t *)at;
                at += i + u + 1 < b.r.count ? next : 0; /* after the last, zeros follow */
            }
            int sign = sum.sign[o];
#pragma unroll
            for (int u = 0; u < AT_A_TIME; u++) {
                even[u] += sign * __byte_perm(word[u], 0, 0x4240);
                odd[u] += sign * __byte_perm(word[u], 0, 0x4341);
            }
        }
        from += AT_A_TIME * next;
#pragma unroll
        for (int u = 0; u < AT_A_TIME; u++)
#pragma unroll
            for (int k = 0; k < 4; k++)
                rebuild_add(&x[k], (k % 2 ? odd[u] : even[u]) >> k / 2 * 16 & 0xffff,
                            &b.r.m[i + u], integers_for<element>::PIECES);
    }
    const int words = RIGHT_LINES / 4; /* of a tile; four threads of the leaf hold them */
    int t = number % words / (words / 4), j = number % (words / 4);
    long i = (long)(block >> b.levels) * b.m + row;
    if (i >= b.left.rows || b.left.exponents[i] == LINE_DROPPED)
        return;
#pragma unroll
    for (int k = 0; k < 4; k += 2) {
        int col = number / words * RIGHT_LINES + (2 * j + k / 2) * 8 + 2 * t;
        long at = (long)(block & ((1 << b.levels) - 1)) * b.n + col;
        bool is_there[2];
        element value[2];
#pragma unroll
        for (int h = 0; h < 2; h++) {
            int t_exponent = col + h < b.n && at + h < b.right.cols ? b.right.exponents[at + h]
                                                                    : LINE_DROPPED;
            is_there[h] = t_exponent != LINE_DROPPED;
            value[h] = rounded<element>(&x[k + h], &b.r, b.left.exponents[i] + t_exponent);
        }
        element *to = c + i * ldc + at;
        if (in_pairs && is_there[0] && is_there[1]) {
            *(decltype(pair_of(value)) *)to = pair_of(value);
            continue;
        }
        for (int h = 0; h < 2; h++)
            if (is_there[h])
                to[h] = value[h];
    }
}
/// [rebuild]

template <typename element>
static void rebuild_numbers(const struct context *ctx, const struct exact_batch *b,
                            struct block c)
{
    struct result_sums sums;
    int blocks = 1 << 2 * b->levels;
    for (int i = 0; i < blocks; i++)
        sums.of[i] = result_sum(b->levels, i);
    int rows = blocks == 16 ? 1 : 8 / blocks; /* of each block, in one thread block */
    dim3 grid(blocks_for(b->row / 4, WORDS_ACROSS), blocks_for(b->m, rows)),
        threads(WORDS_ACROSS, blocks * rows);
    int in_pairs = (size_t)c.at % (2 * sizeof(element)) == 0 && c.ld % 2 == 0 && b->n % 2 == 0;
    rebuild_kernel<<<grid, threads, 0, ctx->stream>>>(*b, sums, (element *)c.at, c.ld,
                                                      in_pairs);
    GPU_CALL(ctx, cudaGetLastError());
}

void rebuild(const struct context *ctx, const struct exact_batch *b, struct block c)
{
    (b->left.is_float ? rebuild_numbers<float> : rebuild_numbers<double>)(ctx, b, c);
}

/* ---- Lines that were dropped ---- */

/* One thread for each line of A, or of B. */
template <typename element>
static __global__ void find_terms_kernel(struct exact_factor a, struct exact_factor b)
{
    const struct exact_factor &f = blockIdx.y ? b : a;
    int line = blockIdx.x * REPAIR_THREADS + threadIdx.x;
    if (line < f.matrix_lines && f.exponents[line] == LINE_DROPPED)
        f.apart[line] = terms_of_line((const element *)f.at + line * (f.right ? 1 : f.ld),
                                      f.right ? f.ld : 1, f.right ? f.rows : f.cols);
}

/* One thread for a column and some rows. Usually no lines are dropped, and the kernel ends at
   once. */
template <typename element>
static __global__ void repair_dropped_kernel(struct exact_factor a, struct exact_factor b,
                                             element *c, long ldc)
{
    int col = blockIdx.x * REPAIR_ACROSS + threadIdx.x;
    if (*a.dropped + *b.dropped == 0 || col >= b.cols)
        return;
    const struct line_terms *of_col = b.exponents[col] == LINE_DROPPED ? &b.apart[col] : NULL;
    for (int row = blockIdx.y * REPAIR_DOWN + threadIdx.y; row < a.rows;
         row += gridDim.y * REPAIR_DOWN) {
        const struct line_terms *of_row =
            a.exponents[row] == LINE_DROPPED ? &a.apart[row] : NULL;
        if (of_row || of_col)
            c[row * ldc + col] = (element)element_apart((const element *)a.at + row * a.ld,
                                                        (const element *)b.at + col, b.ld,
                                                        a.cols, of_row, of_col);
    }
}

template <typename element>
static void repair_numbers(const struct context *ctx, const struct exact_batch *b,
                           struct block c)
{
    dim3 grid(blocks_for(b->right.cols, REPAIR_ACROSS),
              smaller(blocks_for(b->left.rows, REPAIR_DOWN), REPAIR_BLOCKS_DOWN));
    find_terms_kernel<element>
        <<<dim3(blocks_for(larger(b->left.rows, b->right.cols), REPAIR_THREADS), 2),
           REPAIR_THREADS, 0, ctx->stream>>>(b->left, b->right);
    GPU_CALL(ctx, cudaGetLastError());
    repair_dropped_kernel<<<grid, dim3(REPAIR_ACROSS, REPAIR_DOWN), 0, ctx->stream>>>(
        b->left, b->right, (element *)c.at, c.ld);
    GPU_CALL(ctx, cudaGetLastError());
}

void repair_dropped(const struct context *ctx, const struct exact_batch *b, struct block c)
{
    (b->left.is_float ? repair_numbers<float> : repair_numbers<double>)(ctx, b, c);
}

/* ---- The safe mode: sums of doubles ---- */

#ifdef LADDER_SIM /* matrices are small */
enum { SUMS_EACH = 2, SUMS_TERMS = 8 };
#else
enum { SUMS_EACH = 8, SUMS_TERMS = 8 };
#endif
enum { SUMS_SIDE = 16, SUMS_TILE = SUMS_SIDE * SUMS_EACH };

/// [doubles]
/* Makes *worst a span for which has_large_terms() holds only if it holds for the line, too. */
static __device__ void add_line(const struct exact_factor &f, int lines, int line,
                                struct line_span *worst)
{
    if (line >= lines || f.exponents[line] == LINE_DROPPED)
        return;
    atomicMin(&worst->many, f.spans[line].many);
    atomicMin(&worst->size, f.spans[line].size);
    atomicMax(&worst->last, f.spans[line].last);
}

/* A thread block looks at a tile of C. If none of its elements needs a sum of doubles, it is
   done; otherwise it computes all of them and stores those that do, if they did not overflow.
   Each sum is in ascending order. Mostly it is enough to test the worst span of its rows
   together with that of its columns. */
static __global__ void __launch_bounds__(SUMS_SIDE *SUMS_SIDE)
    sum_doubles_kernel(struct exact_factor a, struct exact_factor b, long terms, double least,
                       double *c, long ldc)
{
    __shared__ double left[SUMS_TERMS][SUMS_TILE + 1], right[SUMS_TERMS][SUMS_TILE];
    __shared__ struct line_span worst_row, worst_col;
    int down = threadIdx.x / SUMS_SIDE, across = threadIdx.x % SUMS_SIDE;
    int first_row = blockIdx.y * SUMS_TILE, first_col = blockIdx.x * SUMS_TILE;
    unsigned long long wanted = 0;
    if (threadIdx.x == 0)
        worst_row = worst_col = {1 << COUNT_BITS, 500, -1100}; /* better than all lines */
    __syncthreads();
    int line = threadIdx.x % SUMS_TILE;
    if (threadIdx.x < SUMS_TILE)
        add_line(a, a.rows, first_row + line, &worst_row);
    else if (threadIdx.x < 2 * SUMS_TILE)
        add_line(b, b.cols, first_col + line, &worst_col);
    __syncthreads();
    if (has_large_terms(&worst_row, &worst_col, terms, least))
        return;
    for (int i = 0; i < SUMS_EACH; i++)
        for (int j = 0; j < SUMS_EACH; j++) {
            int row = first_row + down + i * SUMS_SIDE,
                col = first_col + across + j * SUMS_SIDE;
            if (row < a.rows && col < b.cols && a.exponents[row] != LINE_DROPPED &&
                b.exponents[col] != LINE_DROPPED &&
                needs_doubles(&a.spans[row], &b.spans[col], terms, least))
                wanted |= 1ull << (i * SUMS_EACH + j);
        }
    if (!__syncthreads_or(wanted != 0))
        return;
    const double *a_at = (const double *)a.at, *b_at = (const double *)b.at;
    double sum[SUMS_EACH][SUMS_EACH] = {};
    for (int l = 0; l < a.cols; l += SUMS_TERMS) {
        for (int i = threadIdx.x; i < SUMS_TERMS * SUMS_TILE; i += SUMS_SIDE * SUMS_SIDE) {
            int term = i % SUMS_TERMS, row = first_row + i / SUMS_TERMS;
            left[term][i / SUMS_TERMS] =
                row < a.rows && l + term < a.cols ? a_at[row * a.ld + l + term] : 0;
            int col = first_col + i % SUMS_TILE;
            term = i / SUMS_TILE;
            right[term][i % SUMS_TILE] =
                col < b.cols && l + term < b.rows ? b_at[(l + term) * b.ld + col] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int t = 0; t < SUMS_TERMS; t++)
#pragma unroll
            for (int i = 0; i < SUMS_EACH; i++)
#pragma unroll
                for (int j = 0; j < SUMS_EACH; j++)
                    sum[i][j] = fma(left[t][down + i * SUMS_SIDE],
                                    right[t][across + j * SUMS_SIDE], sum[i][j]);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < SUMS_EACH; i++)
#pragma unroll
        for (int j = 0; j < SUMS_EACH; j++)
            if ((wanted >> (i * SUMS_EACH + j) & 1) && is_finite_sum(sum[i][j]))
                c[(first_row + down + i * SUMS_SIDE) * ldc + first_col + across +
                  j * SUMS_SIDE] = sum[i][j];
}
/// [doubles]

void sum_doubles(const struct context *ctx, const struct exact_batch *b, struct block c)
{
    if (!b->left.spans)
        return;
    dim3 grid(blocks_for(b->right.cols, SUMS_TILE), blocks_for(b->left.rows, SUMS_TILE));
    sum_doubles_kernel<<<grid, SUMS_SIDE * SUMS_SIDE, 0, ctx->stream>>>(
        b->left, b->right, padded_terms(b->left.cols), least_sum(&b->r, b->left.cols),
        (double *)c.at, c.ld);
    GPU_CALL(ctx, cudaGetLastError());
}
