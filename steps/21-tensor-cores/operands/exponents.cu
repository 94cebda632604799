/* SPDX-License-Identifier: MIT */
/** @file exponents.cu
 * Finds the power of two of each line, and the lines that repair() computes. See operands.h.
 */
#include "operands.h"

#include <math.h>

#include "steps/21-tensor-cores/launch.cuh"
#include "steps/21-tensor-cores/leaf/mma_tile.cuh"
#include "signs.cuh"
#include "terms.cuh"

/* Bits of non-negative floats compare like the floats, and NaN is larger than infinity. */
static __device__ __forceinline__ int magnitude(float x)
{
    return __float_as_int(x) & 0x7fffffff;
}

static __device__ __forceinline__ int largest_of(float4 x)
{
    return max(max(magnitude(x.x), magnitude(x.y)), max(magnitude(x.z), magnitude(x.w)));
}

enum { THREADS = 256, WARPS = THREADS / 32 };

/* Joins element `what` of two structs spread: the smallest, the largest, or the sum. */
static __device__ __forceinline__ float joined(int what, float x, float y)
{
    return what == 0 ? fminf(x, y) : what == 1 ? fmaxf(x, y) : x + y;
}

/* A: adds up a row of a block, with `team` warps; `across` is the column of blocks. Returns the
   bits of the largest |element| and the spread to all threads of the team. */
