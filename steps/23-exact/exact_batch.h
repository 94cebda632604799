/* SPDX-License-Identifier: MIT */
/** @file exact_batch.h
 * Products modulo several numbers, with levels of Strassen's method above them, in four passes:
 * exponents, factors, products, C.
 */
#ifndef STEPS_23_EXACT_EXACT_BATCH_H
#define STEPS_23_EXACT_EXACT_BATCH_H

#include "steps/23-exact/residues/apart.h"
#include "steps/23-exact/residues/spans.h"
#include "steps/18-modern/context.cuh"
#include "steps/21-tensor-cores/operands/operands.h"
#include "steps/21-tensor-cores/operands/signs.cuh"

/** The most levels: the sums of two levels have 2 bits more than the integers. */
enum { EXACT_LEVELS = 2, PRODUCTS_MOST = 49, BLOCKS_MOST = 16 };

/** Places in the table of settings. */
enum { SET_MODULI, SET_GROUPS, SET_DATA_KIND, SET_GPUS, SET_SAFE };

/** Of floats, 7 moduli are enough. Integers of floats have 32 bits, also the sums of two
 * levels. The library has the kernels for both types, so a plan says which one it means.
 */
enum {
    IS_FLOAT = sizeof(real) == sizeof(float),
    MODULI_USUAL = IS_FLOAT ? MODULI_FLOAT : MODULI_EXACT
};
template <typename element> struct integers_for {
    typedef long long type;
};
template <> struct integers_for<float> {
    typedef int type;
};

/** The integer times 2^-s. */
template <typename element>
LADDER_ANYWHERE static inline element rounded(const struct rebuilt *x,
                                              const struct residue_system *r, int pieces, int s)
{
    int128 integer = rebuild_end(x, r, pieces);
    return sizeof(element) == sizeof(float)
               ? (element)float_of((int64_t)(integer >> r->scale), s)
               : (element)double_of(integer, s + r->scale);
}

static inline int moduli_asked(const struct context *ctx, int usual)
{
    return ctx->settings[SET_MODULI] > 0 ? (int)ctx->settings[SET_MODULI] : usual;
}

/* ---- The sums of blocks ---- */

/** The sum of sign[i] times number at[i]: a block of a matrix, counted by rows, or a product.
 */
struct block_sum {
    signed char count, at[BLOCKS_MOST], sign[BLOCKS_MOST];
};

/** The sign of product o, of M1 to M7, in quadrant q of C (Li et al. 2011, Figure 1). */
static inline int result_sign(int o, int q)
{
    static const signed char signs[7][4] = {{1, 0, 0, 1}, {0, 0, 1, -1}, {0, 1, 0, 1},
                                            {1, 0, 1, 0}, {-1, 1, 0, 0}, {0, 0, 0, 1},
                                            {1, 0, 0, 0}};
    return signs[o][q];
}

static inline void add_to_sum(struct block_sum *sum, int at, int sign)
{
    if (sign == 0)
        return;
    sum->at[sum->count] = (signed char)at, sum->sign[sum->count] = (signed char)sign;
    sum->count++;
}

/** The blocks that the left or the right factor of product o adds. */
static inline struct block_sum factor_sum(int right, int levels, int o)
{
    struct block_sum sum = {0};
    if (levels == 0)
        add_to_sum(&sum, 0, 1);
    for (int p = 0; levels == 1 && p < 4; p++)
        add_to_sum(&sum, p, sign_of(right, o, p));
    for (int p = 0; levels == 2 && p < 4; p++)
        for (int q = 0; q < 4; q++)
            add_to_sum(&sum, block_at(p, q),
                       sign_of(right, o / 7, p) * sign_of(right, o % 7, q));
    return sum;
}

/** The products that a block of C adds; blocks are counted by rows. */
static inline struct block_sum result_sum(int levels, int block)
{
    struct block_sum sum = {0};
    if (levels == 0)
        add_to_sum(&sum, 0, 1);
    for (int o = 0; levels == 1 && o < 7; o++)
        add_to_sum(&sum, o, result_sign(o, block));
    for (int o = 0; levels == 2 && o < PRODUCTS_MOST; o++)
        add_to_sum(&sum, o,
                   result_sign(o / 7, block / 8 * 2 + block % 4 / 2) *
                       result_sign(o % 7, block / 4 % 2 * 2 + block % 2));
    return sum;
}

/* ---- Layouts ---- */

/** A line is a row of A or a column of B. The leaf reads slices: LINE_BYTES terms of each line
 * of a tile, 16-byte pieces swizzled as in step 21. cuBLAS reads lines, one after another. */
enum { LINE_BYTES = 128, LEFT_LINES = 128, RIGHT_LINES = 256, TILES_TOGETHER = 2 };

/** The place of column `col` of a product in its row: the bytes that one thread of the leaf
 * holds are neighbours, 4 threads per tile. */
static __host__ __device__ __forceinline__ int product_place(int col)
{
    int c = col % RIGHT_LINES;
    return col - c + c % 8 / 2 * (RIGHT_LINES / 4) + c / 8 * 2 + c % 2;
}

/** The norms of B's columns are sums over strips of this many rows. */
enum { STRIP_ROWS = 256 };

/** Sums of doubles are decided for this many rows and columns of C together. */
#ifdef LADDER_SIM /* matrices are small */
enum { SUMS_EACH = 1 };
#else
enum { SUMS_EACH = 4 };
#endif
enum { SUMS_TILE = 32 * SUMS_EACH };

