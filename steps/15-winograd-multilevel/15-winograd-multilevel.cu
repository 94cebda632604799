/**
 * @file 15-winograd-multilevel.cu
 * Winograd's variant on any number of levels (000 section 7.2, Figure 23).
 */
#include "common/model.h"
#include "steps/13-winograd-one-level/one-level.cuh"

/// [pairs]
/* (C12, C11) = (C11 + C12 + T1, C11 + C21 + T1): reads four blocks, writes two. */
static __global__ void form_c12_c11_kernel(real *c12, int ld12, real *c11, int ld11, const real *c21,
                                           int ld21, const real *t1, int ldt)
{
    real2 *to12 = (real2 *)(c12 + sum_position(ld12)), *to11 = (real2 *)(c11 + sum_position(ld11));
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

static void form_c12_c11(struct block c12, struct block c11, struct block c21, struct block t1)
{
    form_c12_c11_kernel<<<sum_grid(c11), sum_block()>>>(c12.at, c12.ld, c11.at, c11.ld, c21.at,
                                                        c21.ld, t1.at, t1.ld);
    CHECK_LAUNCH();
}

/* (C21, C22) = (C11 - C21, C11 + C22): reads three blocks, writes two. */
static __global__ void form_c21_c22_kernel(real *c21, int ld21, real *c22, int ld22, const real *c11,
                                           int ld11)
{
    real2 *to21 = (real2 *)(c21 + sum_position(ld21)), *to22 = (real2 *)(c22 + sum_position(ld22));
    real2 x21 = *to21, x22 = *to22, v2 = *(const real2 *)(c11 + sum_position(ld11));
    x21.x = v2.x - x21.x; /* V2 - M7 */
    x21.y = v2.y - x21.y;
    x22.x += v2.x; /* V2 + M5 */
    x22.y += v2.y;
    *to21 = x21;
    *to22 = x22;
}

static void form_c21_c22(struct block c21, struct block c22, struct block c11)
{
    form_c21_c22_kernel<<<sum_grid(c11), sum_block()>>>(c21.at, c21.ld, c22.at, c22.ld, c11.at,
                                                        c11.ld);
    CHECK_LAUNCH();
}
/// [pairs]

/* Two temporaries a level: at most 2 n^2/3 for square matrices. */
static size_t workspace_winograd(const struct problem *p)
{
    size_t elements = 0;
    long m = p->m, n = p->n, k = p->k;
    for (int level = 0; level < p->levels; level++) {
        m /= 2, n /= 2, k /= 2;
        elements += winograd_places_elements(m, n, k);
    }
    return elements;
}

/// [figure 23]
static void winograd(struct block a, struct block b, struct block c, int levels, int fused,
                     real *workspace)
{
    if (levels == 0) { /* n <= tau1 */
        mul(a, b, c);
        return;
    }
    if (levels == 1 && fused) { /* tau1 < n <= tau2 */
        winograd_one_level(a, b, c, workspace);
        return;
    }
    struct quadrants A = quadrants_of(a), B = quadrants_of(b), C = quadrants_of(c);
    struct winograd_places at =
        winograd_take_places(&workspace, C.q11.rows, C.q11.cols, A.q11.cols);
    int rest = levels - 1;

    sub(A.q11, A.q21, at.T1A), sub(B.q22, B.q12, at.T2);
    winograd(at.T1A, at.T2, C.q21, rest, fused, workspace); /* M4 */
    add(A.q21, A.q22, at.T1A), sub(B.q12, B.q11, at.T2);
    winograd(at.T1A, at.T2, C.q22, rest, fused, workspace); /* M5 */
    sub(at.T1A, A.q11, at.T1A), sub(B.q22, at.T2, at.T2);
    winograd(at.T1A, at.T2, C.q11, rest, fused, workspace); /* M1 */
    sub(A.q12, at.T1A, at.T1A);
    winograd(at.T1A, B.q22, C.q12, rest, fused, workspace); /* M6 */
    add(C.q12, C.q22, C.q12);
    winograd(A.q11, B.q11, at.T1C, rest, fused, workspace); /* M2 */
    form_c12_c11(C.q12, C.q11, C.q21, at.T1C);
    sub(at.T2, B.q21, at.T2);
    winograd(A.q22, at.T2, C.q21, rest, fused, workspace); /* M7 */
    form_c21_c22(C.q21, C.q22, C.q11);
    winograd(A.q12, B.q21, C.q11, rest, fused, workspace); /* M3 */
    add(C.q11, at.T1C, C.q11);
}
/// [figure 23]

static void multiply_winograd(const struct problem *p, real *workspace)
{
    winograd(block_a(p), block_b(p), block_c(p), p->levels, p->fused, workspace);
}

static const struct variant variants[] = {
    {.name = "winograd",
     .sentence = "Figure 23 over Figure 13 over GPU8",
     .multiply = multiply_winograd,
     .workspace = workspace_winograd,
     .cost = model_winograd,
     .bound = BOUND_WINOGRAD,
     .multiple_m = GPU8_M,
     .multiple_n = GPU8_N,
     .multiple_k = GPU8_K},
    {0},
};

static const struct variant leaves[] = {
    {.name = "gpu8", .sentence = "GPU8 of step 10, fused into the products", .multiply = NULL}, {0}};

const struct step STEP = {
    .name = "15-winograd-multilevel",
    .idea = "Winograd's variant on any number of levels, two temporaries each",
    .variants = variants,
    .leaves = leaves,
    .default_n = 512,
    .default_tau1 = 2048,
};