static __device__ __forceinline__ int add_up_row(const struct factors &x, int blocks, int row,
                                                 int across, int team, struct spread *spread)
{
    __shared__ int parts[WARPS];
    __shared__ float spreads[4][WARPS];
    int length = x.cols / blocks, number = threadIdx.y % team, most = 0;
    float all[4] = {INFINITY, -INFINITY, 0, 0}; /* ordered as in struct spread */
    if (row < x.rows)
#pragma unroll 4
        for (int j = (number * 32 + threadIdx.x) * 4; j < length; j += team * 128) {
            float4 v = *(const float4 *)(x.at + row * x.ld + (long)across * length + j);
            most = max(most, largest_of(v));
            all[0] = fminf(all[0], fminf(fminf(v.x, v.y), fminf(v.z, v.w)));
            all[1] = fmaxf(all[1], fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
            all[2] += (v.x + v.y) + (v.z + v.w);
            all[3] += (fabsf(v.x) + fabsf(v.y)) + (fabsf(v.z) + fabsf(v.w));
        }
    for (int apart = 16; apart > 0; apart /= 2) {
        most = max(most, __shfl_xor_sync(~0u, most, apart));
        for (int what = 0; what < 4; what++)
            all[what] = joined(what, all[what], __shfl_xor_sync(~0u, all[what], apart));
    }
    if (threadIdx.x == 0) {
        parts[threadIdx.y] = most;
        for (int what = 0; what < 4; what++)
            spreads[what][threadIdx.y] = all[what];
    }
    __syncthreads();
    int first = threadIdx.y - number;
    for (int what = 0; what < 4; what++)
        all[what] = spreads[what][first];
    for (int i = 0; i < team; i++)
        most = max(most, parts[first + i]);
    for (int i = 1; i < team; i++)
        for (int what = 0; what < 4; what++)
            all[what] = joined(what, all[what], spreads[what][first + i]);
    *spread = (struct spread){all[0], all[1], all[2], all[3]};
    return most;
}

static __device__ void find_row_maxima(const struct factors &x, int blocks, int row, int across,
                                       int team)
{
    struct spread spread;
    int most = add_up_row(x, blocks, row, across, team, &spread);
    if (threadIdx.x > 0 || threadIdx.y % team > 0 || row >= x.rows)
        return;
    long at = (long)(row / x.lines * blocks + across) * x.lines + row % x.lines;
    x.maxima[at] = most;
    x.row[at] = spread;
}

/* B: each thread has four columns, each thread block STRIP rows of one block. The sums are in
   double: an error in one is an error of the whole column of C. */
static __device__ void find_column_maxima(const struct factors &x, int blocks, int strips,
                                          int number, int strip)
{
    __shared__ int4 part[WARPS][32];
    __shared__ double sums[WARPS][4][32];
    int length = x.rows / blocks, block = strip / strips, col = (number * 32 + threadIdx.x) * 4;
    int first = strip % strips * STRIP, end = min(length, first + STRIP);
    int4 most = make_int4(0, 0, 0, 0);
    double sum[4] = {0, 0, 0, 0};
    if (col < x.cols)
        for (int i = first + threadIdx.y; i < end; i += WARPS) {
            float4 v = *(const float4 *)(x.at + ((long)block * length + i) * x.ld + col);
            most.x = max(most.x, magnitude(v.x)), most.y = max(most.y, magnitude(v.y));
            most.z = max(most.z, magnitude(v.z)), most.w = max(most.w, magnitude(v.w));
            sum[0] += v.x, sum[1] += v.y, sum[2] += v.z, sum[3] += v.w;
        }
    part[threadIdx.y][threadIdx.x] = most;
    for (int i = 0; i < 4; i++)
        sums[threadIdx.y][i][threadIdx.x] = sum[i];
    __syncthreads();
    if (threadIdx.y < 4 && col < x.cols) {
        double all = 0;
        for (int i = 0; i < WARPS; i++)
            all += sums[i][threadIdx.y][threadIdx.x];
        x.strip_sums[(long)strip * x.cols + col + threadIdx.y] = all;
    }
    if (threadIdx.y == 0 && col < x.cols) {
        for (int i = 1; i < WARPS; i++) {
            int4 v = part[i][threadIdx.x];
            most.x = max(most.x, v.x), most.y = max(most.y, v.y);
            most.z = max(most.z, v.z), most.w = max(most.w, v.w);
        }
        int *to = x.maxima + (long)(block * blocks + col / x.lines) * x.lines + col % x.lines;
        atomicMax(to, most.x), atomicMax(to + 1, most.y), atomicMax(to + 2, most.z);
        atomicMax(to + 3, most.w);
    }
}

/* The smallest e with |x| < 2^e, -148 for zero and the smallest numbers; from the
   bits of |x|. */
static __device__ __forceinline__ int exponent_above(int bits)
{
    return bits >= 1 << 23 ? (bits >> 23) - 126 : bits ? 32 - __clz(bits) - 149 : -148;
}

/* From this size on a sum of four elements could overflow; infinities and NaNs are above it. */
enum { TOO_LARGE = (120 + 127) << 23, INFINITE = 255 << 23 };

/* Where the numbers of block i begin for a line of the matrix. */
static __device__ __forceinline__ long block_of_line(const struct factors &x, int blocks, int i,
                                                     int line)
{
    int across = line / x.lines, block = x.right ? i * blocks + across : across * blocks + i;
    return (long)block * x.lines + line % x.lines;
}

/* Returns the number r to subtract from a row of A, or 0. r has 8 bits: many rows contain many
   zeros, which become -r, and two halves or bytes hold 8 bits exactly.
   Rows whose absolute values add up to less than 4 times the largest are not centred. A row is
   mixed if one sign does not prevail, or if its largest element would become larger. Then its
   small elements lose a bit, so the mean absolute value must be an eighth of the largest. The
   mean of a row whose sum overflows is not known. */
static __device__ float mean_of(const struct factors &x, const struct spread &all)
{
    if (all.size == INFINITY)
        return 0;
    float mean = __int_as_float((__float_as_int(all.sum / x.cols) + 0x8000) & 0xffff0000);
    float largest = fmaxf(fabsf(all.low), fabsf(all.high));
    bool is_mixed = !(fabsf(all.sum) >= 0.75f * all.size &&
                      fmaxf(all.high - mean, mean - all.low) <= largest);
    if (is_mixed && !(x.centring == CENTRE_MIXED_ROWS && all.size >= 0.125f * largest * x.cols))
        return 0;
    if (!(fabsf(all.sum) >= 0.25f * all.size && all.size >= 4 * largest))
        return 0;
    return mean;
}

/* The bits of the largest difference from the mean, but large enough that the mean cannot
   overflow in the row's units. */
static __device__ __forceinline__ int largest_without(float mean, const struct spread &all)
{
    return __float_as_int(
        fmaxf(fmaxf(all.high - mean, mean - all.low), fabsf(mean) * 0x1p-40f));
}

/* Returns mean_of() a row in blocks, whose maxima become those of the differences. */
static __device__ float centre(const struct factors &x, int blocks, int line)
{
    struct spread all = {INFINITY, -INFINITY, 0, 0};
    for (int i = 0; i < blocks; i++) {
        struct spread s = x.row[block_of_line(x, blocks, i, line)];
        all.low = fminf(all.low, s.low), all.high = fmaxf(all.high, s.high);
        all.sum += s.sum, all.size += s.size;
    }
    float mean = mean_of(x, all);
    for (int i = 0; mean != 0 && i < blocks; i++) {
        long at = block_of_line(x, blocks, i, line);
        x.maxima[at] = largest_without(mean, x.row[at]);
    }
    return mean;
}

/* Keeps what is known about a line whose largest element has the bits `most`. With levels
   exponents_kernel() writes the exponents of the products' lines instead. */
static __device__ void keep_line(const struct factors &x, int line, int most, bool drop,
                                 int scale, float mean, double sum)
{
    x.dropped[line] = most > INFINITE ? (int)HAS_A_NAN : drop ? (int)DROPPED : 0;
    x.scale[line] = scale;
    x.exponents[line] = drop ? exponent_above(0) : scale;
    if (x.right)
        x.sums[line] = drop ? 0 : (float)ldexp(sum, -scale);
    else
        x.means[line] = drop ? 0 : mean;
}

/* Decides which lines are dropped, one thread for each line of the matrix. `other` is the other
   factor's largest exponent: with levels, no product of sums may overflow where C itself does
   not. */
static __device__ void drop_line(const struct factors &x, int line, int levels,
                                 const int *other, int growth, int strips)
{
    int blocks = 1 << levels;
    int most = 0, largest = 0;
    for (int i = 0; i < blocks; i++)
        most = max(most, x.maxima[block_of_line(x, blocks, i, line)]);
    float mean = x.centring && most < TOO_LARGE ? centre(x, blocks, line) : 0;
    int exponent = exponent_above(most) + (mean != 0);
    bool drop = most >= TOO_LARGE || (other && exponent + *other - BIAS + growth > 127);
    if (!drop && levels > 0)
        atomicMax(x.largest, exponent + BIAS);
    for (int i = 0; i < blocks; i++) /* centre() has changed them */
        largest = max(largest, x.maxima[block_of_line(x, blocks, i, line)]);
    double sum = 0;
    for (int i = 0; x.right && i < strips; i++)
        sum += x.strip_sums[(long)i * x.cols + line];
    keep_line(x, line, most, drop, exponent_above(largest), mean, sum);
}

/* One factor, or both: the first `rows` thread blocks take A, the others B. With both in one
   launch even a small product fills the GPU. */
static __global__ void maxima_kernel(struct factors left, struct factors right, int blocks,
                                     int rows, int strips, int team)
{
    int across = (right.cols + 127) / 128, down = rows / blocks;
    int number = (int)blockIdx.x - rows;
    if (number < 0)
        find_row_maxima(left, blocks,
                        (int)blockIdx.x % down * (WARPS / team) + threadIdx.y / team,
                        blockIdx.x / down, team);
    else
        find_column_maxima(right, blocks, strips / blocks, number % across, number / across);
}

/* A without levels: splitting a row needs only the row. Finding its exponent has brought it
   into the L2 cache, where it is read again. */
static __global__ void split_rows_kernel(struct factors left, int team, int k_padded,
                                         enum format format, struct progress *progress)
{
    next_may_begin();
    if (blockIdx.x == 0 && threadIdx.x + threadIdx.y == 0)
        *progress = {};
    int row = blockIdx.x * (WARPS / team) + threadIdx.y / team, number = threadIdx.y % team;
    struct spread spread;
    int most = add_up_row(left, 1, row, 0, team, &spread);
    bool drop = most >= TOO_LARGE;
    bool is_there = row < left.rows && !drop; /* zeros pad the last tile */
    float mean = left.centring && is_there ? mean_of(left, spread) : 0;
    int exponent = exponent_above(mean != 0 ? largest_without(mean, spread) : most);
    if (threadIdx.x == 0 && number == 0 && row < left.rows)
        keep_line(left, row, most, drop, exponent, mean, 0);
    unsigned char *tile =
        left.slices + (size_t)(row / TILE_M) * TILE_M * k_padded * sizeof(float);
    for (int k = (number * 32 + threadIdx.x) * WIDTH; k < k_padded; k += team * 32 * WIDTH) {
        float v[WIDTH] = {0, 0, 0, 0};
        if (is_there && k < left.cols) {
            float4 f = *(const float4 *)(left.at + row * left.ld + k);
            v[0] = f.x - mean, v[1] = f.y - mean, v[2] = f.z - mean, v[3] = f.w - mean;
        }
        if (format == FORMAT_TWO_HALVES)
            store_terms(tile, TILE_M, row % TILE_M, k, k_padded, v, exponent, 0,
                        FORMAT_TWO_HALVES);
        else
            store_terms(tile, TILE_M, row % TILE_M, k, k_padded, v, exponent, 0,
                        FORMAT_HALF_AND_BYTES);
    }
}

/* B without levels: a thread block reads 8 columns into shared memory, finds their exponents,
   and splits them. So B is read once. A column's sum is added up as by find_column_maxima(),
   strip after strip, so that it has the same bits. */
enum {
    COLUMNS = 8,
    QUADS = COLUMNS / 4,
    STRIPS_A_WARP = 32 / (QUADS * WARPS),
    FOUR_ROWS = 4 * QUADS + 1, /* float4: the last keeps groups of four rows in other banks */
    MOST_STRIPS = 32,
    COLUMN_THREADS = 512
};
static_assert((int)TILE_N % COLUMNS == 0 && STRIPS_A_WARP > 0, "a warp adds up whole strips");

static __device__ __forceinline__ void fetch_columns(const struct factors &x, int first,
                                                     float4 *columns)
{
    unsigned to = (unsigned)__cvta_generic_to_shared(columns);
    for (int i = threadIdx.x; i < x.rows * QUADS; i += COLUMN_THREADS) {
        int row = i / QUADS, quad = i % QUADS;
        const float *from = x.at + row * x.ld + first + quad * 4;
        if (first + quad * 4 < x.cols)
            copy_16(to + (row / 4 * FOUR_ROWS + row % 4 * QUADS + quad) * sizeof(float4),
                    (const unsigned char *)from);
    }
    copies_end();
    copies_wait<0>();
}

static __device__ __forceinline__ void add_up_columns(const struct factors &x, int first,
                                                      const float4 *columns,
                                                      double sums[MOST_STRIPS][COLUMNS],
                                                      int maxima[COLUMNS])
{
    int lane = threadIdx.x % 32, quad = lane % QUADS, after = lane / QUADS % WARPS;
    int here = first + quad * 4 < x.cols ? x.rows : 0;
    const int apart = QUADS * WARPS; /* lanes from one strip to the next */
    for (int begin = threadIdx.x / 32 * STRIPS_A_WARP; begin * STRIP < x.rows;
         begin += COLUMN_THREADS / 32 * STRIPS_A_WARP) {
        int strip = begin + lane / apart, end = min(here, (strip + 1) * STRIP);
        int most[4] = {0, 0, 0, 0};
        double sum[4] = {0, 0, 0, 0}, all[4] = {0, 0, 0, 0};
#pragma unroll 4
        for (int row = strip * STRIP + after; row < end; row += WARPS) {
            float4 v = columns[row / 4 * FOUR_ROWS + row % 4 * QUADS + quad];
            most[0] = max(most[0], magnitude(v.x)), most[1] = max(most[1], magnitude(v.y));
            most[2] = max(most[2], magnitude(v.z)), most[3] = max(most[3], magnitude(v.w));
            sum[0] += v.x, sum[1] += v.y, sum[2] += v.z, sum[3] += v.w;
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            for (int one = 0; one < WARPS; one++)
                all[i] += __shfl_sync(~0u, sum[i], lane / apart * apart + one * QUADS + quad);
            for (int other = QUADS; other < apart; other *= 2)
                most[i] = max(most[i], __shfl_xor_sync(~0u, most[i], other));
            if (after == 0 && strip * STRIP < x.rows) {
                sums[strip][quad * 4 + i] = all[i];
                atomicMax(&maxima[quad * 4 + i], most[i]);
            }
        }
    }
}

template <enum format format>
static __global__ void __launch_bounds__(COLUMN_THREADS, 2)
    split_columns_kernel(struct factors right, int strips, int k_padded)
{
    extern __shared__ float4 columns[]; /* [row / 4][row % 4][quad], and one float4 more */
    __shared__ double sums[MOST_STRIPS][COLUMNS];
    __shared__ int maxima[COLUMNS], exponents[COLUMNS];
    int first = blockIdx.x * COLUMNS, number = threadIdx.x;
    if (!HAS_MMA)
        return;
    next_may_begin();
    if (number < COLUMNS)
        maxima[number] = 0;
    fetch_columns(right, first, columns);
    __syncthreads();
    add_up_columns(right, first, columns, sums, maxima);
    __syncthreads();
    if (number < COLUMNS && first + number < right.cols) {
        double sum = 0;
        for (int i = 0; i < strips; i++)
            sum += sums[i][number];
        keep_line(right, first + number, maxima[number], maxima[number] >= TOO_LARGE,
                  exponent_above(maxima[number]), 0, sum);
        exponents[number] = right.exponents[first + number];
    }
    __syncthreads();
    int line = number / 8 % COLUMNS, col = first + line;
    bool is_there = col < right.cols && maxima[line] < TOO_LARGE;
    int exponent = col < right.cols ? exponents[line] : 0;
    unsigned char *tile =
        right.slices + (size_t)(col / TILE_N) * TILE_N * k_padded * sizeof(float);
    const int terms = 8 * WIDTH, together = COLUMN_THREADS / 8 / COLUMNS;
    for (int k = number / 8 / COLUMNS * terms + number % 8 * WIDTH; k < k_padded;
         k += together * terms) {
        float v[WIDTH] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            if (is_there && k < right.rows)
                v[i] = ((const float *)(columns + k / 4 * FOUR_ROWS + i * QUADS))[line];
        store_terms(tile, TILE_N, col % TILE_N, k, k_padded, v, exponent, 1, format);
    }
    wait_for_kernel_before(); /* the product waits for this kernel, and needs both factors */
}

/* The lines of one factor, or of both: blockIdx.y. */
static __global__ void drop_kernel(struct factors first, struct factors second, int levels,
                                   const int *other, int growth, int strips)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.y == 0 && line < first.lines << levels)
        drop_line(first, line, levels, other, growth, strips);
    if (blockIdx.y == 1 && line < second.lines << levels)
        drop_line(second, line, levels, other, growth, strips);
}

