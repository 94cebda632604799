/* SPDX-License-Identifier: MIT */
/** @file line_exponents.cu
 * The power of two of each line, from its norm over all of k. See residues.h.
 */
#include "steps/23-exact/exact_batch.h"

enum {
    THREADS = 256,
    LANES_ACROSS = 32,
    LANES_DOWN = 16,
    STRIP_EACH = STRIP_ROWS / LANES_DOWN
};
/* A thread block keeps as many elements of a row in registers, HELD per thread. */
#ifdef LADDER_SIM
enum { ROW_THREADS = 64, HELD = 16, ROW_HELD = ROW_THREADS * HELD };
#else
enum { ROW_THREADS = 512, HELD = 16, ROW_HELD = ROW_THREADS * HELD };
#endif
static_assert((int)HELD <= (int)MOST_FEW && (int)STRIP_EACH <= (int)MOST_FEW,
              "a thread counts a few elements");
/* The exponent of a strip of zeros. */
enum { NO_EXPONENT = -100000 };

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
    else if (f.spans) {
        struct line_span span = span_of(counts, e, s), *worst = &f.worst[line / SUMS_TILE];
        f.spans[line] = span;
        /* If has_large_terms() holds for the worst span, it holds for this line, too. */
        atomicMin(&worst->many, span.many);
        atomicMin(&worst->size, span.size);
        atomicMin(&worst->last, -span.last);
    }
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
    unsigned mine = 0, depth = of_warp(own.depth, false);
