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

/* ---- one of Winograd's sums ---- */

/** "S5 - B22": a sum as it is made. */
static struct name terms_of(struct two_terms x, int side)
{
    char term[2][16];
    int number[] = {x.first, x.second};
    struct name sum;
    for (int t = 0; t < 2; t++)
        if (number[t] < QUADRANTS)
            snprintf(term[t], sizeof term[t], "%c%s", "AB"[side], quadrant_names[number[t]]);
        else
            snprintf(term[t], sizeof term[t], "S%d", 4 * side + number[t] - QUADRANTS + 1);
    bool turned = x.first_sign < 0 && x.sign > 0;
    snprintf(sum.text, sizeof sum.text, "%s%s %c %s", x.first_sign < 0 && !turned ? "-" : "",
             term[turned], x.sign < 0 || turned ? '-' : '+', term[!turned]);
    return sum;
}

/** Each sum with other signs, or with another term: a quadrant, or a sum made before it. */
static void try_sums(struct search *search)
{
    for (int i = 0; i < 8; i++)
        for (int signs = 0; signs < 3; signs++)
            for (int t = 0; t < 2 * (QUADRANTS + i % 4); t++) {
                int side = i / 4;
                struct two_terms belongs = winograd_sums[side][i % 4], x = belongs;
                *(t % 2 ? &x.second : &x.first) = t / 2;
                x.first_sign = signs == 2 ? -1 : 1;
                x.sign = signs == 1 ? -x.sign : signs == 2 ? 1 : x.sign;
                if (x.first == x.second)
                    continue;
                struct level_scheme s = winograd_with(side, i % 4, x);
                suggest(&search->found, is_new(search, &s), "S%d is %s in place of %s.", i + 1,
                        terms_of(x, side).text, terms_of(belongs, side).text);
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

static void try_all_sums(struct search *search, const struct level_scheme *right)
{
    static const char *const whose[] = {"", "A's", "B's", "A's and B's"};
    static const char *const wrong[] = {"is + where it should be -",
                                        "is the opposite of what it should be",
                                        "is - where it should be +"};
    for (int way = 0; way < WAYS; way++)
        for (int sides = 1; sides < 4; sides++) {
            struct level_scheme s = *right;
            if (sides & 1)
                change_seconds(s.a, way);
            if (sides & 2)
                change_seconds(s.b, way);
            suggest(&search->found, is_new(search, &s),
                    "In all sums of %s quadrants the second one's sign %s.", whose[sides],
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

/** "(A12 + A22) B11": both factors of product p. */
static struct name factors_of(const struct level_scheme *s, int p)
{
    struct name left = sum_of(s->a[p], 'A'), right = sum_of(s->b[p], 'B'), both;
    bool sums[] = {strchr(left.text, ' '), strchr(right.text, ' ')};
    snprintf(both.text, sizeof both.text, "%s%.30s%s %s%.30s%s", sums[0] ? "(" : "",
             *left.text ? left.text : "0", sums[0] ? ")" : "", sums[1] ? "(" : "",
             *right.text ? right.text : "0", sums[1] ? ")" : "");
    return both;
}

/** Both factors of a product changed: of all that fit, those that are nearest to the right
 * ones. */
static void try_factors(struct search *search, const struct level_scheme *right, int p)
{
    struct level_scheme nearest = *right, s = *right;
    int least = INT_MAX;
    for (int left = 0; left < FACTORS; left++)
        for (int other = 0; other < FACTORS; other++) {
            factor_of(left, s.a[p]);
            factor_of(other, s.b[p]);
            int far = distance(s.a[p], right->a[p]) + distance(s.b[p], right->b[p]);
            if (far < least && scheme_fits(search, &s))
                nearest = s, least = far;
        }
    suggest(&search->found, least < INT_MAX && is_new(search, &nearest),
            "%s is %s in place of %s.", name_of(right, p).text, factors_of(&nearest, p).text,
            factors_of(right, p).text);
}

/* ---- quadrants of C that are other sums of the right products ---- */

/** What a quadrant of C may be a sum of: the products, and quadrants of A and B, which are left
 * there where a sum was made in C. */
enum { TERMS = PRODUCTS + 2 * QUADRANTS };

/** Solves the equations by Gauss's method; false: they do not determine the unknowns. */
static bool solve(double x[TERMS][TERMS + 1], int unknowns)
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

/** Element (i, j) of a quadrant of A, or of B from QUADRANTS on; 0 in padding. */
static double operand_element(const struct search *search, int quadrant, long i, long j)
{
    const struct matrix *x = quadrant < QUADRANTS ? search->e->a : search->e->b;
    i += quadrant / 2 % 2 * search->m, j += quadrant % 2 * search->m;
    return i < x->rows && j < x->cols ? matrix_get(x, i, j) : 0;
}

/** Which multiples of the right products are nearest to quadrant q of C, in whole numbers. With
 * `sums`, also of quadrants of A and B; they must then give all its elements, rounded. */
static bool nearest_multiples(const struct search *search, const struct level_scheme *right,
                              int products, bool sums, int q, int multiples[TERMS])
{
    enum { MOST = 2 };
    int unknowns = products + (sums ? 2 * QUADRANTS : 0);
    double equations[TERMS][TERMS + 1] = {{0}};
    const struct matrix *c = search->e->c;
    long m = search->m, n = search->n;
    struct computed each[PRODUCTS];
    for (int p = 0; p < products; p++) {
        struct level_scheme one = *right;
        memset(one.c, 0, sizeof one.c);
        one.c[q][p] = 1;
        each[p] = computed_by(&one);
    }
    for (long i = q / 2 * m; i < (q / 2 + 1) * m && i < c->rows; i++)
        for (long j = q % 2 * n; j < (q % 2 + 1) * n && j < c->cols; j++) {
            double value[TERMS + 1];
            for (int u = 0; u < unknowns; u++)
                value[u] = u < products ? computed_element(search, &each[u], q, i % m, j % n)
                                        : operand_element(search, u - products, i % m, j % n);
            value[unknowns] = matrix_get(c, i, j);
            if (isnan(value[unknowns]))
                return false;
            for (int u = 0; u < unknowns; u++)
                for (int other = 0; other <= unknowns; other++)
                    equations[u][other] += value[u] * value[other];
        }
    if (!solve(equations, unknowns))
        return false;
    for (int u = 0; u < unknowns; u++) {
        double multiple = nearbyint(equations[u][unknowns] / equations[u][u]);
        if (!(fabs(multiple) <= MOST))
            return false;
        multiples[u < products ? u : PRODUCTS + u - products] = (int)multiple;
    }
    for (long i = q / 2 * m; i < (q / 2 + 1) * m && i < c->rows && sums; i++)
        for (long j = q % 2 * n; j < (q % 2 + 1) * n && j < c->cols; j++) {
            double sum = 0, is = matrix_get(c, i, j);
            for (int p = 0; p < products; p++)
                if (multiples[p])
                    sum += multiples[p] * computed_element(search, &each[p], q, i % m, j % n);
            for (int x = 0; x < 2 * QUADRANTS; x++)
                sum += multiples[PRODUCTS + x] * operand_element(search, x, i % m, j % n);
            if (!(fabs(sum - is) <= 0x1p-21 * (1 + fabs(is))))
                return false;
        }
    return true;
}

/** "M1 + M4 - M5", "A11 B11 + A12 B21", "M3 + M5 + A11 + A22", "0". */
static void add_multiples(char *text, size_t size, const struct level_scheme *right,
                          const int multiples[TERMS])
{
    size_t begun = strlen(text);
    for (int p = 0; p < TERMS; p++) {
        size_t end = strlen(text);
        struct name name = name_of(right, p);
        if (p >= PRODUCTS)
            snprintf(name.text, sizeof name.text, "%c%s", "AB"[(p - PRODUCTS) / QUADRANTS],
                     quadrant_names[p % QUADRANTS]);
        if (multiples[p])
            snprintf(text + end, size - end, "%s%s%s",
                     end == begun       ? multiples[p] < 0 ? "-" : ""
                     : multiples[p] < 0 ? " - "
                                        : " + ",
                     abs(multiples[p]) == 2 ? "2 " : "", name.text);
    }
    if (strlen(text) == begun)
        snprintf(text + begun, size - begun, "0");
}

static void try_quadrants_of_c(struct search *search, const struct level_scheme *right,
                               int products, bool sums)
{
    struct level_scheme s = *right;
    char text[400] = "";
    for (int q = 0; q < QUADRANTS; q++) {
        int multiples[TERMS] = {0}, belongs[TERMS] = {0};
        if (!nearest_multiples(search, right, products, sums, q, multiples))
            return;
        memcpy(s.c[q], multiples, sizeof s.c[q]);
        memcpy(belongs, right->c[q], sizeof s.c[q]);
        if (memcmp(multiples, belongs, sizeof multiples) == 0)
            continue;
        size_t end = strlen(text);
        snprintf(text + end, sizeof text - end, "%sC%s is ", end ? ", " : "",
                 quadrant_names[q]);
        add_multiples(text, sizeof text, right, multiples);
        end = strlen(text);
        snprintf(text + end, sizeof text - end, " in place of ");
        add_multiples(text, sizeof text, right, belongs);
    }
    suggest(&search->found, *text && (sums || is_new(search, &s)), "%s.", text);
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
static void try_quarters(struct search *search, const struct level_scheme *right)
{
    static const int belongs[3][2] = {{ROW, INNER}, {INNER, COLUMN}, {ROW, COLUMN}};
    for (int matrix = 0; matrix < 3; matrix++)
        for (int row = 0; row < INDICES; row++)
            for (int column = 0; column < INDICES; column++) {
                struct level_scheme s = *right;
                memset(matrix == 0   ? (void *)s.a
                       : matrix == 1 ? (void *)s.b
                                     : (void *)s.c,
                       0, sizeof s.a);
                for (int p = 0; p < PRODUCTS; p++) {
                    int q = quadrant_at(p, row, column);
                    *(matrix == 0 ? &s.a[p][q] : matrix == 1 ? &s.b[p][q] : &s.c[q][p]) = 1;
                }
                suggest(&search->found, is_new(search, &s),
                        "Quarter (%s, %s) of %c is taken where (%s, %s) belongs, if (i, j) "
                        "of C sums (i, l) of A times (l, j) of B.",
                        index_names[row], index_names[column], "ABC"[matrix],
                        index_names[belongs[matrix][0]], index_names[belongs[matrix][1]]);
            }
}

void try_several_changes(struct search *search, const struct method *method)
{
    const struct level_scheme *right = &method->scheme;
    if (method->names_its_sums)
        try_sums(search);
    if (method->has_temporaries)
        try_all_sums(search, right);
    else
        try_quarters(search, right);
    try_quadrants_of_c(search, right, method->products, false);
    if (!search->found.count && search->e->m == search->e->n && search->e->n == search->e->k)
        try_quadrants_of_c(search, right, method->products, true);
    for (int p = 0; p < method->products; p++)
        try_factors(search, right, p);
}
