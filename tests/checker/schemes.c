/* SPDX-License-Identifier: MIT */
/** @file schemes.c
 * Checks that every table multiplies, that a table with one wrong coefficient is refused with
 * its product and entry, and that what follows from a table equals numbers worked out by hand:
 * the checker accepts an error just below a theorem's bound and rejects one just above.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/check/verify.h"
#include "steps/24-accurate/schemes/models.h"

static int wrong;

static void expect(bool right, const char *scheme, const char *what)
{
    if (!right) {
        printf("%s: %s\n", scheme, what);
        wrong++;
    }
}

static bool near(double is, double wanted) { return fabs(is - wanted) < 5e-3; }

/* Every `apart`-th coefficient, changed. Where it is the only one of its sum, another one of
 * this product may make up for it, so only the product is certain. */
static void change_each(const struct scheme *scheme, int apart)
{
    int r = scheme->k, blocks = r * r;
    for (int at = 0; at < scheme->products * 3 * blocks; at += apart) {
        struct scheme_product products[MOST_PRODUCTS];
        struct scheme changed = *scheme;
        memcpy(products, scheme->product, (size_t)scheme->products * sizeof *products);
        changed.product = products;
        int p = at / (3 * blocks), side = at / blocks % 3, q = at % blocks, others = 0;
        double *sum = side == 0 ? products[p].a : side == 1 ? products[p].b : products[p].c;
        double right = sum[q];
        for (int i = 0; i < blocks; i++)
            others += i != q && sum[i] != 0;
        sum[q] = right == 0 ? 0.5 : -right;
        char message[256] = "", wanted[128];
        expect(!scheme_is_right(&changed, message, sizeof message), scheme->name,
               "a wrong coefficient is not seen");
        int length =
            snprintf(wanted, sizeof wanted, "in product %d the coefficient of ", p + 1);
        if (others)
            snprintf(wanted + length, sizeof wanted - (size_t)length,
                     "%c%d%d must be %g, not %g", "ABC"[side], q / r + 1, q % r + 1, right,
                     sum[q]);
        if (!strstr(message, wanted))
            printf("wanted: %s\nmessage: %s\n", wanted, message), wrong++;
    }
}

/* In another basis the table of dps is the same, and each number of the basis is needed. */
static void change_basis(void)
{
    struct scheme_product products[MOST_PRODUCTS];
    scheme_in_blocks(&dps_basis_scheme, false, products);
    expect(!memcmp(products, dps_scheme.product, 7 * sizeof *products), "dps-basis", "not dps");
    for (int at = 0; at < 3 * 4 * 4; at++) {
        double basis[3][4][4];
        char message[256];
        struct scheme changed = dps_basis_scheme;
        memcpy(basis, changed.basis, sizeof basis);
        basis[at / 16][at / 4 % 4][at % 4] += 0.5;
        changed.basis = (const double(*)[4][4])basis;
        expect(!scheme_is_right(&changed, message, sizeof message), "dps-basis",
               "a wrong number of the basis is not seen");
    }
}

static const struct {
    const struct scheme *scheme;
    int apart;
    double stability[4], growth, growths[4]; /* 2-norm, average, exponent, linear */
} cases[] = {
    {&strassen_scheme, 1, {12, 4, 4, 12}, 12, {14.83, 1.414, 2.807, 5}},
    {&winograd_scheme, 1, {2, 18, 18, 18}, 18, {17.85, 1.871, 2.807, 6}},
    {&dps_scheme, 1, {7.875, 13, 13, 4.5}, 13, {12.20, 1.190, 2.807, 6}},
    {&dps_basis_scheme, 0, {21.875, 38.5, 38.5, 14.5}, 38.5, {12.20, 1.190, 2.807, 10}},
    {&laderman_scheme, 61, {3, 35, 35, 35}, 35, {64.29, 1.644, 2.854, 9}},
    {&dps_48_scheme, 199, {132, 112, 132, 112}, 148, {154.51, 1.414, 2.792, 21}},
};

