/* SPDX-License-Identifier: MIT */
#include "schemes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/scheme.h"

/* A table of integers. */
static struct level_scheme integers_of(const struct scheme *table)
{
    struct level_scheme s = {0};
    for (int p = 0; p < table->products; p++)
        for (int q = 0; q < QUADRANTS; q++) {
            s.a[p][q] = (int)table->product[p].a[q];
            s.b[p][q] = (int)table->product[p].b[q];
            s.c[q][p] = (int)table->product[p].c[q];
        }
    return s;
}

/* C11 = A11 B11 + A12 B21 and so on. */
static struct level_scheme eight_products(void)
{
    struct level_scheme s = {0};
    for (int p = 0; p < PRODUCTS; p++)
        s.a[p][2 * (p / 4) + p % 2] = s.b[p][2 * (p % 2) + p / 2 % 2] = s.c[p / 2][p] = 1;
    return s;
}

/* Winograd's products in the order in which the sums S1 to S8 are made. */
static const int winograd_c[QUADRANTS][PRODUCTS] = {{0, 1, 1, 0, 0, 0, 0},
                                                    {1, 1, 0, 0, 1, 1, 0},
                                                    {1, 1, 0, 1, 0, 0, -1},
                                                    {1, 1, 0, 1, 1, 0, 0}};
const struct two_terms winograd_sums[2][4] = {
    {{2, 3, 1, 1}, {4, 0, -1, 1}, {0, 2, -1, 1}, {1, 5, -1, 1}},  /* S1 to S4, of A */
    {{1, 0, -1, 1}, {3, 4, -1, 1}, {3, 1, -1, 1}, {5, 2, -1, 1}}, /* S5 to S8, of B */
};
/* The factors of M1 to M7, as quadrants or sums. */
static const int winograd_factors[2][7] = {{5, 0, 1, 6, 4, 7, 3}, {5, 0, 2, 6, 4, 3, 7}};

struct level_scheme winograd_with(int side, int i, struct two_terms x)
{
    struct level_scheme s = {0};
    for (int of = 0; of < 2; of++) {
        int place[8][QUADRANTS] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}};
        for (int sum = 0; sum < 4; sum++) {
            struct two_terms made = of == side && sum == i ? x : winograd_sums[of][sum];
            for (int q = 0; q < QUADRANTS; q++)
                place[4 + sum][q] =
                    made.first_sign * place[made.first][q] + made.sign * place[made.second][q];
        }
        for (int p = 0; p < 7; p++)
            memcpy(of ? s.b[p] : s.a[p], place[winograd_factors[of][p]], sizeof s.a[p]);
    }
    memcpy(s.c, winograd_c, sizeof winograd_c);
    return s;
}

struct method method_of_bound(const struct scheme *scheme)
{
    if (!scheme)
        return (struct method){eight_products(), 8, false, false};
    if (scheme == &strassen_scheme)
        return (struct method){integers_of(scheme), 7, true, false};
    if (scheme == &winograd_scheme)
        return (struct method){winograd_with(0, 0, winograd_sums[0][0]), 7, true, true};
    return (struct method){.products = 0}; /* its coefficients fit none of the changes */
}

/* ---- a product of matrices by a scheme ---- */

static struct part quarter_of(struct part x, int q)
{
    long m = x.rows / 2, n = x.cols / 2;
    return (struct part){x.at + q / 2 * m * x.ld + q % 2 * n, m, n, x.ld};
}

/** Adds `sign` times x to y. */
static void add_part(struct part x, int sign, struct part y)
{
    for (long i = 0; i < y.rows && sign; i++)
        for (long j = 0; j < y.cols; j++)
            y.at[i * y.ld + j] += sign * x.at[i * x.ld + j];
}

/** Zeros; at is NULL without memory. */
static struct part new_part(long rows, long cols)
{
    return (struct part){calloc((size_t)(rows * cols), sizeof(double)), rows, cols, cols};
}

/** A copy in the corner of zeros; at is NULL without memory. */
static struct part copy_of(const struct matrix *x, long rows, long cols)
{
    struct part copy = new_part(rows, cols);
    for (long i = 0; i < x->rows && copy.at; i++)
        matrix_get_row(x, i, copy.at + i * cols);
    return copy;
}

static void multiply(struct part a, struct part b, struct part c)
{
    for (long i = 0; i < c.rows; i++)
        for (long l = 0; l < a.cols; l++)
            for (long j = 0; j < c.cols; j++)
                c.at[i * c.ld + j] += a.at[i * a.ld + l] * b.at[l * b.ld + j];
}

static void add_sum(struct part x, const int side[QUADRANTS], struct part sum)
{
    for (int q = 0; q < QUADRANTS; q++)
        add_part(quarter_of(x, q), side[q], sum);
}

