/* SPDX-License-Identifier: MIT */
/** @file strassen.cuh
 * Strassen's method on any number of levels (Li et al. (2011), section 7.1, Figure 16), over
 * any leaf. Steps 16 and 17 use it too.
 */
#ifndef STEPS_14_STRASSEN_MULTILEVEL_STRASSEN_CUH
#define STEPS_14_STRASSEN_MULTILEVEL_STRASSEN_CUH

#include "common/model/multilevel.h"
#include "multilevel.cuh"
#include "steps/12-strassen-one-level/one-level.cuh"

/* Two temporaries a level: at most 2 n^2/3 for square matrices. */
static inline size_t workspace_strassen(const struct context *x, struct product p, int levels)
{
    return workspace_of_levels(p, levels, places_elements);
}

/// [figure 16]
static inline void strassen(const struct context *x, struct product p, int levels,
                            real *workspace)
{
    if (levels == 0) { /* n <= tau1 */
        multiply_leaf(x, p);
        return;
    }
    if (is_fused_level(x, levels)) { /* tau1 < n <= tau2 */
        strassen_one_level(x, p, workspace);
        return;
    }
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct places at = take_places(&workspace, A, B, C);
    int rest = levels - 1;

    sub(A.q21, A.q11, at.C12A), add(B.q11, B.q12, at.C21B);
    strassen(x, product_on(at.C12A, at.C21B, C.q22), rest, workspace); /* M6 */
    sub(A.q12, A.q22, at.C12A), add(B.q21, B.q22, at.C21B);
    strassen(x, product_on(at.C12A, at.C21B, C.q11), rest, workspace); /* M7 */
    add(A.q11, A.q22, at.C12A), add(B.q11, B.q22, at.C21B);
    strassen(x, product_on(at.C12A, at.C21B, at.T1C), rest, workspace); /* M1 */
    inc_inc(C.q11, C.q22, at.T1C), add(A.q21, A.q22, at.T2A);
    strassen(x, product_on(at.T2A, B.q11, C.q21), rest, workspace); /* M2 */
    sub(C.q22, C.q21, C.q22), sub(B.q21, B.q11, at.T1B);
    strassen(x, product_on(A.q22, at.T1B, at.T2C), rest, workspace); /* M4 */
    inc_inc(C.q11, C.q21, at.T2C), sub(B.q12, B.q22, at.T1B);
    strassen(x, product_on(A.q11, at.T1B, C.q12), rest, workspace); /* M3 */
    add(C.q22, C.q12, C.q22), add(A.q11, A.q12, at.T2A);
    strassen(x, product_on(at.T2A, B.q22, at.T1C), rest, workspace); /* M5 */
    dec_inc(C.q11, C.q12, at.T1C);
}
/// [figure 16]

static inline struct cost cost_strassen(const struct context *x, struct product p, int levels)
{
    return over_gpu8(x, model_strassen(x, p, levels));
}

#endif
