/* SPDX-License-Identifier: MIT */
/** @file one-level.cuh
 * What step 12 lends to steps 13 to 17: its kernels, one level of Strassen's method by the
 * kernel sequence of Li et al. (2011), Figure 12.
 */
#ifndef STEPS_12_STRASSEN_ONE_LEVEL_ONE_LEVEL_CUH
#define STEPS_12_STRASSEN_ONE_LEVEL_ONE_LEVEL_CUH

#include "common/sizes.h"
#include "kernels.cuh"

/**
 * The places of one level: the two temporaries of Figure 2, and C12 and C21 as the places of
 * sums of A's and B's quadrants. T1 holds a sum of B or a product, T2 a sum of A or a product.
 * In a square product every quadrant fits every place; in a rectangular one the sums that do
 * not fit into C get separate memory.
 */
struct places {
    struct block T1B, T1C, T2A, T2C; /**< one place T1, one T2, under two shapes each */
    struct block C12A, C21B;
};

/** Elements of the places of one level with quadrants m x k, k x n and m x n: 2 m n when
 * square. */
static inline size_t places_elements(long m, long n, long k)
{
    return (size_t)(larger(m, k) * n) + (size_t)(m * larger(n, k)) +
           (size_t)(k > n ? m * k : 0) + (size_t)(k > m ? k * n : 0);
}

/** Takes them off the front of the workspace. */
static inline struct places take_places(real **workspace, struct quadrants A,
                                        struct quadrants C)
{
    long m = C.q11.rows, n = C.q11.cols, k = A.q11.cols;
    struct places at;
    real *t1 = take_block(workspace, larger(m, k), n).at;
    real *t2 = take_block(workspace, m, larger(n, k)).at;
    at.T1B = (struct block){t1, k, n, n};
    at.T1C = (struct block){t1, m, n, n};
    at.T2A = (struct block){t2, m, k, k};
    at.T2C = (struct block){t2, m, n, n};
    at.C12A = k > n ? take_block(workspace, m, k) : part(C.q12, 0, 0, m, k);
    at.C21B = k > m ? take_block(workspace, k, n) : part(C.q21, 0, 0, k, n);
    return at;
}

/// [figure 12]
/** C = A * B by Figure 12: 10 sums, 2 mul, 2 mulIncInc, mulStoreDec, mulStoreInc, mulIncDec. */
static inline void strassen_one_level(const struct context *ctx, struct product p,
                                      real *workspace)
{
    const struct fused_kernels *f = ctx->leaf->kernels;
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct places at = take_places(&workspace, A, C);

    sub(A.q21, A.q11, at.C12A);                        /*  1 */
    add(B.q11, B.q12, at.C21B);                        /*  2 */
    f->mul(ctx, at.C12A, at.C21B, C.q22);              /*  3: M6 */
    sub(A.q12, A.q22, at.C12A);                        /*  4 */
    add(B.q21, B.q22, at.C21B);                        /*  5 */
    f->mul(ctx, at.C12A, at.C21B, C.q11);              /*  6: M7 */
    add(A.q11, A.q22, at.C12A);                        /*  7 */
    add(B.q11, B.q22, at.C21B);                        /*  8 */
    f->mulIncInc(ctx, at.C12A, at.C21B, C.q11, C.q22); /*  9 to 11: M1 */
    add(A.q21, A.q22, at.T2A);                         /* 12 */
    f->mulStoreDec(ctx, at.T2A, B.q11, C.q21, C.q22);  /* 13, 14: M2 */
    sub(B.q21, B.q11, at.T1B);                         /* 15 */
    f->mulIncInc(ctx, A.q22, at.T1B, C.q21, C.q11);    /* 16 to 18: M4 */
    sub(B.q12, B.q22, at.T1B);                         /* 19 */
    f->mulStoreInc(ctx, A.q11, at.T1B, C.q12, C.q22);  /* 20, 21: M3 */
    add(A.q11, A.q12, at.T2A);                         /* 22 */
    f->mulIncDec(ctx, at.T2A, B.q22, C.q12, C.q11);    /* 23 to 25: M5 */
}
/// [figure 12]

/** A step with one level does one or none. */
static inline int at_most_one(const struct context *, struct product, int levels)
{
    return levels > 1 ? 1 : levels;
}

#endif
