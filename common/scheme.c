/* SPDX-License-Identifier: MIT */
#include "common/scheme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- Is it right? ---- */

/// [equation]
/* How often C's block q holds A's block i times B's block j, minus how often it must: once if
   the blocks fit. Coefficients have few digits, so a double computes this exactly. */
static double surplus(const struct scheme *s, int i, int j, int q)
{
    bool fits = i % s->k == j / s->n && i / s->k == q / s->n && j % s->n == q % s->n;
    double times = 0;
    for (int p = 0; p < s->products; p++)
        times += s->product[p].a[i] * s->product[p].b[j] * s->product[p].c[q];
    return times - fits;
}

/* The first equation that does not hold. */
struct equation {
    int i, j, q;
};

static bool find_wrong(const struct scheme *s, struct equation *e)
{
    for (e->i = 0; e->i < s->m * s->k; e->i++)
        for (e->j = 0; e->j < s->k * s->n; e->j++)
            for (e->q = 0; e->q < s->m * s->n; e->q++)
                if (surplus(s, e->i, e->j, e->q) != 0)
                    return true;
    return false;
}
/// [equation]

/* The coefficient of one of the equation's three blocks in product p. */
static double *coefficient(struct scheme_product *p, const struct equation *e, int side)
{
    return side == 0 ? &p->a[e->i] : side == 1 ? &p->b[e->j] : &p->c[e->q];
}

/* Looks for a coefficient in the equation `e` with whose change all equations hold. If there is
   one, names it and the right value. */
static bool find_coefficient(const struct scheme *s, const struct equation *e, char *text,
                             size_t size)
{
    struct scheme_product changed[MOST_PRODUCTS];
    struct scheme other = *s;
    struct equation wrong;
    other.product = changed;
    memcpy(changed, s->product, (size_t)s->products * sizeof *changed);
    for (int p = 0; p < s->products; p++)
        for (int side = 0; side < 3; side++) {
            double *x = coefficient(changed + p, e, side), is = *x;
            double others = 1;
            for (int i = 0; i < 3; i++)
                others *= i == side ? 1 : *coefficient(changed + p, e, i);
            if (others == 0)
                continue;
            *x = is - surplus(s, e->i, e->j, e->q) / others;
            if (!find_wrong(&other, &wrong)) {
                int q = side == 0 ? e->i : side == 1 ? e->j : e->q, cols = side ? s->n : s->k;
                snprintf(text, size,
                         "in product %d the coefficient of %c%d%d must be %g, not %g", p + 1,
                         "ABC"[side], q / cols + 1, q % cols + 1, *x, is);
                return true;
            }
            *x = is;
        }
    return false;
}

bool scheme_is_right(const struct scheme *s, char *message, size_t size)
{
    struct equation e;
    char which[160] = "no single coefficient makes all equations hold";
    if (!find_wrong(s, &e))
        return true;
    find_coefficient(s, &e, which, sizeof which);
    snprintf(message, size, "%s: C%d%d has %g times A%d%d B%d%d too much: %s", s->name,
             e.q / s->n + 1, e.q % s->n + 1, surplus(s, e.i, e.j, e.q), e.i / s->k + 1,
             e.i % s->k + 1, e.j / s->n + 1, e.j % s->n + 1, which);
    return false;
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

/* The sum of the absolute coefficients, of their squares, and how many are not 0. */
struct norms {
    double sum, squares;
    int nonzeros;
};

static struct norms norms_of(const double x[MOST_BLOCKS])
{
    struct norms n = {0, 0, 0};
    for (int q = 0; q < MOST_BLOCKS; q++)
        n.sum += fabs(x[q]), n.squares += x[q] * x[q], n.nonzeros += x[q] != 0;
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

double scheme_growth_in_2_norm(const struct scheme *s)
{
    double growth = 0;
    for (int p = 0; p < s->products; p++)
        growth += sqrt(norms_of(s->product[p].a).squares * norms_of(s->product[p].b).squares *
                       norms_of(s->product[p].c).squares);
    return growth;
}

double scheme_average_growth(const struct scheme *s)
{
    double squares = 0;
    for (int p = 0; p < s->products; p++)
        squares += norms_of(s->product[p].a).squares * norms_of(s->product[p].b).squares *
                   norms_of(s->product[p].c).squares;
    return sqrt(squares / (s->m * s->n)) / s->k;
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

double scheme_exponent(const struct scheme *s)
{
    return 3 * log(s->products) / log((double)s->m * s->k * s->n);
}

struct scheme_work scheme_work(const struct scheme *s)
{
    struct scheme_work w = {.transfers = {s->m * s->k, s->k * s->n, s->m * s->n + s->products}};
    for (int p = 0; p < s->products; p++) {
        const double *sides[3] = {s->product[p].a, s->product[p].b, s->product[p].c};
        for (int side = 0; side < 3; side++) {
            struct norms n = norms_of(sides[side]);
            w.nonzeros[side] += n.nonzeros;
            if (side < 2)
                w.transfers[side] += n.nonzeros > 1;
            for (int q = 0; q < MOST_BLOCKS; q++)
                w.scalings += sides[side][q] != 0 && fabs(sides[side][q]) != 1;
        }
    }
    w.additions = w.nonzeros[0] + w.nonzeros[1] - 2 * s->products + w.nonzeros[2] - s->m * s->n;
    return w;
}
