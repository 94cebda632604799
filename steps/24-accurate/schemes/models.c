/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models.h"

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

bool scheme_is_right(const struct scheme *table, char *message, size_t size)
{
    struct equation e;
    struct scheme_product products[MOST_PRODUCTS];
    struct scheme whole = scheme_in_blocks(table, false, products), *s = &whole;
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

/* The 2-norm of a, b and c of a product, multiplied. */
static double norm_of(const struct scheme_product *p)
{
    double a = 0, b = 0, c = 0;
    for (int q = 0; q < MOST_BLOCKS; q++)
        a += p->a[q] * p->a[q], b += p->b[q] * p->b[q], c += p->c[q] * p->c[q];
    return sqrt(a * b * c);
}

double scheme_growth_in_2_norm(const struct scheme *s)
{
    struct scheme_product products[MOST_PRODUCTS];
    double growth = 0;
    scheme_in_blocks(s, false, products);
    for (int p = 0; p < s->products; p++)
        growth += norm_of(&products[p]);
    return growth;
}

double scheme_average_growth(const struct scheme *s)
{
    struct scheme_product products[MOST_PRODUCTS];
    double squares = 0;
    scheme_in_blocks(s, false, products);
    for (int p = 0; p < s->products; p++)
        squares += pow(norm_of(&products[p]), 2);
    return sqrt(squares / (s->m * s->n)) / s->k;
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
            int nonzeros = 0;
            for (int q = 0; q < MOST_BLOCKS; q++)
                nonzeros += sides[side][q] != 0;
            w.nonzeros[side] += nonzeros;
            if (side < 2)
                w.transfers[side] += nonzeros > 1;
        }
    }
    w.additions = w.nonzeros[0] + w.nonzeros[1] - 2 * s->products + w.nonzeros[2] - s->m * s->n;
    return w;
}

double scheme_additions(const struct scheme *s, double n, int levels)
{
    double sum = 0, bases = 0, nodes = 1;
    for (int q = 0; s->basis && q < 3 * 4 * 4; q++)
        bases += s->basis[q / 16][q / 4 % 4][q % 4] != 0;
    for (int i = 0; i < levels; i++, nodes *= s->products) {
        double side = n / pow(s->k, i + 1);
        sum += nodes * scheme_work(s).additions * side * side;
    }
    return sum + (s->basis ? levels * (bases - 3 * 4) * (n / 2) * (n / 2) : 0);
}
