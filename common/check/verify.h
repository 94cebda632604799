/* SPDX-License-Identifier: MIT */
/** @file verify.h
 * The checker. It accepts a product only when every element is within a theorem's bound of a
 * reference in higher precision, no guard cell was written and the inputs are as they were.
 */
#ifndef COMMON_CHECK_VERIFY_H
#define COMMON_CHECK_VERIFY_H

#include <stdbool.h>

#include "common/matrix/matrix.h"
#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A trusted product to compare with. */
struct reference {
    long m, n, k;
    double *product;     /**< m x n, contiguous, row-major */
    double roundoff;     /**< unit roundoff the product itself was computed with; 0: exact */
    double *row_norms;   /**< 2-norms of A's rows (m) */
    double *col_norms;   /**< 2-norms of B's columns (n) */
    double max_a, max_b; /**< largest absolute elements, of those that are finite */
    bool finite;         /**< no element of A or B is NaN or infinite */
    uint64_t hash_a, hash_b; /**< of the inputs, to see whether they changed */
};

/**
 * Computes the reference: in long double on the host up to 2^27 products other than zero, above
 * that by the backend's vendor library in double, or by plain loops in double where there is
 * none.
 * @param reference overwritten
 * @param a its host copy, m x k
 * @param b its host copy, k x n
 * @return false when memory is not enough.
 */
bool reference_create(struct reference *reference, const struct matrix *a,
                      const struct matrix *b);
/**
 * Frees what it holds.
 * @param reference created, or all zeros
 */
void reference_destroy(struct reference *reference);

/** What the checker found. */
struct verdict {
    bool passed;
    double max_error, mean_error; /**< absolute, against the reference (or the identity) */
    double root_mean_square;      /**< of all errors against the reference */
    double
        mean_error_f32; /**< against the identity only: the mean summed in single precision */
    long unjudged; /**< elements that may overflow or become NaN on the way: any value is right
                      there */
    double mean_magnitude; /**< mean absolute value of the reference's elements */
    double bound;          /**< what the theorem allows where the error comes closest to it */
    long unwritten;        /**< elements of C that were never written */
    char reason[4096];     /**< empty when passed, otherwise what is wrong first; never cut */
};

/** Which errors are allowed. */
struct tolerance {
    bool exact; /**< every element equal, for integer inputs */
    struct error_bound bound;
    int levels;
    long m, n, k; /**< what the levels halve, where it is padded; 0: C as it is */
    long terms;   /**< products other than zero that an element sums; 0: k */
    /** The operands are uniform in [-1, 1] and not tiny: what their errors are on average is
     * known, see average_error(). */
    bool random;
    bool
        against_identity; /**< report errors against I (Kaporin), check against the reference */
};

/** Who adds to the verdict on a wrong result what may be the mistake. */
struct explainer {
    /**
     * Writes sentences, each after a blank, or nothing.
     * @param text gets the sentences; empty when there are none
     * @param size bytes of `text`
     * @param c its host copy, judged wrong; NaN counts as never written
     * @param a,b as they were multiplied
     * @param reference of A and B
     * @param tolerance by which C was judged
     */
    void (*explain)(char *text, size_t size, const struct matrix *c, const struct matrix *a,
                    const struct matrix *b, const struct reference *reference,
                    const struct tolerance *tolerance);
};

/**
 * What Higham's theorems 23.2 and 23.3 allow after L levels, in units of u max|A| max|B|:
 * 12^L (k0^2 + 5 k0) - 5 * 2^L k0 for Strassen's method, 18^L (k0^2 + 6 k0) - 6 * 2^L k0 for
 * Winograd's. The theorems halve an inner dimension 2^L k0 down to k0; a dimension k that
 * cannot be halved so often is taken as the next one that can, with one more at the leaf for
 * each level: k0 = ceil(k / 2^L) + L. That covers padding, and with it peeling, whose leaf has
 * the products of a smaller k0 and at most 2^L - 1 terms added one after another, each rounded
 * once.
 * @param kind Strassen's or Winograd's method
 * @param levels of recursion, 1 or more
 * @param k inner dimension of the whole product
 * @return the factor, without a unit
 */
