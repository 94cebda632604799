/* SPDX-License-Identifier: MIT */
#include "schemes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct scheme scheme_strassen = {
    .a = {{1, 0, 0, 1},
          {0, 0, 1, 1},
          {1, 0, 0, 0},
          {0, 0, 0, 1},
          {1, 1, 0, 0},
          {-1, 0, 1, 0},
          {0, 1, 0, -1}},
    .b = {{1, 0, 0, 1},
          {1, 0, 0, 0},
          {0, 1, 0, -1},
          {-1, 0, 1, 0},
          {0, 0, 0, 1},
          {1, 1, 0, 0},
          {0, 0, 1, 1}},
    .c = {{1, 0, 0, 1, -1, 0, 1},
          {0, 0, 1, 0, 1, 0, 0},
          {0, 1, 0, 1, 0, 0, 0},
          {1, -1, 1, 0, 0, 1, 0}},
};

/* C11 = A11 B11 + A12 B21 and so on. */
const struct scheme scheme_classical = {
    .a = {{1, 0, 0, 0},
          {0, 1, 0, 0},
          {1, 0, 0, 0},
          {0, 1, 0, 0},
          {0, 0, 1, 0},
          {0, 0, 0, 1},
          {0, 0, 1, 0},
          {0, 0, 0, 1}},
    .b = {{1, 0, 0, 0},
          {0, 0, 1, 0},
          {0, 1, 0, 0},
          {0, 0, 0, 1},
          {1, 0, 0, 0},
          {0, 0, 1, 0},
          {0, 1, 0, 0},
          {0, 0, 0, 1}},
    .c = {{1, 1}, {0, 0, 1, 1}, {0, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 0, 0, 1, 1}},
};

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

void scheme_of_winograd(struct scheme *s, const struct two_terms sums[2][4])
{
    for (int side = 0; side < 2; side++) {
        int place[8][QUADRANTS] = {{0}};
        for (int q = 0; q < QUADRANTS; q++)
            place[q][q] = 1;
        for (int i = 0; i < 4; i++)
            for (int q = 0; q < QUADRANTS; q++)
                place[4 + i][q] =
                    (sums[side][i].first_sign < 0 ? -1 : 1) * place[sums[side][i].first][q] +
                    sums[side][i].sign * place[sums[side][i].second][q];
        for (int p = 0; p < 7; p++)
            memcpy(side ? s->b[p] : s->a[p], place[winograd_factors[side][p]], sizeof s->a[p]);
    }
    memcpy(s->c, winograd_c, sizeof winograd_c);
}

struct scheme scheme_of(enum bound_kind kind)
{
    struct scheme winograd = {0};
    switch (kind) {
    case BOUND_CLASSICAL:
        return scheme_classical;
    case BOUND_STRASSEN:
        return scheme_strassen;
    case BOUND_WINOGRAD:
        scheme_of_winograd(&winograd, winograd_sums);
        return winograd;
    }
    abort(); /* no other kind */
}

int products_of(enum bound_kind kind)
{
    switch (kind) {
    case BOUND_CLASSICAL:
        return PRODUCTS;
    case BOUND_STRASSEN:
    case BOUND_WINOGRAD:
        return PRODUCTS - 1;
    }
    abort(); /* no other kind */
}

/* ---- whether all elements are as a scheme computes them ---- */

/** Rows after rows, a part of a larger matrix. */
struct part {
    double *at;
    long rows, cols, ld;
};

static struct part quarter_of(struct part x, int q)
{
    long m = x.rows / 2, n = x.cols / 2;
    return (struct part){x.at + q / 2 * m * x.ld + q % 2 * n, m, n, x.ld};
}

/** Adds `sign` times x to y. */
static void add_part(struct part x, int sign, struct part y)
{
    for (long i = 0; i < y.rows; i++)
        for (long j = 0; j < y.cols; j++)
            y.at[i * y.ld + j] += sign * x.at[i * x.ld + j];
}

