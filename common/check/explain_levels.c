/* SPDX-License-Identifier: MIT */
/** @file explain_levels.c
 * Which sign, operand or product of Strassen's or Winograd's method, or of the eight products
 * of halves, is wrong: C is computed with one thing changed at a time, on each level the same
 * one, and compared with the C that came out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check/explain.h"

enum { PRODUCTS = 8, QUADRANTS = 4 };

/** One level: product p is the sum of A's quadrants with the coefficients a[p] times that of
 * B's with b[p]; quadrant q of C is the sum of the products with the coefficients c[q]. */
struct scheme {
    int a[PRODUCTS][QUADRANTS], b[PRODUCTS][QUADRANTS], c[QUADRANTS][PRODUCTS];
};

/* Quadrants in the order 11, 12, 21, 22. */
static const struct scheme strassen = {
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
static const struct scheme classical = {
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

/* Winograd's products in the order in which the sums S1 to S8 are made. These contain each
   other, so they are given as they are made. */
static const int winograd_c[QUADRANTS][PRODUCTS] = {{0, 1, 1, 0, 0, 0, 0},
                                                    {1, 1, 0, 0, 1, 1, 0},
                                                    {1, 1, 0, 1, 0, 0, -1},
                                                    {1, 1, 0, 1, 1, 0, 0}};
struct two_terms {
    int first, second; /**< a quadrant, or 4 + the number of a sum from 0 */
    int sign;          /**< of the second */
};
static const struct two_terms winograd_sums[2][4] = {
    {{2, 3, 1}, {4, 0, -1}, {0, 2, -1}, {1, 5, -1}},  /* S1 to S4, of A */
    {{1, 0, -1}, {3, 4, -1}, {3, 1, -1}, {5, 2, -1}}, /* S5 to S8, of B */
};
/* The factors of M1 to M7, as quadrants or sums. */
static const int winograd_factors[2][7] = {{5, 0, 1, 6, 4, 7, 3}, {5, 0, 2, 6, 4, 3, 7}};

static void winograd_from(struct scheme *s, const struct two_terms sums[2][4])
{
    for (int side = 0; side < 2; side++) {
        int place[8][QUADRANTS] = {{0}};
        for (int q = 0; q < QUADRANTS; q++)
            place[q][q] = 1;
        for (int i = 0; i < 4; i++)
            for (int q = 0; q < QUADRANTS; q++)
                place[4 + i][q] = place[sums[side][i].first][q] +
                                  sums[side][i].sign * place[sums[side][i].second][q];
        for (int p = 0; p < 7; p++)
            memcpy(side ? s->b[p] : s->a[p], place[winograd_factors[side][p]], sizeof s->a[p]);
    }
    memcpy(s->c, winograd_c, sizeof winograd_c);
}

/** Element (i, j) of C as the scheme computes it. */
static double scheme_element(const struct scheme *s, const struct wrong_elements *w, long i,
                             long j)
{
    long m = w->a->rows / 2, k = w->a->cols / 2, n = w->b->cols / 2;
    int quadrant = 2 * (i >= m) + (j >= n);
    double result = 0;
    for (int p = 0; p < PRODUCTS; p++) {
        if (!s->c[quadrant][p])
            continue;
        double product = 0;
        for (long l = 0; l < k; l++) {
            double left = 0, right = 0;
            for (int q = 0; q < QUADRANTS; q++) {
                left += s->a[p][q]
                            ? s->a[p][q] * matrix_get(w->a, i % m + q / 2 * m, l + q % 2 * k)
                            : 0;
                right += s->b[p][q]
                             ? s->b[p][q] * matrix_get(w->b, l + q / 2 * k, j % n + q % 2 * n)
                             : 0;
            }
            product += left * right;
        }
        result += s->c[quadrant][p] * product;
    }
    return result;
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

/** One level with a wrong operand: what lies in a temporary from before. */
struct stale {
    int product; /**< that is made of it, or in whose place it stands */
    enum { LEFT_IS_PRODUCT, RIGHT_IS_PRODUCT, IS_LEFT_SUM, IS_RIGHT_SUM, KINDS_OF_STALE } kind;
    int other; /**< the product it comes from */
};

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

static bool copy_part(const struct matrix *x, struct part *copy)
{
    *copy = new_part(x->rows, x->cols);
    for (long i = 0; i < x->rows && copy->at; i++)
        matrix_get_row(x, i, copy->at + i * x->cols);
    return copy->at;
}

/** C as the scheme computes it; c.at is NULL without memory. */
static struct part all_of_c(const struct scheme *s, const struct wrong_elements *w,
                            const struct stale *stale)
{
    struct part a = {0}, b = {0}, c = new_part(w->c->rows, w->c->cols);
    if (!copy_part(w->a, &a) || !copy_part(w->b, &b) || !c.at ||
        !multiply_parts(s, a, b, c, w->levels, stale)) {
        free(c.at);
        c.at = NULL;
    }
    free(a.at);
    free(b.at);
    return c;
}

/** Several levels. */
static bool all_levels_fit(const struct scheme *s, const struct wrong_elements *w)
{
    struct part c = all_of_c(s, w, NULL);
    bool same = c.at;
    for (long i = 0; i < c.rows && same; i++)
        for (long j = 0; j < c.cols && same; j++)
            same = c.at[i * c.ld + j] == matrix_get(w->c, i, j);
    free(c.at);
    return same;
}

/** Whether C is as with the stale operand, up to a factor that only products have: an exercise
 * may scale them, and its sums not. */
static bool stale_fits(const struct scheme *s, const struct wrong_elements *w,
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

static bool fits(const struct scheme *s, const struct wrong_elements *w)
{
    if (w->levels > 1)
        return all_levels_fit(s, w);
    for (int e = 0; e < w->count; e++)
        if (scheme_element(s, w, w->rows[e], w->cols[e]) !=
            matrix_get(w->c, w->rows[e], w->cols[e]))
            return false;
    for (long i = 0; i < w->c->rows; i++)
        for (long j = 0; j < w->c->cols; j++)
            if (scheme_element(s, w, i, j) != matrix_get(w->c, i, j))
                return false;
    return true;
}

/* ---- one thing changed at a time ---- */

/** What a scheme computes: C's quadrant q holds so often the product of A's quadrant i and B's
 * quadrant j. Two changes with the same one are one explanation. */
struct computed {
    int times[QUADRANTS][QUADRANTS][QUADRANTS];
};

struct search {
    const struct wrong_elements *wrong;
    struct computed first; /**< of the first scheme that fits */
    int count;
    char *text;
    size_t size;
};

static struct computed computed_by(const struct scheme *s)
{
    struct computed all = {0};
    for (int q = 0; q < QUADRANTS; q++)
        for (int p = 0; p < PRODUCTS; p++)
            for (int i = 0; i < QUADRANTS; i++)
                for (int j = 0; j < QUADRANTS; j++)
                    all.times[q][i][j] += s->c[q][p] * s->a[p][i] * s->b[p][j];
    return all;
}

/** Whether this scheme is an explanation that was not known. */
static bool is_new(struct search *found, const struct scheme *s)
{
    struct computed computes = computed_by(s);
    if (!fits(s, found->wrong) ||
        (found->count && memcmp(&computes, &found->first, sizeof computes) == 0))
        return false;
    if (found->count == 0)
        found->first = computes;
    return ++found->count == 1;
}

static const char *const quadrant[] = {"11", "12", "21", "22"};

#define EXPLAIN(...) snprintf(found->text, found->size, __VA_ARGS__)

/** "M6", or "A11 B12" of the eight products of halves. */
static const char *name_of(const struct scheme *s, int p, char name[16])
{
    int i = 0, j = 0;
    snprintf(name, 16, "M%d", p + 1);
    if (!memcmp(s, &classical, sizeof *s)) {
        while (!s->a[p][i])
            i++;
        while (!s->b[p][j])
            j++;
        snprintf(name, 16, "A%s B%s", quadrant[i], quadrant[j]);
    }
    return name;
}

/** One operand of one product negated, left out, or another one in its place. */
static void try_operands(struct search *found, const struct scheme *right, int p, char matrix)
{
    struct scheme s = *right;
    int *side = matrix == 'A' ? s.a[p] : s.b[p], was[QUADRANTS], terms = 0;
    char name[16];
    name_of(right, p, name);
    memcpy(was, side, sizeof was);
    for (int q = 0; q < QUADRANTS; q++)
        terms += was[q] != 0;
    for (int q = 0; q < QUADRANTS; q++) {
        if (!was[q])
            continue;
        side[q] = -was[q];
        if (terms > 1 && is_new(found, &s))
            EXPLAIN("In %s the sign of %c%s is wrong.", name, matrix, quadrant[q]);
        side[q] = 0;
        if (terms > 1 && is_new(found, &s))
            EXPLAIN("In %s %c%s is missing.", name, matrix, quadrant[q]);
        for (int other = 0; other < QUADRANTS; other++) {
            if (was[other])
                continue;
            side[other] = was[q];
            if (is_new(found, &s))
                EXPLAIN("%s has %c%s where %c%s belongs.", name, matrix, quadrant[other],
                        matrix, quadrant[q]);
            side[other] = 0;
        }
        side[q] = was[q];
    }
}

/** A product that has the wrong sign wherever it goes, or is missing there. */
static void try_sign(struct search *found, const struct scheme *right, int p)
{
    for (int factor = -1; factor <= 0; factor++) {
        struct scheme s = *right;
        char name[16], places[64] = "";
        for (int q = 0; q < QUADRANTS; q++) {
            s.c[q][p] *= factor;
            if (right->c[q][p])
                snprintf(places + strlen(places), sizeof places - strlen(places), "%sC%s",
                         *places ? " and " : "", quadrant[q]);
        }
        if (is_new(found, &s))
            EXPLAIN("%s %s in %s.", name_of(right, p, name),
                    factor ? "has the wrong sign" : "is missing", places);
    }
}

/** A product that goes into a quadrant of C with the wrong sign, not at all, twice, by mistake,
 * or in another one's place. */
static void try_uses(struct search *found, const struct scheme *right, int q, int p)
{
    struct scheme s = *right;
    int was = s.c[q][p];
    static const int others[] = {-1, 0, 1, 2};
    char name[16], belongs[16];
    name_of(right, p, name);
    for (int i = 0; i < 4; i++) {
        s.c[q][p] = others[i];
        if (others[i] == was || !is_new(found, &s))
            continue;
        EXPLAIN(others[i] == 0   ? "%s is missing in C%s."
                : was == 0       ? "%s is in C%s, where it does not belong."
                : others[i] == 2 ? "%s is in C%s twice."
                                 : "%s has the wrong sign in C%s.",
                name, quadrant[q]);
    }
    s.c[q][p] = was;
    for (int other = 0; other < PRODUCTS; other++) {
        if (was || !s.c[q][other])
            continue;
        s.c[q][p] = s.c[q][other];
        s.c[q][other] = 0;
        if (is_new(found, &s))
            EXPLAIN("C%s has %s where %s belongs.", quadrant[q], name,
                    name_of(right, other, belongs));
        s.c[q][other] = s.c[q][p];
        s.c[q][p] = was;
    }
}

/** Writes a sum of quadrants: "B11 + B22". */
static const char *sum_of(const int side[QUADRANTS], char matrix, char sum[64])
{
    *sum = '\0';
    for (int negative = 0; negative < 2; negative++) /* "A21 - A11" */
        for (int q = 0; q < QUADRANTS; q++)
            if (side[q] && (side[q] < 0) == negative)
                snprintf(sum + strlen(sum), 64 - strlen(sum), "%s%c%s",
                         negative ? *sum ? " - " : "-"
                         : *sum   ? " + "
                                  : "",
                         matrix, quadrant[q]);
    return sum;
}

/** A temporary that was not made anew: a factor of another product in the place of the right
 * one, or another product. */
static void try_stale(struct search *found, const struct scheme *right, int p)
{
    char name[16], others[16], is[64], belongs[64];
    name_of(right, p, name);
    for (int other = 0; other < PRODUCTS - 1; other++) {
        struct scheme s = *right;
        memcpy(s.a[p], right->a[other], sizeof s.a[p]);
        if (is_new(found, &s))
            EXPLAIN("%s has %s where %s belongs.", name, sum_of(s.a[p], 'A', is),
                    sum_of(right->a[p], 'A', belongs));
        memcpy(s.b[p], right->b[other], sizeof s.b[p]);
        if (is_new(found, &s))
            EXPLAIN("%s stands everywhere where %s belongs.", name_of(right, other, others),
                    name);
        memcpy(s.a[p], right->a[p], sizeof s.a[p]);
        if (is_new(found, &s))
            EXPLAIN("%s has %s where %s belongs.", name, sum_of(s.b[p], 'B', is),
                    sum_of(right->b[p], 'B', belongs));
    }
}

/** The same with a product as a factor, or a sum that stands where a product should. */
static void try_stale_products(struct search *found, const struct scheme *right)
{
    enum { MOST = 64 }; /* rows; larger matrices take too long */
    const struct wrong_elements *w = found->wrong;
    struct stale stale;
    if (w->levels != 1 || w->a->rows > MOST || w->a->rows != w->a->cols ||
        w->b->cols != w->b->rows)
        return;
    for (stale.product = 0; stale.product < 7; stale.product++)
        for (int kind = 0; kind < KINDS_OF_STALE; kind++)
            for (stale.other = 0; stale.other < 7; stale.other++) {
                char name[16], other[16], sum[64];
                stale.kind = kind;
                if (stale.other == stale.product || !stale_fits(right, w, &stale))
                    continue;
                name_of(right, stale.product, name);
                name_of(right, stale.other, other);
                if (found->count++)
                    return;
                if (kind == LEFT_IS_PRODUCT || kind == RIGHT_IS_PRODUCT)
                    EXPLAIN("%s is made with %s in the place of its factor from %c.", name,
                            other, kind == LEFT_IS_PRODUCT ? 'A' : 'B');
                else
                    EXPLAIN("%s stands where %s belongs.",
                            sum_of(kind == IS_LEFT_SUM ? right->a[stale.other]
                                                       : right->b[stale.other],
                                   kind == IS_LEFT_SUM ? 'A' : 'B', sum),
                            name);
            }
}

/** A product that goes into another quadrant of C than it should. */
static void try_moves(struct search *found, const struct scheme *right, int p)
{
    char name[16];
    for (int q = 0; q < QUADRANTS; q++)
        for (int to = 0; to < QUADRANTS; to++) {
            struct scheme s = *right;
            if (!s.c[q][p] || s.c[to][p])
                continue;
            s.c[to][p] = s.c[q][p];
            s.c[q][p] = 0;
            if (is_new(found, &s))
                EXPLAIN("%s is in C%s, and belongs into C%s.", name_of(right, p, name),
                        quadrant[to], quadrant[q]);
        }
}

/** A matrix whose quadrants 12 and 21 are exchanged wherever they are read. */
static void try_exchange(struct search *found, const struct scheme *right, char matrix)
{
    struct scheme s = *right;
    for (int p = 0; p < PRODUCTS; p++) {
        int *side = matrix == 'A' ? s.a[p] : s.b[p], was = side[1];
        side[1] = side[2];
        side[2] = was;
    }
    if (is_new(found, &s))
        EXPLAIN("%c12 and %c21 are exchanged.", matrix, matrix);
}

/** One of Winograd's sums made with + for - or the other way round. */
static void try_winograd_sums(struct search *found)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 4; i++) {
            struct two_terms sums[2][4];
            struct scheme s = {0};
            memcpy(sums, winograd_sums, sizeof sums);
            sums[side][i].sign = -sums[side][i].sign;
            winograd_from(&s, (const struct two_terms(*)[4])sums);
            if (is_new(found, &s))
                EXPLAIN("The sum S%d has + where - belongs, or - where + does.",
                        4 * side + i + 1);
        }
}

int explain_level(char *text, size_t size, const struct wrong_elements *w,
                  enum bound_kind method)
{
    enum { MOST_OF_ALL_LEVELS = 64 };
    struct search found = {.wrong = w, .text = text, .size = size};
    long whole = (1L << w->levels) - 1, sides = w->a->rows | w->a->cols | w->b->cols;
    if (!w->count || sides & whole || (w->levels > 1 && sides > 2 * MOST_OF_ALL_LEVELS - 1))
        return 0;
    struct scheme s = method == BOUND_CLASSICAL ? classical : strassen;
    if (method == BOUND_WINOGRAD) {
        memset(&s, 0, sizeof s);
        try_winograd_sums(&found);
        winograd_from(&s, winograd_sums);
    }
    try_exchange(&found, &s, 'A');
    try_exchange(&found, &s, 'B');
    for (int p = 0; p < PRODUCTS; p++) {
        if (p == 7 && method != BOUND_CLASSICAL)
            break;
        try_sign(&found, &s, p);
        try_moves(&found, &s, p);
        try_operands(&found, &s, p, 'A');
        try_operands(&found, &s, p, 'B');
        for (int q = 0; q < QUADRANTS; q++)
            try_uses(&found, &s, q, p);
        if (method != BOUND_CLASSICAL)
            try_stale(&found, &s, p);
    }
    if (!found.count && method != BOUND_CLASSICAL)
        try_stale_products(&found, &s);
    return found.count;
}
