/* SPDX-License-Identifier: MIT */
/** @file sums.c
 * Mistakes that no single sign, operand or product explains: one of Winograd's sums with other
 * terms, a sign that all sums ignore, a product with other factors, and quadrants of C that are
 * another sum of the right products.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schemes.h"

#define EXPLAIN(...) snprintf(found->text, found->size, __VA_ARGS__)

/* ---- one of Winograd's sums ---- */

/** "S5 - B22": a sum as it is made. */
static const char *terms_of(struct two_terms x, int side, char text[64])
{
    char name[2][16];
    int term[] = {x.first, x.second};
    for (int t = 0; t < 2; t++)
        if (term[t] < QUADRANTS)
            snprintf(name[t], sizeof name[t], "%c%s", "AB"[side], quadrant_names[term[t]]);
        else
            snprintf(name[t], sizeof name[t], "S%d", 4 * side + term[t] - QUADRANTS + 1);
    if (x.first_sign < 0 && x.sign > 0)
        snprintf(text, 64, "%s - %s", name[1], name[0]);
    else
        snprintf(text, 64, "%s%s %c %s", x.first_sign < 0 ? "-" : "", name[0],
                 x.sign < 0 ? '-' : '+', name[1]);
    return text;
}

/** Sum i of a side made as x. */
static void try_sum(struct search *found, int side, int i, struct two_terms x)
{
    struct two_terms sums[2][4];
    struct scheme s = {0};
    char is[64], belongs[64];
    memcpy(sums, winograd_sums, sizeof sums);
    sums[side][i] = x;
    scheme_of_winograd(&s, (const struct two_terms(*)[4])sums);
    if (is_new(found, &s))
        EXPLAIN("S%d is %s in place of %s.", 4 * side + i + 1, terms_of(x, side, is),
                terms_of(winograd_sums[side][i], side, belongs));
}

/** Each sum with another term, or other signs, or both; a sum that is not yet made is none. */
static void try_sums(struct search *found)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 4; i++)
            for (int signs = 0; signs < 3; signs++)
                for (int t = 0; t < 2 * (QUADRANTS + i); t++) {
                    struct two_terms x = winograd_sums[side][i];
                    *(t % 2 ? &x.second : &x.first) = t / 2;
                    x.first_sign = signs == 2 ? -1 : 1;
                    x.sign = signs == 1 ? -x.sign : signs == 2 ? 1 : x.sign;
                    if (x.first != x.second)
                        try_sum(found, side, i, x);
                }
}

/* ---- a sign in the one function that makes all sums ---- */

enum { IGNORED, NEGATED, MADE_NEGATIVE, WAYS };

/** The second term's sign in all sums of two quadrants. Of two that are added, the second one
 * is that with the higher number. */
static void change_seconds(int sums[PRODUCTS][QUADRANTS], int way)
{
    for (int p = 0; p < PRODUCTS; p++) {
        int terms = 0, second = -1;
        for (int q = 0; q < QUADRANTS; q++)
            terms += sums[p][q] != 0;
        for (int q = 0; q < QUADRANTS; q++)
            if (sums[p][q] && (second < 0 || sums[p][q] < 0 || sums[p][second] > 0))
                second = q;
        if (terms == 2)
            sums[p][second] = way == IGNORED ? 1 : way == NEGATED ? -sums[p][second] : -1;
    }
}

static void try_all_sums(struct search *found, const struct scheme *right)
{
    static const char *const whose[] = {"", "A's", "B's", "A's and B's"};
    static const char *const wrong[] = {"is + where it should be -",
                                        "is the opposite of what it should be",
                                        "is - where it should be +"};
    for (int way = 0; way < WAYS; way++)
        for (int sides = 1; sides < 4; sides++) {
            struct scheme s = *right;
            if (sides & 1)
                change_seconds(s.a, way);
            if (sides & 2)
                change_seconds(s.b, way);
            if (is_new(found, &s))
                EXPLAIN("In all sums of %s quadrants the second one's sign %s.", whose[sides],
                        wrong[way]);
        }
}

/* ---- a product with other factors ---- */

enum { FACTORS = 81 }; /* each of four quadrants added, subtracted or neither */