static struct part new_part(long rows, long cols)
{
    return (struct part){calloc((size_t)(rows * cols), sizeof(double)), rows, cols, cols};
}

static bool multiply_parts(const struct scheme *s, struct part a, struct part b, struct part c,
                           int levels, const struct stale *stale);

/** Makes the factors of product p. */
static void add_factors(const struct scheme *s, int p, struct part a, struct part b,
                        struct part left, struct part right)
{
    for (int q = 0; q < QUADRANTS; q++) {
        if (s->a[p][q])
            add_part(quarter_of(a, q), s->a[p][q], left);
        if (s->b[p][q])
            add_part(quarter_of(b, q), s->b[p][q], right);
    }
}

/** c += a * b by `levels` levels; false: no memory. */
static bool add_product(const struct scheme *s, int p, struct part a, struct part b,
                        struct part c, int levels, const struct stale *stale)
{
    struct part left = new_part(a.rows / 2, a.cols / 2),
                right = new_part(b.rows / 2, b.cols / 2),
                product = new_part(c.rows / 2, c.cols / 2);
    bool enough = left.at && right.at && product.at;
    if (enough && stale && stale->product == p) { /* one level of square matrices */
        struct part old = new_part(left.rows, left.cols);
        enough = old.at;
        if (enough) {
            add_factors(s, stale->other, a, b, left, right);
            enough = multiply_parts(s, left, right, old, 0, NULL);
            if (stale->kind == IS_LEFT_SUM || stale->kind == IS_RIGHT_SUM)
                add_part(stale->kind == IS_LEFT_SUM ? left : right, 1, product);
            add_part(left, -1, left), add_part(right, -1, right);
            add_factors(s, p, a, b, left, right);
            if (stale->kind == LEFT_IS_PRODUCT || stale->kind == RIGHT_IS_PRODUCT)
                enough = multiply_parts(s, stale->kind == LEFT_IS_PRODUCT ? old : left,
                                        stale->kind == LEFT_IS_PRODUCT ? right : old, product,
                                        0, NULL);
        }
        free(old.at);
    } else if (enough) {
        add_factors(s, p, a, b, left, right);
        enough = multiply_parts(s, left, right, product, levels - 1, NULL);
    }
    for (int q = 0; q < QUADRANTS && enough; q++)
        if (s->c[q][p])
            add_part(product, s->c[q][p], quarter_of(c, q));
    free(left.at);
    free(right.at);
    free(product.at);
    return enough;
}

static bool multiply_parts(const struct scheme *s, struct part a, struct part b, struct part c,
                           int levels, const struct stale *stale)
{
    bool enough = true;
    if (levels == 0)
        for (long i = 0; i < c.rows; i++)
            for (long l = 0; l < a.cols; l++)
                for (long j = 0; j < c.cols; j++)
                    c.at[i * c.ld + j] += a.at[i * a.ld + l] * b.at[l * b.ld + j];
    for (int p = 0; p < PRODUCTS && levels > 0 && enough; p++)
        enough = add_product(s, p, a, b, c, levels, stale);
    return enough;
}

/** A copy in the corner of zeros; copy->at is NULL without memory. */
static bool copy_part(const struct matrix *x, long rows, long cols, struct part *copy)
{
    *copy = new_part(rows, cols);
    for (long i = 0; i < x->rows && copy->at; i++)
        matrix_get_row(x, i, copy->at + i * cols);
    return copy->at;
}

/** C as the scheme computes it; c.at is NULL without memory. */
static struct part all_of_c(const struct scheme *s, const struct wrong_elements *w,
                            const struct stale *stale)
{
    struct part a = {0}, b = {0}, c = new_part(w->m, w->n);
    if (!copy_part(w->a, w->m, w->k, &a) || !copy_part(w->b, w->k, w->n, &b) || !c.at ||
        !multiply_parts(s, a, b, c, w->levels, stale)) {
        free(c.at);
        c.at = NULL;
    }
    free(a.at);
    free(b.at);
    return c;
}

