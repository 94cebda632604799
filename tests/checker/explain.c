/* SPDX-License-Identifier: MIT */
/** @file explain.c
 * Wrong products made on purpose, each with the sentence that must explain it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/matrix/input.h"
#include "tools/lab/mistakes/explain.h"
#include "tools/lab/mistakes/schemes.h"

enum { M = 24, N = 24, K = 24 };

static struct matrix a, b, c;
static struct reference reference;
static int failures;

static double A(int i, int j) { return matrix_get(&a, i, j); }
static double B(int i, int j) { return matrix_get(&b, i, j); }

static double sum(int i, int j, int from, int to)
{
    double s = 0;
    for (int l = from; l < to; l++)
        s += A(i, l) * B(l, j);
    return s;
}

/* Sums over l of another term than A[i][l] B[l][j]. */
static double (*term)(int i, int j, int l);

static double sum_of_terms(int i, int j)
{
    double s = 0;
    for (int l = 0; l < K; l++)
        s += term(i, j, l);
    return s;
}

static double right(int i, int j) { return sum(i, j, 0, K); }
static double term_twice(int i, int j) { return sum(i, j, 0, K) + sum(i, j, 5, 6); }
static double b_times_a(int i, int j, int l) { return B(i, l) * A(l, j); }
static double row_unwritten(int i, int j) { return i == M - 1 ? NAN : right(i, j); }
static double nan_and_zero(int i, int j) { return i == 0 ? NAN : j == 3 ? 0 : right(i, j); }
static double term_negative(int i, int j) { return sum(i, j, 0, K) - 2 * sum(i, j, 9, 10); }
static double tile_turned(int i, int j)
{
    int x = i - i % 8 + j % 8, y = j - j % 8 + i % 8;
    return right(x, y);
}
static double first_of_b(int i, int j, int l) { return A(i, l) * B(l % 8, j % 8); }
static double corner(int i, int j)
{
    return right(i, j) + (i >= 20 && j >= 18 ? i * i + 3 * j : 0);
}
static double all_but_corner(int i, int j)
{
    return right(i, j) + (i < 16 && j < 16 ? 0 : i * i + 3 * j + 1);
}
/* ---- Strassen's method with changed coefficients, on operands padded with zeros to
 * 2 * half x 2 * half ---- */

static int half = 12;

/* Strassen's scheme as it is (0) or with one of these mistakes. */
static struct level_scheme changed(int which)
{
    struct level_scheme s = method_of_bound(&strassen_scheme).scheme;
    if (which == 1) /* M5 with another sign in C11 */
        s.c[0][4] = 1;
    if (which == 2) /* M7 without B22 */
        s.b[6][3] = 0;
    if (which == 3) /* M6 in the place of M7 */
        s.c[0][5] = 1, s.c[0][6] = 0;
    if (which == 4) /* the signs of both of M7's factors */
        s.a[6][3] = 1, s.b[6][3] = -1;
    if (which == 5) /* the signs of M3 and M6 in C22 */
        s.c[3][2] = s.c[3][5] = -1;
    for (int p = 0; p < 7 && which == 6; p++) /* A's differences made as sums */
        for (int q = 0; q < QUADRANTS; q++)
            s.a[p][q] = abs(s.a[p][q]);
    return s;
}

static struct part made; /* C by a changed scheme */

static void compute(int which, int levels)
{
    struct level_scheme s = changed(which);
    struct tolerance t = {.levels = levels};
    struct evidence e = {
        .a = &a, .b = &b, .t = &t, .m = 2 * half, .n = 2 * half, .k = 2 * half};
    free(made.at);
    made = all_of_c(&s, &e);
}

static double computed(int i, int j) { return made.at[i * made.ld + j]; }

static void check(const char *name, double (*value)(int, int), const struct scheme *scheme,
                  int levels, const char *wanted)
{
    struct tolerance tolerance = {.exact = true,
                                  .bound.scheme = scheme,
                                  .levels = levels,
                                  .m = 2 * half,
                                  .n = 2 * half,
                                  .k = 2 * half};
    char text[2000] = "";
    for (int i = 0; i < c.rows; i++)
        for (int j = 0; j < c.cols; j++)
            matrix_set(&c, i, j, value(i, j));
    explainer_of_mistakes.explain(text, sizeof text, &c, &a, &b, &reference, &tolerance);
    if (wanted ? !strstr(text, wanted) : *text) {
        printf("%s: \"%s\" should say \"%s\"\n", name, text, wanted ? wanted : "");
        failures++;
    }
}

static bool make(int m, int n, int k)
{
    matrix_destroy(&a), matrix_destroy(&b), matrix_destroy(&c);
    reference_destroy(&reference);
    if (!matrix_create(&a, PRECISION_F32, m, k, k) ||
        !matrix_create(&b, PRECISION_F32, k, n, n) ||
        !matrix_create(&c, PRECISION_F32, m, n, n))
        return false;
    input_fill(&a, INPUT_INTEGERS, OPERAND_A, 1, 8);
    input_fill(&b, INPUT_INTEGERS, OPERAND_B, 1, 8);
    return reference_create(&reference, &a, &b);
}

int main(void)
{
    if (!make(M, N, K))
        return 3;
#define CHECK(value, wanted)  check(#value, value, NULL, 0, wanted)
#define CHECK_SUM(of, wanted) (term = (of), check(#of, sum_of_terms, NULL, 0, wanted))
    CHECK(right, NULL);
    CHECK(term_twice, "Term 5 of the k = 24 terms was added twice");
    CHECK_SUM(b_times_a, "B A in place of A B");
    CHECK(row_unwritten,
          "24 elements were never written, or became NaN: row 23, columns 0 to 23");
    CHECK(nan_and_zero, ". The wrong elements that are not NaN are 0.");
    CHECK(term_negative, "Term 9 of the k = 24 terms has the opposite sign");
    CHECK(tile_turned, "In tiles of 8 x 8, rows and columns are exchanged inside each tile");
    CHECK_SUM(first_of_b, "The first 8 x 8 elements of B were used again and again.");
    CHECK(corner, "Wrong in C: rows 20 to 23, columns 18 to 23.");
    CHECK(all_but_corner, "Wrong in C: all but rows 0 to 15, columns 0 to 15.");
    compute(0, 1);
    check("level", computed, &strassen_scheme, 1, NULL);
    static const char *const said[] = {
        "C11. M5 has the wrong sign in C11.",
        "C11. In M7 B22 is missing.",
        "C11. C11 has M6 where M7 belongs.",
        "C11. M7 is (A12 + A22) (B21 - B22) in place of (A12 - A22) (B21 + B22).",
        "C22. C22 is M1 - M2 - M3 - M6 in place of M1 - M2 + M3 + M6.",
        "In all sums of A's quadrants the second one's sign is + where it should be -."};
    for (half = 12; half <= 16; half += 4) /* without padding and with it */
        for (int which = 1; which <= 6; which++) {
            compute(which, 1);
            check("level, changed", computed, &strassen_scheme, 1, said[which - 1]);
        }
    half = 12;
    if (!make(200, 200, 200))
        return 3;
    half = 128;
    compute(1, 2);
    check("two levels, padded", computed, &strassen_scheme, 2, "M5 has the wrong sign in C11.");
    printf("explanations: %s\n", failures ? "FAILED" : "right");
    return failures != 0;
}
