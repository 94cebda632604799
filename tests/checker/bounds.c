/* SPDX-License-Identifier: MIT */
/** @file bounds.c
 * The checker's bounds are the theorems', by numbers worked out by hand, and an error is
 * accepted just below them and rejected just above.
 */
#include <stdio.h>

#include "common/check/verify.h"

static const struct {
    const char *name;
    const struct scheme *scheme;
    int levels;
    long k;
    double factor;
} cases[] = {
    /* k0 = 32 + 1: 12 (33^2 + 5 * 33) - 5 * 66 */
    {"Strassen, one level, k = 64", &strassen_scheme, 1, 64, 14718},
    /* k0 = 256 + 2: 144 (258^2 + 5 * 258) - 5 * 1032 */
    {"Strassen, two levels, k = 1024", &strassen_scheme, 2, 1024, 9765816},
    /* 18 (33^2 + 6 * 33) - 6 * 66 */
    {"Winograd, one level, k = 64", &winograd_scheme, 1, 64, 22770},
    /* k0 = 13 + 3: 5832 (16^2 + 6 * 16) - 6 * 128 */
    {"Winograd, three levels, k = 100", &winograd_scheme, 3, 100, 2052096},
};

static void fill(struct matrix *x, double value)
{
    for (long i = 0; i < x->rows; i++)
        for (long j = 0; j < x->cols; j++)
            matrix_set(x, i, j, value);
}

/* Whether a product of ones passes with one element off by `error`. */
static bool passes(const struct scheme *scheme, int levels, long k, double error)
{
    enum { SIZE = 8 };
    struct matrix a, b, c;
    struct reference reference;
    struct tolerance tolerance = {.bound.scheme = scheme, .levels = levels};
    bool passed = false;
    if (matrix_create(&a, PRECISION_F64, SIZE, k, k) &&
        matrix_create(&b, PRECISION_F64, k, SIZE, SIZE) &&
        matrix_create(&c, PRECISION_F64, SIZE, SIZE, SIZE)) {
        fill(&a, 1), fill(&b, 1), fill(&c, (double)k);
        matrix_set(&c, 3, 5, (double)k + error);
        if (reference_create(&reference, &a, &b)) {
            passed = verify(&c, &a, &b, &reference, &tolerance, NULL).passed;
            reference_destroy(&reference);
        }
    }
    matrix_destroy(&a), matrix_destroy(&b), matrix_destroy(&c);
    return passed;
}

static int wrong;

static void expect(bool right, const char *name, const char *what)
{
    if (!right) {
        printf("%s: %s\n", name, what);
        wrong++;
    }
}

/* Checks that `limit` is where the checker begins to reject. */
static void expect_limit(const char *name, const struct scheme *scheme, int levels, long k,
                         double limit)
{
    expect(passes(scheme, levels, k, 0.95 * limit), name,
           "an error below the bound is rejected");
    expect(!passes(scheme, levels, k, 1.05 * limit), name,
           "an error above the bound is accepted");
}

int main(void)
{
    const double u = 0x1p-53;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double factor = bound_factor(cases[i].scheme, cases[i].levels, cases[i].k);
        if (factor != cases[i].factor)
            printf("factor %.17g\n", factor);
        expect(factor == cases[i].factor, cases[i].name, "another factor than the theorem's");
        expect_limit(cases[i].name, cases[i].scheme, cases[i].levels, cases[i].k,
                     cases[i].factor * u);
    }
    /* Matrices of ones: |row| |column| = k, and gamma is (k + 1) u without terms of u^2. An
     * error of 1021 u k is some hundred units in the last place of k. */
    expect_limit("classical, k = 1020", NULL, 0, 1020, 1021 * u * 1020);
    puts(wrong ? "WRONG" : "right");
    return wrong != 0;
}