/** Every block-th row of A from `row` on and every block-th column of B from `column` on. A
 * method's levels add whole blocks, so these rows and columns alone make the elements of C in
 * them. */
struct lattice {
    struct part a, b, c;
};

static void free_lattice(struct lattice *l) { free(l->a.at), free(l->b.at), free(l->c.at); }

/** The lattice of an element's place in its block; its a, b or c is NULL without memory. */
static struct lattice lattice_of(const struct wrong_elements *w, long row, long column)
{
    long side = 1L << w->levels, rows = w->m / side, cols = w->n / side;
    struct lattice l = {new_part(side, w->k), new_part(w->k, side), new_part(side, side)};
    for (long r = 0; r < side && l.a.at && l.b.at; r++) {
        for (long i = 0; i < w->k && row + r * rows < w->a->rows && i < w->a->cols; i++)
            l.a.at[r * w->k + i] = matrix_get(w->a, row + r * rows, i);
        for (long i = 0; i < w->b->rows && column + r * cols < w->b->cols; i++)
            l.b.at[i * side + r] = matrix_get(w->b, i, column + r * cols);
    }
    return l;
}

/** Whether C is as the scheme computes it in the lattice of element (i, j). */
static bool lattice_fits(const struct scheme *s, const struct wrong_elements *w, long i, long j)
{
    long side = 1L << w->levels, rows = w->m / side, cols = w->n / side;
    struct lattice l = lattice_of(w, i % rows, j % cols);
    bool same = l.a.at && l.b.at && l.c.at && multiply_parts(s, l.a, l.b, l.c, w->levels, NULL);
    for (long r = 0; r < side * side && same; r++) {
        long row = i % rows + r / side * rows, column = j % cols + r % side * cols;
        same = row >= w->c->rows || column >= w->c->cols ||
               l.c.at[r] == matrix_get(w->c, row, column);
    }
    free_lattice(&l);
    return same;
}

/** Several levels: first where some of the wrong elements are, which takes little time, then
 * everywhere. */
static bool all_levels_fit(const struct scheme *s, const struct wrong_elements *w)
{
    for (int e = 0; e < w->count; e++)
        if (!lattice_fits(s, w, w->rows[e], w->cols[e]))
            return false;
    struct part c = all_of_c(s, w, NULL);
    bool same = c.at;
    for (long i = 0; i < w->c->rows && same; i++)
        for (long j = 0; j < w->c->cols && same; j++)
            same = c.at[i * c.ld + j] == matrix_get(w->c, i, j);
    free(c.at);
    return same;
}

bool stale_fits(const struct scheme *s, const struct wrong_elements *w,
                const struct stale *stale)
{
    struct scheme without = *s;
    for (int q = 0; q < QUADRANTS; q++)
        without.c[q][stale->product] = 0;
    struct part with = all_of_c(s, w, stale), rest = all_of_c(&without, w, NULL);
    bool same = with.at && rest.at;
    double largest = 0, factor = 0;
    for (int round = 0; round < 2 && same; round++)
        for (long i = 0; i < w->c->rows && same; i++)
            for (long j = 0; j < w->c->cols && same; j++) {
                double term = with.at[i * with.ld + j] - rest.at[i * rest.ld + j],
                       is = matrix_get(w->c, i, j) - rest.at[i * rest.ld + j];
                if (round)
                    same = fabs(is - factor * term) <= 1e-6 * (1 + fabs(is));
                else if (fabs(term) > largest)
                    largest = fabs(term), factor = is / term;
            }
    free(with.at);
    free(rest.at);
    return same && factor != 0;
}

/* ---- one level, from the products of quadrants ---- */

