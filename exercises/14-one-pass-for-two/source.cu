/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 14-one-pass-for-two: two updates by one read.
 */
#include "exercises/updates.cuh"

/* YOUR CODE: a kernel, and inc_inc(x, y, z) that launches it: (X +=, Y +=) = Z */
/* STUB: static void inc_inc(struct block x, struct block y, struct block z) {} */
/* Z is read once for both: five passes instead of six. */
static __global__ void inc_inc_kernel(real *x, int ldx, real *y, int ldy, const real *z,
                                      int ldz, int rows, int cols)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= rows || j >= cols)
        return;
    real t = z[(size_t)i * ldz + j];
    x[(size_t)i * ldx + j] += t;
    y[(size_t)i * ldy + j] += t;
}

static void inc_inc(struct block x, struct block y, struct block z)
{
    dim3 block(16, 16), grid(blocks_for(z.cols, 16), blocks_for(z.rows, 16));
    inc_inc_kernel<<<grid, block>>>(x.at, x.ld, y.at, y.ld, z.at, z.ld, z.rows, z.cols);
    CHECK_LAUNCH();
}
/* END */

/* Takes what was added to X = C and to Y in turn, as on a chessboard: both must be right. */
static __global__ void both_changes(real *c, int ldc, real least_x, const real *y, int ldy,
                                    real least_y, unsigned seed, int white, int rows, int cols)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    real x_before = before(least_x, seed, i, j), y_before = before(least_y, 3 * seed, i, j);
    if (i < rows && j < cols)
        c[(size_t)i * ldc + j] = (i + j) % 2 == white ? c[(size_t)i * ldc + j] - x_before
                                                      : y[(size_t)i * ldy + j] - y_before;
}

/* Said of a wrong result, with blanks for underscores. */
static const char *note(void)
{
    return "held=X_begins_with_numbers_from_2_to_6_and_Y_with_numbers_from_-4_to_-1._C_takes_"
           "from_X_and_Y_in_turn_like_the_squares_of_a_chessboard.";
}

/* X = C and Y begin with numbers that differ from run to run; Z is the product. The
 * three have different leading dimensions, all above their columns. */
static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols;
    static int runs;
    real least_x = (real)(2 + runs % 3), least_y = (real)(-4 + runs % 2);
    unsigned seed = seed_for(m, n);
    int white = runs++ % 2;
    struct block x = p.c, y = {workspace, m, n, n + 16};
    struct block z = {workspace + m * (n + 16), m, n, n + 48};
    dim3 block(16, 16), grid(blocks_for(n, 16), blocks_for(m, 16));
    fill_block(x, least_x, seed);
    fill_block(y, least_y, 3 * seed);
    mul(p.a, p.b, z);
    inc_inc(x, y, z);
    both_changes<<<grid, block>>>(x.at, x.ld, least_x, y.at, y.ld, least_y, seed, white, m, n);
    CHECK_LAUNCH();
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    return (size_t)(p.c.rows * (2 * p.c.cols + 16 + 48));
}

/* Two passes for filling, the product of 16 x 16 tiles, five passes, three for the changes;
   if 16 divides all sizes. */
static struct cost cost_yours(const struct context *ctx, struct product p, int levels)
{
    double mn = (double)p.c.rows * (double)p.c.cols, k = (double)p.a.cols;
    return (struct cost){2 * mn * k, mn * k / 128 + (1 + 2 + 5 + 3) * mn / 16, -1};
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your pass",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .cost = cost_yours,
     /* x_before + Z is rounded, and so is y_before + Z */
     .bound = {.split = 0x1p-20}},
    {0},
};

const struct step STEP = {
    .name = "14-one-pass-for-two",
    .idea = "two updates by one read",
    .variants = variants,
    .default_n = 64,
    .note = note,
};
