/* SPDX-License-Identifier: MIT */
/** @file beside.h
 * The matrices of NN-name.beside, see common/measure/rungs.h.
 */
#ifndef TOOLS_MEASURE_BESIDE_H
#define TOOLS_MEASURE_BESIDE_H

#include "common/measure/rungs.h"

static struct rung_data beside;

static void beside_fill(real *x, size_t count, unsigned seed)
{
    rung_fill(x, count, seed, RUNG_UNIFORM);
}

static bool beside_product(real *a, real *b, long m, long n, long k)
{
    beside = (struct rung_data){.m = m, .n = n, .k = k, .a = a, .b = b};
    return rung_make_exact(&beside, m);
}

static void beside_errors(const real *c, double *mean, double *most)
{
    rung_errors(&beside, c, mean, most);
}

#endif
