/* SPDX-License-Identifier: MIT */
/** @file winograd.cu
 * Winograd's variant on any number of levels (Li et al. (2011), section 7.2, Figure 23), and
 * the sums of several blocks in one pass that it needs besides the kernels of step 12.
 */
#include "winograd.h"

#include "common/model.h"
#include "steps/12-strassen-one-level/one-level.cuh"
#include "steps/13-winograd-one-level/figure13.cuh"

/// [pairs]
/* (C12, C11) = (C11 + C12 + T1, C11 + C21 + T1): reads four blocks, writes two. */
static __global__ void form_c12_c11_kernel(real *c12, int ld12, real *c11, int ld11,
                                           const real *c21, int ld21, const real *t1, int ldt)
{
    real2 *to12 = (real2 *)(c12 + sum_position(ld12)),
          *to11 = (real2 *)(c11 + sum_position(ld11));
    real2 x12 = *to12, x11 = *to11;
    real2 x21 = *(const real2 *)(c21 + sum_position(ld21));
    real2 t = *(const real2 *)(t1 + sum_position(ldt));
    x11.x += t.x; /* V1 = M1 + M2 */
    x11.y += t.y;
    x12.x += x11.x; /* V1 + M5 + M6 */
    x12.y += x11.y;
    x11.x += x21.x; /* V2 = V1 + M4 */
    x11.y += x21.y;
    *to12 = x12;
    *to11 = x11;
}

static inline void form_c12_c11(struct block c12, struct block c11, struct block c21,
                                struct block t1)
{
    form_c12_c11_kernel<<<sum_grid(c11), sum_block()>>>(c12.at, c12.ld, c11.at, c11.ld, c21.at,
                                                        c21.ld, t1.at, t1.ld);
    CHECK_LAUNCH();
}

/* (C21, C22) = (C11 - C21, C11 + C22): reads three blocks, writes two. */
static __global__ void form_c21_c22_kernel(real *c21, int ld21, real *c22, int ld22,
                                           const real *c11, int ld11)
{
    real2 *to21 = (real2 *)(c21 + sum_position(ld21)),
          *to22 = (real2 *)(c22 + sum_position(ld22));
    real2 x21 = *to21, x22 = *to22, v2 = *(const real2 *)(c11 + sum_position(ld11));
    x21.x = v2.x - x21.x; /* V2 - M7 */
    x21.y = v2.y - x21.y;
    x22.x += v2.x; /* V2 + M5 */
    x22.y += v2.y;
    *to21 = x21;
    *to22 = x22;
}

static inline void form_c21_c22(struct block c21, struct block c22, struct block c11)
{
    form_c21_c22_kernel<<<sum_grid(c11), sum_block()>>>(c21.at, c21.ld, c22.at, c22.ld, c11.at,
                                                        c11.ld);
    CHECK_LAUNCH();
}
/// [pairs]

/* Two temporaries per level: at most 2 n^2/3 for square matrices. */
size_t workspace_winograd(const struct context *, struct product p, int levels)
{
    return workspace_of_levels(p, levels, winograd_places_elements);
}

/// [figure 23]
void winograd(const struct context *ctx, struct product p, int levels, real *workspace)
{
    if (levels == 0) { /* n <= tau1 */
        multiply_leaf(ctx, p);
        return;
    }
    if (is_fused_level(ctx, levels)) { /* tau1 < n <= tau2 */
        winograd_one_level(ctx, p, workspace);
        return;
    }
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct winograd_places at =
        winograd_take_places(&workspace, C.q11.rows, C.q11.cols, A.q11.cols);
    int rest = levels - 1;

    sub(A.q11, A.q21, at.T1A), sub(B.q22, B.q12, at.T2);
    winograd(ctx, product_on(at.T1A, at.T2, C.q21), rest, workspace); /* M4 */
    add(A.q21, A.q22, at.T1A), sub(B.q12, B.q11, at.T2);
    winograd(ctx, product_on(at.T1A, at.T2, C.q22), rest, workspace); /* M5 */
    sub(at.T1A, A.q11, at.T1A), sub(B.q22, at.T2, at.T2);
    winograd(ctx, product_on(at.T1A, at.T2, C.q11), rest, workspace); /* M1 */
    sub(A.q12, at.T1A, at.T1A);
    winograd(ctx, product_on(at.T1A, B.q22, C.q12), rest, workspace); /* M6 */
    add(C.q12, C.q22, C.q12);
    winograd(ctx, product_on(A.q11, B.q11, at.T1C), rest, workspace); /* M2 */
    form_c12_c11(C.q12, C.q11, C.q21, at.T1C);
    sub(at.T2, B.q21, at.T2);
    winograd(ctx, product_on(A.q22, at.T2, C.q21), rest, workspace); /* M7 */
    form_c21_c22(C.q21, C.q22, C.q11);
    winograd(ctx, product_on(A.q12, B.q21, C.q11), rest, workspace); /* M3 */
    add(C.q11, at.T1C, C.q11);
}
/// [figure 23]

struct cost cost_winograd(const struct context *ctx, struct product p, int levels)
{
    return over_gpu8(ctx, model_winograd(ctx, p, levels));
}
