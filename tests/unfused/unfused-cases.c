/**
 * @file unfused-cases.c
 * Step 01's product without fused multiply-adds has the bits of the triple loop: blocks,
 * vectors and threads change nothing. This file is compiled without fused multiply-adds, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/matrix/random.h"
#include "steps/01-cpu-naive/unfused.h"

enum { MORE = 3 }; /* leading dimensions are longer than the rows */

static real *random_matrix(long rows, long ld, uint64_t seed)
{
    real *x = malloc((size_t)(rows * ld) * sizeof *x);
    for (long i = 0; x && i < rows * ld; i++)
        x[i] = (real)random_uniform(random_at(seed, 0, 0, i));
    return x;
}

/* Elements of C that differ in a bit from the triple loop's. */
static long differences(const struct problem *p)
{
    const real *a = p->a, *b = p->b, *c = p->c;
    long different = 0;
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++) {
            real sum = 0;
            for (long l = 0; l < p->k; l++)
                sum += a[i * p->lda + l] * b[l * p->ldb + j];
            different += memcmp(&sum, &c[i * p->ldc + j], sizeof sum) != 0;
        }
    return different;
}

static int wrong(long m, long n, long k, int threads)
{
    struct problem p = {m, n, k};
    p.lda = k + MORE, p.ldb = n + MORE, p.ldc = n + MORE, p.threads = threads;
    real *a = random_matrix(m, p.lda, 1), *b = random_matrix(k, p.ldb, 2);
    real *c = random_matrix(m, p.ldc, 3),
         *workspace = malloc(workspace_unfused(&p) * sizeof *workspace);
    long different = -1;
    if (a && b && c && workspace) {
        p.a = a, p.b = b, p.c = c;
        multiply_unfused(&p, workspace);
        different = differences(&p);
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
