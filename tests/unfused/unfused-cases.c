/* SPDX-License-Identifier: MIT */
/** @file unfused-cases.c
 * Step 01's product without fused multiply-adds has the bits of the triple loop: blocks,
 * vectors and threads change nothing. This file is compiled without fused
 * multiply-adds, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/matrix/random.h"
#include "steps/01-cpu-naive/ikj.h"

enum { MORE = 3 }; /* leading dimensions are longer than the rows */

static real *random_matrix(long rows, long ld, uint64_t seed)
{
    real *x = malloc((size_t)(rows * ld) * sizeof *x);
    for (long i = 0; x && i < rows * ld; i++)
        x[i] = (real)random_uniform(random_at(seed, 0, 0, i));
    return x;
}

/* Elements of C that differ in a bit from the triple loop's. */
static long differences(struct product p)
{
    const real *a = p.a.at, *b = p.b.at, *c = p.c.at;
    long different = 0;
    for (long i = 0; i < p.c.rows; i++)
        for (long j = 0; j < p.c.cols; j++) {
            real sum = 0;
            for (long l = 0; l < p.a.cols; l++)
                sum += a[i * p.a.ld + l] * b[l * p.b.ld + j];
            different += memcmp(&sum, &c[i * p.c.ld + j], sizeof sum) != 0;
        }
    return different;
}

static int wrong(long m, long n, long k, int threads)
{
    struct context ctx = {.threads = threads};
    struct product p = {{NULL, m, k, k + MORE}, {NULL, k, n, n + MORE}, {NULL, m, n, n + MORE}};
    real *a = random_matrix(m, p.a.ld, 1), *b = random_matrix(k, p.b.ld, 2);
    real *c = random_matrix(m, p.c.ld, 3),
         *workspace = malloc(workspace_unfused(&ctx, p, 0) * sizeof *workspace);
    long different = -1;
    if (a && b && c && workspace) {
        p.a.at = a, p.b.at = b, p.c.at = c;
        multiply_unfused(&ctx, p, 0, workspace);
        different = differences(p);
    }
    free(a), free(b), free(c), free(workspace);
    printf("m = %ld, n = %ld, k = %ld, %d threads: %ld of %ld elements differ\n", m, n, k,
           threads, different, m * n);
    return different != 0;
}

int main(void)
{
    static const long shapes[][3] = {{1, 1, 1},        {4, 16, 4},     {5, 17, 7},
                                     {3, 600, 2},      {64, 512, 256}, {67, 530, 300},
                                     {130, 1030, 515}, {33, 255, 1000}};
    int failed = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int threads = 1; threads <= 3; threads += 2)
            failed += wrong(shapes[i][0], shapes[i][1], shapes[i][2], threads);
    return failed ? 1 : 0;
}
