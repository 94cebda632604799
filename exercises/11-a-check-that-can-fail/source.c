/**
 * @file
 * Exercise 11-a-check-that-can-fail: a checker that accepts products and nothing else.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/block.h"

/* c = a * b in float, no gaps between rows: a product that can be trusted, up to its own round-off. */
static void trusted_product(const real *a, const real *b, real *c, long m, long n, long k)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            real sum = 0;
            for (long l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}

/* Whether c is the product of a (m x k) and b (k x n), as precisely as float allows: each element within
   (k + 1) u sum |a_il| |b_lj| of the exact one, with u = 2^-24. There are no gaps between rows. */
static bool is_product(const real *a, const real *b, real *c, long m, long n, long k)
{
    /* YOUR CODE: true for a product, false for anything else; c comes back as it came */
    /* STUB: real *reference = c; */
    /* STUB: trusted_product(a, b, reference, m, n, k); */
    /* STUB: for (long i = 0; i < m * n; i++) */
    /* STUB:     if (fabs(reference[i] - c[i]) > 1e-3) */
    /* STUB:         return false; */
    /* STUB: return true; */
    /* In double the sums are right to far beyond float's last bit. The comparison is written so that it is
       false for NaN, which is neither larger nor smaller than anything. */
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            double sum = 0, size = 0;
            for (long l = 0; l < k; l++) {
                double term = (double)a[i * k + l] * b[l * n + j];
                sum += term;
                size += fabs(term);
            }
            if (!(fabs(c[i * n + j] - sum) <= (double)(k + 1) * 0x1p-24 * size))
                return false;
        }
    return true;
    /* END */
}

/* What is shown to the checker: spoil() makes something of a right product. */
struct sample {
    bool right;
    void (*spoil)(real *c, long m, long n);
};

static void leave(real *c, long m, long n) {}

static void never_write(real *c, long m, long n) { memset(c, 0xff, (size_t)(m * n) * sizeof *c); }

static void leave_out_the_last(real *c, long m, long n) { memset(c + m * n - 1, 0xff, sizeof *c); }

static void write_zeros(real *c, long m, long n) { memset(c, 0, (size_t)(m * n) * sizeof *c); }

/* The element that is largest by its absolute value. */
static real *largest(real *c, long m, long n)
{
    real *most = c;
    for (long i = 0; i < m * n; i++)
        most = fabs((double)c[i]) > fabs((double)*most) ? &c[i] : most;
    return most;
}

static void turn_a_sign(real *c, long m, long n) { *largest(c, m, n) *= -1; }

static void overflow(real *c, long m, long n) { *largest(c, m, n) = (real)INFINITY; }

static void take_a_row_twice(real *c, long m, long n)
{
    memcpy(c, c + n, (size_t)n * sizeof *c);
}

/* One element as wrong as a product of factors rounded to 10 bits would be. */
static void be_a_little_wrong(real *c, long m, long n) { *largest(c, m, n) *= 1 + (real)0x1p-11; }

/* All elements a few bits off, as by sums that were rounded on the way: still what the bound allows. */
static void round_otherwise(real *c, long m, long n)
{
    for (long i = 0; i < m * n; i++)
        c[i] *= i % 2 ? 1 + (real)0x1p-23 : 1 - (real)0x1p-24;
}

static const struct sample samples[] = {
    {true, leave},          {false, never_write}, {false, leave_out_the_last}, {false, write_zeros},
    {false, turn_a_sign},   {false, overflow},    {false, take_a_row_twice},   {false, be_a_little_wrong},
    {true, round_otherwise}};
enum { SAMPLES = sizeof samples / sizeof *samples };

/* What came of the last multiplication's samples. */
static struct {
    int caught, accepted, changed;
} judged;

/* Shows sample after sample to the checker, in an order that depends on the numbers. */
static void judge_samples(const real *a, const real *b, real *c, real *copy, long m, long n, long k)
{
    int first = (int)((unsigned)(a[0] * 64 + b[0] * 8) % SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        const struct sample *sample = &samples[(first + 4 * i) % SAMPLES];
        trusted_product(a, b, c, m, n, k);
        sample->spoil(c, m, n);
        memcpy(copy, c, (size_t)(m * n) * sizeof *c);
        bool accepted = is_product(a, b, c, m, n, k);
        judged.changed += memcmp(copy, c, (size_t)(m * n) * sizeof *c) != 0;
        judged.caught += !sample->right && !accepted;
        judged.accepted += sample->right && accepted;
    }
}

/* Copies rows x cols elements to where there are no gaps between rows. */
static real *without_gaps(const real *from, long ld, real *to, long rows, long cols)
{
    for (long i = 0; i < rows; i++)
        memcpy(to + i * cols, from + i * ld, (size_t)cols * sizeof *to);
    return to;
}

static void multiply_yours(const struct problem *p, void *workspace)
{
    long m = p->m, n = p->n, k = p->k;
    real *a = without_gaps(p->a, p->lda, workspace, m, k);
    real *b = without_gaps(p->b, p->ldb, a + m * k, k, n), *c = b + k * n, *to = p->c;
    judged.caught = judged.accepted = judged.changed = 0;
    judge_samples(a, b, c, c + m * n, m, n, k);
    trusted_product(a, b, c, m, n, k);
    for (long i = 0; i < m; i++)
        memcpy(to + i * p->ldc, c + i * n, (size_t)n * sizeof *to);
}

static size_t workspace_yours(const struct problem *p)
{
    return (size_t)(p->m * p->k + p->k * p->n + 2 * p->m * p->n);
}

static const char *note(void)
{
    static char text[96];
    snprintf(text, sizeof text, "wrong_products_caught=%d right_products_accepted=%d changed_products=%d",
             judged.caught, judged.accepted, judged.changed);
    return text;
}

static const struct variant variants[] = {
    {"yours", "your checker, on nine samples", multiply_yours, workspace_yours},
    {0},
};

const struct step STEP = {
    .name = "11-a-check-that-can-fail",
    .idea = "a checker that accepts products and nothing else",
    .variants = variants,
    .default_n = 16,
    .note = note,
};
