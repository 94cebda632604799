/* SPDX-License-Identifier: MIT */
/** @file line_exponents.cu
 * The power of two of each line, from its norm over all of k. See residues.h.
 */
#include "exact_batch.h"

enum { THREADS = 256, LANES_ACROSS = 32, LANES_DOWN = 8, STRIP_ROWS = 256 };
/* Few rows at a time, so that the second reading hits the L2 cache. */
#ifdef LADDER_SIM
enum { ROW_THREADS = 64 };
#else
enum { ROW_THREADS = 1024 };
#endif

/* Stores a line's exponent and, in the safe mode, its span; or that it is computed separately.
 */
static __device__ void finish_line(const struct exact_factor &f, struct norm_limit limit,
                                   int line, uint64_t most, uint64_t norm, int numbers,
                                   const struct span_counts *counts)
{
    bool apart = most >= NOT_FINITE || numbers <= TERMS_APART;
    int e = exponent_over(most), s = apart ? (int)LINE_DROPPED : line_exponent(limit, norm, e);
    f.exponents[line] = s;
    if (apart)
        atomicAdd(f.dropped, 1);
    else if (f.spans)
        f.spans[line] = span_of(counts, e, s);
}

/* Adds a warp's sum of x to *to, or raises *to to the warp's largest x. */
static __device__ void add_warp(unsigned long long x, int as_sum, unsigned long long *to)
{
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        unsigned long long other = __shfl_xor_sync(0xffffffff, x, lanes);
        x = as_sum ? x + other : max(x, other);
    }
    if (threadIdx.x % 32 > 0 || x == 0)
        return;
    if (as_sum)
        atomicAdd(to, x);
    else
        atomicMax(to, x);
}

/* The counts of a thread block: integers of 32 bits, which warps add with few instructions. */
struct block_counts {
    unsigned step[SPAN_STEPS], depth;
};

/* The sum or the largest of a warp's x, in all lanes. */
static __device__ unsigned of_warp(unsigned x, bool as_sum)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        unsigned other = __shfl_xor_sync(0xffffffff, x, lanes);
        x = as_sum ? x + other : max(x, other);
    }
    return x;
#else
    return as_sum ? __reduce_add_sync(0xffffffff, x) : __reduce_max_sync(0xffffffff, x);
#endif
}

/* Adds a warp's counts to *to; lane i adds those of step i. */
static __device__ void add_warp_counts(struct few_counts own, struct block_counts *to)
{
    int lane = threadIdx.x % 32;
    unsigned mine = 0, depth = of_warp((unsigned)own.depth, false);
#pragma unroll
    for (int i = 0; i < SPAN_STEPS; i++) {
        unsigned sum = of_warp(own.word >> i * FEW_BITS & MOST_FEW, true);
        mine = lane == i ? sum : mine;
    }
    if (lane < SPAN_STEPS)
        atomicAdd(&to->step[lane], mine);
    else if (lane == SPAN_STEPS)
        atomicMax(&to->depth, depth);
}

static __device__ struct span_counts packed(const struct block_counts &from)
{
    struct span_counts c = {{0}, from.depth};
    for (int i = 0; i < SPAN_STEPS; i++)
        c.words[i / COUNTS_IN_WORD] |= (uint64_t)from.step[i]
                                       << i % COUNTS_IN_WORD * COUNT_BITS;
    return c;
}

/// [row]
/* One thread block for each row of A, which it reads twice: for the largest element, then for
   the norm and the span. All are sums or maxima of integers, the same in any order. */
template <typename element>
static __global__ void row_exponents_kernel(struct exact_factor f, struct norm_limit limit)
{
    __shared__ unsigned long long most, norm, numbers;
    __shared__ struct block_counts counts;
    int row = blockIdx.x;
    const element *x = (const element *)f.at + row * f.ld;
    if (threadIdx.x == 0)
        most = norm = numbers = 0, counts = {};
    __syncthreads();
    unsigned long long own = 0;
    int own_numbers = 0;
    for (int j = threadIdx.x; j < f.cols; j += ROW_THREADS) {
        unsigned long long bits = magnitude_bits(x[j]);
        own = max(own, bits), own_numbers += bits > 0;
    }
    add_warp(own, 0, &most);
    add_warp(own_numbers, 1, &numbers);
    __syncthreads();
    own = 0;
    if (most && most < NOT_FINITE) {
        int e = exponent_over(most);
        for (int first = 0; first < f.cols; first += ROW_THREADS * MOST_FEW) {
            struct few_counts few = {};
            int end = min(f.cols, first + ROW_THREADS * MOST_FEW);
            for (int j = first + threadIdx.x; j < end; j += ROW_THREADS) {
                own += norm_part(x[j], e);
                if (f.spans)
                    count_element(&few, magnitude_bits(x[j]), e);
            }
            if (f.spans)
                add_warp_counts(few, &counts);
        }
    }
    add_warp(own, 1, &norm);
    __syncthreads();
    if (threadIdx.x == 0) {
        struct span_counts all = packed(counts);
        finish_line(f, limit, row, most, norm, (int)numbers, &all);
    }
}
/// [row]