static void factor_of(int number, int side[QUADRANTS])
{
    for (int q = 0; q < QUADRANTS; q++, number /= 3)
        side[q] = number % 3 - 1;
}

/* How far a factor is from the right one; of two that are equally far, the one with fewer
   negative terms is nearer. */
static int distance(const int x[QUADRANTS], const int y[QUADRANTS])
{
    int far = 0;
    for (int q = 0; q < QUADRANTS; q++)
        far += (x[q] != y[q]) * 16 + (x[q] < 0);
    return far;
}

/** "(A12 + A22)", and "A11" where it is one. */
static const char *factor_name(const int side[QUADRANTS], char matrix, char name[72])
{
    char sum[64];
    sum_of(side, matrix, sum);
    snprintf(name, 72, strchr(sum, ' ') ? "(%s)" : "%s", *sum ? sum : "0");
    return name;
}

/** Both factors of a product changed: of all that fit, those that are nearest to the right
 * ones.
 */
static void try_factors(struct search *found, const struct scheme *right, int p)
{
    struct scheme nearest = *right, s = *right;
    int least = INT_MAX;
    char name[16], is[2][72], belongs[2][72];
    for (int left = 0; left < FACTORS; left++)
        for (int other = 0; other < FACTORS; other++) {
            factor_of(left, s.a[p]);
            factor_of(other, s.b[p]);
            int far = distance(s.a[p], right->a[p]) + distance(s.b[p], right->b[p]);
            struct search alone = {.wrong = found->wrong, .products = found->products};
            if (far < least && is_new(&alone, &s))
                nearest = s, least = far;
        }
    if (least < INT_MAX && is_new(found, &nearest))
        EXPLAIN("%s is %s %s in place of %s %s.", name_of(right, p, name),
                factor_name(nearest.a[p], 'A', is[0]), factor_name(nearest.b[p], 'B', is[1]),
                factor_name(right->a[p], 'A', belongs[0]),
                factor_name(right->b[p], 'B', belongs[1]));
}

/* ---- quadrants of C that are other sums of the right products ---- */

/** Solves the equations by Gauss's method; false: they do not determine the unknowns. */
static bool solve(double x[PRODUCTS][PRODUCTS + 1], int unknowns)
{
    for (int i = 0; i < unknowns; i++) {
        int pivot = i;
        for (int r = i + 1; r < unknowns; r++)
            if (fabs(x[r][i]) > fabs(x[pivot][i]))
                pivot = r;
        if (fabs(x[pivot][i]) < 1e-3)
            return false;
        for (int j = 0; j <= unknowns; j++) {
            double swap = x[i][j];
            x[i][j] = x[pivot][j], x[pivot][j] = swap;
        }
        for (int r = 0; r < unknowns; r++)
            for (int j = unknowns; r != i && j >= i; j--)
                x[r][j] -= x[r][i] / x[i][i] * x[i][j];
    }
    return true;
}

/** Which multiples of the right products are nearest to quadrant q of C, in whole numbers. */
static bool nearest_multiples(const struct search *found, const struct scheme *right,
                              int products, int q, int multiples[PRODUCTS])
{
    enum { MOST = 2 };
    double equations[PRODUCTS][PRODUCTS + 1] = {{0}};
    const struct wrong_elements *w = found->wrong;
    long m = found->products.m, n = found->products.n;
    struct computed each[PRODUCTS];
    for (int p = 0; p < products; p++) {
        struct scheme one = *right;
        memset(one.c, 0, sizeof one.c);
        one.c[q][p] = 1;
        each[p] = computed_by(&one);
    }
    for (long i = q / 2 * m; i < (q / 2 + 1) * m && i < w->c->rows; i++)
        for (long j = q % 2 * n; j < (q % 2 + 1) * n && j < w->c->cols; j++) {
            double value[PRODUCTS + 1];
            for (int p = 0; p < products; p++)
                value[p] = computed_element(&found->products, &each[p], q, i % m, j % n);
            value[products] = matrix_get(w->c, i, j);
            if (isnan(value[products]))
                return false;
            for (int p = 0; p < products; p++)
                for (int other = 0; other <= products; other++)
                    equations[p][other] += value[p] * value[other];
        }
    if (!solve(equations, products))
        return false;
    for (int p = 0; p < products; p++) {
        double multiple = nearbyint(equations[p][products] / equations[p][p]);
        if (!(fabs(multiple) <= MOST))
            return false;
        multiples[p] = (int)multiple;
    }
    return true;
}

