/* SPDX-License-Identifier: MIT */
/** @file 01-cpu-naive.c
 * The triple loop: six orders of the same three loops, and one sum kept in a register.
 */
#include "ikj.h"

static void ijk(struct block A, struct block B, struct block C)
{
    clear(C);
    add_ijk(A, B, C);
}

static void ikj(struct block A, struct block B, struct block C)
{
    clear(C);
    add_ikj(A, B, C);
}

/* As ijk, with the columns of C outside. */
static void multiply_jik(struct block A, struct block B, struct block C)
{
    clear(C);
    for (long j = 0; j < C.cols; j++)
        for (long i = 0; i < C.rows; i++)
            for (long l = 0; l < A.cols; l++)
                C.at[i * C.ld + j] += A.at[i * A.ld + l] * B.at[l * B.ld + j];
}

/* As ikj, but each row of B is used for all of C before the next: C is read k times. */
static void multiply_kij(struct block A, struct block B, struct block C)
{
    clear(C);
    for (long l = 0; l < A.cols; l++)
        for (long i = 0; i < C.rows; i++)
            for (long j = 0; j < C.cols; j++)
                C.at[i * C.ld + j] += A.at[i * A.ld + l] * B.at[l * B.ld + j];
}

/* One b, a column of A, a column of C: every step of i jumps a row of both. */
static void multiply_jki(struct block A, struct block B, struct block C)
{
    clear(C);
    for (long j = 0; j < C.cols; j++)
        for (long l = 0; l < A.cols; l++)
            for (long i = 0; i < C.rows; i++)
                C.at[i * C.ld + j] += A.at[i * A.ld + l] * B.at[l * B.ld + j];
}

/* As jki, with l outside: C is walked k times, by columns. */
static void multiply_kji(struct block A, struct block B, struct block C)
{
    clear(C);
    for (long l = 0; l < A.cols; l++)
        for (long j = 0; j < C.cols; j++)
            for (long i = 0; i < C.rows; i++)
                C.at[i * C.ld + j] += A.at[i * A.ld + l] * B.at[l * B.ld + j];
}

/// [register]
/* ijk with the sum in a register: no store and no load of c in the loop (the optimisation
   study, Algorithm 2). */
static void multiply_register(struct block A, struct block B, struct block C)
{
    for (long i = 0; i < C.rows; i++)
        for (long j = 0; j < C.cols; j++) {
            real sum = 0;
            for (long l = 0; l < A.cols; l++)
                sum += A.at[i * A.ld + l] * B.at[l * B.ld + j];
            C.at[i * C.ld + j] = sum;
        }
}
/// [register]

static const struct variant variants[] = {
    {.name = "ijk", .sentence = "row of A, column of B, the sum in memory", .simple = ijk},
    {.name = "jik",
     .sentence = "the same with the columns of C outside",
     .simple = multiply_jik},
    {.name = "ikj", .sentence = "rows of B and C, along the cache lines", .simple = ikj},
    {.name = "kij", .sentence = "the same, all of C for each row of B", .simple = multiply_kij},
    {.name = "jki",
     .sentence = "columns of A and C, across the cache lines",
     .simple = multiply_jki},
    {.name = "kji",
     .sentence = "the same, all of C for each column of A",
     .simple = multiply_kji},
    {.name = "register",
     .sentence = "ijk with the sum kept in a register",
     .simple = multiply_register},
    {0},
};

const struct step STEP = {
    .name = "01-cpu-naive",
    .idea = "the triple loop in six orders, and one sum in a register",
    .variants = variants,
    .default_n = 256,
};