/* A bound on the line's elements in one block; 0 if the line is dropped. */
static __device__ __forceinline__ float bound_of(const struct factors &x, int block, int blocks,
                                                 int line)
{
    int across = x.right ? block % blocks : block / blocks;
    return x.dropped[across * x.lines + line]
               ? 0
               : __int_as_float(x.maxima[(long)block * x.lines + line]);
}

/* With levels: a sum is at most the sum of its blocks' largest elements. One thread for each
 * line; blockIdx.y: product. */
static __global__ void exponents_kernel(struct factors x, int levels)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x, o = blockIdx.y;
    if (line >= x.lines)
        return;
    float most = 0;
    if (levels == 1) {
        for (int q = 0; q < 4; q++)
            if (sign_of(x.right, o, q))
                most += bound_of(x, q, 2, line);
    } else
        for (int p = 0; p < 4; p++)
            for (int q = 0; q < 4; q++)
                if (sign_of(x.right, o / 7, p) && sign_of(x.right, o % 7, q))
                    most += bound_of(x, block_at(p, q), 4, line);
    x.exponents[(long)o * x.lines + line] = exponent_above(__float_as_int(most));
}

enum { LEFT = 1, RIGHT = 2 };

/* Warps for each row of A: with 16 elements a thread the rows of 1024 to 4096 columns were
   split fastest on an H100. */
