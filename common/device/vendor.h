/* SPDX-License-Identifier: MIT */
/** @file vendor.h
 * OpenBLAS, loaded at run time: a program starts without it and says so.
 */
#ifndef COMMON_DEVICE_VENDOR_H
#define COMMON_DEVICE_VENDOR_H

#include <stdbool.h>

#include "common/precision.h"
#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Loads OpenBLAS if it is there, with kernels made for this processor, and sets its threads.
 *
 * OpenBLAS chooses its kernels by processor model when it is loaded. A model newer than the
 * library can be taken for a very old one (0.3.21 takes recent Xeons for a Prescott: SSE3 only,
 * five times slower), and a ratio against that would mean nothing. So the choice is made here,
 * by what the processor can do, unless OPENBLAS_CORETYPE is already set.
 * @param threads host threads for its products, 1 or more
 * @return the library's name, version, kernels and threads, for reports; NULL when it is not
 * there.
 */
const char *openblas_load(int threads);

/**
 * C = A * B, or C + A * B where the problem says so, on host pointers by cblas_sgemm or
 *  cblas_dgemm; openblas_load() has succeeded.
 * @param precision f32 or f64
 * @param p on host pointers
 */
void openblas_multiply(enum precision precision, struct product p);

/**
 * "OpenBLAS is not installed ...", or NULL when it is loaded.
 * @return a sentence, or NULL
 */
const char *openblas_missing(void);

#if defined(LADDER_F32) || defined(LADDER_F64)
/**
 * OpenBLAS as a leaf.
 * @param ctx not looked at
 * @param p on host pointers
 * @param levels not looked at
 * @param workspace not used
 */
static inline void multiply_openblas(const struct context *ctx, struct product p, int levels,
                                     real *workspace)
{
    (void)ctx, (void)levels, (void)workspace; /* other leaves need more */
    openblas_multiply(sizeof(real) == 4 ? PRECISION_F32 : PRECISION_F64, p);
}
#endif

#ifdef __cplusplus
}
#endif
#endif
