/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 15-before-it-is-lost: two sums that share an operand, in one pass.
 */
#include "exercises/blocks.cuh"

/* YOUR CODE: a kernel; form(c21, c22, c11) launches it: C21 = C11 - C21, C22 = C11 + C22 */
/* STUB: static void form(struct block c21, struct block c22, struct block c11) {} */
/* V2 is read once for both sums: five passes instead of six. */
static __global__ void form_kernel(real *c21, int ld21, real *c22, int ld22, const real *c11,
                                   int ld11, int rows, int cols)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= rows || j >= cols)
        return;
    real v2 = c11[(size_t)i * ld11 + j];
    c21[(size_t)i * ld21 + j] = v2 - c21[(size_t)i * ld21 + j];
    c22[(size_t)i * ld22 + j] = v2 + c22[(size_t)i * ld22 + j];
}

static void form(struct block c21, struct block c22, struct block c11)
{
    dim3 block(16, 16), grid(blocks_for(c11.cols, 16), blocks_for(c11.rows, 16));
    form_kernel<<<grid, block>>>(c21.at, c21.ld, c22.at, c22.ld, c11.at, c11.ld, c11.rows,
                                 c11.cols);
    CHECK_LAUNCH();
}
/* END */

/* One level of Winograd's variant, with plain sums except for the last pair. */
static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct block S = take_block(&workspace, A.q11.rows, A.q11.cols);
    struct block T = take_block(&workspace, B.q11.rows, B.q11.cols);
    struct block M = take_block(&workspace, C.q11.rows, C.q11.cols);
    count_from_zero();
    sub(A.q11, A.q21, S), sub(B.q22, B.q12, T), mul(S, T, C.q21);     /* M4 */
    add(A.q21, A.q22, S), sub(B.q12, B.q11, T), mul(S, T, C.q22);     /* M5 */
    sub(S, A.q11, S), sub(B.q22, T, T), mul(S, T, C.q11);             /* M1 */
    sub(A.q12, S, S), mul(S, B.q22, C.q12), add(C.q12, C.q22, C.q12); /* M6 + M5 */
    mul(A.q11, B.q11, M), add(C.q11, M, C.q11);                       /* V1 */
    add(C.q12, C.q11, C.q12), add(C.q11, C.q21, C.q11);               /* C12, V2 */
    sub(T, B.q21, T), mul(A.q22, T, C.q21);                           /* M7 */
    form(C.q21, C.q22, C.q11);
    mul(A.q12, B.q21, C.q11), add(C.q11, M, C.q11); /* M3 + M2 */
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    return (size_t)(m * k + k * n + m * n) / 4;
}

static int one_level(const struct context *ctx, struct product p, int levels) { return 1; }

/* Seven products of 16 x 16 tiles, thirteen sums of three passes, and five passes for the
   pair; for square matrices whose n is a multiple of 32. */
static struct cost cost_yours(const struct context *ctx, struct product p, int levels)
{
    long n = p.c.cols;
    double q = (double)n * (double)n / 4, h = (double)n / 2;
    return (struct cost){14 * h * h * h + 15 * q,
                         7 * (q * h / 128 + q / 16) + (13 * 3 + 5) * q / 16, -1};
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "Winograd's level with your pair",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .cost = cost_yours,
     .bound = {.scheme = &winograd_scheme},
     .levels = one_level,
     .shapes = {.multiple = 1}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "tiles", .sentence = "16 x 16 tiles in shared memory", .multiply = NULL}, {0}};

const struct step STEP = {
    .name = "15-before-it-is-lost",
    .idea = "two sums that share an operand, in one pass",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 1,
    .note = counted_note,
};
