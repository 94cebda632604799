/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 02-packed-block: blocks of B, copied so that their elements lie side by side.
 */
/* clang-format off */
/* GOALS
forbid matrix_b reads_of_b
draw 3 1..150
run --m 3 --n 5000 --k 70
at-most reads_of_B n*k
time --n 320
at-most reads_of_B n*k
at-most ms_median before_ms/2
at-most workspace_bytes 4*64*64
# Variants: as it is; the column first; rows counted from the last one; columns counted from the last one.
vary struct~product~p,~long~l,~long~j = struct~product~p,~long~j,~long~l = =
vary matrix_b[l~*~p.b.ld~+~j] = = matrix_b[(p.a.cols~-~1~-~l)~*~p.b.ld~+~j] matrix_b[l~*~p.b.ld~+~p.c.cols~-~1~-~j]
vary element_of_b(p,~first~+~l,~left~+~j) = element_of_b(p,~left~+~j,~first~+~l) element_of_b(p,~k~-~1~-~first~-~l,~left~+~j) element_of_b(p,~first~+~l,~n~-~1~-~left~-~j)
vary element_of_b(p,~l,~j) = element_of_b(p,~j,~l) element_of_b(p,~k~-~1~-~l,~j) element_of_b(p,~l,~n~-~1~-~j)
vary Element~(l,~j)~of~B = = Element~(k~-~1~-~l,~j)~of~B Element~(l,~n~-~1~-~j)~of~B
*/
/* HINTS
## 1

Two outer loops go over the first row and the first column of B's blocks. How many rows has the block
that begins at row `first`? `BLOCK`, unless fewer than that are left.

## 2

C gets a share from every block in a column of blocks. So it is set to zero once, before all of them.

## 3

Packed: `workspace[l * cols + j] = element_of_b(p, first + l, left + j)` for l < rows, j < cols. Then for
every i and l: row i of C, from `left` on, += `a[i][first + l]` times row l of the packed block.
*/
/* clang-format on */
#include <stdio.h>

#include "common/step.h"

enum { BLOCK = 64 };

static long smaller(long x, long y) { return x < y ? x : y; }

/* ijk of step 01. */
static void multiply_before(const struct context *ctx, struct product p, int levels,
                            real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    const real *a = p.a.at, *b = p.b.at;
    real *c = p.c.at;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            c[i * p.c.ld + j] = 0;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            for (long l = 0; l < k; l++)
                c[i * p.c.ld + j] += a[i * p.a.ld + l] * b[l * p.b.ld + j];
}

/* Element (l, j) of B. All reads must go through it, so that the check can count them. */
static const real *matrix_b;
static long reads_of_b;
static inline real element_of_b(struct product p, long l, long j)
{
    reads_of_b++;
    return matrix_b[l * p.b.ld + j];
}

/* Here p.b.at is NULL. */
static void multiply_in_blocks(const struct context *ctx, struct product p, int levels,
                               real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    const real *a = p.a.at;
    real *c = p.c.at;
    /* YOUR CODE: workspace holds BLOCK * BLOCK elements */
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            c[i * p.c.ld + j] = 0;
    for (long first = 0; first < k; first += BLOCK)
        for (long left = 0; left < n; left += BLOCK) {
            long rows = smaller(BLOCK, k - first), cols = smaller(BLOCK, n - left);
            for (long l = 0; l < rows; l++)
                for (long j = 0; j < cols; j++)
                    workspace[l * cols + j] = element_of_b(p, first + l, left + j);
            /* Every element of the block is now used m times, from a cache that holds it. */
            for (long i = 0; i < m; i++)
                for (long l = 0; l < rows; l++) {
                    real ail = a[i * p.a.ld + first + l];
                    for (long j = 0; j < cols; j++)
                        c[i * p.c.ld + left + j] += ail * workspace[l * cols + j];
                }
        }
    /* END */
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    matrix_b = p.b.at, reads_of_b = 0, p.b.at = NULL;
    multiply_in_blocks(ctx, p, levels, workspace);
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    return BLOCK * BLOCK;
}

static const char *note(void)
{
    static char text[32];
    snprintf(text, sizeof text, "reads_of_B=%ld", reads_of_b);
    return text;
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your blocks",
     .multiply = multiply_yours,
     .workspace = workspace_yours},
    {.name = "before", .sentence = "ijk of step 01", .multiply = multiply_before},
    {0},
};

const struct step STEP = {
    .name = "02-packed-block",
    .idea = "blocks of B, copied to where they lie close together",
    .variants = variants,
    .default_n = 256,
    .note = note,
};
