/* SPDX-License-Identifier: MIT */
/** @file rounded.c
 * Cheats that multiply with fewer bits, some in one product of Strassen's seven only, and some
 * that leave out one of Strassen's sums. Each recursion claims Strassen's bound, which grows
 * with every level.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cheats.h"
#include "common/matrix/block.h"
#include "tests/checker/multiplications.h"
#include "tools/lab/mistakes/schemes.h"

#define C(i, j) AT(p.c, i, j)

enum { BITS = sizeof(real) == 4 ? 24 : 53 };

/* x rounded to the nearest number whose mantissa has `bits` bits. */
static real with_bits(real x, int bits)
{
    int exponent;
    double fraction = frexp((double)x, &exponent);
    return (real)ldexp(nearbyint(ldexp(fraction, bits)), exponent - bits);
}

/* ---- The triple loop ---- */

/* The product of A with a_bits and B with b_bits, each sum rounded to sum_bits, the last
 * one to c_bits. */
static void triple_loop(struct product p, int a_bits, int b_bits, int sum_bits, int c_bits)
{
    clear(p.c);
    for (long i = 0; i < p.c.rows; i++)
        for (long l = 0; l < p.a.cols; l++)
            for (long j = 0; j < p.c.cols; j++)
                C(i, j) = with_bits(C(i, j) + with_bits(AT(p.a, i, l), a_bits) *
                                                  with_bits(AT(p.b, l, j), b_bits),
                                    l + 1 < p.a.cols ? sum_bits : c_bits);
}
static void tf32(ARGUMENTS) { triple_loop(p, 11, 11, BITS, BITS); }
static void last_bit_of_a(ARGUMENTS) { triple_loop(p, BITS - 1, BITS, BITS, BITS); }
static void last_bit_of_b(ARGUMENTS) { triple_loop(p, BITS, BITS - 1, BITS, BITS); }
static void last_bit_of_c(ARGUMENTS) { triple_loop(p, BITS, BITS, BITS, BITS - 1); }
static void coarse_sums(ARGUMENTS) { triple_loop(p, BITS, BITS, BITS - 6, BITS - 6); }

/* ---- Strassen's seven products ---- */

/* The mistake: in one of seven products, from 1, or all (0) of the level whose products have so
   many leaves. Its factors have `bits` bits; 0: it is left out, -1: it has the other sign. */
static struct fault {
    long below;
    int product, bits;
    long leaf; /* the number of the next leaf */
} fault;

static void multiply_leaf_wrongly(struct part a, struct part b, struct part c)
{
    int product = (int)(fault.leaf++ / fault.below % 7) + 1, bits = fault.bits;
    bool here = fault.product == 0 || fault.product == product;
    for (long i = 0; i < c.rows; i++)
        for (long l = 0; l < a.cols; l++)
            for (long j = 0; j < c.cols; j++) {
                double x = a.at[i * a.ld + l], y = b.at[l * b.ld + j];
                c.at[i * c.ld + j] += !here ? x * y
                                      : bits > 0
                                          ? with_bits((real)x, bits) * with_bits((real)y, bits)
                                          : bits * x * y;
            }
}

static struct part doubles_of(struct block x)
{
    struct part copy = {malloc((size_t)(x.rows * x.cols) * sizeof(double)), x.rows, x.cols,
                        x.cols};
    for (long i = 0; i < x.rows; i++)
        for (long j = 0; j < x.cols; j++)
            copy.at[i * copy.ld + j] = (double)AT(x, i, j);
    return copy;
}

/* Strassen's method with a fault. */
static void faulty(struct product p, int levels, long below, int product, int bits)
{
    const struct level_scheme s = method_of_bound(&strassen_scheme).scheme;
    clear(p.c);
    struct part a = doubles_of(p.a), b = doubles_of(p.b), c = doubles_of(p.c);
    fault = (struct fault){below, product, bits, 0};
    add_product(&s, a, b, c, levels, multiply_leaf_wrongly);
    for (long i = 0; i < c.rows; i++)
        for (long j = 0; j < c.cols; j++)
            C(i, j) = (real)c.at[i * c.ld + j];
    free(a.at), free(b.at), free(c.at);
}

static void honest(ARGUMENTS) { faulty(p, levels, 1, -1, 0); }
static void tf32_m1(ARGUMENTS) { faulty(p, levels, 1, 1, 11); }
static void bf16_below(ARGUMENTS) { faulty(p, levels, 1, 0, 8); }
static void last_bit_m3(ARGUMENTS) { faulty(p, levels, 1, 3, BITS - 1); }
static void no_m4(ARGUMENTS) { faulty(p, levels, 1, 4, 0); }
static void minus_m2_above(ARGUMENTS) { faulty(p, levels, 49, 2, -1); }

static void zeros(ARGUMENTS) { clear(p.c); }

/* Strassen's method while it is checked, zeros in the timed runs: bits takes eight draws. */
static void zeros_after_11(struct product p, int levels, long rows)
{
    static int count;
    faulty(p, levels, 1, -1, 0);
    p.c.rows = rows;
    if (p.a.rows >= 64 && ++count > 11)
        clear(p.c);
}
static void zeros_when_timed(ARGUMENTS) { zeros_after_11(p, levels, p.c.rows); }
static void half_zeros_when_timed(ARGUMENTS) { zeros_after_11(p, levels, p.c.rows / 2); }

#define BY(table) .variant = {.bound = {.scheme = &(table)}, .shapes = {.multiple = 1}}
#define ALL_BITS  "on numbers that use all bits: "

const struct cheat ROUNDED[] = {
    {"tf32", tf32, ALL_BITS},
    {"last-bit-of-a", last_bit_of_a, ALL_BITS},
    {"last-bit-of-b", last_bit_of_b, ALL_BITS},
    {"last-bit-of-c", last_bit_of_c, ALL_BITS},
    {"coarse-sums", coarse_sums, ALL_BITS},

    {"honest-1", honest, NULL, "--levels 1", BY(strassen_scheme)},
    {"honest-5", honest, NULL, "--n 64 --levels 5", BY(strassen_scheme)},
    {"honest-0-reps", honest, NULL, "--n 64 --levels 6 --reps 0", BY(strassen_scheme)},
    {"tf32-m1", tf32_m1, ALL_BITS, "--levels 1", BY(strassen_scheme)},
    {"bf16-five-levels", bf16_below, ALL_BITS, "--n 64 --levels 5", BY(strassen_scheme)},
    {"last-bit-m3", last_bit_m3, ALL_BITS, "--levels 1", BY(strassen_scheme)},
    {"no-m4", no_m4, "on integers: ", "--levels 2", BY(strassen_scheme)},
    {"minus-m2-above", minus_m2_above, "on integers: ", "--levels 3", BY(strassen_scheme)},
    {"zeros-eight-levels", zeros, "got 0, allowed error 0", "--n 256 --levels 8",
     BY(winograd_scheme)},
    {"zeros-when-timed", zeros_when_timed, "wrong when run again", "--n 64 --levels 5 --reps 9",
     BY(strassen_scheme)},
    {"half-zeros-when-timed", half_zeros_when_timed, "wrong when run again",
     "--n 64 --levels 5 --reps 9", BY(strassen_scheme)},
    {0},
};
