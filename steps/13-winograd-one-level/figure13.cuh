/* SPDX-License-Identifier: MIT */
/** @file figure13.cuh
 * One level of Winograd's variant by the kernel sequence of Li et al. (2011), Figure 13. Step
 * 15 uses it where its recursion ends.
 */
#ifndef STEPS_13_WINOGRAD_ONE_LEVEL_FIGURE13_CUH
#define STEPS_13_WINOGRAD_ONE_LEVEL_FIGURE13_CUH

#include "steps/12-strassen-one-level/one-level.cuh"

/** The two temporaries: T1 holds a sum of A or a product, T2 a sum of B. */
struct winograd_places {
    struct block T1A, T1C, T2;
};

/** Elements of both with quadrants m x k, k x n and m x n: 2 m n when square. */
static inline size_t winograd_places_elements(long m, long n, long k)
{
    return (size_t)(m * larger(n, k)) + (size_t)(k * n);
}

/** Takes them off the front of the workspace. */
static inline struct winograd_places winograd_take_places(real **workspace, long m, long n,
                                                          long k)
{
    real *t1 = take_block(workspace, m, larger(n, k)).at;
    struct winograd_places at;
    at.T1A = (struct block){t1, m, k, k};
    at.T1C = (struct block){t1, m, n, n};
    at.T2 = take_block(workspace, k, n);
    return at;
}

/// [figure 13]
/** C = A * B by Figure 13: 8 sums, 3 mul, 2 mulAdd, mulIncIncInc, mulSubInc. */
static inline void winograd_one_level(const struct context *ctx, struct product p,
                                      real *workspace)
{
    const struct fused_kernels *f = ctx->leaf->kernels;
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct winograd_places at =
        winograd_take_places(&workspace, C.q11.rows, C.q11.cols, A.q11.cols);

    sub(A.q11, A.q21, at.T1A);                                       /*  1: S3 */
    sub(B.q22, B.q12, at.T2);                                        /*  2: S7 */
    f->mul(ctx, at.T1A, at.T2, C.q21);                               /*  3: M4 */
    add(A.q21, A.q22, at.T1A);                                       /*  4: S1 */
    sub(B.q12, B.q11, at.T2);                                        /*  5: S5 */
    f->mul(ctx, at.T1A, at.T2, C.q22);                               /*  6: M5 */
    sub(at.T1A, A.q11, at.T1A);                                      /*  7: S2 */
    sub(B.q22, at.T2, at.T2);                                        /*  8: S6 */
    f->mul(ctx, at.T1A, at.T2, C.q11);                               /*  9: M1 */
    sub(A.q12, at.T1A, at.T1A);                                      /* 10: S4 */
    f->mulAdd(ctx, at.T1A, B.q22, C.q22, C.q12);                     /* 11, 12: M5 + M6 */
    f->mulIncIncInc(ctx, A.q11, B.q11, at.T1C, C.q21, C.q11, C.q12); /* 13 to 16: M2, V1, V2 */
    sub(at.T2, B.q21, at.T2);                                        /* 17: S8 */
    f->mulSubInc(ctx, A.q22, at.T2, C.q11, C.q21, C.q22); /* 18 to 20: V2 - M7, V2 + M5 */
    f->mulAdd(ctx, A.q12, B.q21, at.T1C, C.q11);          /* 21, 22: M2 + M3 */
}
/// [figure 13]

#endif
