/* SPDX-License-Identifier: MIT */
/** @file 03-cpu-divide-conquer.c
 * Eight products of quadrants (Musella, Algorithm 2): recursion alone wins nothing, but cache
 * blocking comes with it for free.
 */
#include "common/matrix/sums.h"
#include "steps/01-cpu-naive/ikj.h"

/* Halves of a dimension: the first is the larger when it is odd. */
static long first_half(long n) { return (n + 1) / 2; }

/* Half `which` (0 or 1) of the rows and of the columns of x; a half may be empty. */
static struct block quarter(struct block x, int row_half, int col_half)
{
    long r = first_half(x.rows), c = first_half(x.cols);
    return part(x, row_half * r, col_half * c, row_half ? x.rows - r : r,
                col_half ? x.cols - c : c);
}

/// [divide]
/* c += a * b: C_ij += A_i1 B_1j, then C_ij += A_i2 B_2j. Any size: halves need not be equal. */
static void multiply_add(struct product p, int levels)
{
    if (p.c.rows == 0 || p.c.cols == 0 || p.a.cols == 0)
        return;
    if (levels == 0) {
        add_ikj(p.a, p.b, p.c);
        return;
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int l = 0; l < 2; l++)
                multiply_add(
                    product_on(quarter(p.a, i, l), quarter(p.b, l, j), quarter(p.c, i, j)),
                    levels - 1);
}
/// [divide]

static void multiply_accumulate(const struct context *ctx, struct product p, int levels,
                                real *workspace)
{
    (void)ctx, (void)workspace; /* other variants need more */
    clear(p.c);
    multiply_add(p, levels);
}

/* Halvings until the largest dimension is 1. */
static int levels_to_scalars(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)levels; /* the sizes decide */
    long largest = larger(p.c.rows, larger(p.c.cols, p.a.cols));
    int halvings = 0;
    for (; largest > 1; largest = first_half(largest))
        halvings++;
    return halvings;
}

/// [as written]
/* c = a * b as Musella writes it: each product has a separate place and is
   added afterwards. */
static void multiply_and_sum(struct product p, int levels, real *workspace)
{
    if (p.c.rows == 0 || p.c.cols == 0)
        return;
    if (levels == 0 || p.a.cols == 1) {
        clear(p.c);
        add_ikj(p.a, p.b, p.c);
        return;
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            struct block cij = quarter(p.c, i, j);
            real *rest = workspace;
            struct block t = take_block(&rest, cij.rows, cij.cols);
            struct product first = product_on(quarter(p.a, i, 0), quarter(p.b, 0, j), cij);
            struct product second = product_on(quarter(p.a, i, 1), quarter(p.b, 1, j), t);
            multiply_and_sum(first, levels - 1, rest);
            multiply_and_sum(second, levels - 1, rest);
            add(cij, t, cij);
        }
}
/// [as written]

static void multiply_temporaries(const struct context *ctx, struct product p, int levels,
                                 real *workspace)
{
    (void)ctx; /* other variants need more */
    multiply_and_sum(p, levels, workspace);
}

/* One temporary quadrant per level: n^2/4 + n^2/16 + ... < n^2/3. */
static size_t workspace_temporaries(const struct context *ctx, struct product p, int levels)
{
    (void)ctx; /* the sizes decide */
    size_t elements = 0;
    long m = p.c.rows, n = p.c.cols;
    for (int level = 0; level < levels; level++) {
        m = first_half(m);
        n = first_half(n);
        elements += (size_t)(m * n);
    }
    return elements;
}

/* 8 A(n/2) + 4 (n/2)^2 additions down to the loop: as many as the loop alone, 2n^3 - n^2. */
static struct cost cost_of_eight(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)levels; /* the sizes decide */
    double m = (double)p.c.rows, n = (double)p.c.cols, k = (double)p.a.cols;
    return (struct cost){2 * m * n * k - m * n, -1, -1};
}

static const struct variant variants[] = {
    {.name = "scalars",
     .sentence = "eight products down to 1 x 1, added where they belong",
     .multiply = multiply_accumulate,
     .levels = levels_to_scalars,
     .cost = cost_of_eight},
    {.name = "accumulate",
     .sentence = "the same, stopping at tau1 with the triple loop",
     .multiply = multiply_accumulate,
     .cost = cost_of_eight},
    {.name = "temporaries",
     .sentence = "as Musella writes it: every second product in a temporary, then a sum",
     .multiply = multiply_temporaries,
     .workspace = workspace_temporaries,
     .cost = cost_of_eight},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "ikj", .sentence = "the triple loop of step 01", .multiply = multiply_ikj}, {0}};

const struct step STEP = {
    .name = "03-cpu-divide-conquer",
    .idea = "eight products of quadrants: recursion alone wins nothing",
    .variants = variants,
    .leaves = leaves,
    .default_n = 256,
    .default_tau1 = 64,
};