static int team_of(int length)
{
    int team = 1;
    while (team < WARPS && team * 512 < length)
        team *= 2;
    return team;
}

static void find_maxima(const struct context *ctx, const struct batch *b, int sides)
{
    int blocks = 1 << b->levels, strips = strips_of(b->right, b->levels);
    int team = team_of(b->left.cols / blocks);
    unsigned rows = sides & LEFT ? blocks_for(b->left.rows, WARPS / team) * blocks : 0;
    unsigned cols = sides & RIGHT ? blocks_for(b->right.cols, 128) * strips : 0;
    maxima_kernel<<<rows + cols, dim3(32, WARPS), 0, ctx->stream>>>(b->left, b->right, blocks,
                                                                    (int)rows, strips, team);
    GPU_CALL(ctx, launch_error(ctx));
}

/* Decides which lines of the first factor are dropped, and of the second if there is one. */
static void drop_lines(const struct context *ctx, const struct batch *b,
                       const struct factors *first, const struct factors *second,
                       const int *other)
{
    long lines = (second ? larger(first->lines, second->lines) : first->lines) << b->levels;
    int growth = 1 + 2 * b->levels; /* of log2 of a product, in addition to k terms */
    for (int k = b->k; k > 1; k = (k + 1) / 2)
        growth++;
    drop_kernel<<<dim3(blocks_for(lines, THREADS), second ? 2 : 1), THREADS, 0, ctx->stream>>>(
        *first, second ? *second : *first, b->levels, other, growth,
        strips_of(b->right, b->levels));
    GPU_CALL(ctx, launch_error(ctx));
}

