/* SPDX-License-Identifier: MIT */
/** @file accumulate.c
 * The vendor's library as a leaf: C = A * B, and C = C + A * B when it is asked
 * to accumulate. */
#include <stdio.h>

#include "common/device/backend.h"
#include "common/matrix/matrix.h"

enum { M = 5, N = 7, K = 3 };

/* Small integers, so that every product is exact. */
static double a_at(long i, long l) { return (double)(i - 2 * l); }
static double b_at(long l, long j) { return (double)(3 * l - j); }
static double c_at(long i, long j) { return (double)(10 * i + j); }

static double expected(long i, long j, int accumulate)
{
    double sum = accumulate ? c_at(i, j) : 0;
    for (long l = 0; l < K; l++)
        sum += a_at(i, l) * b_at(l, j);
    return sum;
}

static void fill(struct matrix *x, double (*at)(long, long))
{
    for (long i = 0; i < x->rows; i++)
        for (long j = 0; j < x->cols; j++)
            matrix_set(x, i, j, at(i, j));
    matrix_upload(x);
}

/* Returns how many elements are wrong. */
static int try_product(enum precision precision, int accumulate)
{
    struct matrix a = {0}, b = {0}, c = {0};
    int wrong = 0;
    if (!matrix_create(&a, precision, M, K, K + 1) ||
        !matrix_create(&b, precision, K, N, N + 2) ||
        !matrix_create(&c, precision, M, N, N + 3))
        return 1;
    fill(&a, a_at), fill(&b, b_at), fill(&c, c_at);
    struct product p = {
        {a.device, M, K, a.ld}, {b.device, K, N, b.ld}, {c.device, M, N, c.ld}, accumulate};
    backend.vendor_multiply(precision, p);
    matrix_download(&c);
    for (long i = 0; i < M; i++)
        for (long j = 0; j < N; j++)
            wrong += matrix_get(&c, i, j) != expected(i, j, accumulate);
    if (wrong)
        printf("%s, accumulate = %d: %d of %d elements wrong\n", precision_names[precision],
               accumulate, wrong, M * N);
    matrix_destroy(&a), matrix_destroy(&b), matrix_destroy(&c);
    return wrong;
}

int main(void)
{
    int wrong = 0;
    if (backend.missing() || !backend.vendor(1)) {
        printf("skipped: no %s\n", backend.missing() ? "device" : "vendor library");
        return EXIT_SKIPPED;
    }
    for (int accumulate = 0; accumulate <= 1; accumulate++)
        wrong +=
            try_product(PRECISION_F32, accumulate) + try_product(PRECISION_F64, accumulate);
    if (backend.finish)
        wrong += backend.finish();
    puts(wrong ? "WRONG" : "right");
    return wrong ? EXIT_WRONG : EXIT_RIGHT;
}
