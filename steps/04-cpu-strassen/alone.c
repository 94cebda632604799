/* SPDX-License-Identifier: MIT */
/** @file alone.c
 * Strassen's product in one complete program, for matrices of any size.
 * `gcc -O3 -march=native alone.c -lm && ./a.out 1000 1100 1200`
 * multiplies 1000 x 1200 by 1200 x 1100. Exit status: 0 if it differs from the plain product by
 * no more than its error bound, 1 if it does, 2 if the sizes are none.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LEAF = 64 }; /* the smallest quadrant: below, sums cost more than a product saves */

/** A block of a matrix: row i begins at `at + i * ld`. */
struct block {
    double *at;
    long ld, rows, cols;
};

static struct block quadrant(struct block x, int row, int col)
{
    long rows = x.rows / 2, cols = x.cols / 2;
    return (struct block){x.at + row * rows * x.ld + col * cols, x.ld, rows, cols};
}

/* Z = X + sign * Y, where Z may be X. */
static void add(struct block x, double sign, struct block y, struct block z)
{
    for (long i = 0; i < z.rows; i++)
        for (long j = 0; j < z.cols; j++)
            z.at[i * z.ld + j] = x.at[i * x.ld + j] + sign * y.at[i * y.ld + j];
}

/* C = A * B, as in step 01. */
static void multiply(struct block A, struct block B, struct block C)
{
    for (long i = 0; i < C.rows; i++) {
        for (long j = 0; j < C.cols; j++)
            C.at[i * C.ld + j] = 0;
        for (long l = 0; l < A.cols; l++)
            for (long j = 0; j < C.cols; j++)
                C.at[i * C.ld + j] += A.at[i * A.ld + l] * B.at[l * B.ld + j];
    }
}

/* C = A * B on this many levels. At each of them `work` holds a sum of A, a sum of B and a
 * product. */
static void strassen(struct block A, struct block B, struct block C, int levels, double *work)
{
    if (levels == 0) {
        multiply(A, B, C);
        return;
    }
    struct block A11 = quadrant(A, 0, 0), A12 = quadrant(A, 0, 1);
    struct block A21 = quadrant(A, 1, 0), A22 = quadrant(A, 1, 1);
    struct block B11 = quadrant(B, 0, 0), B12 = quadrant(B, 0, 1);
    struct block B21 = quadrant(B, 1, 0), B22 = quadrant(B, 1, 1);
    struct block C11 = quadrant(C, 0, 0), C12 = quadrant(C, 0, 1);
    struct block C21 = quadrant(C, 1, 0), C22 = quadrant(C, 1, 1);
    long m = C11.rows, n = C11.cols, k = A11.cols;
    struct block S = {work, k, m, k}, T = {work + m * k, n, k, n}, M = {T.at + k * n, n, m, n};
    work = M.at + m * n;
    levels--;

    /// [alone]
    add(A12, -1, A22, S), add(B21, 1, B22, T), strassen(S, T, C11, levels, work); /* M7 */
    add(A21, -1, A11, S), add(B11, 1, B12, T), strassen(S, T, C22, levels, work); /* M6 */
    add(A11, 1, A22, S), add(B11, 1, B22, T), strassen(S, T, M, levels, work);    /* M1 */
    add(C11, 1, M, C11), add(C22, 1, M, C22);
    add(A21, 1, A22, S), strassen(S, B11, C21, levels, work); /* M2 */
    add(C22, -1, C21, C22);
    add(B12, -1, B22, T), strassen(A11, T, C12, levels, work); /* M3 */
    add(C22, 1, C12, C22);
    add(B21, -1, B11, T), strassen(A22, T, M, levels, work); /* M4 */
    add(C11, 1, M, C11), add(C21, 1, M, C21);
    add(A11, 1, A12, S), strassen(S, B22, M, levels, work); /* M5 */
    add(C11, -1, M, C11), add(C12, 1, M, C12);
    /// [alone]
}

/* Zeros around random numbers in [-1, 1]: rows and columns of zeros change no product. */
static struct block matrix(long rows, long cols, long padded_rows, long padded_cols)
{
    struct block x = {calloc(padded_rows * padded_cols, sizeof(double)), padded_cols, rows,
                      cols};
    if (!x.at) {
        fprintf(stderr, "not enough memory for %ld x %ld\n", padded_rows, padded_cols);
        exit(3);
    }
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++)
            x.at[i * x.ld + j] = 2.0 * rand() / RAND_MAX - 1;
    x.rows = padded_rows, x.cols = padded_cols;
    return x;
}

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int count, char **words)
{
    long size[3] = {500, 600, 700}; /* C is m x n, A is m x k, B is k x n */
    for (int i = 1; i < count; i++) {
        char *end = words[i];
        if (i > 3 || (size[i - 1] = strtol(words[i], &end, 10)) < 1 || *end) {
            fprintf(stderr, "usage: %s [M [N [K]]], whole numbers from 1\n", words[0]);
            return 2;
        }
    }
    long m = size[0], n = size[1], k = size[2], least = m < n ? m : n, unit = 1;
    int levels = 0;
    while (least < k ? least >= 2 * LEAF * unit : k >= 2 * LEAF * unit)
        levels++, unit *= 2;
    long M = (m + unit - 1) / unit * unit, N = (n + unit - 1) / unit * unit; /* rounded up */
    long K = (k + unit - 1) / unit * unit;
    struct block A = matrix(m, k, M, K), B = matrix(k, n, K, N), C = matrix(m, n, M, N);
    struct block plain = matrix(m, n, M, N);
    struct block work =
        matrix(1, 1, 1, M * K + K * N + M * N); /* 1/4 + 1/16 + ... of it are used */

    double start = seconds();
    strassen(A, B, C, levels, work.at);
    double between = seconds();
    multiply(A, B, plain);
    printf("%ld x %ld x %ld: Strassen on %d levels %.3f s, plain %.3f s\n", m, n, k, levels,
           between - start, seconds() - between);

    /* Higham (2002), section 23.2.2, for elements of at most 1, and the plain product's own. */
    double leaf = (double)K / unit,
           bound = pow(12, levels) * (leaf * leaf + 5 * leaf) - 5.0 * K;
    bound = (bound + (double)k * k) * 0x1p-53;
    long wrong = 0;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            wrong +=
                !(fabs(C.at[i * N + j] - plain.at[i * N + j]) <= bound); /* NaN is wrong, too */
    printf("%ld of %ld elements differ by more than the bound, %.1e\n", wrong, m * n, bound);
    free(A.at), free(B.at), free(C.at), free(plain.at), free(work.at);
    return wrong != 0;
}
