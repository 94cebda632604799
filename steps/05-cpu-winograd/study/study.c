/* SPDX-License-Identifier: MIT */
/** @file study.c
 * Winograd's variant with 8 set and 15 add operations in 3/4 n^2 (the optimisation study,
 * "Winograd's algorithm"). The schedule is a table, so what it costs can be counted, and the
 * same table runs.
 */
#include "steps/05-cpu-winograd/winograd.h"

#include "steps/04-cpu-strassen/divide.h"

/// [schedule]
/* Where an operation reads and writes: quadrants of A, B and C, and the three buffers. */
enum place { A11, A12, A21, A22, B11, B12, B21, B22, C11, C12, C21, C22, S, T, M, PLACES };

/* SET: x = y. ADD: x = x + y. SUB: x = x - y. FROM: x = y - x. PRODUCT: M = x * y. */
enum kind { SET, ADD, SUB, FROM, PRODUCT };

/* In the study's numbering. A buffer keeps what the next product can use: S holds S1, S2, S4 in
   turn and T holds T1, T2, T4, one operation each. A product goes into M, and from there into
   C. */
static const struct study_operation {
    enum kind kind;
    enum place x, y;
} schedule[] = {
    {SET, S, A11},       {SUB, S, A21},  /* S3 = A11 - A21 */
    {SET, T, B22},       {SUB, T, B12},  /* T3 = B22 - B12 */
    {PRODUCT, S, T},     {SET, C21, M},  /* C21 = M7 */
    {SET, S, A21},       {ADD, S, A22},  /* S1 = A21 + A22 */
    {SET, T, B12},       {SUB, T, B11},  /* T1 = B12 - B11 */
    {PRODUCT, S, T},     {SET, C22, M},  /* C22 = M5 */
    {SUB, S, A11},       {FROM, T, B22}, /* S2 = S1 - A11, T2 = B22 - T1 */
    {PRODUCT, S, T},     {SET, C12, M},  /* C12 = M6 */
    {PRODUCT, A11, B11}, {SET, C11, M},  /* C11 = M1 */
    {ADD, C12, M},       {ADD, C21, C12},   {ADD, C12, C22},
    {ADD, C22, C21},                                       /* U2, U3, U4, U7 */
    {FROM, S, A12},      {PRODUCT, S, B22}, {ADD, C12, M}, /* S4 = A12 - S2, U5 = U4 + M3 */
    {SUB, T, B21},       {PRODUCT, A22, T}, {SUB, C21, M}, /* T4 = T2 - B21, U6 = U3 - M4 */
    {PRODUCT, A12, B21}, {ADD, C11, M},                    /* U1 = M1 + M2 */
};
/// [schedule]
enum { OPERATIONS = sizeof schedule / sizeof *schedule };

struct study_counts study_counts(void)
{
    struct study_counts counts = {0, 0, 0};
    for (int i = 0; i < OPERATIONS; i++) {
        counts.sets += schedule[i].kind == SET;
        counts.products += schedule[i].kind == PRODUCT;
        counts.adds += schedule[i].kind != SET && schedule[i].kind != PRODUCT;
    }
    return counts;
}

/* Three quadrants per level, one level at a time: 3/4 n^2, 15/16 n^2 ..., always
   less than n^2. */
static size_t workspace_study_level(long m, long n, long k, int levels)
{
    if (levels == 0)
        return 0;
    m /= 2, n /= 2, k /= 2;
    return (size_t)(m * k + k * n + m * n) + workspace_study_level(m, n, k, levels - 1);
}

static void level_study(const struct context *ctx, struct product p, int levels,
                        real *workspace)
{
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct block at[PLACES] = {A.q11, A.q12, A.q21, A.q22, B.q11, B.q12,
                               B.q21, B.q22, C.q11, C.q12, C.q21, C.q22};
    at[S] = take_block(&workspace, A.q11.rows, A.q11.cols);
    at[T] = take_block(&workspace, B.q11.rows, B.q11.cols);
    at[M] = take_block(&workspace, C.q11.rows, C.q11.cols);
    for (int i = 0; i < OPERATIONS; i++) {
        struct block to = at[schedule[i].x], from = at[schedule[i].y];
        switch (schedule[i].kind) {
        case SET:
            copy(from, to);
            break;
        case ADD:
            add(to, from, to);
            break;
        case SUB:
            sub(to, from, to);
            break;
        case FROM:
            sub(from, to, to);
            break;
        case PRODUCT:
            multiply_divided(ctx, product_on(to, from, at[M]), levels - 1, workspace,
                             level_study);
        }
    }
}

size_t workspace_study(const struct context *ctx, struct product p, int levels)
{
    return workspace_with_leaf(ctx, p, levels, workspace_study_level);
}

void multiply_study(const struct context *ctx, struct product p, int levels, real *workspace)
{
    multiply_with_borders(ctx, p, levels, workspace, level_study);
}
