/* SPDX-License-Identifier: MIT */
/** @file explain.c
 * Wrong products made on purpose, each with the sentence that must explain it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/check/explain.h"
#include "common/matrix/input.h"

enum { M = 24, N = 24, K = 24 };

static struct matrix a, b, c;
static struct reference reference;
static int failures;

static double sum(int i, int j, int from, int to)
{
    double s = 0;
    for (int l = from; l < to; l++)
        s += matrix_get(&a, i, l) * matrix_get(&b, l, j);
    return s;
}

static double right(int i, int j) { return sum(i, j, 0, K); }
static double short_by_tile(int i, int j) { return sum(i, j, 0, 16); }
static double last_term(int i, int j) { return sum(i, j, K - 1, K); }
static double last_tile(int i, int j) { return sum(i, j, 16, K); }
static double term_twice(int i, int j) { return sum(i, j, 0, K) + sum(i, j, 5, 6); }
static double term_missing(int i, int j) { return sum(i, j, 0, K) - sum(i, j, 7, 8); }
static double a_transposed(int i, int j)
{
    double s = 0;
    for (int l = 0; l < K; l++)
        s += matrix_get(&a, l, i) * matrix_get(&b, l, j);
    return s;
}
static double b_transposed(int i, int j)
{
    double s = 0;
    for (int l = 0; l < K; l++)
        s += matrix_get(&a, i, l) * matrix_get(&b, j, l);
    return s;
}
static double c_transposed(int i, int j) { return right(j, i); }
static double b_times_a(int i, int j)
{
    double s = 0;
    for (int l = 0; l < K; l++)
        s += matrix_get(&b, i, l) * matrix_get(&a, l, j);
    return s;
}
static double negative(int i, int j) { return -right(i, j); }
static double row_unwritten(int i, int j) { return i == M - 1 ? NAN : right(i, j); }
static double c22_wrong(int i, int j) { return right(i, j) + (i >= M / 2 && j >= N / 2) * 3; }
static double diagonal_wrong(int i, int j)
{
    return right(i, j) + ((i >= M / 2) == (j >= N / 2)) * 3;
}
static double all_but_c11_wrong(int i, int j)
{
    return right(i, j) + (i >= M / 2 || j >= N / 2) * 3;
}

static void check(const char *name, double (*value)(int, int), enum bound_kind kind, int levels,
                  const char *wanted)
{
    struct tolerance tolerance = {.exact = true, .bound.kind = kind, .levels = levels};
    char text[2000] = "";
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            matrix_set(&c, i, j, value(i, j));
    explain(text, sizeof text, &c, &a, &b, &reference, &tolerance);
    if (wanted ? !strstr(text, wanted) : *text) {
        printf("%s: \"%s\" should say \"%s\"\n", name, text, wanted ? wanted : "");
        failures++;
    }
}

int main(void)
{
    if (!matrix_create(&a, PRECISION_F32, M, K, K) ||
        !matrix_create(&b, PRECISION_F32, K, N, N) ||
        !matrix_create(&c, PRECISION_F32, M, N, N))
        return 3;
    input_fill(&a, INPUT_INTEGERS, OPERAND_A, 1, 8);
    input_fill(&b, INPUT_INTEGERS, OPERAND_B, 1, 8);
    if (!reference_create(&reference, &a, &b))
        return 3;
#define CHECK(value, wanted) check(#value, value, BOUND_CLASSICAL, 0, wanted)
    CHECK(right, NULL);
    CHECK(short_by_tile, "the first 16 of k = 24 terms. The last 8 are missing");
    CHECK(last_term, "only the last of k = 24 terms: = in place of +=");
    CHECK(last_tile, "only the last 8 of k = 24 terms");
    CHECK(term_twice, "Term 5 of the k = 24 terms was added twice");
    CHECK(term_missing, "Term 7 of the k = 24 terms is missing");
    CHECK(a_transposed, "product of A transposed and B");
    CHECK(b_transposed, "product of A and B transposed");
    CHECK(c_transposed, "rows and columns of C are exchanged");
    CHECK(b_times_a, "B A in place of A B");
    CHECK(negative, "opposite sign");
    CHECK(row_unwritten,
          "24 elements were never written, or became NaN: rows 23 to 23, columns 0 to 23");
    check("C22", c22_wrong, BOUND_STRASSEN, 1, "C22: exactly those into which M6 goes");
    check("C11, C22", diagonal_wrong, BOUND_STRASSEN, 1,
          "C11, C22: exactly those into which M1 goes");
    check("all but C11", all_but_c11_wrong, BOUND_WINOGRAD, 1, "into which M1 goes");
    printf("explanations: %s\n", failures ? "FAILED" : "right");
    return failures != 0;
}
