/* SPDX-License-Identifier: MIT */
/** @file rung_data.c
 * The matrices of rungs on the processor, see steps/18-modern/rungs.h.
 */
#include "steps/18-modern/rungs.h"

#include <math.h>
#include <stdlib.h>

#include "common/device/backend.h"

void rung_fill(real *x, size_t count, unsigned seed, enum rung_numbers numbers)
{
    (void)numbers;
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        x[i] = (real)rung_uniform(i, seed);
}

static double *widened(const real *x, size_t count)
{
    double *wide = malloc(count * sizeof *wide);
    for (size_t i = 0; wide && i < count; i++)
        wide[i] = x[i];
    return wide;
}

bool rung_make_exact(struct rung_data *d, long rows)
{
    (void)rows; /* all rows are compared */
    d->first = d->m;
    double *wide_a = widened(d->a, (size_t)(d->m * d->k)),
           *wide_b = widened(d->b, (size_t)(d->k * d->n));
    d->exact = malloc((size_t)(d->m * d->n) * sizeof *d->exact);
    bool enough = wide_a && wide_b && d->exact;
    if (enough)
        backend.vendor_multiply(PRECISION_F64,
                                (struct product){.a = {(void *)wide_a, d->m, d->k, d->k},
                                                 .b = {(void *)wide_b, d->k, d->n, d->n},
                                                 .c = {(void *)d->exact, d->m, d->n, d->n}});
    free(wide_a), free(wide_b);
    return enough;
}

bool rung_data_make(struct rung_data *d, long m, long n, long k, enum rung_numbers numbers,
                    long exact_rows)
{
    *d = (struct rung_data){.m = m, .n = n, .k = k};
    d->a = backend.allocate((size_t)(m * k) * sizeof(real));
    d->b = backend.allocate((size_t)(k * n) * sizeof(real));
    d->c = backend.allocate((size_t)(m * n) * sizeof(real));
    d->again = backend.allocate((size_t)(m * n) * sizeof(real));
    if (!d->a || !d->b || !d->c || !d->again)
        return false;
    rung_fill(d->a, (size_t)(m * k), 1, numbers);
    rung_fill(d->b, (size_t)(k * n), 2, numbers);
    return !exact_rows || rung_make_exact(d, exact_rows);
}

void rung_data_free(struct rung_data *d)
{
    backend.release(d->a), backend.release(d->b), backend.release(d->c);
    backend.release(d->again), free(d->exact);
}

void rung_errors(const struct rung_data *d, const real *c, double *mean, double *most)
{
    size_t count = (size_t)(d->m * d->n);
    *mean = *most = 0;
    for (size_t i = 0; i < count; i++) {
        double error = fabs(c[i] - d->exact[i]);
        *mean += error / (double)count;
        if (error > *most || isnan(error))
            *most = error;
    }
}
