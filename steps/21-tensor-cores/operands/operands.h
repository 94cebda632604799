/* SPDX-License-Identifier: MIT */
/** @file operands.h
 * The factors of the products, scaled, split and laid out as the tensor cores read them.
 *
 * A float has 24 significant bits, a half has 11. So every float x is scaled by a power of two
 * of its row of A, or of its column of B, and split into hi, the nearest half, and the rest lo
 * = x - hi. Then x y = hi hi + lo hi + hi lo + lo lo, and the last term is at most 2^-22 |x y|,
 * so it is left out. lo is stored as a second half, or as one byte, with hi as
 * another byte to multiply it by. Both formats take four bytes, as the float did.
 */
#ifndef STEPS_21_TENSOR_CORES_OPERANDS_OPERANDS_H
#define STEPS_21_TENSOR_CORES_OPERANDS_OPERANDS_H

#include "steps/18-modern/context.cuh"

/** What the four bytes of an element hold. */
enum format {
    FORMAT_TWO_HALVES,    /**< hi and lo as halves: 23 bits */
    FORMAT_HALF_AND_BYTES /**< hi as a half, lo and hi as bytes: 19 bits of the line's largest
                           */
};

/// [slices]
/**
 * A line is a row of A or a column of B. A slice is SLICE bytes of each line of a tile, one
 * line after another: one stage of the multiplication reads one slice of each factor, as one
 * piece.
 *
 * - FORMAT_TWO_HALVES: a slice holds 32 terms of k: 32 times hi, then 32 times lo.
 * - FORMAT_HALF_AND_BYTES: slices of hi with 64 terms of k each, then all slices of bytes with
 *   128 terms each: for A those of lo, then those of hi; for B hi, then lo.
 *
 * Within a slice the 16-byte pieces of line r are swizzled: piece c is stored at c ^ (r % 8).
 * Eight lines then use eight different groups of banks (the 128-byte swizzle of the wgmma
 * instructions).
 */
enum { SLICE = 128, TILE_M = 128, TILE_N = 192, STEP_K = 128, CLUSTER = 2 /* tiles along m */ };
/// [slices]

enum { TENSOR_LEVELS = 2 /* at most */ };

/** |hi| <= 2^LIFT for the largest element of a line: with 14, both halves stay above FP16's
 * smallest exponents; bytes need |hi| <= 1. */
enum { LIFT_TWO_HALVES = 14, LIFT_HALF_AND_BYTES = 0 };

static __host__ __device__ __forceinline__ int lift_of(enum format format)
{
    return format == FORMAT_TWO_HALVES ? LIFT_TWO_HALVES : LIFT_HALF_AND_BYTES;
}

/** The rows of A that are centred. */
enum centring { CENTRE_NO_ROWS, CENTRE_ROWS_OF_ONE_SIGN, CENTRE_MIXED_ROWS };

/** One factor of all products of a batch, on the device. */
struct factors {
    const float *at; /**< the matrix, row-major */
    long ld;
    int rows, cols;        /**< of the matrix */
    int right;             /**< B, whose lines are columns */
    int lines;             /**< of one product's factor */
    unsigned char *slices; /**< [product][tile][slice][line of the tile][SLICE] */
    size_t stride;         /**< bytes from one product's slices to the next's */
    int *exponents;        /**< [product][line]: |element| < 2^exponent */
    int *dropped;          /**< [line of the matrix]: DROPPED if repair() computes it, HAS_A_NAN
                              if it contains a NaN; otherwise 0 */
    int *scale;            /**< [line of the matrix]: like exponents, for the whole line */

    /* zero_factors() makes these zero. */
    char *zeros;  /**< where these begin */
    int *maxima;  /**< [block][line]: bits of the largest |element| */
    int *largest; /**< with levels: the largest exponent of the lines that remain, plus BIAS */

    /* Rows of A are centred: see find_left_exponents(). */
    enum centring centring;
    struct spread *row; /**< A: [block][line] */
    float *means;       /**< A: [row], the number that is subtracted, or 0 */
    double *strip_sums; /**< B: [strip of rows][column] */
    float *sums;        /**< B: [column], the column's sum times 2^-scale */
};

enum { BIAS = 1024 };
enum { DROPPED = 1, HAS_A_NAN = 2 };

/** The range of a row within a block: all its elements are in [low, high]. */
struct spread {
    float low, high, sum, size; /**< size: the sum of absolute values */
};

/** Counters in device memory, by which thread blocks divide the work; zero at first. */
struct progress {
    int claimed; /**< items of work, by clusters: see claim_item() in stages.cuh */
    int present; /**< thread blocks that keep pace: see keep_pace() there */
    int arrived; /**< how often they have arrived, all together */
};

