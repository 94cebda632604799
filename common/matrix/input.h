/* SPDX-License-Identifier: MIT */
/** @file input.h
 * The matrices a step is tried on: reproducible from a seed, any element computable alone.
 */
#ifndef COMMON_MATRIX_INPUT_H
#define COMMON_MATRIX_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/matrix/matrix.h"
#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of input. */
enum input {
    INPUT_UNIFORM,  /**< uniform in [-1, 1], full mantissa */
    INPUT_INTEGERS, /**< small integers: every intermediate of every level is exact */
    INPUT_POSITIVE, /**< uniform in [0, 1] */
    INPUT_SCALED,   /**< badly scaled: uniform in [-1, 1], A's columns times 2^10 ... 2^-10, B's
                       rows   times the inverse; C is as large as with uniform */
    INPUT_KAPORIN,  /**< Li et al. (2011), section 8.1.2: A = I + u v^T, B its inverse, C = I */
    INPUT_KAPORIN_F32, /**< the same formula, rounded to single precision at each operation */
    INPUT_IDENTITY,    /**< A = I, B uniform (integers for i32) */
    INPUT_ZEROS,       /**< both zero */
    INPUT_FILE,        /**< from two .npy files, see npy.h; not filled by input_fill() */
    INPUTS
};
extern const char *const input_names[INPUTS];

/** True for Kaporin's matrices, whose product is the identity. */
bool input_is_kaporin(enum input input);

/** True if another seed makes other matrices. */
bool input_has_seed(enum input input);

enum operand { OPERAND_A, OPERAND_B };

/** Fills the host copy of one operand. `magnitude` bounds the integers: see
 * integer_magnitude(). If the host computes what is timed, one thread does it: threads that
 * wait for work would disturb the next run. */
void input_fill(struct matrix *matrix, enum input input, enum operand operand, uint64_t seed,
                int magnitude);

/** Element (i, j) of a rows x cols operand of floats or doubles as input_fill() sets it, before
 * it is rounded: for programs that hold only a part of a matrix. Not for Kaporin's matrices and
 * files. */
double input_element(enum input input, enum operand operand, uint64_t seed, int magnitude,
                     long rows, long cols, long i, long j);

/** The leaves of a recursion: `levels` halvings leave 4^levels blocks of m x k in A, of k x n
 * in B. */
struct leaves {
    int levels;
    long m, n, k;
};

/**
 * Fills the host copies of both operands with few numbers that use every bit of the mantissa,
 * such that every intermediate of Strassen's and Winograd's method stays exact. At each place
 * within the leaves only one leaf of A and one of B is not zero, so a sum of leaves adds
 * nothing to a number. A row of a leaf of A has one number. Where one operand has all bits, the
 * other has 1 or -1. The seed chooses the leaf, so the numbers visit all quadrants of all
 * levels.
 */
void input_fill_bits(struct matrix *a, struct matrix *b, const struct leaves *leaves,
                     uint64_t seed);

/**
 * The largest r <= 8 such that with entries in {-r ... r} every intermediate is an integer that
 * `precision` holds exactly; 0 if even r = 1 is too large. With inner dimension k: a classical
 * product stays below k r^2. Strassen doubles operands at each level while k halves, and adds
 * four products: 3 * 2^L * k r^2. Winograd's S2 * S6 has three terms in each factor: 7
 * * 4.5^(L-1) * k r^2.
 */
int integer_magnitude(enum bound_kind kind, int levels, long k, enum precision precision);

#ifdef __cplusplus
}
#endif

#endif
