/* SPDX-License-Identifier: MIT */
/** @file input.h
 * The inputs of a step: reproducible from a seed; each element can be computed by itself.
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
                       rows times the inverse; C is as large as with uniform */
    INPUT_KAPORIN,  /**< Li et al. (2011), section 8.1.2: A = I + u v^T, B its inverse, C = I */
    INPUT_KAPORIN_F32, /**< the same formula, rounded to single precision at each operation */
    INPUT_IDENTITY,    /**< A = I, B uniform (integers for i32) */
    INPUT_ZEROS,       /**< both zero */
    INPUT_FILE,        /**< from two .npy files, see npy.h; not filled by input_fill() */
    INPUTS
};
extern const char *const input_names[INPUTS];

/** @{ */
/** Whether C is the identity by definition; whether another seed makes other matrices.
 * @param input any kind
 * @return whether it is so */
bool input_is_kaporin(enum input input);
bool input_has_seed(enum input input);
/** @} */

enum operand { OPERAND_A, OPERAND_B };

/** Fills the host copy of one operand. On the CPU backend it uses one thread, because threads
 * that wait for work would disturb the next timed run.
 * @param matrix its host copy is overwritten, except guard cells
 * @param input any kind but INPUT_FILE
 * @param operand A or B of the product
 * @param seed any; the same one gives the same elements
 * @param magnitude of integers, 1 or more, see integer_magnitude(); otherwise unused */
void input_fill(struct matrix *matrix, enum input input, enum operand operand, uint64_t seed,
                int magnitude);

/** Element (i, j) of a rows x cols operand as input_fill() computes it, before rounding: for
 * programs that have only a part of a matrix.
 * @param input not Kaporin's matrices, not INPUT_FILE
 * @param operand A or B
 * @param seed,magnitude as for input_fill()
 * @param rows,cols of the whole operand
 * @param i,j row and column, from 0
 * @return the element */
double input_element(enum input input, enum operand operand, uint64_t seed, int magnitude,
                     long rows, long cols, long i, long j);

/** The largest r <= 8 such that with entries in {-r ... r} every intermediate is an integer
 * that `precision` represents exactly. With inner dimension k a classical product is at most k
 * r^2. With a table of scheme.h, k halves at each level while the factors grow by the largest
 * sums of absolute coefficients: to 6 * 2^(L-1) * k r^2 with Strassen's, to 9 * 4.5^(L-1) * k
 * r^2 with Winograd's. If coefficients are fractions, numbers have digits after the point as
 * well.
 * @param scheme the method; NULL: the classical one
 * @param levels of recursion, 0 or more
 * @param k inner dimension of the whole product
 * @param precision of the elements
 * @return 1 to 8; 0 if even 1 is too large */
int integer_magnitude(const struct scheme *scheme, int levels, long k,
                      enum precision precision);

#ifdef __cplusplus
}
#endif

#endif