/* Adds the counts of a strip's column to *to. */
static __device__ void add_column_counts(const struct few_counts (*spans)[LANES_ACROSS],
                                         struct span_counts *to)
{
    struct span_counts sum = {};
    for (int i = 0; i < LANES_DOWN; i++)
        add_few_counts(spans[i][threadIdx.x], &sum);
    for (int i = 0; i < SPAN_WORDS; i++)
        atomicAdd((unsigned long long *)&to->words[i], sum.words[i]);
    atomicMax((unsigned long long *)&to->depth, sum.depth);
}

/* B: one thread for each column of a strip of rows; with_norms is 0 in the pass for maxima. */
template <typename element>
static __global__ void column_strips_kernel(struct exact_factor f, int with_norms)
{
    __shared__ unsigned long long part[LANES_DOWN][LANES_ACROSS];
    __shared__ int counted[LANES_DOWN][LANES_ACROSS];
    __shared__ struct few_counts spans[LANES_DOWN][LANES_ACROSS];
    static_assert(STRIP_ROWS / LANES_DOWN <= MOST_FEW, "a thread counts a few elements");
    int col = blockIdx.x * LANES_ACROSS + threadIdx.x, first = blockIdx.y * STRIP_ROWS;
    int end = min(f.rows, first + (int)STRIP_ROWS), numbers = 0;
    unsigned long long own = 0;
    struct few_counts few = {};
    if (col < f.cols) {
        unsigned long long most = with_norms ? f.maxima[col] : 0;
        int e = most && most < NOT_FINITE ? exponent_over(most) : 0;
        if (!with_norms || (most && most < NOT_FINITE))
            for (int i = first + threadIdx.y; i < end; i += LANES_DOWN) {
                double x = ((const element *)f.at)[i * f.ld + col];
                own = with_norms ? own + norm_part(x, e)
                                 : max(own, (unsigned long long)magnitude_bits(x));
                numbers += x != 0;
                if (with_norms && f.spans)
                    count_element(&few, magnitude_bits(x), e);
            }
    }
    spans[threadIdx.y][threadIdx.x] = few;
    part[threadIdx.y][threadIdx.x] = own;
    counted[threadIdx.y][threadIdx.x] = numbers;
    __syncthreads();
    if (threadIdx.y > 0 || col >= f.cols)
        return;
    for (int i = 1; i < LANES_DOWN; i++) {
        unsigned long long other = part[i][threadIdx.x];
        own = with_norms ? own + other : max(own, other);
        numbers += counted[i][threadIdx.x];
    }
    if (with_norms) {
        atomicAdd((unsigned long long *)&f.norms[col], own);
        atomicAdd(&f.numbers[col], numbers);
        if (f.spans)
            add_column_counts(spans, &f.counts[col]);
    } else
        atomicMax((unsigned long long *)&f.maxima[col], own);
}

static __global__ void column_exponents_kernel(struct exact_factor f, struct norm_limit limit)
{
    int col = blockIdx.x * THREADS + threadIdx.x;
    if (col < f.cols)
        finish_line(f, limit, col, f.maxima[col], f.norms[col], f.numbers[col],
                    f.counts ? &f.counts[col] : NULL);
}

void find_line_exponents(const struct context *ctx, const struct residue_system *r,
                         const struct exact_factor *f)
{
    struct norm_limit limit = r->limits[f->right];
    GPU_CALL(ctx, cudaMemsetAsync(f->dropped, 0, sizeof(int), ctx->stream));
    if (!f->right) {
        void (*kernel)(struct exact_factor, struct norm_limit) =
            f->is_float ? row_exponents_kernel<float> : row_exponents_kernel<double>;
        kernel<<<f->rows, ROW_THREADS, 0, ctx->stream>>>(*f, limit);
        GPU_CALL(ctx, cudaGetLastError());
        return;
    }
    dim3 grid(blocks_for(f->cols, LANES_ACROSS), blocks_for(f->rows, STRIP_ROWS)),
        threads(LANES_ACROSS, LANES_DOWN);
    GPU_CALL(ctx,
             cudaMemsetAsync(f->maxima, 0,
                             f->cols * (LINE_NORM_BYTES + (f->spans != NULL) * LINE_SPAN_BYTES),
                             ctx->stream));
    void (*kernel)(struct exact_factor, int) =
        f->is_float ? column_strips_kernel<float> : column_strips_kernel<double>;
    for (int with_norms = 0; with_norms < 2; with_norms++) {
        kernel<<<grid, threads, 0, ctx->stream>>>(*f, with_norms);
        GPU_CALL(ctx, cudaGetLastError());
    }
    column_exponents_kernel<<<blocks_for(f->cols, THREADS), THREADS, 0, ctx->stream>>>(*f,
                                                                                       limit);
    GPU_CALL(ctx, cudaGetLastError());
}
