/* SPDX-License-Identifier: MIT */
/** @file make_residues.cu
 * Makes the factors of all products: reads A or B once, adds its blocks as integers, and writes
 * each sum modulo every p, in the order in which the leaf reads it.
 */
#include "steps/23-exact/exact_batch.h"

/* A thread block takes 128 terms of 8 lines of each block, or of 4 lines with two levels. A
   warp takes a line of one sum, a lane four terms of it. */
enum { PACK_THREADS = 256, PACK_WARPS = PACK_THREADS / 32, PACK_TERMS = 128 };
/* A line's space in shared memory. Terms 0, 4, 8, ... are neighbours, then 1, 5, ...: so a
   warp reads neighbours. They are padded so that writes go to different banks, too. */
enum { FOURTH_ROOM = PACK_TERMS / 4 + 3, LINE_ROOM = 4 * FOURTH_ROOM + 6 };

/* log2 of the lines of a thread block, so that divisions become shifts. */
template <int levels> static constexpr int lines_together = levels == 2 ? 2 : 3;

/* Shared memory of a thread block. */
template <typename element, int levels>
static constexpr int staged_bytes = (LINE_ROOM << lines_together<levels> << 2 * levels) *
                                    (int)sizeof(typename integers_for<element>::type);

/* The sums of blocks that are the factors of all products. */
struct factor_sums {
    struct block_sum of[PRODUCTS_MOST];
};

/* The moduli of a group, in pairs. */
struct group_of_moduli {
    int count;
    struct reducer pairs[MODULI_MOST / 2];
};

/* Where term k of a line is stored; k is a multiple of 4. */
template <bool right>
static __device__ __forceinline__ size_t place_of_term(const struct exact_factor &f, int line,
                                                       int k)
{
    if (f.in_lines)
        return (size_t)line * f.terms_padded + k;
    const int tile = right ? RIGHT_LINES : LEFT_LINES;
    int number = line / tile, i = line % tile;
    size_t slice = (size_t)number * (f.terms_padded / LINE_BYTES) + k / LINE_BYTES;
    return (slice * tile + i) * LINE_BYTES + (k % LINE_BYTES / 16 ^ i % 8) * 16 + k % 16;
}

/* Copies the integers of all blocks to shared memory: neighbouring threads read neighbouring
   elements of a row, which for B belong to different lines. */
template <typename element, int levels, bool right>
static __device__ __forceinline__ void
stage_integers(const struct exact_factor &f, int first_line, int first_term,
               typename integers_for<element>::type *staged)
{
    const element *at = (const element *)f.at;
    const int line_bits = lines_together<levels>, lines = 1 << line_bits,
              count = lines * PACK_TERMS << 2 * levels;
#pragma unroll 4
    for (int i = threadIdx.x; i < count; i += PACK_THREADS) {
        int line = right ? i & (lines - 1) : i / PACK_TERMS & (lines - 1),
            term = right ? i >> line_bits & (PACK_TERMS - 1) : i % PACK_TERMS;
        int block = (i / PACK_TERMS) >> line_bits;
        int down = block >> levels, across = block & ((1 << levels) - 1);
        int l = first_line + line, t = first_term + term;
        int matrix_line = (right ? across : down) * f.lines + l,
            matrix_term = (right ? down : across) * f.terms + t;
        int row = right ? matrix_term : matrix_line, col = right ? matrix_line : matrix_term;
        typename integers_for<element>::type value = 0;
        if (l < f.lines && t < f.terms && row < f.rows && col < f.cols)
            value = integer_of(at[row * f.ld + col], f.exponents[matrix_line]);
        staged[((block << line_bits) + line) * LINE_ROOM + term % 4 * FOURTH_ROOM + term / 4] =
            value;
    }
}