/* For each case the nonzeros of A, B and C, the transfers of each, the additions of a level and
 * those of two levels on k * k blocks. The nonzeros of the large tables are those of their
 * authors' files, and the 98 additions of Laderman those that he counted. */
static const int work[][8] = {
    {12, 12, 12, 9, 9, 11, 18, 198},    {14, 14, 14, 8, 8, 11, 24, 264},
    {18, 18, 18, 11, 11, 11, 36, 396},  {10, 10, 10, 7, 7, 11, 12, 276},
    {51, 51, 51, 23, 23, 32, 98, 3136}, {240, 328, 304, 64, 64, 64, 760, 48640},
};

/* ---- The checker's bounds ---- */

static const struct {
    const struct scheme *scheme;
    int levels;
    long k;
    double factor;
} bounds[] = {
    {&strassen_scheme, 1, 64, 14718},     /* k0 = 32 + 1: 12 (33^2 + 5 * 33) - 5 * 66 */
    {&strassen_scheme, 2, 1024, 9765816}, /* k0 = 256 + 2: 144 (258^2 + 5 * 258) - 5 * 1032 */
    {&winograd_scheme, 1, 64, 22770},     /* 18 (33^2 + 6 * 33) - 6 * 66 */
    {&winograd_scheme, 3, 100, 2052096},  /* k0 = 13 + 3: 5832 (16^2 + 6 * 16) - 6 * 128 */
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

/* Checks that `limit` is where the checker begins to reject. */
static void expect_limit(const struct scheme *scheme, int levels, long k, double limit)
{
    const char *name = scheme ? scheme->name : "classical";
    expect(passes(scheme, levels, k, 0.95 * limit), name, "an error below the bound");
    expect(!passes(scheme, levels, k, 1.05 * limit), name, "an error above the bound");
}

static void try_bounds(void)
{
    const double u = 0x1p-53;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        const struct scheme *scheme = bounds[i].scheme;
        expect(bound_factor(scheme, bounds[i].levels, bounds[i].k) == bounds[i].factor,
               scheme->name, "another factor than the theorem's");
        expect_limit(scheme, bounds[i].levels, bounds[i].k, bounds[i].factor * u);
    }
    /* Matrices of ones: |row| |column| = k, and gamma is (k + 1) u without terms of u^2. An
     * error of 1021 u k is some hundred units in the last place of k. */
    expect_limit(NULL, 0, 1020, 1021 * u * 1020);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct scheme *s = cases[i].scheme;
        const double *growths = cases[i].growths;
        char message[256] = "";
        expect(scheme_is_right(s, message, sizeof message), s->name, message);
        if (cases[i].apart)
            change_each(s, cases[i].apart);
        for (int q = 0; q < 4; q++)
            expect(scheme_stability(s, q) == cases[i].stability[q], s->name, "stability");
        expect(scheme_growth(s) == cases[i].growth, s->name, "growth");
        expect(near(scheme_growth_in_2_norm(s), growths[0]), s->name, "2-norm");
        expect(near(scheme_average_growth(s), growths[1]), s->name, "average growth");
        expect(near(scheme_exponent(s), growths[2]), s->name, "exponent");
        expect(scheme_linear_growth(s) == growths[3], s->name, "linear growth");
        struct scheme_work w = scheme_work(s);
        for (int side = 0; side < 3; side++) {
            expect(w.nonzeros[side] == work[i][side], s->name, "nonzeros");
            expect(w.transfers[side] == work[i][3 + side], s->name, "transfers");
        }
        expect(w.additions == work[i][6], s->name, "additions");
        expect(scheme_additions(s, s->k * s->k, 2) == work[i][7], s->name, "additions of two");
    }
    change_basis();
    try_bounds();
    struct scheme_bits bits = scheme_bits(&dps_scheme);
    expect(bits.factors == 4 && bits.results == 2, "dps", "digits after the point");
    expect(scheme_blocks(&dps_48_scheme, 2) == 16, "dps-48", "blocks of two levels");
    puts(wrong ? "WRONG" : "right");
    return wrong != 0;
}
