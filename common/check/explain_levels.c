/* SPDX-License-Identifier: MIT */
/** @file explain_levels.c
 * Which sign, operand or quadrant of one level of Strassen's or Winograd's method is wrong: the
 * level is computed with one thing changed at a time, until the wrong elements come out.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/check/explain.h"

enum { PRODUCTS = 7, QUADRANTS = 4 };

/** One level: product m is the sum of A's quadrants with the coefficients a[m] times that of
 * B's with b[m]; quadrant q of C is the sum of the products with the coefficients c[q]. */
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
static const int winograd_factors[2][PRODUCTS] = {{5, 0, 1, 6, 4, 7, 3}, {5, 0, 2, 6, 4, 3, 7}};

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
        for (int m = 0; m < PRODUCTS; m++)
            memcpy(side ? s->b[m] : s->a[m], place[winograd_factors[side][m]], sizeof s->a[m]);
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

static bool fits(const struct scheme *s, const struct wrong_elements *w)
{
    for (int e = 0; e < w->count; e++)
        if (scheme_element(s, w, w->rows[e], w->cols[e]) !=
            matrix_get(w->c, w->rows[e], w->cols[e]))
            return false;
    return true;
}

static const char *const quadrant[] = {"11", "12", "21", "22"};

/** One operand of one product negated, left out, or another one in its place. */
static bool operand(char *text, size_t size, struct scheme s, const struct wrong_elements *w,
                    int p, char matrix)
{
    int *side = matrix == 'A' ? s.a[p] : s.b[p], was[QUADRANTS], terms = 0;
    unsigned goes_into = 0;
    memcpy(was, side, sizeof was);
    for (int q = 0; q < QUADRANTS; q++) {
        goes_into |= (unsigned)(s.c[q][p] != 0) << q;
        terms += was[q] != 0;
        side[q] = -was[q];
    }
    if (goes_into != w->quadrants)
        return false;
    if (fits(&s, w)) {
        snprintf(text, size,
                 " M%d has the wrong sign: one of its factors is taken the wrong way round.",
                 p + 1);
        return true;
    }
    memcpy(side, was, sizeof was);
    for (int q = 0; q < QUADRANTS; q++) {
        if (!was[q])
            continue;
        side[q] = -was[q];
        if (terms > 1 && fits(&s, w)) {
            snprintf(text, size, " In M%d the sign of %c%s is wrong.", p + 1, matrix,
                     quadrant[q]);
            return true;
        }
        side[q] = 0;
        if (terms > 1 && fits(&s, w)) {
            snprintf(text, size, " In M%d %c%s is missing.", p + 1, matrix, quadrant[q]);
            return true;
        }
        for (int other = 0; other < QUADRANTS; other++) {
            if (was[other])
                continue;
            side[other] = was[q];
            if (fits(&s, w)) {
                snprintf(text, size, " M%d has %c%s where %c%s belongs.", p + 1, matrix,
                         quadrant[other], matrix, quadrant[q]);
                return true;
            }
            side[other] = 0;
        }
        side[q] = was[q];
    }
    return false;
}

/** A product that goes into a quadrant of C with the wrong sign, not at all, or by mistake. */
static bool use(char *text, size_t size, struct scheme s, const struct wrong_elements *w, int q,
                int p)
{
    int was = s.c[q][p];
    static const int others[] = {-1, 0, 1, 2};
    if (w->quadrants != 1u << q)
        return false;
    for (int i = 0; i < 4; i++) {
        s.c[q][p] = others[i];
        if (others[i] == was || !fits(&s, w))
            continue;
        snprintf(text, size,
                 others[i] == 0   ? " M%d is missing in C%s."
                 : was == 0       ? " M%d was added to C%s, where it does not belong."
                 : others[i] == 2 ? " M%d was added to C%s twice."
                                  : " M%d goes into C%s with the wrong sign.",
                 p + 1, quadrant[q]);
        return true;
    }
    return false;
}

/** One of Winograd's sums made with + for - or the other way round. */
static bool winograd_sum(char *text, size_t size, const struct wrong_elements *w)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 4; i++) {
            struct two_terms sums[2][4];
            struct scheme s;
            memcpy(sums, winograd_sums, sizeof sums);
            sums[side][i].sign = -sums[side][i].sign;
            winograd_from(&s, (const struct two_terms(*)[4])sums);
            if (fits(&s, w)) {
                snprintf(text, size, " The sum S%d was made with the wrong sign.",
                         4 * side + i + 1);
                return true;
            }
        }
    return false;
}

bool explain_level(char *text, size_t size, const struct wrong_elements *w, bool winograd)
{
    if (!w->count || (w->a->rows | w->a->cols | w->b->cols) & 1)
        return false;
    struct scheme s = strassen;
    if (winograd) {
        if (winograd_sum(text, size, w))
            return true;
        winograd_from(&s, winograd_sums);
    }
    for (int p = 0; p < PRODUCTS; p++)
        if (operand(text, size, s, w, p, 'A') || operand(text, size, s, w, p, 'B'))
            return true;
    for (int p = 0; p < PRODUCTS; p++)
        for (int q = 0; q < QUADRANTS; q++)
            if (use(text, size, s, w, q, p))
                return true;
    return false;
}