static void find_exponents_of(const struct context *ctx, const struct factors *f,
                              const struct batch *b, const int *other)
{
    find_maxima(ctx, b, f->right ? RIGHT : LEFT);
    drop_lines(ctx, b, f, NULL, b->levels ? other : NULL);
    if (b->levels == 0)
        return;
    exponents_kernel<<<dim3(blocks_for(f->lines, THREADS), b->products), THREADS, 0,
                       ctx->stream>>>(*f, b->levels);
    GPU_CALL(ctx, launch_error(ctx));
}

void find_right_exponents(const struct context *ctx, const struct batch *b)
{
    find_exponents_of(ctx, &b->right, b, NULL);
}

void find_left_exponents(const struct context *ctx, const struct batch *b)
{
    find_exponents_of(ctx, &b->left, b, b->right.largest);
}

/* Without levels neither factor depends on the other: both in one launch. */
void find_exponents(const struct context *ctx, const struct batch *b)
{
    if (b->levels > 0) {
        find_right_exponents(ctx, b);
        find_left_exponents(ctx, b);
        return;
    }
    find_maxima(ctx, b, LEFT | RIGHT);
    drop_lines(ctx, b, &b->right, &b->left, NULL);
}

void split_rows(const struct context *ctx, const struct batch *b)
{
    int team = team_of(b->left.cols), blocks = padded_lines(&b->left) / (WARPS / team);
    split_rows_kernel<<<blocks, dim3(32, WARPS), 0, ctx->stream>>>(b->left, team, b->k_padded,
                                                                   b->format, b->progress);
    GPU_CALL(ctx, launch_error(ctx));
}

