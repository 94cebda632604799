/* SPDX-License-Identifier: MIT */
/** @file blis.h
 * BLIS, the library with the loops of packed.h, loaded at run time where it is installed
 * (Debian: libblis4-openmp). It exports the same cblas_sgemm as OpenBLAS, so
 * neither is linked. */
#ifndef STEPS_02_CPU_BLOCKED_BLIS_H
#define STEPS_02_CPU_BLOCKED_BLIS_H

#include "common/step.h"

/** Its name, version and kernels, for reports; NULL when it is not there. */
const char *blis_load(void);

/** "BLIS is not installed ...", or NULL when it is loaded. */
const char *blis_missing(void);

/** BLIS as a leaf, on p->threads threads; blis_load() has succeeded. */
void multiply_blis(const struct context *x, struct product p, int levels, real *workspace);

#endif