/// [reduce]
template <typename element, int levels, bool right>
static __global__ void __launch_bounds__(PACK_THREADS)
    make_residues_kernel(const __grid_constant__ struct exact_factor f,
                         const __grid_constant__ struct group_of_moduli group,
                         const __grid_constant__ struct factor_sums sums)
{
    typedef typename integers_for<element>::type integer;
    extern __shared__ long long memory[];
    integer *staged = (integer *)memory;
    const int line_bits = lines_together<levels>, lines = 1 << line_bits,
              products = products_of(levels);
    int first_line = blockIdx.x * lines, first_term = blockIdx.y * PACK_TERMS;
    stage_integers<element, levels, right>(f, first_line, first_term, staged);
    __syncthreads();
    int lane = threadIdx.x % 32;
    for (int task = threadIdx.x / 32; task < lines * products; task += PACK_WARPS) {
        int line = task & (lines - 1), o = task >> line_bits;
        integer x[4] = {0, 0, 0, 0};
        for (int i = 0; i < (levels ? sums.of[o].count : 1); i++) {
            const integer *from =
                staged + ((sums.of[o].at[i] << line_bits) + line) * LINE_ROOM + lane;
            bool minus = levels && sums.of[o].sign[i] < 0;
#pragma unroll
            for (int t = 0; t < 4; t++)
                x[t] += minus ? -from[t * FOURTH_ROOM] : from[t * FOURTH_ROOM];
        }
        unsigned char *to = f.bytes + o * f.stride +
                            place_of_term<right>(f, first_line + line, first_term + 4 * lane);
        /* Unrolled, so that each modulus's constants are operands of the instructions. */
#pragma unroll
        for (int i = 0; i < MODULI_MOST; i += 2) {
            const struct reducer &pair = group.pairs[i / 2];
            if (i >= group.count)
                break;
            uint32_t rest[4];
#pragma unroll
            for (int t = 0; t < 4; t++)
                rest[t] = remainder_of((double)x[t], (uint32_t)x[t], &pair);
#pragma unroll
            for (int h = 0; h < 2; h++, to += products * f.stride) {
                if (i + h >= group.count)
                    break;
                uint32_t r[4];
#pragma unroll
                for (int t = 0; t < 4; t++)
                    r[t] = residue_of(rest[t], &pair, h);
                *(uint32_t *)to = __byte_perm(__byte_perm(r[0], r[1], 0x40),
                                              __byte_perm(r[2], r[3], 0x40), 0x5410);
            }
        }
    }
}
/// [reduce]

template <typename element, int levels, bool right>
static void launch(const struct context *ctx, const struct exact_factor *f,
                   const struct group_of_moduli *group)
{
    const int lines = 1 << lines_together<levels>;
    struct factor_sums sums = {};
    for (int o = 0; o < products_of(levels); o++)
        sums.of[o] = factor_sum(right, levels, o);
    /* Another thread may be launching the kernel with the same size. */
    GPU_CALL(ctx, cudaFuncSetAttribute(make_residues_kernel<element, levels, right>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       staged_bytes<element, levels>));
    dim3 grid(f->lines_padded / lines, f->terms_padded / PACK_TERMS);
    make_residues_kernel<element, levels, right>
        <<<grid, PACK_THREADS, staged_bytes<element, levels>, ctx->stream>>>(*f, *group, sums);
    GPU_CALL(ctx, launch_error(ctx));
}

template <typename element, bool right>
static void launch_at(const struct context *ctx, int levels, const struct exact_factor *f,
                      const struct group_of_moduli *group)
{
    if (levels == 0)
        launch<element, 0, right>(ctx, f, group);
    else if (levels == 1)
        launch<element, 1, right>(ctx, f, group);
    else
        launch<element, 2, right>(ctx, f, group);
}

void make_residues(const struct context *ctx, const struct exact_batch *b,
                   const struct exact_factor *f, int first, int count)
{
    struct group_of_moduli group = {.count = count};
    for (int i = 0; i < count; i += 2)
        group.pairs[i / 2] = reducer_of(&b->r.m[first + i], count - i);
    (f->is_float ? f->right ? launch_at<float, true> : launch_at<float, false>
     : f->right ? launch_at<double, true>
                 : launch_at<double, false>)(ctx, b->levels, f, &group);
}
