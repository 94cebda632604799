/* SPDX-License-Identifier: MIT */
/** @file 01-cpu-naive.c
 * The triple loop: six orders of the same three loops, and one sum kept in a register.
 */
#include "ikj.h"

/* As ijk, with the columns of C outside. */
static void multiply_jik(const struct context *ctx, struct product p, int levels,
                         real *workspace)
{
    clear(p.c);
    for (long j = 0; j < p.c.cols; j++)
        for (long i = 0; i < p.c.rows; i++)
            for (long l = 0; l < p.a.cols; l++)
                MULTIPLY_ADD(p, i, j, l);
}

/* As ikj, one row of B for all of C before the next: C is walked k times. */
static void multiply_kij(const struct context *ctx, struct product p, int levels,
                         real *workspace)
{
    clear(p.c);
    for (long l = 0; l < p.a.cols; l++)
        for (long i = 0; i < p.c.rows; i++)
            for (long j = 0; j < p.c.cols; j++)
                MULTIPLY_ADD(p, i, j, l);
}

/// [jki]
/* One b, a column of A, a column of C: every step of i jumps a row of both. */
static void multiply_jki(const struct context *ctx, struct product p, int levels,
                         real *workspace)
{
    clear(p.c);
    for (long j = 0; j < p.c.cols; j++)
        for (long l = 0; l < p.a.cols; l++)
            for (long i = 0; i < p.c.rows; i++)
                MULTIPLY_ADD(p, i, j, l);
}
/// [jki]

/* As jki, with l outside: C is walked k times, by columns. */
static void multiply_kji(const struct context *ctx, struct product p, int levels,
                         real *workspace)
{
    clear(p.c);
    for (long l = 0; l < p.a.cols; l++)
        for (long j = 0; j < p.c.cols; j++)
            for (long i = 0; i < p.c.rows; i++)
                MULTIPLY_ADD(p, i, j, l);
}

/// [register]
/* ijk with the sum in a register: no store and no load of c in the loop (the optimisation
   study, Algorithm 2). */
static void multiply_register(const struct context *ctx, struct product p, int levels,
                              real *workspace)
{
    for (long i = 0; i < p.c.rows; i++)
        for (long j = 0; j < p.c.cols; j++) {
            real sum = 0;
            for (long l = 0; l < p.a.cols; l++)
                sum += AT(p.a, i, l) * AT(p.b, l, j);
            AT(p.c, i, j) = sum;
        }
}
/// [register]

static const struct variant variants[] = {
    {.name = "ijk",
     .sentence = "row of A, column of B, the sum in memory",
     .multiply = multiply_ijk},
    {.name = "jik",
     .sentence = "the same with the columns of C outside",
     .multiply = multiply_jik},
    {.name = "ikj",
     .sentence = "rows of B and C, along the cache lines",
     .multiply = multiply_ikj},
    {.name = "kij",
     .sentence = "the same, all of C for each row of B",
     .multiply = multiply_kij},
    {.name = "jki",
     .sentence = "columns of A and C, across the cache lines",
     .multiply = multiply_jki},
    {.name = "kji",
     .sentence = "the same, all of C for each column of A",
     .multiply = multiply_kji},
    {.name = "register",
     .sentence = "ijk with the sum kept in a register",
     .multiply = multiply_register},
    {.name = "unfused",
     .sentence = "ikj in blocks, product and sum rounded apart: no fused multiply-add",
     .multiply = multiply_unfused,
     .workspace = workspace_unfused,
     .role = BY_NAME},
    {0},
};

const struct step STEP = {
    .name = "01-cpu-naive",
    .idea = "the triple loop in six orders, and one sum in a register",
    .variants = variants,
    .default_n = 256,
};