/** "M1 + M4 - M5", "A11 B11 + A12 B21", "0". */
static void add_multiples(char *text, size_t size, const struct scheme *right,
                          const int multiples[PRODUCTS])
{
    size_t begun = strlen(text);
    for (int p = 0; p < PRODUCTS; p++) {
        size_t end = strlen(text);
        char name[16];
        if (multiples[p])
            snprintf(text + end, size - end, "%s%s%s",
                     end == begun       ? multiples[p] < 0 ? "-" : ""
                     : multiples[p] < 0 ? " - "
                                        : " + ",
                     abs(multiples[p]) == 2 ? "2 " : "", name_of(right, p, name));
    }
    if (strlen(text) == begun)
        snprintf(text + begun, size - begun, "0");
}

static void try_quadrants_of_c(struct search *found, const struct scheme *right, int products)
{
    struct scheme s = *right;
    char text[400] = "";
    for (int q = 0; q < QUADRANTS; q++) {
        int multiples[PRODUCTS] = {0};
        if (!nearest_multiples(found, right, products, q, multiples))
            return;
        memcpy(s.c[q], multiples, sizeof multiples);
        if (memcmp(s.c[q], right->c[q], sizeof multiples) == 0)
            continue;
        size_t end = strlen(text);
        snprintf(text + end, sizeof text - end, "%sC%s is ", end ? ", " : "",
                 quadrant_names[q]);
        add_multiples(text, sizeof text, right, multiples);
        end = strlen(text);
        snprintf(text + end, sizeof text - end, " in place of ");
        add_multiples(text, sizeof text, right, right->c[q]);
    }
    if (is_new(found, &s))
        EXPLAIN("%s.", text);
}

/* ---- indices of quarters ---- */

enum { ROW, COLUMN, INNER, FIRST, SECOND, INDICES };
static const char *const index_names[INDICES] = {"i", "j", "l", "1", "2"};

/** Quadrant (row, column), each one of the indices of product p = A_il B_lj, or fixed. */
static int quadrant_at(int p, int row, int column)
{
    int value[INDICES] = {[ROW] = p / 4, [COLUMN] = p / 2 % 2, [INNER] = p % 2, [SECOND] = 1};
    return 2 * value[row] + value[column];
}

/** The eight products of halves with other quarters of A, of B or of C. */
static void try_quarters(struct search *found, const struct scheme *right)
{
    static const int belongs[3][2] = {{ROW, INNER}, {INNER, COLUMN}, {ROW, COLUMN}};
    for (int matrix = 0; matrix < 3; matrix++)
        for (int row = 0; row < INDICES; row++)
            for (int column = 0; column < INDICES; column++) {
                struct scheme s = *right;
                memset(matrix == 0   ? (void *)s.a
                       : matrix == 1 ? (void *)s.b
                                     : (void *)s.c,
                       0, sizeof s.a);
                for (int p = 0; p < PRODUCTS; p++) {
                    int q = quadrant_at(p, row, column);
                    *(matrix == 0 ? &s.a[p][q] : matrix == 1 ? &s.b[p][q] : &s.c[q][p]) = 1;
                }
                if (is_new(found, &s))
                    EXPLAIN("Quarter (%s, %s) of %c is taken where (%s, %s) belongs, if (i, j) "
                            "of C sums (i, l) of A times (l, j) of B.",
                            index_names[row], index_names[column], "ABC"[matrix],
                            index_names[belongs[matrix][0]], index_names[belongs[matrix][1]]);
            }
}

void try_several_changes(struct search *found, const struct scheme *right,
                         enum bound_kind method)
{
    int products = products_of(method);
    switch (method) {
    case BOUND_CLASSICAL:
        try_quarters(found, right);
        break;
    case BOUND_WINOGRAD:
        try_sums(found);
        try_all_sums(found, right);
        break;
    case BOUND_STRASSEN:
        try_all_sums(found, right);
        break;
    }
    try_quadrants_of_c(found, right, products);
    for (int p = 0; p < products; p++)
        try_factors(found, right, p);
}
