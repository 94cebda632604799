/* SPDX-License-Identifier: MIT */
/** @file fused.c
 * One level of Winograd's algorithm in three passes over memory, where Figure 3 makes fifteen.
 *
 * A sum of quadrants does one addition for three elements moved: it waits for memory. So here
 * every quadrant is read once, and all sums that need it are made then. The last three products
 * need no pass at all: the leaf adds them to C.
 */
#include "winograd.h"

#include <stdbool.h>

#include "steps/02-cpu-blocked/team.h"

/// [rows]
/* One row of each quadrant of A in, one row of S1 ... S4 out. `restrict` promises the compiler
   that no output is also an input: without it the loop would not be vectorised. */
static void sums_of_a(long n, const real *restrict a11, const real *restrict a12,
                      const real *restrict a21, const real *restrict a22, real *restrict s1,
                      real *restrict s2, real *restrict s3, real *restrict s4)
{
    for (long j = 0; j < n; j++) {
        s1[j] = a21[j] + a22[j];
        s2[j] = a21[j] + a22[j] - a11[j];
        s3[j] = a11[j] - a21[j];
        s4[j] = a12[j] - (a21[j] + a22[j] - a11[j]);
    }
}

/* The same for S5 ... S8, but -S8: C21 wants M7 subtracted, and a leaf can only add. */
static void sums_of_b(long n, const real *restrict b11, const real *restrict b12,
                      const real *restrict b21, const real *restrict b22, real *restrict s5,
                      real *restrict s6, real *restrict s7, real *restrict s8)
{
    for (long j = 0; j < n; j++) {
        s5[j] = b12[j] - b11[j];
        s6[j] = b22[j] - (b12[j] - b11[j]);
        s7[j] = b22[j] - b12[j];
        s8[j] = b21[j] - (b22[j] - (b12[j] - b11[j]));
    }
}

/* C's quadrants hold M2, M1, M4, M5; they become M2, V1 + M5, V2, V2 + M5. */
static void combine_quadrants(long n, const real *restrict c11, real *restrict c12,
                              real *restrict c21, real *restrict c22)
{
    for (long j = 0; j < n; j++) {
        real v1 = c12[j] + c11[j], v2 = v1 + c21[j], m5 = c22[j];
        c12[j] = v1 + m5;
        c21[j] = v2;
        c22[j] = v2 + m5;
    }
}

/* The same with M2, M1, M4, M5 in separate blocks, added to C. */
static void combine_add(long n, const real *restrict m2, const real *restrict m1,
                        const real *restrict m4, const real *restrict m5, real *restrict c11,
                        real *restrict c12, real *restrict c21, real *restrict c22)
{
    for (long j = 0; j < n; j++) {
        real v1 = m1[j] + m2[j], v2 = v1 + m4[j];
        c11[j] += m2[j];
        c12[j] += v1 + m5[j];
        c21[j] += v2;
        c22[j] += v2 + m5[j];
    }
}
/// [rows]

/* Row i of a block. */
static real *row(struct block x, long i) { return x.at + i * x.ld; }

/* A pass over eight blocks, row by row: four are read once, four are written once
   (combine_add: and read). */
struct pass {
    void (*rows_of)(long n, const real *, const real *, const real *, const real *, real *,
                    real *, real *, real *);
    struct quadrants x;
    struct block y1, y2, y3, y4;
};

static void pass_row(long i, const void *what)
{
    const struct pass *p = what;
    p->rows_of(p->y1.cols, row(p->x.q11, i), row(p->x.q12, i), row(p->x.q21, i),
               row(p->x.q22, i), row(p->y1, i), row(p->y2, i), row(p->y3, i), row(p->y4, i));
}

static void make_pass(int threads, struct pass pass)
{
    team_for(threads, pass.y1.rows, pass_row, &pass, sizeof pass);
}

/* In place: four reads, three writes. */
static void combine_row(long i, const void *what)
{
    const struct quadrants *c = what;
    combine_quadrants(c->q11.cols, row(c->q11, i), row(c->q12, i), row(c->q21, i),
                      row(c->q22, i));
}

/* S1 ... S8, 2n^2, and four products where C must be added to: 2n^2 + 3/4 n^2 + 3/16 n^2 ... <
   3n^2 (and the staggers). */
static size_t workspace_fused_below(long m, long n, long k, int levels, bool accumulate)
{
    if (levels == 0)
        return 0;
    m /= 2, n /= 2, k /= 2;
    return 4 * (staggered(m, k) + staggered(k, n)) + (accumulate ? 4 * staggered(m, n) : 0) +
           workspace_fused_below(m, n, k, levels - 1, true);
}

size_t workspace_fused_level(long m, long n, long k, int levels)
{
    return workspace_fused_below(m, n, k, levels, false);
}

/// [fused]
void level_fused(const struct context *ctx, struct product p, int levels, real *workspace)
{
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c), D = C;
    long m = C.q11.rows, n = C.q11.cols, k = A.q11.cols;
    struct block S[9];
    for (int i = 1; i <= 8; i++)
        S[i] = i <= 4 ? take_staggered(&workspace, m, k) : take_staggered(&workspace, k, n);
    if (p.accumulate) { /* C holds something: M2, M1, M4, M5 go elsewhere first */
        D.q11 = take_staggered(&workspace, m, n), D.q12 = take_staggered(&workspace, m, n);
        D.q21 = take_staggered(&workspace, m, n), D.q22 = take_staggered(&workspace, m, n);
    }
    struct product m3 = {A.q12, B.q21, C.q11, 1}, m6 = {S[4], B.q22, C.q12, 1};
    struct product m7 = {A.q22, S[8], C.q21, 1};
    int rest = levels - 1, threads = ctx->threads;

    make_pass(threads, (struct pass){sums_of_a, A, S[1], S[2], S[3], S[4]});
    make_pass(threads, (struct pass){sums_of_b, B, S[5], S[6], S[7], S[8]});
    multiply_divided(ctx, product_on(A.q11, B.q11, D.q11), rest, workspace,
                     level_fused);                                                      /* M2 */
    multiply_divided(ctx, product_on(S[2], S[6], D.q12), rest, workspace, level_fused); /* M1 */
    multiply_divided(ctx, product_on(S[3], S[7], D.q21), rest, workspace, level_fused); /* M4 */
    multiply_divided(ctx, product_on(S[1], S[5], D.q22), rest, workspace, level_fused); /* M5 */
    if (p.accumulate)
        make_pass(threads, (struct pass){combine_add, D, C.q11, C.q12, C.q21, C.q22});
    else
        team_for(threads, m, combine_row, &C, sizeof C);
    multiply_divided(ctx, m3, rest, workspace, level_fused); /* + M3 */
    multiply_divided(ctx, m6, rest, workspace, level_fused); /* + M6 */
    multiply_divided(ctx, m7, rest, workspace, level_fused); /* - M7 */
}
/// [fused]
