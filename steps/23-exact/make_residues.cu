/* SPDX-License-Identifier: MIT */
/** @file make_residues.cu
 * Makes the factors of all products: reads A or B once, adds its blocks as integers, and writes
 * each sum modulo every p, in the order in which the leaf reads it.
 */
#include "exact_batch.h"

/* A thread block takes 128 terms of 8 lines of each block, or of 4 lines with two levels. A
   warp takes a line of one sum, a lane four terms of it. */
enum { PACK_THREADS = 256, PACK_WARPS = PACK_THREADS / 32, PACK_TERMS = 128 };
/* A line's space in shared memory, padded so that the next line begins in another bank. */
enum { LINE_ROOM = PACK_TERMS + 2 };

/* log2 of the lines of a thread block, so that divisions become shifts. */
static inline int lines_together(int levels) { return levels == 2 ? 2 : 3; }

/* Shared memory of a thread block. */
template <typename element> static inline int staged_bytes(int levels)
{
    return (LINE_ROOM << lines_together(levels) << 2 * levels) *
           (int)sizeof(typename integers_for<element>::type);
}

/* The sums of blocks that are the factors of all products. */
struct factor_sums {
    struct block_sum of[PRODUCTS_MOST];
};

/* Where term k of a line is stored; k is a multiple of 4. */
static __device__ __forceinline__ size_t place_of_term(const struct exact_factor &f, int line,
                                                       int k)
{
    if (f.in_lines)
        return (size_t)line * f.terms_padded + k;
    int tile = f.right ? (int)RIGHT_LINES : (int)LEFT_LINES;
    int number = f.right ? line / RIGHT_LINES : line / LEFT_LINES, i = line - number * tile;
    size_t slice = (size_t)number * (f.terms_padded / LINE_BYTES) + k / LINE_BYTES;
    return (slice * tile + i) * LINE_BYTES + (k % LINE_BYTES / 16 ^ i % 8) * 16 + k % 16;
}

/// [stage]
/* Copies the integers of all blocks to shared memory: neighbouring threads read neighbouring
   elements of a row, which for B belong to different lines. */
template <typename element>
static __device__ __forceinline__ void
stage_integers(const struct exact_factor &f, int levels, int line_bits, int first_line,
               int first_term, typename integers_for<element>::type *staged)
{
    const element *at = (const element *)f.at;
    int lines = 1 << line_bits, count = lines * PACK_TERMS << 2 * levels;
    for (int i = threadIdx.x; i < count; i += PACK_THREADS) {
        int line = f.right ? i & (lines - 1) : i / PACK_TERMS & (lines - 1),
            term = f.right ? i >> line_bits & (PACK_TERMS - 1) : i % PACK_TERMS;
        int block = (i / PACK_TERMS) >> line_bits;
        int down = block >> levels, across = block & ((1 << levels) - 1);
        int l = first_line + line, t = first_term + term;
        int matrix_line = (f.right ? across : down) * f.lines + l,
            matrix_term = (f.right ? down : across) * f.terms + t;
        int row = f.right ? matrix_term : matrix_line,
            col = f.right ? matrix_line : matrix_term;
        typename integers_for<element>::type value = 0;
        if (l < f.lines && t < f.terms && row < f.rows && col < f.cols)
            value = integer_of(at[row * f.ld + col], f.exponents[matrix_line]);
        staged[((block << line_bits) + line) * LINE_ROOM + term] = value;
    }
}
/// [stage]

/// [reduce]
template <typename element>
static __global__ void __launch_bounds__(PACK_THREADS)
    make_residues_kernel(const __grid_constant__ struct exact_factor f,
                         const __grid_constant__ struct residue_system group,
                         const __grid_constant__ struct factor_sums sums, int levels,
                         int line_bits, int products)
{
    typedef typename integers_for<element>::type integer;
    extern __shared__ long long memory[];
    integer *staged = (integer *)memory;
    int lines = 1 << line_bits;
    int first_line = blockIdx.x * lines, first_term = blockIdx.y * PACK_TERMS;
    stage_integers<element>(f, levels, line_bits, first_line, first_term, staged);
    __syncthreads();
    int lane = threadIdx.x % 32;
    for (int pair = threadIdx.x / 32; pair < lines * products; pair += PACK_WARPS) {
        int line = pair & (lines - 1), o = pair >> line_bits;
        integer x[4] = {0, 0, 0, 0};
        for (int i = 0; i < sums.of[o].count; i++) {
            const integer *from =
                staged + ((sums.of[o].at[i] << line_bits) + line) * LINE_ROOM + 4 * lane;
            bool minus = sums.of[o].sign[i] < 0;
#pragma unroll
            for (int t = 0; t < 4; t++)
                x[t] += minus ? -from[t] : from[t];
        }
        unsigned char *to =
            f.bytes + o * f.stride + place_of_term(f, first_line + line, first_term + 4 * lane);
        /* Unrolled, so that each modulus's constants are operands of the instructions. */
#pragma unroll
        for (int i = 0; i < MODULI_MOST; i++, to += products * f.stride) {
            if (i >= group.count)
                break;
            uint32_t word = 0;
#pragma unroll
            for (int t = 0; t < 4; t++)
                word |= residue_of(x[t], &group.m[i]) << 8 * t;
            *(uint32_t *)to = word ^ 0x80808080; /* subtracts 128 from each byte */
        }
    }
}
/// [reduce]

template <typename element>
static void make_residues_of(const struct context *ctx, const struct exact_batch *b,
                             const struct exact_factor *f, int first, int count)
{
    struct factor_sums sums = {};
    int line_bits = lines_together(b->levels), lines = 1 << line_bits;
    for (int o = 0; o < b->products; o++)
        sums.of[o] = factor_sum(f->right, b->levels, o);
    /* The largest size that any product needs: another thread may be launching the kernel. */
    GPU_CALL(ctx, cudaFuncSetAttribute(make_residues_kernel<element>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       staged_bytes<element>(EXACT_LEVELS)));
    struct residue_system group = {.count = count};
    for (int i = 0; i < count; i++)
        group.m[i] = b->r.m[first + i];
    dim3 grid(f->lines_padded / lines, f->terms_padded / PACK_TERMS);
    make_residues_kernel<element>
        <<<grid, PACK_THREADS, staged_bytes<element>(b->levels), ctx->stream>>>(
            *f, group, sums, b->levels, line_bits, b->products);
    GPU_CALL(ctx, cudaGetLastError());
}

void make_residues(const struct context *ctx, const struct exact_batch *b,
                   const struct exact_factor *f, int first, int count)
{
    (f->is_float ? make_residues_of<float> : make_residues_of<double>)(ctx, b, f, first, count);
}
