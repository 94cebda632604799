/* SPDX-License-Identifier: MIT */
/** @file beside_cpu.c
 * The matrices of NN-name.beside on the processor, see beside.h.
 */
#include <math.h>
#include <stdlib.h>

#include "common/device/backend.h"
#include "common/matrix/random.h"
#include "tools/measure/beside.h"

static double *exact;
static long rows, cols;

void beside_fill(real *x, size_t count, unsigned seed)
{
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        x[i] = (real)random_uniform(random_bits(i * RANDOM_STEP + random_bits(seed)));
}

static double *widened(const real *x, size_t count)
{
    double *wide = malloc(count * sizeof *wide);
    for (size_t i = 0; wide && i < count; i++)
        wide[i] = x[i];
    return wide;
}

bool beside_product(const real *a, const real *b, long m, long n, long k)
{
    double *wide_a = widened(a, (size_t)(m * k)), *wide_b = widened(b, (size_t)(k * n));
    exact = malloc((size_t)(m * n) * sizeof *exact);
    rows = m, cols = n;
    bool enough = wide_a && wide_b && exact;
    if (enough)
        backend.vendor_multiply(PRECISION_F64, (struct product){.a = {(void *)wide_a, m, k, k},
                                                                .b = {(void *)wide_b, k, n, n},
                                                                .c = {(void *)exact, m, n, n}});
    free(wide_a), free(wide_b);
    return enough;
}

void beside_errors(const real *c, double *mean, double *most)
{
    *mean = *most = 0;
    for (size_t i = 0; i < (size_t)(rows * cols); i++) {
        double error = fabs(c[i] - exact[i]);
        *mean += error / (double)(rows * cols);
        if (error > *most || isnan(error))
            *most = error;
    }
}