#pragma unroll
    for (int i = 0; i < SPAN_STEPS; i++) {
        unsigned sum = of_warp((unsigned)(own.word >> i * FEW_BITS) & MOST_FEW, true);
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

template <typename element>
static __device__ __forceinline__ void load_held(const element *x, int first, int cols,
                                                 element held[HELD])
{
#pragma unroll
    for (int i = 0; i < HELD; i++) {
        int j = first + i * ROW_THREADS + threadIdx.x;
        held[i] = j < cols ? x[j] : 0;
    }
}

/* One thread block for each row of A: first the largest element, then the norm and the span.
   The part that was read last is in registers then. All are sums or maxima of integers, the
   same in any order. */
template <typename element, bool safe>
static __global__ void __launch_bounds__(ROW_THREADS, 2)
    row_exponents_kernel(struct exact_factor f, struct norm_limit limit)
{
    __shared__ unsigned long long most, norm, numbers;
    __shared__ struct block_counts counts;
    int row = blockIdx.x, own_numbers = 0, first = 0;
    const element *x = (const element *)f.at + row * f.ld;
    unsigned long long own = 0;
    element held[HELD];
    if (threadIdx.x == 0)
        most = norm = numbers = 0, counts = {};
    __syncthreads();
    for (;; first += ROW_HELD) {
        load_held(x, first, f.cols, held);
#pragma unroll
        for (int i = 0; i < HELD; i++) {
            unsigned long long bits = magnitude_bits(held[i]);
            own = max(own, bits), own_numbers += bits > 0;
        }
        if (first + ROW_HELD >= f.cols)
            break;
    }
    add_warp(own, 0, &most);
    add_warp(own_numbers, 1, &numbers);
    __syncthreads();
    own = 0;
    if (most && most < NOT_FINITE) {
        int e = exponent_over(most);
        while (1) {
            struct few_counts few = {};
#pragma unroll
            for (int i = 0; i < HELD; i++) {
                own += norm_part(held[i], e);
                if (safe)
                    count_element(&few, magnitude_bits(held[i]), e);
            }
            if (safe)
                add_warp_counts(few, &counts);
            first -= ROW_HELD;
            if (first < 0)
                break;
            load_held(x, first, f.cols, held);
        }
    }
    add_warp(own, 1, &norm);
    __syncthreads();
    if (threadIdx.x == 0) {
        struct span_counts all = packed(counts);
        finish_line(f, limit, row, most, norm, (int)numbers, &all);
    }
}

/* B: a thread block takes a strip of rows and some columns, and keeps its elements in
   registers. It computes norms and counts for the largest element of its strip of a column.
   `again`: for that of the whole column, where the exponent is another one. */
template <typename element, bool again, bool safe>
static __global__ void __launch_bounds__(LANES_ACROSS *LANES_DOWN, 2)
    column_strips_kernel(struct exact_factor f)
{
    __shared__ unsigned long long part[LANES_DOWN][LANES_ACROSS];
    __shared__ int counted[LANES_DOWN][LANES_ACROSS], exponents[LANES_ACROSS];
    __shared__ struct few_counts spans[LANES_DOWN][LANES_ACROSS];
    int col = blockIdx.x * LANES_ACROSS + threadIdx.x, e = NO_EXPONENT, numbers = 0;
    size_t at = (size_t)blockIdx.y * f.cols + col;
    bool wanted = col < f.cols;
    unsigned long long most = 0, own = 0;
    if (again) {
        if (threadIdx.y == 0 && wanted) {
            most = f.maxima[col];
            int before = f.strip_exponents[at];
            if (most && most < NOT_FINITE && before != NO_EXPONENT &&
                before != exponent_over(most))
                e = exponent_over(most);
        }
        if (threadIdx.y == 0)
            exponents[threadIdx.x] = e;
        if (!__syncthreads_or(e != NO_EXPONENT))
            return;
        e = exponents[threadIdx.x], wanted = e != NO_EXPONENT;
    }
    element x[STRIP_EACH];
#pragma unroll
    for (int i = 0; i < STRIP_EACH; i++) {
        int row = blockIdx.y * STRIP_ROWS + i * LANES_DOWN + threadIdx.y;
        x[i] = wanted && row < f.rows ? ((const element *)f.at)[row * f.ld + col] : 0;
    }
    if (!again) {
#pragma unroll
        for (int i = 0; i < STRIP_EACH; i++) {
            unsigned long long bits = magnitude_bits(x[i]);
            own = max(own, bits), numbers += bits > 0;
        }
        part[threadIdx.y][threadIdx.x] = own;
        counted[threadIdx.y][threadIdx.x] = numbers;
        __syncthreads();
        numbers = 0;
        for (int i = 0; i < LANES_DOWN; i++) {
            most = max(most, part[i][threadIdx.x]);
            numbers += counted[i][threadIdx.x];
        }
        e = most && most < NOT_FINITE ? exponent_over(most) : (int)NO_EXPONENT;
        __syncthreads();
    }
    own = 0;
    struct few_counts few = {};
    if (e != NO_EXPONENT)
#pragma unroll
        for (int i = 0; i < STRIP_EACH; i++) {
            own += norm_part(x[i], e);
            if (safe)
                count_element(&few, magnitude_bits(x[i]), e);
        }
    spans[threadIdx.y][threadIdx.x] = few;
    part[threadIdx.y][threadIdx.x] = own;
    __syncthreads();
    if (threadIdx.y > 0 || !wanted)
        return;
    struct span_counts sum = {};
    for (int i = 0; i < LANES_DOWN; i++) {
        own += i > 0 ? part[i][threadIdx.x] : 0;
        add_few_counts(spans[i][threadIdx.x], &sum);
    }
    f.norms[at] = own;
    if (safe)
        f.counts[at] = sum;
    if (!again) {
        f.strip_exponents[at] = e;
        atomicMax((unsigned long long *)&f.maxima[col], most);
        atomicAdd(&f.numbers[col], numbers);
    }
}

static __global__ void column_exponents_kernel(struct exact_factor f, struct norm_limit limit)
{
    int col = blockIdx.x * THREADS + threadIdx.x;
    if (col >= f.cols)
        return;
    struct span_counts counts = {};
    uint64_t norm = 0;
    for (size_t at = col; at < (size_t)f.strips * f.cols; at += f.cols) {
        norm += f.norms[at];
        for (int i = 0; f.spans && i < SPAN_WORDS; i++)
            counts.words[i] += f.counts[at].words[i];
        if (f.spans)
            counts.depth = max(counts.depth, f.counts[at].depth);
    }
    finish_line(f, limit, col, f.maxima[col], norm, f.numbers[col], &counts);
}

template <typename element, bool safe>
static void find_exponents(const struct context *ctx, const struct residue_system *r,
                           const struct exact_factor *f)
{
    struct norm_limit limit = r->limits[f->right];
    GPU_CALL(ctx, cudaMemsetAsync(f->dropped, 0, sizeof(int), ctx->stream));
    if (safe) /* all bytes 0x3f are larger than a span's numbers, and their sums fit in an int
               */
        GPU_CALL(ctx, cudaMemsetAsync(f->worst, 0x3f,
                                      blocks_for(f->matrix_lines, SUMS_TILE) *
                                          sizeof(struct line_span),
                                      ctx->stream));
    if (!f->right) {
        row_exponents_kernel<element, safe>
            <<<f->rows, ROW_THREADS, 0, ctx->stream>>>(*f, limit);
        GPU_CALL(ctx, launch_error(ctx));
        return;
    }
    dim3 grid(blocks_for(f->cols, LANES_ACROSS), f->strips), threads(LANES_ACROSS, LANES_DOWN);
    GPU_CALL(ctx, cudaMemsetAsync(f->maxima, 0, f->cols * (sizeof(uint64_t) + sizeof(int)),
                                  ctx->stream));
    column_strips_kernel<element, false, safe><<<grid, threads, 0, ctx->stream>>>(*f);
    GPU_CALL(ctx, launch_error(ctx));
    column_strips_kernel<element, true, safe><<<grid, threads, 0, ctx->stream>>>(*f);
    GPU_CALL(ctx, launch_error(ctx));
    column_exponents_kernel<<<blocks_for(f->cols, THREADS), THREADS, 0, ctx->stream>>>(*f,
                                                                                       limit);
    GPU_CALL(ctx, launch_error(ctx));
}

void find_line_exponents(const struct context *ctx, const struct residue_system *r,
                         const struct exact_factor *f)
{
    (f->is_float ? find_exponents<float, false>
     : f->spans  ? find_exponents<double, true>
                 : find_exponents<double, false>)(ctx, r, f);
}
