/* SPDX-License-Identifier: MIT */
/** @file rebuild.cu
 * Rebuilds C from the residues of the products, and computes the lines that were dropped.
 */
#include <cuda_pipeline.h>

#include "steps/23-exact/exact_batch.h"

enum { WORDS_ACROSS = 32, MODULI_TOGETHER = 8 };
enum {
    REPAIR_ACROSS = 32,
    REPAIR_DOWN = 8,
    REPAIR_THREADS = REPAIR_ACROSS * REPAIR_DOWN,
    REPAIR_BLOCKS_DOWN = 8 /* few, since usually no line is dropped */
};

/* The sums of products that are the blocks of C, and how many of their signs are negative. */
struct result_sums {
    struct block_sum of[BLOCKS_MOST];
    uint32_t negative[BLOCKS_MOST];
};

static __device__ double2 pair_of(const double x[2]) { return make_double2(x[0], x[1]); }
static __device__ float2 pair_of(const float x[2]) { return make_float2(x[0], x[1]); }

/* Each thread takes four bytes of a row of a block of C; threadIdx.y is the block, and above
   that the row. The blocks of a row read the same products, and find them in the L1 cache. With
   levels a thread reads some moduli at a time, so that it reads fewer products in turn. One
   instruction multiplies the bytes of both moduli of a pair. A byte b that is subtracted is
   added as 255 - b, and the pair's `complement` corrects that. */