/** One factor of all products, on the device. */
struct exact_factor {
    const void *at; /**< the matrix, row-major */
    bool is_float;
    long ld;
    int rows, cols;
    int right;        /**< B, whose lines are columns */
    int matrix_lines; /**< of the matrix */
    int lines, terms; /**< of a block */
    int lines_padded, terms_padded;
    int in_lines;             /**< cuBLAS's layout instead of slices */
    unsigned char *bytes;     /**< [modulus of the group][product][...] */
    size_t stride;            /**< bytes from one product to the next */
    int strips;               /**< of B's rows; A has none */
    uint64_t *maxima;         /**< [column]: magnitude_bits() of the largest element */
    int *numbers;             /**< [column]: how many elements are nonzero, after the maxima */
    uint64_t *norms;          /**< [strip][column]: the sum of norm_part() */
    int *strip_exponents;     /**< [strip][column]: of its largest element, if not zero */
    int *exponents;           /**< [line]: see line_exponent(); LINE_DROPPED */
    int *dropped;             /**< how many lines are dropped */
    struct line_terms *apart; /**< [line]: of a dropped line */
    struct span_counts *counts; /**< [strip][column]: NULL if not safe */
    struct line_span *spans;    /**< [line]: NULL if not safe */
    struct line_span *worst;    /**< [line / SUMS_TILE]: of those lines, with -last */
};

/** The product of bytes: cuBLAS's, the fastest hand-written one that this GPU has, or that of
 * byte_mma.cu, which runs from compute capability 8.0 on. */
enum exact_leaf { EXACT_CUBLAS, EXACT_FUSED, EXACT_MMA };

/** How a product is made. Neither levels nor groups change C. */
struct exact_plan {
    int levels; /**< 0 to EXACT_LEVELS */
    int moduli;
    int groups; /**< of moduli, one after another: more groups take fewer bytes; 0: as many
                     as the GPU's memory asks for */
    enum exact_leaf leaf;
    bool safe;     /**< elements that rounding could change too much are sums of doubles */
    bool is_float; /**< A, B and C are floats, not doubles */
};

struct exact_batch {
    struct residue_system r;
    enum exact_leaf leaf;
    int levels, products, in_group; /**< moduli are taken in groups of in_group */
    int m, n, k;                    /**< of a block, without padding */
    struct exact_factor left, right;
    unsigned char *residues;   /**< [modulus][product][row][product_place(column)] */
    size_t stride, row;        /**< bytes from one product, and from one row, to the next */
    int *sums;                 /**< cuBLAS's sums of one product, or NULL */
    struct progress *progress; /**< see stages.cuh of step 21 */
};

/** Bytes of workspace, in addition to A, B and C. */
size_t exact_batch_bytes(struct product p, struct exact_plan plan);

/** C = A * B, in ctx's stream. Any m, n, k >= 1.
 *  @param workspace of exact_batch_bytes() bytes, aligned to 64 bytes */
void multiply_exact(const struct context *ctx, struct product p, struct exact_plan plan,
                    void *workspace);

/* ---- The moduli shared among GPUs ---- */

/** Moduli of one GPU. */
struct share {
    int first, count;
};

/** The share of GPU number `gpu` of `gpus`; GPU 0 has A, B and C. */
struct share share_of(int moduli, int gpus, int gpu);

/** The value of --gpus, at least 1. Ends the program if this computer has fewer GPUs. */
int gpus_asked(const struct context *ctx);

/** Computes the same C with the hand-written product on the GPUs 0 to gpus - 1. A, B and C are
 * on GPU 0, which is current. */
void multiply_exact_on_gpus(const struct context *ctx, struct product p, struct exact_plan plan,
                            int gpus, void *workspace);
/** Bytes of its workspace on GPU 0. */
size_t exact_on_gpus_bytes(struct product p, struct exact_plan plan, int gpus);

/** Bytes that a copy of this block from GPU 0 to GPU 1 moves per millisecond. */
double rate_between_gpus(struct block from);

/* ---- Parts of these products ---- */

/** Lays out the memory of a product in the workspace at *free: residues of the plan's moduli,
 * of which this GPU multiplies `here`. The caller sets `r`. */
struct exact_batch exact_batch_of(struct product p, struct exact_plan plan, int here,
                                  char **free);
/** Finds the exponents, then makes and multiplies the factors for the first `count` moduli. */
void multiply_moduli(const struct context *ctx, const struct exact_batch *b, int count);

/** Finds the exponents of all lines. */
void find_line_exponents(const struct context *ctx, const struct residue_system *r,
                         const struct exact_factor *f);
/** Makes the factors of all products for `count` moduli from `first` on. */
void make_residues(const struct context *ctx, const struct exact_batch *b,
                   const struct exact_factor *f, int first, int count);
/** Multiplies all products of these moduli, whose factors begin at the factors' bytes. */
void multiply_residues(const struct context *ctx, const struct exact_batch *b, int first,
                       int count);
/** Computes C from all products, and the elements of lines that were dropped. */
void rebuild(const struct context *ctx, const struct exact_batch *b, struct block C);
void repair_dropped(const struct context *ctx, const struct exact_batch *b, struct block C);
/** In the safe mode: the elements that are sums of doubles. */
void sum_doubles(const struct context *ctx, const struct exact_batch *b, struct block C);

/** The whole method in plain C; the matrices are in host memory, with contiguous rows. */
void multiply_residues_on_host(struct residue_system r, long m, long n, long k, const real *a,
                               const real *b, real *c, int levels, bool safe);

/** The same as a variant. */
void residues_plain(const struct context *ctx, struct product p, int levels, real *workspace);

struct options;

/** --rungs, in exact_rungs.cu: every rung, compared with cuBLAS, on square matrices of
 * order 2048 to 16384, or on those that --n, --m and --k give, with errors of sampled elements
 * against sums in twice the precision. Returns the exit status: 3 without times or memory, 1 if
 * variants that must have the same bits do not. */
int measure_exact_rungs(const struct options *options);

#endif