double bound_factor(enum bound_kind kind, int levels, long k);

/**
 * The root mean square of the errors that L levels may make when the operands are uniform in
 * [-1, 1]: 2 u k/3 times 3^L for Strassen's method, 4.5^L for Winograd's. It is far below the
 * bound, which holds for the worst operands: rounding k sums of random signs makes u k/3 times
 * 1/sqrt(6) where no sum is rounded in a preferred direction, and per level the errors grow
 * more slowly than the theorems' bounds, which grow by 12/4 and 18/4.
 * @param bound which method
 * @param levels L
 * @param k terms of an element
 * @param u the unit roundoff
 * @return the largest root mean square that is allowed
 */
double average_error(const struct error_bound *bound, int levels, long k, double u);

/**
 * Judges C (its host copy) against the reference.
 *
 * Classical: |c - c^| <= gamma_(k+1) (|A||B|)_ij (Higham 3.13, one rounding more for a leaf
 * that adds to C), where (|A||B|)_ij is bounded in turn by the 2-norms of A's row i and B's
 * column j (Cauchy-Schwarz), which costs n^2 and not n^3. Strassen's and Winograd's method with
 * levels: max|C - C^| <= bound_factor() u max|A| max|B|. To both comes the reference's own
 * round-off error. Where factors are rounded first, each of k terms may be off by split max|A|
 * max|B|: a level doubles both factors, halves k and adds four products, so L levels allow 8^L
 * k split max|A| max|B| more. To all comes what k products may lose where numbers are too small
 * for a full mantissa.
 *
 * NaN or Inf where the reference has none is a failure, but where it may come from the
 * operands: in an element whose row and column are so large that a sum may overflow, and with
 * levels, which mix rows and columns, wherever A or B has a NaN, an Inf or such large elements.
 * Such elements are counted as not judged; if none of C is left, C is not right. Where the
 * reference has NaN or Inf itself, C must have one of them.
 * @param c its host copy
 * @param a its host copy, to see whether it changed
 * @param b likewise
 * @param reference of A and B
 * @param tolerance what is allowed
 * @param explainer of a wrong result; NULL: nobody
 * @return passed, or what is wrong first
 */
struct verdict verify(const struct matrix *c, const struct matrix *a, const struct matrix *b,
                      const struct reference *reference, const struct tolerance *tolerance,
                      const struct explainer *explainer);

/**
 * True if every element of the product is zero.
 * @param reference created
 * @return whether any C of zeros would be right
 */
bool reference_is_zero(const struct reference *reference);

/**
 * False if a matrix of zeros would pass, too: the bound then says nothing.
 * @param reference created
 * @param tolerance what is allowed
 * @param precision of C
 * @return whether C is judged by it
 */
bool tolerance_says_something(const struct reference *reference,
                              const struct tolerance *tolerance, enum precision precision);

/** What verify_by_signs() says. */
enum signs_verdict {
    SIGNS_RIGHT,
    SIGNS_WRONG,
    SIGNS_SILENT /**< nothing: numbers may overflow, or there is no memory */
};

/**
 * Judges C without a reference, in m n + k n + m k steps (Freivalds 1979): multiplies C, and B
 * and then A, by two vectors of random signs, which are drawn after C was computed. A sum of n
 * errors with random signs is beyond eight times the root of the sum of their squares once in
 * 10^13 rows (Hoeffding 1963), so that a C within the bound passes; with exact tolerance both
 * sides must be equal. If the tolerance says that the operands are random, the errors'
 * root mean square must be that of average_error() as well.
 * @param c its host copy; NULL: zeros, which shows whether the bound says anything
 * @param a,b the operands' host copies
 * @param tolerance what is allowed
 * @param secret chooses the signs
 * @return the verdict
 */
enum signs_verdict verify_by_signs(const struct matrix *c, const struct matrix *a,
                                   const struct matrix *b, const struct tolerance *tolerance,
                                   uint64_t secret);

#ifdef __cplusplus
}
#endif
#endif