/**
 * The products of `levels` levels of Strassen's method, 1, 7 or 49, all m x n x k. One pass
 * over A and one over B make their factors; the products go to `c`, and one more pass joins
 * them into C. Without levels `c` is C.
 */
struct batch {
    enum format format;
    int levels, products;
    int m, n, k, k_padded;
    struct factors left, right;
    float *c;
    long ldc;
    size_t stride_c; /**< elements from one product to the next */
    int promote;     /**< terms of k after which a partial sum is added in float */
    int spare; /**< multiprocessors that the products leave to other kernels; see strips.h */
    struct progress *progress; /**< on the device */
    float *partials;           /**< the sums of parts of tiles; see wgmma.cu */
};

/** The number of lines, rounded up to whole tiles. */
static __host__ __device__ __forceinline__ int padded_lines(const struct factors *x)
{
    int tile = x->right ? (int)TILE_N : (int)CLUSTER * TILE_M;
    return (x->lines + tile - 1) / tile * tile;
}

/** The most parts of tiles in one launch, and of one tile of 256 x 192. */
enum { ALL_PARTS = 132, TILE_PARTS = 4 };

/** The parts that a batch has room for. */
static inline int parts_of_batch(const struct batch *b)
{
    long tiles = pieces_of(b->m, CLUSTER * TILE_M) * pieces_of(b->n, TILE_N) * b->products;
    return (int)smaller(ALL_PARTS, TILE_PARTS * tiles);
}

/** Rows of B that one thread block adds up; they are one strip. */
enum { STRIP = 256 };
static inline int strips_of(struct factors right, int levels)
{
    return (int)pieces_of(right.rows >> levels, STRIP) << levels;
}

/** Floats of workspace that a batch takes in addition to A, B and C. */
size_t batch_elements(struct product p, enum format format, int levels);

/** Lays out a batch for p at the front of the workspace, which is aligned to 64 bytes, and
 * moves *workspace to its end. m, n and k are multiples of 4 * 2^levels, leading dimensions
 * multiples of 4. @param right B's factors in another batch, to be used again; NULL: lays out
 * new ones */
struct batch batch_of(struct product p, enum format format, int levels, int promote,
                      const struct factors *right, char **workspace);

/** Zeroes the counters of one factor, from its first or from the batch's `progress` on; or
 * those
 * of both. Must be done before the exponents are found; the functions below that split do so.
 */
void zero_factors(const struct context *ctx, const struct factors *x, char *from);
void zero_batch(const struct context *ctx, const struct batch *b);

/** Find each line's exponent, of both factors or of one: B's must come first. Lines with an
 * infinity, a NaN or elements so large that a sum or a product could overflow are dropped:
 * zeros replace them.
 *
 * A row of A whose elements have mostly one sign is centred: its mean r is subtracted from it.
 * The products then have both signs, and their truncation errors cancel. r times the sum of B's
 * column is added to the element of C. In a mixed row, of both signs, the largest element may
 * double. Halves have bits left for that, bytes have not. */
void find_exponents(const struct context *ctx, const struct batch *b);
void find_right_exponents(const struct context *ctx, const struct batch *b);
void find_left_exponents(const struct context *ctx, const struct batch *b);

/** Find the exponents of both factors, or of one (with levels B's must come first); then sum,
 * scale, split and lay it out for all products. Without levels split_rows() and split_columns()
 * need only the row or column itself, and read it from memory once. split_columns() returns
 * false, and does nothing, if 8 columns do not fit in shared memory. The columns are split at
 * the same time as the rows if they are launched `early`, directly after them. */
void split_factors(const struct context *ctx, const struct batch *b);
void split_right(const struct context *ctx, const struct batch *b);
void split_left(const struct context *ctx, const struct batch *b);
void split_rows(const struct context *ctx, const struct batch *b);
bool split_columns(const struct context *ctx, const struct batch *b, bool early);

/** Joins the products into C and reads each once. Does nothing without levels. */
void join_products(const struct context *ctx, const struct batch *b, struct block C);

/** Computes the rows and columns that were dropped, by plain sums in double. `early`: directly
 * after a kernel of this step, in the same stream. */
void repair(const struct context *ctx, const struct batch *b, struct block C, bool early);

/** Load the kernels, which CUDA otherwise does at their first launch. */
void load_exponents(const struct context *ctx);
void load_factors(const struct context *ctx);
void load_join(const struct context *ctx);

#endif
