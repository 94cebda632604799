/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 23-two-clocks: a product from its residues modulo two numbers.
 */
#include <math.h>
#include <stdint.h>

#include "common/step.h"
#include "exercises/apart.h"

/* Two primes. Their product is below 2^32, and an element of the product of integers is, by
   magnitude, below half of it. */
enum { P = 65521, Q = 65519 };
static const uint32_t PQ = (uint32_t)P * Q;

/* x mod p, from 0 to p - 1. Reductions are counted: they take most of the time. Of a row times
   a column only that of the whole sum counts. */
static uint32_t modulo(uint64_t x, uint32_t p)
{
    apart_reduce((double)x);
    return (uint32_t)(x % p);
}

/* YOUR CODE: a row times a column modulo p; residues from 0 to p - 1, p is below 2^16 */
/* STUB: static uint32_t dot_mod(const uint32_t *a, const uint32_t *b, long k, uint32_t p) */
/* STUB: { */
/* STUB:     return 0; */
/* STUB: } */
static uint32_t dot_mod(const uint32_t *a, const uint32_t *b, long k, uint32_t p)
{
    uint64_t sum = 0; /* 2^32 products below 2^32 fit */
    for (long l = 0; l < k; l++)
        sum += (uint64_t)a[l] * b[l];
    return modulo(sum, p);
}
/* END */

/* YOUR CODE: the integer from -PQ/2 to PQ/2 that is r modulo P and s modulo Q */
/* STUB: static int64_t join(uint32_t r, uint32_t s) */
/* STUB: { */
/* STUB:     return 0; */
/* STUB: } */
static int64_t join(uint32_t r, uint32_t s)
{
    /* P - Q is 2, and 2 * 32760 = 65520. So Q * 32760 is -2 * 32760 = 1 modulo P, and P * 32760
       is 2 * 32760 = 1 modulo Q. */
    const uint64_t one_mod_p = Q * 32760ull, one_mod_q = P * 32760ull;
    int64_t x = modulo(r * one_mod_p + s * one_mod_q, PQ);
    return 2 * x > PQ ? x - PQ : x;
}
/* END */

/* ---- Scaling, as in the chapter: each line becomes integers with a norm up to 2^15.4 ---- */

static int exponent_of(const real *x, long step, long k)
{
    double sum = 0;
    for (long l = 0; l < k; l++)
        sum += (double)x[l * step] * x[l * step];
    return sum > 0 ? (int)floor(log2(43000 / sqrt(sum))) : 0;
}

static void residues_of(const real *x, long step, long k, int exponent, uint32_t p,
                        uint32_t *to)
{
    for (long l = 0; l < k; l++) {
        int64_t integer = (int64_t)rint(ldexp(x[l * step], exponent));
        to[l] = (uint32_t)((integer % p + p) % p);
    }
}

/* dot_mod(), whose reduction must get the sum. */
static uint32_t whole_dot_mod(const uint32_t *a, const uint32_t *b, long k, uint32_t p)
{
    double sum = 0;
    for (long l = 0; l < k; l++)
        sum += (double)a[l] * b[l];
    apart_reduce_at_least(sum);
    uint32_t residue = dot_mod(a, b, k, p);
    apart_reduce_at_least(0);
    return residue;
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    const real *a = p.a.at, *b = p.b.at;
    real *c = p.c.at;
    uint32_t *row = (uint32_t *)workspace, *column = row + 2 * k;
    apart_begin(sizeof(real), HIDE_NOTHING);
    for (long i = 0; i < m; i++) {
        int of_row = exponent_of(a + i * p.a.ld, 1, k);
        residues_of(a + i * p.a.ld, 1, k, of_row, P, row);
        residues_of(a + i * p.a.ld, 1, k, of_row, Q, row + k);
        for (long j = 0; j < n; j++) {
            int of_column = exponent_of(b + j, p.b.ld, k);
            residues_of(b + j, p.b.ld, k, of_column, P, column);
            residues_of(b + j, p.b.ld, k, of_column, Q, column + k);
            uint32_t r = whole_dot_mod(row, column, k, P);
            uint32_t s = whole_dot_mod(row + k, column + k, k, Q);
            c[i * p.c.ld + j] = (real)ldexp((double)join(r, s), -of_row - of_column);
        }
    }
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    return 4 * (size_t)p.a.cols; /* a float has as many bytes as a residue */
}

/* Integers of 15 bits: their round-off is within this, relative to the largest elements. */
static const struct variant variants[] = {{.name = "yours",
                                           .sentence = "modulo two primes",
                                           .multiply = multiply_yours,
                                           .workspace = workspace_yours,
                                           .bound = {.split = 0x1p-11}},
                                          {0}};

const struct step STEP = {
    .name = "23-two-clocks",
    .idea = "a product from its residues modulo two numbers",
    .variants = variants,
    .default_n = 32,
    .note = apart_note,
};
