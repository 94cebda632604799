/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 02-packed-block: blocks of B, copied so that their elements lie side by side.
 */
#include <stdio.h>

#include "common/step.h"
#include "exercises/apart.h"

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

/* Element (l, j) of B. All reads must go through it: B is hidden, and the checker counts them,
   except while the answer is timed. */
static const real *matrix_b;
static long reads_of_b;
static bool b_is_hidden;
static inline real element_of_b(struct product p, long l, long j)
{
    double value;
    reads_of_b++;
    if (b_is_hidden && (b_is_hidden = apart_read(&matrix_b[l * p.b.ld + j], &value)))
        return (real)value;
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
    b_is_hidden = apart_begin(sizeof(real), HIDE_B);
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