static bool make_products(struct quadrant_products *x, const struct wrong_elements *w)
{
    struct part a, b;
    bool first = copy_part(w->a, w->m, w->k, &a), second = copy_part(w->b, w->k, w->n, &b),
         enough = first && second;
    *x = (struct quadrant_products){.m = w->m / 2, .n = w->n / 2};
    for (int i = 0; i < QUADRANTS && enough; i++)
        for (int j = 0; j < QUADRANTS && enough; j++) {
            struct part c = new_part(x->m, x->n);
            x->of[i][j] = c.at;
            enough =
                c.at && multiply_parts(NULL, quarter_of(a, i), quarter_of(b, j), c, 0, NULL);
        }
    free(a.at);
    free(b.at);
    return enough;
}

bool search_begin(struct search *found, const struct wrong_elements *wrong, char *text,
                  size_t size)
{
    *found = (struct search){.wrong = wrong, .text = text, .size = size};
    return wrong->levels != 1 || make_products(&found->products, wrong);
}

void search_end(struct search *found)
{
    for (int i = 0; i < QUADRANTS; i++)
        for (int j = 0; j < QUADRANTS; j++)
            free(found->products.of[i][j]);
}

struct computed computed_by(const struct scheme *s)
{
    struct computed all = {0};
    for (int q = 0; q < QUADRANTS; q++)
        for (int p = 0; p < PRODUCTS; p++)
            for (int i = 0; i < QUADRANTS; i++)
                for (int j = 0; j < QUADRANTS; j++)
                    all.times[q][i][j] += s->c[q][p] * s->a[p][i] * s->b[p][j];
    return all;
}

double computed_element(const struct quadrant_products *x, const struct computed *c, int q,
                        long i, long j)
{
    double sum = 0;
    for (int l = 0; l < QUADRANTS; l++)
        for (int r = 0; r < QUADRANTS; r++)
            if (c->times[q][l][r])
                sum += c->times[q][l][r] * x->of[l][r][i * x->n + j];
    return sum;
}

static bool fits_at(const struct search *found, const struct computed *c, long i, long j)
{
    const struct quadrant_products *x = &found->products;
    return computed_element(x, c, 2 * (i >= x->m) + (j >= x->n), i % x->m, j % x->n) ==
           matrix_get(found->wrong->c, i, j);
}

/* First some of the wrong elements, then all. */
static bool level_fits(const struct search *found, const struct computed *c)
{
    const struct wrong_elements *w = found->wrong;
    for (int e = 0; e < w->count; e++)
        if (!fits_at(found, c, w->rows[e], w->cols[e]))
            return false;
    for (long i = 0; i < w->c->rows; i++)
        for (long j = 0; j < w->c->cols; j++)
            if (!fits_at(found, c, i, j))
                return false;
    return true;
}

bool is_new(struct search *found, const struct scheme *s)
{
    struct computed computes = computed_by(s);
    bool known = found->count && memcmp(&computes, &found->first, sizeof computes) == 0;
    if (known || !(found->wrong->levels == 1 ? level_fits(found, &computes)
                                             : all_levels_fit(s, found->wrong)))
        return false;
    if (found->count == 0)
        found->first = computes;
    return ++found->count == 1;
}

/* ---- names ---- */

const char *const quadrant_names[QUADRANTS] = {"11", "12", "21", "22"};

const char *name_of(const struct scheme *s, int p, char name[16])
{
    int i = 0, j = 0;
    snprintf(name, 16, "M%d", p + 1);
    if (!memcmp(s, &scheme_classical, sizeof *s)) {
        while (!s->a[p][i])
            i++;
        while (!s->b[p][j])
            j++;
        snprintf(name, 16, "A%s B%s", quadrant_names[i], quadrant_names[j]);
    }
    return name;
}

const char *sum_of(const int side[QUADRANTS], char matrix, char sum[64])
{
    *sum = '\0';
    for (int negative = 0; negative < 2; negative++) /* "A21 - A11" */
        for (int q = 0; q < QUADRANTS; q++)
            if (side[q] && (side[q] < 0) == negative)
                snprintf(sum + strlen(sum), 64 - strlen(sum), "%s%c%s",
                         negative ? *sum ? " - " : "-"
                         : *sum   ? " + "
                                  : "",
                         matrix, quadrant_names[q]);
    return sum;
}
