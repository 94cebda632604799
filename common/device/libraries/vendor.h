/* SPDX-License-Identifier: MIT */
/** @file vendor.h
 * OpenBLAS, loaded at run time, so that a program starts without it.
 */
#ifndef COMMON_DEVICE_LIBRARIES_VENDOR_H
#define COMMON_DEVICE_LIBRARIES_VENDOR_H

#include <stdbool.h>

#include "common/precision.h"
#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Loads OpenBLAS if it is installed, with kernels for this processor, and sets its threads.
 *
 * OpenBLAS chooses its kernels by processor model when it is loaded. A model newer than the
 * library can be taken for a very old one (0.3.21 takes recent Xeons for a Prescott: SSE3 only,
 * five times slower), and a ratio against that would be meaningless. So this function chooses,
 * from the processor's instruction sets, unless OPENBLAS_CORETYPE is already set. The name then
 * says so.
 * @param threads host threads that it may use, 1 or more
 * @return the library's name, version, kernels and threads, for reports; NULL without
 * OpenBLAS */
const char *openblas_load(int threads);

/** C = A * B, or C + A * B if p accumulates, with cblas_sgemm or cblas_dgemm. openblas_load()
 * must have succeeded.
 * @param precision f32 or f64
 * @param p on host pointers */
void openblas_multiply(enum precision precision, struct product p);

/** "OpenBLAS is not installed ...", or NULL if it is loaded.
 * @return a sentence, or NULL */
const char *openblas_missing(void);

#if defined(LADDER_F32) || defined(LADDER_F64)
/** OpenBLAS as a leaf.
 * @param ctx,levels,workspace unused
 * @param p on host pointers */
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
