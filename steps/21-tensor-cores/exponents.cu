/* SPDX-License-Identifier: MIT */
/** @file exponents.cu
 * Finds the power of two of each line, and the lines that repair() computes. See operands.h.
 */
#include "operands.h"

#include <math.h>

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

/* A: `team` warps for each row of a block; `across` is the column of blocks. */
static __device__ void find_row_maxima(const struct factors &x, int blocks, int row, int across,
                                       int team)
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
    int what = threadIdx.x;
    if (number > 0 || what > 4 || row >= x.rows)
        return;
    long at = (long)(row / x.lines * blocks + across) * x.lines + row % x.lines;
    if (what == 4) {
        for (int i = 0; i < team; i++)
            most = max(most, parts[threadIdx.y + i]);
        x.maxima[at] = most;
        return;
    }
    float y = spreads[what][threadIdx.y];
    for (int i = 1; i < team; i++)
        y = joined(what, y, spreads[what][threadIdx.y + i]);
    ((float *)&x.row[at])[what] = y;
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

/// [centre]
/* Returns the number r to subtract from a row of A, or 0. r has 8 bits: many rows contain many
   zeros, which become -r, and two halves or bytes hold 8 bits exactly. The blocks' maxima
   become those of the differences, but large enough that r cannot overflow in their units.
   Rows whose absolute values add up to less than 4 times the largest are not centred. A row is
   mixed if one sign does not prevail, or if its largest element would become larger. Then its
   small elements lose a bit, so the mean absolute value must be an eighth of the largest. */
static __device__ float centre(const struct factors &x, int blocks, int line)
{
    struct spread all = {INFINITY, -INFINITY, 0, 0};
    for (int i = 0; i < blocks; i++) {
        struct spread s = x.row[block_of_line(x, blocks, i, line)];
        all.low = fminf(all.low, s.low), all.high = fmaxf(all.high, s.high);
        all.sum += s.sum, all.size += s.size;
    }
    float mean = __int_as_float((__float_as_int(all.sum / x.cols) + 0x8000) & 0xffff0000);
    float largest = fmaxf(fabsf(all.low), fabsf(all.high));
    bool is_mixed = !(fabsf(all.sum) >= 0.75f * all.size &&
                      fmaxf(all.high - mean, mean - all.low) <= largest);
    if (is_mixed && !(x.centring == CENTRE_MIXED_ROWS && 8 * all.size >= largest * x.cols))
        return 0;
    if (!(fabsf(all.sum) >= 0.25f * all.size && all.size >= 4 * largest))
        return 0;
    for (int i = 0; i < blocks; i++) {
        long at = block_of_line(x, blocks, i, line);
        float most = fmaxf(x.row[at].high - mean, mean - x.row[at].low);
        x.maxima[at] = __float_as_int(fmaxf(most, fabsf(mean) * 0x1p-40f));
    }
    return mean;
}
/// [centre]

/* Decides which lines are dropped, one thread for each line of the matrix. `other` is the other
   factor's largest exponent: with levels, no product of sums may overflow where C itself does
   not. Without levels this also determines the line's exponent. */
static __device__ void drop_line(const struct factors &x, int line, int levels,
                                 const int *other, int growth, int strips)
{
    int blocks = 1 << levels;
    int most = 0;
    for (int i = 0; i < blocks; i++)
        most = max(most, x.maxima[block_of_line(x, blocks, i, line)]);
    float mean = x.centring && most < TOO_LARGE ? centre(x, blocks, line) : 0;
    int exponent = exponent_above(most) + (mean != 0);
    int drop = most >= TOO_LARGE || (other && exponent + *other - BIAS + growth > 127);
    x.dropped[line] = most > INFINITE ? (int)HAS_A_NAN : drop ? (int)DROPPED : 0;
    if (drop)
        x.list[1 + atomicAdd(x.list, 1)] = line;
    else if (levels > 0)
        atomicMax(x.largest, exponent + BIAS);
    if (mean != 0) {
        most = 0;
        for (int i = 0; i < blocks; i++)
            most = max(most, x.maxima[block_of_line(x, blocks, i, line)]);
    }
    int scale = exponent_above(most);
    x.scale[line] = scale;
    if (levels == 0)
        x.exponents[line] = drop ? exponent_above(0) : scale;
    if (x.right) {
        double sum = 0;
        for (int i = 0; i < strips; i++)
            sum += x.strip_sums[(long)i * x.cols + line];
        x.sums[line] = drop ? 0 : (float)ldexp(sum, -scale);
    } else
        x.means[line] = drop ? 0 : mean;
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

/// [rows]
/* A without levels: splitting a row needs only the row. Finding its exponent has brought it
   into the L2 cache, where it is read again. */
static __global__ void split_rows_kernel(struct factors left, int team, int k_padded,
                                         enum format format)
{
    int row = blockIdx.x * (WARPS / team) + threadIdx.y / team, number = threadIdx.y % team;
    find_row_maxima(left, 1, row, 0, team);
    __syncthreads();
    if (threadIdx.x == 0 && number == 0 && row < left.rows)
        drop_line(left, row, 0, NULL, 0, 0);
    __syncthreads();
    bool is_there = row < left.rows && !left.dropped[row]; /* zeros pad the last tile */
    int exponent = row < left.rows ? left.exponents[row] : 0;
    float mean = is_there ? left.means[row] : 0;
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
/// [rows]

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
    GPU_CALL(ctx, cudaGetLastError());
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
    GPU_CALL(ctx, cudaGetLastError());
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
    GPU_CALL(ctx, cudaGetLastError());
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
                                                                   b->format);
    GPU_CALL(ctx, cudaGetLastError());
}

void load_exponents(const struct context *ctx)
{
    struct cudaFuncAttributes attributes;
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)maxima_kernel));
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)split_rows_kernel));
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)drop_kernel));
    GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, (const void *)exponents_kernel));
}
