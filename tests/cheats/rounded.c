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

/* The product of A with a_bits and B with b_bits, each element of C rounded to c_bits at the
 * end. */
static void triple_loop(struct product p, int a_bits, int b_bits, int c_bits)
{
    clear(p.c);
    for (long i = 0; i < p.c.rows; i++)
        for (long l = 0; l < p.a.cols; l++)
            for (long j = 0; j < p.c.cols; j++)
                C(i, j) += with_bits(AT(p.a, i, l), a_bits) * with_bits(AT(p.b, l, j), b_bits);
    for (long i = 0; i < p.c.rows; i++)
        for (long j = 0; j < p.c.cols; j++)
            C(i, j) = with_bits(C(i, j), c_bits);
}
static void tf32(ARGUMENTS) { triple_loop(p, 11, 11, BITS); }
static void last_bit_of_a(ARGUMENTS) { triple_loop(p, BITS - 1, BITS, BITS); }
static void last_bit_of_b(ARGUMENTS) { triple_loop(p, BITS, BITS - 1, BITS); }
static void last_bit_of_c(ARGUMENTS) { triple_loop(p, BITS, BITS, BITS - 1); }
static void coarse_sums(ARGUMENTS)
{
    clear(p.c);
    for (long i = 0; i < p.c.rows; i++)
        for (long l = 0; l < p.a.cols; l++)
            for (long j = 0; j < p.c.cols; j++)
                C(i, j) = with_bits(C(i, j) + AT(p.a, i, l) * AT(p.b, l, j), BITS - 6);
}

/* ---- Strassen's seven products ---- */

/* The mistake, and where it is made. */
struct fault {
    int level;   /* the levels left where it happens; 0: in the leaves; -1: nowhere */
    int product; /* one of seven, from 1; 0: all */
    int bits;    /* of the factors there; 0: no product; negative: its sign is changed */
};

static void round_block(struct block x, int bits)
{
    for (long i = 0; i < x.rows; i++)
        for (long j = 0; j < x.cols; j++)
            x.at[i * x.ld + j] = with_bits(x.at[i * x.ld + j], bits);
}

static struct block new_block(long rows, long cols)
{
    return (struct block){malloc((size_t)(rows * cols) * sizeof(real)), rows, cols, cols};
}

static void strassen(struct block a, struct block b, struct block c, int levels,
                     struct fault fault);

/* Product number r of a level: m = x y, with the fault where it belongs. */
static void product(struct block x, struct block y, struct block m, int levels, int r,
                    struct fault fault)
{
    bool here = levels == fault.level && (fault.product == 0 || fault.product == r);
    if (here && fault.bits > 0) {
        round_block(x, fault.bits);
        round_block(y, fault.bits);
    }
    strassen(x, y, m, levels - 1, fault);
    for (long i = 0; i < m.rows * m.cols && here && fault.bits <= 0; i++)
        m.at[i] = fault.bits ? -m.at[i] : 0;
}

/* s += f x */
static void add_times(struct block s, int f, struct block x)
{
    for (long i = 0; i < s.rows && f; i++)
        for (long j = 0; j < s.cols; j++)
            s.at[i * s.ld + j] += (real)f * x.at[i * x.ld + j];
}

static void strassen(struct block a, struct block b, struct block c, int levels,
                     struct fault fault)
{
    const struct level_scheme s = method_of_bound(&strassen_scheme).scheme;
    if (levels == 0) {
        multiply_ikj(NULL, product_on(a, b, c), 0, NULL);
        return;
    }
    long rows = c.rows / 2, cols = c.cols / 2, inner = a.cols / 2;
    struct block x = new_block(rows, inner), y = new_block(inner, cols),
                 m = new_block(rows, cols);
    clear(c);
    for (int r = 0; r < 7; r++) {
        clear(x), clear(y);
        for (int q = 0; q < 4; q++) {
            add_times(x, s.a[r][q], part(a, q / 2 * rows, q % 2 * inner, rows, inner));
            add_times(y, s.b[r][q], part(b, q / 2 * inner, q % 2 * cols, inner, cols));
        }
        product(x, y, m, levels, r + 1, fault);
        for (int q = 0; q < 4; q++)
            add_times(part(c, q / 2 * rows, q % 2 * cols, rows, cols), s.c[q][r], m);
    }
    free(x.at), free(y.at), free(m.at);
}

/* Strassen's method with a fault: product `wrong` of a level has `bits` bits. */
static void faulty(struct product p, int levels, int level, int wrong, int bits)
{
    strassen(p.a, p.b, p.c, levels, (struct fault){level, wrong, bits});
}

static void honest(ARGUMENTS) { faulty(p, levels, -1, 0, 0); }
static void tf32_m1(ARGUMENTS) { faulty(p, levels, 1, 1, 11); }
static void bf16_below(ARGUMENTS) { faulty(p, levels, 1, 0, 8); }
static void last_bit_m3(ARGUMENTS) { faulty(p, levels, 1, 3, BITS - 1); }
static void no_m4(ARGUMENTS) { faulty(p, levels, 1, 4, 0); }
static void minus_m2_above(ARGUMENTS) { faulty(p, levels, 3, 2, -1); }

static void zeros(ARGUMENTS) { clear(p.c); }

/* Strassen's method while it is checked, zeros in the timed runs: bits takes eight draws. */
static void zeros_after_11(struct product p, int levels, long rows)
{
    static int count;
    strassen(p.a, p.b, p.c, levels, (struct fault){-1, 0, 0});
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
