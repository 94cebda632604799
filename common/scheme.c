/* SPDX-License-Identifier: MIT */
#include "common/scheme.h"

#include <math.h>

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
const struct scheme strassen_scheme = {"strassen", 2, 2, 2, 7, strassen_products, NULL};

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
const struct scheme winograd_scheme = {"winograd", 2, 2, 2, 7, winograd_products, NULL};

/* One coefficient of a block, from the coefficients `x` of a product. */
static double in_blocks(const double *x, const double (*basis)[4], int q, bool absolute)
{
    if (!basis || q >= 4)
        return absolute ? fabs(x[q]) : x[q];
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += absolute ? fabs(x[i] * basis[i][q]) : x[i] * basis[i][q];
    return sum;
}

struct scheme scheme_in_blocks(const struct scheme *s, bool absolute,
                               struct scheme_product to[MOST_PRODUCTS])
{
    for (int p = 0; p < s->products; p++)
        for (int q = 0; q < MOST_BLOCKS; q++) {
            const struct scheme_product *from = &s->product[p];
            to[p].a[q] = in_blocks(from->a, s->basis ? s->basis[0] : NULL, q, absolute);
            to[p].b[q] = in_blocks(from->b, s->basis ? s->basis[1] : NULL, q, absolute);
            to[p].c[q] = in_blocks(from->c, s->basis ? s->basis[2] : NULL, q, absolute);
        }
    return (struct scheme){s->name, s->m, s->k, s->n, s->products, to, NULL};
}

long scheme_blocks(const struct scheme *s, int levels)
{
    long blocks = 1;
    for (int i = 0; i < levels; i++)
        blocks *= s ? s->k : 2;
    return blocks;
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
    struct scheme_product w[MOST_PRODUCTS];
    int a = 0, b = 0, c = 0;
    scheme_in_blocks(s, true, w);
    for (int p = 0; p < s->products; p++)
        for (int q = 0; q < MOST_BLOCKS; q++) {
            a = (int)larger(a, digits_of(w[p].a[q]));
            b = (int)larger(b, digits_of(w[p].b[q]));
            c = (int)larger(c, digits_of(w[p].c[q]));
        }
    return (struct scheme_bits){a + b, c};
}

/* The sum of coefficients, none of which is negative, and how many are not 0. */
struct norms {
    double sum;
    int nonzeros;
};

static struct norms norms_of(const double x[MOST_BLOCKS])
{
    struct norms n = {0, 0};
    for (int q = 0; q < MOST_BLOCKS; q++)
        n.sum += x[q], n.nonzeros += x[q] != 0;
    return n;
}

double scheme_stability(const struct scheme *s, int q)
{
    struct scheme_product w[MOST_PRODUCTS];
    double growth = 0;
    scheme_in_blocks(s, true, w);
    for (int p = 0; p < s->products; p++)
        growth += w[p].c[q] * norms_of(w[p].a).sum * norms_of(w[p].b).sum;
    return growth;
}

double scheme_growth(const struct scheme *s)
{
    double growth = 0;
    for (int q = 0; q < s->m * s->n; q++)
        growth = fmax(growth, scheme_stability(s, q));
    return growth;
}

/* The largest sum of a product's absolute coefficients; with `factor` of A's times B's. */
static double largest_of(const struct scheme *s, bool factor)
{
    struct scheme_product w[MOST_PRODUCTS];
    double largest = 0;
    scheme_in_blocks(s, true, w);
    for (int p = 0; p < s->products; p++) {
        double a = norms_of(w[p].a).sum, b = norms_of(w[p].b).sum;
        largest = fmax(largest, factor ? a * b : fmax(a, b));
    }
    return largest;
}

double scheme_largest_factor(const struct scheme *s) { return largest_of(s, true); }

double scheme_largest_sum(const struct scheme *s) { return largest_of(s, false); }

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
    struct scheme_product w[MOST_PRODUCTS];
    double most = 0;
    int more = s->basis ? 2 : 0; /* a factor of A and one of B are sums of sums */
    scheme_in_blocks(s, true, w);
    for (int q = 0; q < s->m * s->n; q++) {
        double sum = 0;
        int terms = 0, at = 0;
        for (int p = 0; p < s->products; p++)
            terms += w[p].c[q] != 0;
        for (int p = 0; p < s->products; p++) {
            struct norms a = norms_of(w[p].a), b = norms_of(w[p].b);
            if (w[p].c[q] != 0)
                sum += w[p].c[q] * a.sum * b.sum *
                       (roundings(0, a.nonzeros) + roundings(0, b.nonzeros) + more +
                        roundings(at++, terms));
        }
        most = fmax(most, sum);
    }
    return ceil(most / (scheme_growth(s) - s->k));
}