template <typename element, int levels, int most>
static __global__ void __launch_bounds__(levels == 2 ? 512 : 256, levels == 2 ? 2 : 3)
    rebuild_kernel(const __grid_constant__ struct exact_batch b,
                   const __grid_constant__ struct result_sums sums, element *c, long ldc,
                   int in_pairs)
{
    int number = blockIdx.x * WORDS_ACROSS + threadIdx.x;
    int block = threadIdx.y & ((1 << 2 * levels) - 1);
    int row = (blockIdx.y * blockDim.y + threadIdx.y) >> 2 * levels;
    if (number >= (int)(b.row / 4) || row >= b.m)
        return;
    const unsigned char *first = b.residues + row * b.row + number * 4;
    const struct block_sum &sum = sums.of[block];
    size_t next = b.products * b.stride;
    uint32_t v[most / 2][4];
    const int together = levels ? MODULI_TOGETHER : most;
#pragma unroll
    for (int g = 0; g < most; g += together, first += together * next) {
        const int now = most - g < together ? most - g : together;
#pragma unroll
        for (int j = g / 2; j < (g + now) / 2; j++)
            v[j][0] = v[j][1] = v[j][2] = v[j][3] =
                levels ? sums.negative[block] * b.r.pairs[j].complement : 0;
        for (int o = 0; o < (levels ? sum.count : 1); o++) {
            const unsigned char *at = first + (levels ? sum.at[o] * b.stride : 0);
            uint32_t word[most], negative = levels && sum.sign[o] < 0 ? ~0u : 0;
#pragma unroll
            for (int i = 0; i < now; i++) {
                word[i] = *(const uint32_t *)at;
                at += g + i + 1 < b.r.count ? next : 0; /* after the last, factors are zeros */
            }
#pragma unroll
            for (int i = 0; i < now; i += 2) {
                uint32_t x = word[i] ^ negative, y = word[i + 1] ^ negative,
                         low = __byte_perm(x, y, 0x5140), high = __byte_perm(x, y, 0x7362),
                         factors = b.r.pairs[(g + i) / 2].factors;
                uint32_t *to = v[(g + i) / 2];
                to[0] = add_low_bytes(factors, low, to[0]);
                to[1] = add_high_bytes(factors, low, to[1]);
                to[2] = add_low_bytes(factors, high, to[2]);
                to[3] = add_high_bytes(factors, high, to[3]);
            }
        }
    }
    const int words = RIGHT_LINES / 4; /* of a tile; four threads of the leaf hold them */
    int t = number % words / (words / 4), j = number % (words / 4);
    long i = (long)(block >> levels) * b.m + row;
    if (i >= b.left.rows || b.left.exponents[i] == LINE_DROPPED)
        return;
#pragma unroll
    for (int k = 0; k < 4; k += 2) {
        int col = number / words * RIGHT_LINES + (2 * j + k / 2) * 8 + 2 * t;
        long at = (long)(block & ((1 << levels) - 1)) * b.n + col;
        bool is_there[2];
        element value[2];
#pragma unroll
        for (int h = 0; h < 2; h++) {
            int t_exponent = col + h < b.n && at + h < b.right.cols ? b.right.exponents[at + h]
                                                                    : LINE_DROPPED;
            is_there[h] = t_exponent != LINE_DROPPED;
            struct rebuilt x = {};
#pragma unroll
            for (int j = 0; j < most / 2; j++)
                rebuild_add(&x, v[j][k + h], &b.r.pairs[j], unit_pieces(most));
            value[h] =
                rounded<element>(&x, &b.r, unit_pieces(most), b.left.exponents[i] + t_exponent);
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

template <typename element, int levels, int most>
static void launch_rebuild(const struct context *ctx, const struct exact_batch *b,
                           struct block C)
{
    struct result_sums sums = {};
    const int blocks = 1 << 2 * levels;
    for (int i = 0; i < blocks; i++) {
        sums.of[i] = result_sum(levels, i);
        for (int o = 0; o < sums.of[i].count; o++)
            sums.negative[i] += sums.of[i].sign[o] < 0;
    }
    int rows = blocks == 16 ? 1 : 8 / blocks; /* of each block, in one thread block */
    dim3 grid(blocks_for(b->row / 4, WORDS_ACROSS), blocks_for(b->m, rows)),
        threads(WORDS_ACROSS, blocks * rows);
    int in_pairs = (size_t)C.at % (2 * sizeof(element)) == 0 && C.ld % 2 == 0 && b->n % 2 == 0;
    rebuild_kernel<element, levels, most>
        <<<grid, threads, 0, ctx->stream>>>(*b, sums, (element *)C.at, C.ld, in_pairs);
    GPU_CALL(ctx, launch_error(ctx));
}

template <typename element, int most>
static void rebuild_at(const struct context *ctx, const struct exact_batch *b, struct block C)
{
    if (b->levels == 0)
        launch_rebuild<element, 0, most>(ctx, b, C);
    else if (b->levels == 1)
        launch_rebuild<element, 1, most>(ctx, b, C);
    else
        launch_rebuild<element, 2, most>(ctx, b, C);
}

void rebuild(const struct context *ctx, const struct exact_batch *b, struct block C)
{
    (b->left.is_float             ? rebuild_at<float, MODULI_FLOAT + 1>
     : b->r.count <= MODULI_EXACT ? rebuild_at<double, MODULI_EXACT>
                                  : rebuild_at<double, MODULI_MOST>)(ctx, b, C);
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
                           struct block C)
{
    dim3 grid(blocks_for(b->right.cols, REPAIR_ACROSS),
              smaller(blocks_for(b->left.rows, REPAIR_DOWN), REPAIR_BLOCKS_DOWN));
    find_terms_kernel<element>
        <<<dim3(blocks_for(larger(b->left.rows, b->right.cols), REPAIR_THREADS), 2),
           REPAIR_THREADS, 0, ctx->stream>>>(b->left, b->right);
    GPU_CALL(ctx, launch_error(ctx));
    repair_dropped_kernel<<<grid, dim3(REPAIR_ACROSS, REPAIR_DOWN), 0, ctx->stream>>>(
        b->left, b->right, (element *)C.at, C.ld);
    GPU_CALL(ctx, launch_error(ctx));
}

void repair_dropped(const struct context *ctx, const struct exact_batch *b, struct block C)
{
    (b->left.is_float ? repair_numbers<float> : repair_numbers<double>)(ctx, b, C);
}

/* ---- The safe mode: sums of doubles ---- */

/* Eight warps, 2 x 4, each with SUMS_EACH x SUMS_EACH matrix instructions of 16 x 8 elements
   and STEP_TERMS terms. A slice is SUMS_TERMS terms of a tile's lines. */
enum { STEP_TERMS = 4, SUMS_TERMS = 8, SUMS_STAGES = 3, SUMS_THREADS = 256 };
static_assert(SUMS_TERMS == 2 * STEP_TERMS, "steps take turns with two sets of registers");

/* The lengths of both lines are 4 more than a multiple of 8. So the 16 lanes that read at the
   same time, 4 lines x 4 terms or 4 terms x 4 lines, read from different banks. */
struct sums_slice {
    double left[SUMS_TILE][SUMS_TERMS + 4], right[SUMS_TERMS][SUMS_TILE + 4];
};

/* True if some element of this tile of C may need a sum of doubles. */
static __device__ bool may_need_doubles(const struct exact_factor &a,
                                        const struct exact_factor &b, int down, int across,
                                        long terms, double least)
{
    struct line_span row = a.worst[down], col = b.worst[across];
    row.last = -row.last, col.last = -col.last;
    return !has_large_terms(&row, &col, terms, least);
}

/* d (16 x 8) += a (16 x 4) * b (4 x 8). Lane l has rows l / 4 and l / 4 + 8 of a and d, column
   l / 4 of b, term l % 4 of both, and columns l % 4 * 2 and the next of d. Tensor cores add
   products of doubles as fma() does, one term after another. So the bits are the same without
   them. */
static __device__ __forceinline__ void mma_doubles(double d[4], const double a[2], double b)
{
#if defined(LADDER_SIM) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800)
    int lane = threadIdx.x % 32;
    for (int l = 0; l < STEP_TERMS; l++)
        for (int i = 0; i < 4; i++)
            d[i] = fma(__shfl_sync(0xffffffff, a[i / 2], lane / 4 * 4 + l),
                       __shfl_sync(0xffffffff, b, (lane % 4 * 2 + i % 2) * 4 + l), d[i]);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, "
                 "{%6}, {%0, %1, %2, %3};"
                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                 : "d"(a[0]), "d"(a[1]), "d"(b));
#else
    for (int i = 0; i < 2; i++)
        asm volatile(
            "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
            : "+d"(d[2 * i]), "+d"(d[2 * i + 1])
            : "d"(a[i]), "d"(b));
#endif
}

/* The row and the column in a tile of the first element in d[2 * half] of this thread's
   instruction (i, j). */
static __device__ __forceinline__ int sums_row(int i, int half)
{
    return (threadIdx.x / 128 * SUMS_EACH + i) * 16 + half * 8 + threadIdx.x % 32 / 4;
}
static __device__ __forceinline__ int sums_col(int j)
{
    return (threadIdx.x / 32 % 4 * SUMS_EACH + j) * 8 + threadIdx.x % 4 * 2;
}

/* Begins to copy an element. If it is not there, stores a zero and reads nothing. */
static __device__ __forceinline__ void copy_double(double *to, const double *from,
                                                   bool is_there)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    *to = is_there ? *from : 0;
#else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(is_there ? 8 : 0));
#endif
}

/* Begins to copy the slice from term l on, with zeros outside of the matrices. */
static __device__ __forceinline__ void copy_sums_slice(struct sums_slice *to,
                                                       const struct exact_factor &a,
                                                       const struct exact_factor &b,
                                                       int first_row, int first_col, int l)
{
#pragma unroll
    for (int i = 0; i < SUMS_TERMS * SUMS_TILE / SUMS_THREADS; i++) {
        int at = i * SUMS_THREADS + threadIdx.x, line = at / SUMS_TERMS, term = at % SUMS_TERMS;
        int row = first_row + line;
        copy_double(&to->left[line][term], (const double *)a.at + row * a.ld + l + term,
                    row < a.rows && l + term < a.cols);
        line = at % SUMS_TILE, term = at / SUMS_TILE;
        int col = first_col + line;
        copy_double(&to->right[term][line], (const double *)b.at + (l + term) * b.ld + col,
                    col < b.cols && l + term < b.rows);
    }
    __pipeline_commit();
}

/* The operands of a warp's instructions for one step. */
struct sums_step {
    double left[SUMS_EACH][2], right[SUMS_EACH];
};

static __device__ __forceinline__ void load_step(struct sums_step *to,
                                                 const struct sums_slice *from, int first)
{
    int term = first + threadIdx.x % 4;
#pragma unroll
    for (int i = 0; i < SUMS_EACH; i++) {
        to->left[i][0] = from->left[sums_row(i, 0)][term];
        to->left[i][1] = from->left[sums_row(i, 1)][term];
        to->right[i] = from->right[term][(threadIdx.x / 32 % 4 * SUMS_EACH + i) * 8 +
                                         threadIdx.x % 32 / 4];
    }
}

static __device__ __forceinline__ void multiply_step(double sum[SUMS_EACH][SUMS_EACH][4],
                                                     const struct sums_step *x)
{
#pragma unroll
    for (int i = 0; i < SUMS_EACH; i++)
#pragma unroll
        for (int j = 0; j < SUMS_EACH; j++)
            mma_doubles(sum[i][j], x->left[i], x->right[j]);
}

/* Computes a tile of C in doubles, if an element needs it, and stores those elements that do,
   if they did not overflow. Each sum is in ascending order. A warp loads its operands one step
   before it multiplies them, so that it multiplies while the next slice's first ones come. */
static __device__ __forceinline__ void sum_tile(const struct exact_factor &a,
                                                const struct exact_factor &b, int first_row,
                                                int first_col, long terms, double least,
                                                double *c, long ldc)
{
    extern __shared__ __align__(16) unsigned char sums_memory[];
    struct sums_slice *slices = (struct sums_slice *)sums_memory;
    unsigned long long wanted = 0;
    for (int i = 0; i < 2 * SUMS_EACH; i++)
        for (int j = 0; j < 2 * SUMS_EACH; j++) {
            int row = first_row + sums_row(i / 2, i % 2),
                col = first_col + sums_col(j / 2) + j % 2;
            if (row < a.rows && col < b.cols && a.exponents[row] != LINE_DROPPED &&
                b.exponents[col] != LINE_DROPPED &&
                needs_doubles(&a.spans[row], &b.spans[col], terms, least))
                wanted |= 1ull << (i * 2 * SUMS_EACH + j);
        }
    if (!__syncthreads_or(wanted != 0))
        return;
    double sum[SUMS_EACH][SUMS_EACH][4] = {};
    struct sums_step now, next;
    for (int s = 0; s < SUMS_STAGES; s++)
        copy_sums_slice(&slices[s], a, b, first_row, first_col, s * SUMS_TERMS);
    __pipeline_wait_prior(SUMS_STAGES - 1);
    __syncthreads();
    load_step(&now, &slices[0], 0);
    for (int l = 0, s = 0; l < a.cols; l += SUMS_TERMS) {
        load_step(&next, &slices[s], STEP_TERMS);
        multiply_step(sum, &now);
        __pipeline_wait_prior(SUMS_STAGES - 2);
        __syncthreads(); /* the next slice has arrived, and all have loaded this one */
        copy_sums_slice(&slices[s], a, b, first_row, first_col, l + SUMS_STAGES * SUMS_TERMS);
        s = s + 1 < SUMS_STAGES ? s + 1 : 0;
        load_step(&now, &slices[s], 0);
        multiply_step(sum, &next);
    }
    __pipeline_wait_prior(0); /* the slices after the last one are zeros */
#pragma unroll
    for (int i = 0; i < 2 * SUMS_EACH; i++)
#pragma unroll
        for (int j = 0; j < 2 * SUMS_EACH; j++) {
            double x = sum[i / 2][j / 2][i % 2 * 2 + j % 2];
            if ((wanted >> (i * 2 * SUMS_EACH + j) & 1) && is_finite_sum(x))
                c[(first_row + sums_row(i / 2, i % 2)) * ldc + first_col + sums_col(j / 2) +
                  j % 2] = x;
        }
}

/* Each thread block looks at some tiles, a thread at one of them at a time. Mostly none needs
   sums of doubles. */
static __global__ void __launch_bounds__(SUMS_THREADS, 1)
    sum_doubles_kernel(struct exact_factor a, struct exact_factor b, long terms, double least,
                       double *c, long ldc, int tiles_across, int tiles)
{
    __shared__ unsigned char needs[SUMS_THREADS];
    for (int first = blockIdx.x; first < tiles; first += SUMS_THREADS * gridDim.x) {
        int tile = first + threadIdx.x * gridDim.x;
        needs[threadIdx.x] =
            tile < tiles &&
            may_need_doubles(a, b, tile / tiles_across, tile % tiles_across, terms, least);
        if (!__syncthreads_or(needs[threadIdx.x]))
            continue;
        for (int i = 0; i < SUMS_THREADS; i++) {
            tile = first + i * gridDim.x;
            if (needs[i])
                sum_tile(a, b, tile / tiles_across * SUMS_TILE, tile % tiles_across * SUMS_TILE,
                         terms, least, c, ldc);
        }
        __syncthreads();
    }
}

void sum_doubles(const struct context *ctx, const struct exact_batch *b, struct block C)
{
    if (!b->left.spans)
        return;
    long across = pieces_of(b->right.cols, SUMS_TILE),
         tiles = across * pieces_of(b->left.rows, SUMS_TILE);
    size_t shared = SUMS_STAGES * sizeof(struct sums_slice);
    GPU_CALL(ctx,
             cudaFuncSetAttribute(sum_doubles_kernel,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    if (is_failed(ctx))
        return;
    sum_doubles_kernel<<<smaller(tiles, ctx->gpu->multiprocessors), SUMS_THREADS, shared,
                         ctx->stream>>>(b->left, b->right, padded_terms(b->left.cols),
                                        least_sum(&b->r, b->left.cols), (double *)C.at, C.ld,
                                        (int)across, (int)tiles);
    GPU_CALL(ctx, launch_error(ctx));
}
