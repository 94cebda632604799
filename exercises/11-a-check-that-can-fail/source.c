/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 11-a-check-that-can-fail: a checker that accepts products and nothing else.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/matrix/block.h"

/* c = a * b in float, no gaps between rows: a correct product, up to its own round-off error.
 */
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

/* Whether c is the product of a (m x k) and b (k x n), as precisely as float allows: each
   element within (k + 1) u sum |a_il| |b_lj| of the exact one, with u = 2^-24. There are no
   gaps between rows. */
static bool is_product(const real *a, const real *b, real *c, long m, long n, long k)
{
    /* YOUR CODE: true for a product, false for anything else; c comes back as it came */
    /* STUB: real *reference = c; */
    /* STUB: trusted_product(a, b, reference, m, n, k); */
    /* STUB: for (long i = 0; i < m * n; i++) */
    /* STUB:     if (fabs(reference[i] - c[i]) > 1e-3) */
    /* STUB:         return false; */
    /* STUB: return true; */
    /* In double the sums are right to far beyond float's last bit. The comparison is written so
       that it is false for NaN, which is neither larger nor smaller than anything. */
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

/* A sample for the checker: spoil() makes it from a correct product; `shown` says when. */
enum shown { ALWAYS, IN_LONG_SUMS, IF_NOTHING_CANCELS };
struct sample {
    bool right;
    const char *name;
    enum shown shown;
    void (*spoil)(real *c, long m, long n, long k);
};

static void leave(real *c, long m, long n, long k) {}

static void never_write(real *c, long m, long n, long k)
{
    memset(c, 0xff, (size_t)(m * n) * sizeof *c);
}

static void leave_out_the_last(real *c, long m, long n, long k)
{
    memset(c + m * n - 1, 0xff, sizeof *c);
}

static void write_zeros(real *c, long m, long n, long k)
{
    memset(c, 0, (size_t)(m * n) * sizeof *c);
}

/* The element that is largest by its absolute value. */
static real *largest(real *c, long m, long n)
{
    real *most = c;
    for (long i = 0; i < m * n; i++)
        most = fabs((double)c[i]) > fabs((double)*most) ? &c[i] : most;
    return most;
}

static real *smallest(real *c, long m, long n)
{
    real *least = c;
    for (long i = 0; i < m * n; i++)
        least = fabs((double)c[i]) < fabs((double)*least) ? &c[i] : least;
    return least;
}

static void turn_a_sign(real *c, long m, long n, long k) { *largest(c, m, n) *= -1; }

static void overflow(real *c, long m, long n, long k) { *largest(c, m, n) = (real)INFINITY; }

static void take_a_row_twice(real *c, long m, long n, long k)
{
    memcpy(c, c + n, (size_t)n * sizeof *c);
}

/* Makes one element as wrong as in a product of factors rounded to 10 bits. */
static void be_a_little_wrong(real *c, long m, long n, long k)
{
    *largest(c, m, n) *= 1 + (real)0x1p-11;
}

/* From 0 to 1. Nobody can foretell it, so that a checker cannot make the samples itself. */
static double by_chance(void)
{
    uint32_t bits = 0;
    return getentropy(&bits, sizeof bits) == 0 ? bits * 0x1p-32 : 0;
}

/* Changes all elements by a few bits, as if sums were rounded in another order: the bound still
 * allows it. */
static void round_otherwise(real *c, long m, long n, long k)
{
    for (long i = 0; i < m * n; i++)
        c[i] *= by_chance() < 0.5 ? 1 + (real)0x1p-23 : 1 - (real)0x1p-24;
}

/* If nothing cancels, an element is as large as the sum of its terms' magnitudes; its bound is
 * (k + 1) u times that. */
static void use_half_the_bound(real *c, long m, long n, long k)
{
    for (long i = 0; i < m * n; i++)
        c[i] *= 1 + (real)((1 - by_chance() / 8) * (double)(k + 1) * 0x1p-25);
}

static void exceed_the_bound(real *c, long m, long n, long k)
{
    *smallest(c, m, n) *= 1 + 4 * (real)(k + 1) * (real)0x1p-24;
}

static const struct sample samples[] = {
    {true, "the trusted product", ALWAYS, leave},
    {false, "never written", ALWAYS, never_write},
    {false, "the last element never written", ALWAYS, leave_out_the_last},
    {false, "all zeros", ALWAYS, write_zeros},
    {false, "one sign turned", ALWAYS, turn_a_sign},
    {false, "one element infinite", ALWAYS, overflow},
    {false, "one row twice", ALWAYS, take_a_row_twice},
    {false, "one element off by a 2048th", ALWAYS, be_a_little_wrong},
    {true, "rounded otherwise", IN_LONG_SUMS, round_otherwise},
    {true, "errors of nearly half the bound", IF_NOTHING_CANCELS, use_half_the_bound},
    {false, "one error of four times the bound", IF_NOTHING_CANCELS, exceed_the_bound}};
enum { SAMPLES = sizeof samples / sizeof *samples };

/* The products that the samples are made of. A's numbers are multiplied by `scale`. */
static const struct kind {
    const char *name;
    double scale;
    bool positive, one_term; /* both matrices without signs; k = 1 */
} kinds[] = {{.name = "ordinary numbers", .scale = 1},
             {.name = "very small numbers", .scale = 0x1p-40},
             {.name = "very large numbers", .scale = 0x1p40},
             {.name = "positive numbers", .scale = 1, .positive = true},
             {.name = "sums of one term", .scale = 1, .one_term = true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* How the last multiplication's samples were judged, and the first that was judged wrongly. */
enum judgement { AS_IT_IS, REFUSED, ACCEPTED, CHANGED };
static struct {
    int caught, accepted, changed;
    enum judgement worst;
    char example[128];
} judged;

/* Keeps the first sample of the worst kind: the goals ask about changed matrices first, then
 * about wrong products that were accepted. */
static void keep_example(const struct sample *sample, const struct kind *kind,
                         enum judgement judgement)
{
    static const char *const words[] = {"", "refused", "accepted", "changed"};
    if (judgement <= judged.worst)
        return;
    judged.worst = judgement;
    snprintf(judged.example, sizeof judged.example, "%s was %s (%s)", sample->name,
             words[judgement], kind->name);
    for (char *at = judged.example; (at = strchr(at, ' '));)
        *at = '_';
}

/* Shows the samples to the checker, in an order that depends on the numbers. */
static void judge_samples(const real *a, const real *b, real *c, real *copy, long m, long n,
                          long k, const struct kind *kind)
{
    int first =
        (int)((unsigned)(fabs(a[0] / kind->scale) * 64 + fabs((double)b[0]) * 8) % SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        const struct sample *sample = &samples[(first + 4 * i) % SAMPLES];
        if ((sample->shown == IN_LONG_SUMS && kind->one_term) ||
            (sample->shown == IF_NOTHING_CANCELS && !kind->one_term && !kind->positive))
            continue;
        trusted_product(a, b, c, m, n, k);
        sample->spoil(c, m, n, k);
        memcpy(copy, c, (size_t)(m * n) * sizeof *c);
        bool accepted = is_product(a, b, c, m, n, k);
        bool changed = memcmp(copy, c, (size_t)(m * n) * sizeof *c) != 0;
        judged.changed += changed;
        judged.caught += !sample->right && !accepted;
        judged.accepted += sample->right && accepted;
        enum judgement wrongly = accepted == sample->right ? AS_IT_IS
                                 : accepted                ? ACCEPTED
                                                           : REFUSED;
        keep_example(sample, kind, changed ? CHANGED : wrongly);
    }
}

static void scale(real *x, long count, double by, bool positive)
{
    for (long i = 0; i < count; i++)
        x[i] = (real)((positive ? fabs((double)x[i]) : (double)x[i]) * by);
}

/* Copies rows x cols elements to where there are no gaps between rows. */
static real *without_gaps(const real *from, long ld, real *to, long rows, long cols)
{
    for (long i = 0; i < rows; i++)
        memcpy(to + i * cols, from + i * ld, (size_t)cols * sizeof *to);
    return to;
}

/* Makes the terms of the first row's sums cancel: its elements are the trusted product's
 * errors. A bound relative to the result is too narrow there, whatever numbers were drawn. */
static void cancel_in_the_first_row(real *a, real *b, long n, long k)
{
    long half = k / 2;
    for (long l = 0; l < half; l++)
        a[half + l] = -a[l];
    memcpy(b + half * n, b, (size_t)(half * n) * sizeof *b);
    if (k % 2)
        a[k - 1] = 0;
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    real *a = workspace, *b = a + m * k, *c = b + k * n, *to = p.c.at;
    judged.caught = judged.accepted = judged.changed = 0;
    judged.worst = AS_IT_IS, judged.example[0] = '\0';
    for (const struct kind *kind = kinds; kind < kinds + KINDS; kind++) {
        scale(without_gaps(p.a.at, p.a.ld, a, m, k), m * k, kind->scale, kind->positive);
        scale(without_gaps(p.b.at, p.b.ld, b, k, n), k * n, 1, kind->positive);
        if (!kind->positive && !kind->one_term)
            cancel_in_the_first_row(a, b, n, k);
        judge_samples(a, b, c, c + m * n, m, n, kind->one_term ? 1 : k, kind);
    }
    trusted_product(without_gaps(p.a.at, p.a.ld, a, m, k),
                    without_gaps(p.b.at, p.b.ld, b, k, n), c, m, n, k);
    for (long i = 0; i < m; i++)
        memcpy(to + i * p.c.ld, c + i * n, (size_t)n * sizeof *to);
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    return (size_t)(m * k + k * n + 2 * m * n);
}

static const char *note(void)
{
    static char text[256];
    snprintf(text, sizeof text,
             "wrong_products_caught=%d right_products_accepted=%d changed_products=%d%s%s",
             judged.caught, judged.accepted, judged.changed, judged.worst ? " example=" : "",
             judged.example);
    return text;
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your checker, on 48 samples",
     .multiply = multiply_yours,
     .workspace = workspace_yours},
    {0},
};

const struct step STEP = {
    .name = "11-a-check-that-can-fail",
    .idea = "a checker that accepts products and nothing else",
    .variants = variants,
    .default_n = 16,
    .note = note,
};
