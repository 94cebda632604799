/* SPDX-License-Identifier: MIT */
/** @file schemes.c
 * Checks that every table multiplies, that a table with one wrong coefficient is refused with
 * its product and entry, and that what follows from a table equals numbers worked out by hand.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    struct scheme_bits bits = scheme_bits(&dps_scheme);
    expect(bits.factors == 4 && bits.results == 2, "dps", "digits after the point");
    expect(scheme_blocks(&dps_48_scheme, 2) == 16, "dps-48", "blocks of two levels");
    puts(wrong ? "WRONG" : "right");
    return wrong != 0;
}
