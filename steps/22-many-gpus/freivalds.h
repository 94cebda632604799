/* SPDX-License-Identifier: MIT */
/** @file freivalds.h
 * Judges a product that no rank holds as a whole.
 *
 * Freivalds (1977): C = A B is checked with vectors of random signs, A (B v) = C v, in double.
 * If C is computed from integers such that everything is exact, the two sides are equal or C is
 * wrong, and a wrong row passes CHECK_VECTORS vectors with a probability of at most
 * 2^-CHECK_VECTORS.
 *
 * With rounding errors e in a row of n elements, each at most `bound`, e v is above 8 sqrt(n)
 * bound with a probability of at most 2 exp(-32) (Hoeffding): that is the limit. A row whose
 * errors have a 2-norm of twice the limit passes with (13/16)^CHECK_VECTORS at most (Paley and
 * Zygmund). And the mean of (e v)^2 is n times that of e^2: so the root mean square error is
 * measured, too.
 *
 * The bound is the worst case and grows like k^2. In float it is above C itself from about k =
 * 8000 on. So there is a second limit, a tenth of the root mean square of A B v (but for
 * --input scaled). It finds what is missing from a product, or in the wrong place, but no
 * single wrong element: that is for the run on integers.
 */
#ifndef STEPS_22_MANY_GPUS_FREIVALDS_H
#define STEPS_22_MANY_GPUS_FREIVALDS_H

#include "place.h"
#include "rank_plan.h"

enum { CHECK_VECTORS = 32 };

struct verdict_on_ranks {
    bool passed;
    double rms; /**< root mean square of the elements' errors */
    char reason[256];
};

/** What is judged: true sizes, and the operands that the shares were filled with. */
struct judged_product {
    long m, n, k;
    struct source a, b;
    double bound; /**< of an element's error; 0: every element is exact */
};

/** Every rank calls it and gets the same verdict: C is right, A and B are as they
 * were filled. */
struct verdict_on_ranks check_product(struct comm *comm, const struct shares *shares,
                                      const struct judged_product *product);

/** Element by element, for exact products: each rank computes its own elements of C again. */
struct verdict_on_ranks check_elements(struct comm *comm, const struct shares *shares,
                                       const struct judged_product *product);

#endif