static void (*const split_columns_kernels[])(struct factors, int, int) = {
    split_columns_kernel<FORMAT_TWO_HALVES>, split_columns_kernel<FORMAT_HALF_AND_BYTES>};

bool split_columns(const struct context *ctx, const struct batch *b, bool early)
{
    /* a thread block's shared memory, without what the kernel declares, on the GPUs that have
       this much, and on all others from 8.0 on */
    const size_t most = (ctx->gpu->capability == 90 ? 227 : 99) * 1024 - 4096;
    size_t shared = pieces_of(b->right.rows, 4) * FOUR_ROWS * sizeof(float4);
    if (shared > most)
        return false;
    void (*kernel)(struct factors, int, int) = split_columns_kernels[b->format];
    GPU_CALL(ctx, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       (int)shared));
    launch_early(ctx, early, kernel, padded_lines(&b->right) / COLUMNS, COLUMN_THREADS, shared,
                 b->right, strips_of(b->right, 0), b->k_padded);
    return true;
}

void load_exponents(const struct context *ctx)
{
    struct cudaFuncAttributes attributes;
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)maxima_kernel));
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)split_rows_kernel));
    for (int format = 0; format < 2; format++)
        GPU_CALL(ctx, cudaFuncGetAttributes(&attributes,
                                            (const void *)split_columns_kernels[format]));
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)drop_kernel));
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)exponents_kernel));
}
