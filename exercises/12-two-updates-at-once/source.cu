/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 12-two-updates-at-once: a product that updates two blocks while it is
 * in registers. */
#include "exercises/updates.cuh"

/* YOUR CODE: a kernel, and mulIncDec(w, x, y, z) that launches it: (Y +=, Z -=) = W * X */
/* STUB: static void mulIncDec(struct block w, struct block x, struct block y, */
/* STUB:                       struct block z) */
/* STUB: { */
/* STUB: } */
/* The product is never stored: its elements are added to both blocks from registers. */
static __global__ void inc_dec(const real *w, int ldw, const real *x, int ldx, real *y, int ldy,
                               real *z, int ldz, int m, int n, int k)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    real t = product_element(w, ldw, x, ldx, m, n, k);
    if (i < m && j < n) {
        y[(size_t)i * ldy + j] += t;
        z[(size_t)i * ldz + j] -= t;
    }
}

static void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    dim3 block(16, 16), grid(blocks_for(z.cols, 16), blocks_for(z.rows, 16));
    inc_dec<<<grid, block>>>(w.at, w.ld, x.at, x.ld, y.at, y.ld, z.at, z.ld, z.rows, z.cols,
                             w.cols);
    CHECK_LAUNCH();
}
/* END */

/* Takes what was added to Y = C and what was subtracted from Z in turn, like the squares of a
 * chessboard: both must be right. */
static __global__ void both_changes(real *c, int ldc, real least_y, const real *z, int ldz,
                                    real least_z, unsigned seed, int white, int rows, int cols)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    real y_before = before(least_y, seed, i, j), z_before = before(least_z, 3 * seed, i, j);
    if (i < rows && j < cols)
        c[(size_t)i * ldc + j] = (i + j) % 2 == white ? c[(size_t)i * ldc + j] - y_before
                                                      : z_before - z[(size_t)i * ldz + j];
}

/* Said of a wrong result, with blanks for underscores. */
static const char *note(void)
{
    return "held=Y_begins_with_numbers_from_2_to_6_and_Z_with_numbers_from_-4_to_-1._C_takes_"
           "from_Y_and_Z_in_turn_like_the_squares_of_a_chessboard.";
}

/* Y = C and Z begin with numbers that differ from run to run. Rows of Z are longer than
 * rows of C. */
static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols;
    static int runs;
    real least_y = (real)(2 + runs % 3), least_z = (real)(-4 + runs % 2);
    unsigned seed = seed_for(m, n);
    int white = runs++ % 2;
    struct block c = p.c, z = {workspace, m, n, n + 32};
    dim3 block(16, 16), grid(blocks_for(n, 16), blocks_for(m, 16));
    fill_block(c, least_y, seed);
    fill_block(z, least_z, 3 * seed);
    mulIncDec(p.a, p.b, c, z);
    both_changes<<<grid, block>>>(c.at, c.ld, least_y, z.at, z.ld, least_z, seed, white, m, n);
    CHECK_LAUNCH();
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    return (size_t)(p.c.rows * (p.c.cols + 32));
}

/* The product of 16 x 16 tiles; four passes for the two updates, two for filling, three for
   the changes; if 16 divides all sizes. */
static struct cost cost_yours(const struct context *ctx, struct product p, int levels)
{
    double mn = (double)p.c.rows * (double)p.c.cols, k = (double)p.a.cols;
    return (struct cost){2 * mn * k, mn * k / 128 + (4 + 2 + 3) * mn / 16, -1};
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your mulIncDec",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .cost = cost_yours,
     /* y_before + product is rounded, and so is z_before - product */
     .bound = {.split = 0x1p-20}},
    {0},
};

const struct step STEP = {
    .name = "12-two-updates-at-once",
    .idea = "a product that updates two blocks while it is in registers",
    .variants = variants,
    .default_n = 64,
    .note = note,
};