bool add_product(const struct level_scheme *s, struct part a, struct part b, struct part c,
                 int levels, leaf_product *leaf)
{
    bool enough = true;
    if (levels == 0)
        leaf(a, b, c);
    for (int p = 0; p < PRODUCTS && levels > 0 && enough; p++) {
        struct part left = new_part(a.rows / 2, a.cols / 2),
                    right = new_part(b.rows / 2, b.cols / 2),
                    product = new_part(c.rows / 2, c.cols / 2);
        enough = left.at && right.at && product.at;
        if (enough) {
            add_sum(a, s->a[p], left);
            add_sum(b, s->b[p], right);
            enough = add_product(s, left, right, product, levels - 1, leaf);
        }
        for (int q = 0; q < QUADRANTS && enough; q++)
            add_part(product, s->c[q][p], quarter_of(c, q));
        free(left.at), free(right.at), free(product.at);
    }
    return enough;
}

/** C as the scheme computes it by the evidence's levels; at is NULL without memory. */
static struct part all_of_c(const struct level_scheme *s, const struct evidence *e)
{
    struct part a = copy_of(e->a, e->m, e->k), b = copy_of(e->b, e->k, e->n),
                c = new_part(e->m, e->n);
    if (!a.at || !b.at || !c.at || !add_product(s, a, b, c, e->t->levels, multiply)) {
        free(c.at);
        c.at = NULL;
    }
    free(a.at), free(b.at);
    return c;
}

/** Whether C is as the scheme computes it in every block-th row from i on and every block-th
 * column from j on. A method's levels add whole blocks, so these rows of A and columns of B
 * alone make these elements. */
static bool lattice_fits(const struct level_scheme *s, const struct evidence *e, long i, long j)
{
    long side = 1L << e->t->levels, rows = e->m / side, cols = e->n / side;
    struct part a = new_part(side, e->k), b = new_part(e->k, side), c = new_part(side, side);
    i %= rows, j %= cols;
    bool same = a.at && b.at && c.at;
    for (long r = 0; r < side && same; r++) {
        for (long l = 0; l < e->a->cols && i + r * rows < e->a->rows; l++)
            a.at[r * e->k + l] = matrix_get(e->a, i + r * rows, l);
        for (long l = 0; l < e->b->rows && j + r * cols < e->b->cols; l++)
            b.at[l * side + r] = matrix_get(e->b, l, j + r * cols);
    }
    same = same && add_product(s, a, b, c, e->t->levels, multiply);
    for (long r = 0; r < side * side && same; r++) {
        long row = i + r / side * rows, column = j + r % side * cols;
        same = row >= e->c->rows || column >= e->c->cols ||
               c.at[r] == matrix_get(e->c, row, column);
    }
    free(a.at), free(b.at), free(c.at);
    return same;
}

/** Several levels: first where some of the wrong elements are, which takes little time, then
 * everywhere. */
static bool all_levels_fit(const struct level_scheme *s, const struct evidence *e)
{
    for (int at = 0; at < e->count; at++)
        if (!lattice_fits(s, e, e->rows[at], e->cols[at]))
            return false;
    struct part c = all_of_c(s, e);
    bool same = c.at;
    for (long i = 0; i < e->c->rows && same; i++)
        for (long j = 0; j < e->c->cols && same; j++)
            same = c.at[i * c.ld + j] == matrix_get(e->c, i, j);
    free(c.at);
    return same;
}

/* ---- a stale temporary ---- */

/** What is in the place of the product; at is NULL without memory. */
static struct part stale_product(const struct level_scheme *s, const struct evidence *e,
                                 const struct stale *stale)
{
    long half = e->m / 2;
    struct part a = copy_of(e->a, e->m, e->m), b = copy_of(e->b, e->m, e->m), part[5];
    for (int i = 0; i < 5; i++)
        part[i] = new_part(half, half);
    struct part left = part[0], right = part[1], old = part[2], factor = part[3],
                product = part[4];
    if (a.at && b.at && left.at && right.at && old.at && factor.at && product.at) {
        add_sum(a, s->a[stale->other], left);
        add_sum(b, s->b[stale->other], right);
        multiply(left, right, old);
        if (stale->kind == LEFT_IS_PRODUCT) {
            add_sum(b, s->b[stale->product], factor);
            multiply(old, factor, product);
        } else if (stale->kind == RIGHT_IS_PRODUCT) {
            add_sum(a, s->a[stale->product], factor);
            multiply(factor, old, product);
        } else {
            add_part(stale->kind == IS_LEFT_SUM ? left : right, 1, product);
        }
    } else {
        free(product.at);
        product.at = NULL;
    }
    for (int i = 0; i < 4; i++)
        free(part[i].at);
    free(a.at), free(b.at);
    return product;
}

