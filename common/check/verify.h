/* SPDX-License-Identifier: MIT */
/** @file verify.h
 * The checker. It accepts a product only if every element is within a theorem's bound of a
 * reference in higher precision, no guard cell was written and the inputs are unchanged.
 */
#ifndef COMMON_CHECK_VERIFY_H
#define COMMON_CHECK_VERIFY_H

#include <stdbool.h>

#include "common/matrix/matrix.h"
#include "common/step.h"

/** A trusted product to compare with. */
struct reference {
    long m, n, k;
    double *product;         /**< m x n, contiguous, row-major */
    double roundoff;         /**< unit roundoff of the reference; 0 if it is exact */
    double *row_norms;       /**< 2-norms of A's rows (m) */
    double *col_norms;       /**< 2-norms of B's columns (n) */
    double max_a, max_b;     /**< largest absolute values of finite elements */
    bool finite;             /**< no element of A or B is NaN or infinite */
    uint64_t hash_a, hash_b; /**< of the inputs, to see whether they changed */
};

/** Computes the reference: in long double on the host up to 2^27 multiplications of nonzero
 * numbers; above that in double, with the backend's vendor library or, without one, with plain
 * loops.
 * @param reference overwritten
 * @param a its host copy, m x k
 * @param b its host copy, k x n
 * @return false without enough memory */
bool reference_create(struct reference *reference, const struct matrix *a,
                      const struct matrix *b);
/** Frees what it holds.
 * @param reference created, or all zeros */
void reference_destroy(struct reference *reference);

/** The checker's verdict. */
struct verdict {
    bool passed;
    double max_error, mean_error; /**< absolute, against the reference (or the identity) */
    double root_mean_square;      /**< of all errors against the reference */
    double mean_error_f32;        /**< against the identity only: the mean, summed in f32 */
    long unjudged; /**< elements that may overflow or become NaN in between: any value passes */
    double mean_magnitude; /**< mean absolute value of the reference's elements */
    double bound;          /**< the theorem's bound where the error comes closest to it */
    long unwritten;        /**< elements of C that were never written */
    char reason[4096];     /**< empty if passed, otherwise the first error, in full */
};

/** Which errors are allowed. */
struct tolerance {
    bool exact; /**< every element equal, for integer inputs */
    struct error_bound bound;
    int levels;
    long m, n, k; /**< the padded sizes that the levels halve; 0 without padding */
    long terms;   /**< nonzero terms that an element sums; 0: k */
    bool random;  /**< operands uniform in [-1, 1] and not tiny: the limit of averages holds */
    bool against_identity; /**< only the reported errors are against I (Kaporin) */
};

/** Adds a probable mistake to the verdict on a wrong result. */
struct explainer {
    /** Writes sentences, each after a blank, or nothing.
     * @param text gets the sentences, or ""
     * @param size bytes of `text`
     * @param c its host copy, judged wrong; NaN counts as never written
     * @param a,b the operands
     * @param reference of A and B
     * @param tolerance that judged C */
    void (*explain)(char *text, size_t size, const struct matrix *c, const struct matrix *a,
                    const struct matrix *b, const struct reference *reference,
                    const struct tolerance *tolerance);
};

/** The bound of Higham's theorems 23.2 and 23.3 after L levels, in units of u max|A| max|B|:
 * 12^L (k0^2 + 5 k0) - 5 * 2^L k0 for Strassen's method, 18^L (k0^2 + 6 k0) - 6 * 2^L k0 for
 * Winograd's. Both pairs of numbers follow from the tables in scheme.h, and so do those of
 * others. The theorems halve an inner dimension 2^L k0 down to k0. A dimension k that cannot be
 * halved L times is rounded up to one that can, and one more term per level is added at the
 * leaf: k0 = ceil(k / 2^L) + L. That covers padding, and also peeling, where a leaf has a
 * smaller k0 and at most 2^L - 1 terms added one after another, each rounded once.
 * @param scheme any method but the classical one
 * @param levels of recursion, 1 or more
 * @param k inner dimension of the whole product
 * @return the factor of u max|A| max|B| */
double bound_factor(const struct scheme *scheme, int levels, long k);

/** Judges C (its host copy) against the reference.
 *
 * Classical: |c - c^| <= gamma_(k+1) (|A||B|)_ij (Higham 3.13, one rounding more for a leaf
 * that adds to C), where (|A||B|)_ij is bounded in turn by the 2-norms of A's row i and B's
 * column j (Cauchy-Schwarz), which costs n^2 instead of n^3. Strassen's and Winograd's method
 * with levels: max|C - C^| <= bound_factor() u max|A| max|B|. Three terms are added. The first
 * is the reference's round-off error. The second is for factors that are rounded first: each of
 * k terms may be off by split max|A| max|B|; a level doubles both factors, halves k and adds
 * four products, so L levels allow 8^L k split max|A| max|B| more. The third is the rounding of
 * k terms in the subnormal range.
 *
 * NaN or Inf where the reference has none is a failure, unless it may come from the operands:
 * in an element whose row and column are so large that a sum may overflow, or, with levels,
 * which mix rows and columns, anywhere if A or B has a NaN, an Inf or such large elements.
 * These elements count as not judged; if none of C is left, C is not right. Where the reference
 * has NaN or Inf, C must have one of them.
 * @param c its host copy
 * @param a its host copy, to see whether it changed
 * @param b likewise
 * @param reference of A and B
 * @param tolerance the allowed errors
 * @param explainer of a wrong result, or NULL
 * @return passed, or the first error */
struct verdict verify(const struct matrix *c, const struct matrix *a, const struct matrix *b,
                      const struct reference *reference, const struct tolerance *tolerance,
                      const struct explainer *explainer);

/** Whether every element of the product is zero.
 * @param reference created
 * @return whether a C of zeros would be right */
bool reference_is_zero(const struct reference *reference);

/** Whether the bound is meaningful: a matrix of zeros would fail.
 * @param reference created
 * @param tolerance the allowed errors
 * @param precision of C
 * @return false if a C of zeros would pass */
bool tolerance_says_something(const struct reference *reference,
                              const struct tolerance *tolerance, enum precision precision);

/** The verdict of verify_by_signs(). */
enum signs_verdict {
    SIGNS_RIGHT,
    SIGNS_WRONG,
    SIGNS_SILENT /**< not judged: numbers may overflow, or there is no memory */
};

/** Judges C without a reference, in m n + k n + m k steps (Freivalds 1979): multiplies C, and B
 * and then A, by two vectors of random signs, which are drawn after C was computed. A sum of n
 * errors with random signs exceeds eight times the root of the sum of their squares once in
 * 10^13 rows (Hoeffding 1963), so a C within the bound passes; with exact tolerance both sides
 * must be equal. For random operands the root mean square of the errors must also be within
 * its limit.
 * @param c its host copy; NULL judges zeros, which shows whether the bound is meaningful
 * @param a,b the operands' host copies
 * @param tolerance the allowed errors
 * @param secret chooses the signs
 * @return the verdict */
enum signs_verdict verify_by_signs(const struct matrix *c, const struct matrix *a,
                                   const struct matrix *b, const struct tolerance *tolerance,
                                   uint64_t secret);

#endif
