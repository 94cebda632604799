/* SPDX-License-Identifier: MIT */
#include "common/scheme.h"

#include <math.h>
#include <stdlib.h>

#include "common/sizes.h"

/// [strassen]
static const struct scheme_product strassen_products[] = {
    {{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}},  /* M1 */
    {{0, 0, 1, 1}, {1, 0, 0, 0}, {0, 0, 1, -1}}, /* M2 */
    {{1, 0, 0, 0}, {0, 1, 0, -1}, {0, 1, 0, 1}}, /* M3 */
    {{0, 0, 0, 1}, {-1, 0, 1, 0}, {1, 0, 1, 0}}, /* M4 */
    {{1, 1, 0, 0}, {0, 0, 0, 1}, {-1, 1, 0, 0}}, /* M5 */
    {{-1, 0, 1, 0}, {1, 1, 0, 0}, {0, 0, 0, 1}}, /* M6 */
    {{0, 1, 0, -1}, {0, 0, 1, 1}, {1, 0, 0, 0}}, /* M7 */
};
/// [strassen]
const struct scheme strassen_scheme = {"strassen", 2, 2, 2, 7, strassen_products};

/* Each sum of sums written out. */
static const struct scheme_product winograd_products[] = {
    {{-1, 0, 1, 1}, {1, -1, 0, 1}, {0, 1, 1, 1}},  /* S2 S6 */
    {{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 1, 1, 1}},    /* A11 B11 */
    {{0, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 0}},    /* A12 B21 */
    {{1, 0, -1, 0}, {0, -1, 0, 1}, {0, 0, 1, 1}},  /* S3 S7 */
    {{0, 0, 1, 1}, {-1, 1, 0, 0}, {0, 1, 0, 1}},   /* S1 S5 */
    {{1, 1, -1, -1}, {0, 0, 0, 1}, {0, 1, 0, 0}},  /* S4 B22 */
    {{0, 0, 0, 1}, {1, -1, -1, 1}, {0, 0, -1, 0}}, /* A22 S8 */
};
const struct scheme winograd_scheme = {"winograd", 2, 2, 2, 7, winograd_products};

/// [dps]
/* Dumas, Pernet and Sedoglavic (2024), the variant with powers of two. */
static const struct scheme_product dps_products[] = {
    {{0, -1, 1, 0}, {1, 0, 0, -1}, {0, 1, 1, 0}},
    {{1, .5, -.5, -.25}, {1, .5, 0, 0}, {.5, 1, 0, 0}},
    {{0, 0, 1, -.5}, {0, .5, 0, -1}, {.25, -.5, -.5, 1}},
    {{0, 1, 0, -.5}, {.5, .25, -1, -.5}, {-.5, 0, 1, 0}},
    {{0, 0, 1, .5}, {0, .5, 0, 1}, {.25, .5, .5, 1}},
    {{1, -.5, .5, -.25}, {1, -.5, 0, 0}, {.5, -1, 0, 0}},
    {{0, 1, 0, .5}, {.5, -.25, 1, -.5}, {.5, 0, 1, 0}},
};
/// [dps]
const struct scheme dps_scheme = {"dps", 2, 2, 2, 7, dps_products};

const struct scheme *scheme_of(enum bound_kind kind)
{
    switch (kind) {
    case BOUND_CLASSICAL:
        return NULL;
    case BOUND_STRASSEN:
        return &strassen_scheme;
    case BOUND_WINOGRAD:
        return &winograd_scheme;
    case BOUND_DPS:
        return &dps_scheme;
    }
    abort(); /* no other kind */
}

/* ---- What follows from the numbers ---- */

/* Digits after the point of a coefficient. */
static int digits_of(double x)
{
    int digits = 0;
    while (ldexp(x, digits) != floor(ldexp(x, digits)))
        digits++;
    return digits;
}

struct scheme_bits scheme_bits(const struct scheme *s)
{
    int a = 0, b = 0, c = 0;
    for (int p = 0; p < s->products; p++)
        for (int q = 0; q < MOST_BLOCKS; q++) {
            a = (int)larger(a, digits_of(s->product[p].a[q]));
            b = (int)larger(b, digits_of(s->product[p].b[q]));
            c = (int)larger(c, digits_of(s->product[p].c[q]));
        }
    return (struct scheme_bits){a + b, c};
}

/* The sum of the absolute coefficients, and how many are not 0. */
struct norms {
    double sum;
    int nonzeros;
};

static struct norms norms_of(const double x[MOST_BLOCKS])
{
    struct norms n = {0, 0};
    for (int q = 0; q < MOST_BLOCKS; q++)
        n.sum += fabs(x[q]), n.nonzeros += x[q] != 0;
    return n;
}

double scheme_stability(const struct scheme *s, int q)
{
    double growth = 0;
    for (int p = 0; p < s->products; p++)
        growth += fabs(s->product[p].c[q]) * norms_of(s->product[p].a).sum *
                  norms_of(s->product[p].b).sum;
    return growth;
}

double scheme_growth(const struct scheme *s)
{
    double growth = 0;
    for (int q = 0; q < s->m * s->n; q++)
        growth = fmax(growth, scheme_stability(s, q));
    return growth;
}

double scheme_largest_factor(const struct scheme *s)
{
    double largest = 0;
    for (int p = 0; p < s->products; p++)
        largest = fmax(largest, norms_of(s->product[p].a).sum * norms_of(s->product[p].b).sum);
    return largest;
}

double scheme_largest_sum(const struct scheme *s)
{
    double largest = 0;
    for (int p = 0; p < s->products; p++)
        largest =
            fmax(largest, fmax(norms_of(s->product[p].a).sum, norms_of(s->product[p].b).sum));
    return largest;
}

/* How often term i is rounded in a sum of `terms` terms: the first four are added in pairs, and
   the others one after another. */
static int roundings(int i, int terms)
{
    if (terms < 4)
        return i < 2 ? terms - 1 : 1;
    return i < 4 ? terms - 2 : terms - i;
}

double scheme_linear_growth(const struct scheme *s)
{
    double most = 0;
    for (int q = 0; q < s->m * s->n; q++) {
        double sum = 0;
        int terms = 0, at = 0;
        for (int p = 0; p < s->products; p++)
            terms += s->product[p].c[q] != 0;
        for (int p = 0; p < s->products; p++) {
            struct norms a = norms_of(s->product[p].a), b = norms_of(s->product[p].b);
            double times = fabs(s->product[p].c[q]);
            if (times != 0)
                sum += times * a.sum * b.sum *
                       (roundings(0, a.nonzeros) + roundings(0, b.nonzeros) +
                        roundings(at++, terms));
        }
        most = fmax(most, sum);
    }
    return ceil(most / (scheme_growth(s) - s->k));
}