bool stale_fits(const struct level_scheme *s, const struct evidence *e,
                const struct stale *stale)
{
    struct level_scheme without = *s;
    for (int q = 0; q < QUADRANTS; q++)
        without.c[q][stale->product] = 0;
    struct part product = stale_product(s, e, stale), rest = all_of_c(&without, e);
    long m = e->m / 2, n = e->n / 2;
    bool same = product.at && rest.at;
    double largest = 0, factor = 0;
    for (int round = 0; round < 2 && same; round++)
        for (long i = 0; i < e->c->rows && same; i++)
            for (long j = 0; j < e->c->cols && same; j++) {
                int times = s->c[2 * (i >= m) + (j >= n)][stale->product];
                double term = times * product.at[i % m * n + j % n],
                       is = matrix_get(e->c, i, j) - rest.at[i * rest.ld + j];
                if (round)
                    same = fabs(is - factor * term) <= 1e-6 * (1 + fabs(is));
                else if (fabs(term) > largest)
                    largest = fabs(term), factor = is / term;
            }
    free(product.at), free(rest.at);
    return same && factor != 0;
}

/* ---- one level, from the products of quadrants ---- */

bool search_begin(struct search *search, const struct evidence *e)
{
    *search = (struct search){.e = e, .m = e->m / 2, .n = e->n / 2};
    if (e->t->levels != 1)
        return true;
    struct part a = copy_of(e->a, e->m, e->k), b = copy_of(e->b, e->k, e->n);
    bool enough = a.at && b.at;
    for (int i = 0; i < QUADRANTS * QUADRANTS && enough; i++) {
        struct part c = new_part(search->m, search->n);
        search->products[i / QUADRANTS][i % QUADRANTS] = c.at;
        enough = c.at;
        if (enough)
            multiply(quarter_of(a, i / QUADRANTS), quarter_of(b, i % QUADRANTS), c);
    }
    free(a.at), free(b.at);
    return enough;
}

void search_end(struct search *search)
{
    for (int i = 0; i < QUADRANTS * QUADRANTS; i++)
        free(search->products[i / QUADRANTS][i % QUADRANTS]);
}

struct computed computed_by(const struct level_scheme *s)
{
    struct computed all = {0};
    for (int q = 0; q < QUADRANTS; q++)
        for (int p = 0; p < PRODUCTS; p++)
            for (int i = 0; i < QUADRANTS; i++)
                for (int j = 0; j < QUADRANTS; j++)
                    all.times[q][i][j] += s->c[q][p] * s->a[p][i] * s->b[p][j];
    return all;
}

double computed_element(const struct search *search, const struct computed *c, int q, long i,
                        long j)
{
    double sum = 0;
    for (int l = 0; l < QUADRANTS; l++)
        for (int r = 0; r < QUADRANTS; r++)
            if (c->times[q][l][r])
                sum += c->times[q][l][r] * search->products[l][r][i * search->n + j];
    return sum;
}

static bool fits_at(const struct search *search, const struct computed *c, long i, long j)
{
    return computed_element(search, c, 2 * (i >= search->m) + (j >= search->n), i % search->m,
                            j % search->n) == matrix_get(search->e->c, i, j);
}

bool scheme_fits(const struct search *search, const struct level_scheme *s)
{
    const struct evidence *e = search->e;
    if (e->t->levels != 1)
        return all_levels_fit(s, e);
    struct computed c = computed_by(s);
    for (int at = 0; at < e->count; at++) /* first some of the wrong elements, then all */
        if (!fits_at(search, &c, e->rows[at], e->cols[at]))
            return false;
    for (long i = 0; i < e->c->rows; i++)
        for (long j = 0; j < e->c->cols; j++)
            if (!fits_at(search, &c, i, j))
                return false;
    return true;
}

bool is_new(struct search *search, const struct level_scheme *s)
{
    struct computed computes = computed_by(s);
    if ((search->found.count && memcmp(&computes, &search->first, sizeof computes) == 0) ||
        !scheme_fits(search, s))
        return false;
    if (!search->found.count)
        search->first = computes;
    return true;
}

/* ---- names ---- */

const char *const quadrant_names[QUADRANTS] = {"11", "12", "21", "22"};

struct name name_of(const struct level_scheme *s, int p)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "M%d", p + 1);
    if (s->c[QUADRANTS - 1][PRODUCTS - 1]) /* there are eight */
        snprintf(name.text, sizeof name.text, "A%d%d B%d%d", p / 4 + 1, p % 2 + 1, p % 2 + 1,
                 p / 2 % 2 + 1);
    return name;
}

struct name sum_of(const int side[QUADRANTS], char matrix)
{
    struct name sum = {""};
    for (int negative = 0; negative < 2; negative++) /* "A21 - A11" */
        for (int q = 0; q < QUADRANTS; q++) {
            size_t length = strlen(sum.text);
            if (side[q] && (side[q] < 0) == negative)
                snprintf(sum.text + length, sizeof sum.text - length, "%s%c%s",
                         negative ? length ? " - " : "-"
                         : length ? " + "
                                  : "",
                         matrix, quadrant_names[q]);
        }
    return sum;
}
