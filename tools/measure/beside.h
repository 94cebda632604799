/* SPDX-License-Identifier: MIT */
/** @file beside.h
 * What NN-name.beside needs of the place where the matrices lie: beside_gpu.cu or beside_cpu.c.
 */
#ifndef TOOLS_MEASURE_BESIDE_H
#define TOOLS_MEASURE_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Fills memory of the backend with numbers uniform in [-1, 1]. */
void beside_fill(real *x, size_t count, unsigned seed);

/** Makes the m x n product in double, which beside_errors() compares with; false: no memory. */
bool beside_product(const real *a, const real *b, long m, long n, long k);

/** The mean and the largest error in all elements of c; NaN if one is. */
void beside_errors(const real *c, double *mean, double *most);

#ifdef __cplusplus
}
#endif
#endif
