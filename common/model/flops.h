/* SPDX-License-Identifier: MIT */
/** @file flops.h
 * The flops of Strassen's and Winograd's methods over any leaf.
 */
#ifndef COMMON_MODEL_FLOPS_H
#define COMMON_MODEL_FLOPS_H

#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A(l, n) = 7 A(l-1, n/2) and 18 or 15 sums of (n/2)^2 elements, on rectangles too. The leaf's
 * memory traffic is not modelled.
 * @param x not looked at
 * @param p sizes alone count
 * @param levels of recursion, 0 or more
 * @return multiplications and additions; transactions and bytes are negative
 */
struct cost model_strassen_flops(const struct context *x, struct product p, int levels);
/**
 * Likewise with 15 sums.
 * @param x not looked at
 * @param p sizes alone count
 * @param levels of recursion, 0 or more
 * @return multiplications and additions; transactions and bytes are negative
 */
struct cost model_winograd_flops(const struct context *x, struct product p, int levels);

#ifdef __cplusplus
}
#endif
#endif
