/* SPDX-License-Identifier: MIT */
/** @file schemes.c
 * Every table that is shipped multiplies, a table with one wrong coefficient is refused with
 * its product and entry, and what follows from a table equals numbers worked out by hand.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "steps/24-accurate/models.h"

static int wrong;

static void expect(bool right, const char *scheme, const char *what)
{
    if (!right) {
        printf("%s: %s\n", scheme, what);
        wrong++;
    }
}

static bool near(double is, double wanted) { return fabs(is - wanted) < 5e-3; }

/* Each coefficient of each product, changed. Where it is the only one of its sum, another one
 * of this product may make up for it, so only the product is certain. */
static void change_each(const struct scheme *scheme)
{
    for (int at = 0; at < scheme->products * 12; at++) {
        struct scheme_product products[MOST_PRODUCTS];
        struct scheme changed = *scheme;
        memcpy(products, scheme->product, (size_t)scheme->products * sizeof *products);
        changed.product = products;
        int p = at / 12, side = at % 12 / 4, q = at % 4, others = 0;
        double *sum = side == 0 ? products[p].a : side == 1 ? products[p].b : products[p].c;
        double right = sum[q];
        for (int i = 0; i < 4; i++)
            others += i != q && sum[i] != 0;
        sum[q] = right == 0 ? 0.5 : -right;
        char message[256] = "", wanted[128];
        expect(!scheme_is_right(&changed, message, sizeof message), scheme->name,
               "a wrong coefficient is not seen");
        int length =
            snprintf(wanted, sizeof wanted, "in product %d the coefficient of ", p + 1);
        if (others)
            snprintf(wanted + length, sizeof wanted - (size_t)length,
                     "%c%d%d must be %g, not %g", "ABC"[side], q / 2 + 1, q % 2 + 1, right,
                     sum[q]);
        if (!strstr(message, wanted))
            printf("wanted: %s\nmessage: %s\n", wanted, message), wrong++;
    }
}

static const struct {
    const struct scheme *scheme;
    double stability[4], in_2_norm, average, linear;
    int nonzeros, additions, transfers[3];
} cases[] = {
    {&strassen_scheme, {12, 4, 4, 12}, 14.83, 1.414, 5, 12, 18, {9, 9, 11}},
    {&winograd_scheme, {2, 18, 18, 18}, 17.85, 1.871, 6, 14, 24, {8, 8, 11}},
    {&dps_scheme, {7.875, 13, 13, 4.5}, 12.20, 1.190, 6, 18, 36, {11, 11, 11}},
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct scheme *s = cases[i].scheme;
        char message[256] = "";
        expect(scheme_is_right(s, message, sizeof message), s->name, message);
        change_each(s);
        for (int q = 0; q < 4; q++)
            expect(scheme_stability(s, q) == cases[i].stability[q], s->name, "stability");
        expect(near(scheme_growth_in_2_norm(s), cases[i].in_2_norm), s->name, "2-norm");
        expect(near(scheme_average_growth(s), cases[i].average), s->name, "average growth");
        expect(near(scheme_exponent(s), 2.807), s->name, "exponent");
        expect(scheme_linear_growth(s) == cases[i].linear, s->name, "linear growth");
        struct scheme_work work = scheme_work(s);
        for (int side = 0; side < 3; side++) {
            expect(work.nonzeros[side] == cases[i].nonzeros, s->name, "nonzeros");
            expect(work.transfers[side] == cases[i].transfers[side], s->name, "transfers");
        }
        expect(work.additions == cases[i].additions, s->name, "additions");
    }
    struct scheme_bits bits = scheme_bits(&dps_scheme);
    expect(bits.factors == 4 && bits.results == 2, "dps", "digits after the point");
    puts(wrong ? "WRONG" : "right");
    return wrong != 0;
}
