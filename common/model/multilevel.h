/* SPDX-License-Identifier: MIT */
/** @file multilevel.h
 * What Strassen's and Winograd's methods over GPU8 cost (Li et al. (2011), sections 6 and 7),
 * for f32. Where the quadrants are no multiples of GPU8's tiles, transactions and bytes come
 * back negative: not modelled.
 */
#ifndef COMMON_MODEL_MULTILEVEL_H
#define COMMON_MODEL_MULTILEVEL_H

#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Strassen over GPU8 on `levels` levels (Li et al. (2011), sections 6.1 and 7.1), the last by
 * Figure 12 when x->fused: A(k, n) = 7 A(k-1, n/2) + 9 n^2/2, T(k, n) = 7 T(k-1, n/2) + 51
 * n^2/128, V(k, n) = 7 V(k-1, n/2) + 51 n^2, over Figure 14.
 * @param x its `fused` counts
 * @param p sizes alone count
 * @param levels of recursion, 0 or more
 * @return flops, transactions and bytes; negative: not modelled
 */
struct cost model_strassen(const struct context *x, struct product p, int levels);
/**
 * Winograd's variant likewise (sections 6.2 and 7.2): 15 n^2/4, 41 n^2/128 and 41
 * n^2 a level.
 * @param x its `fused` counts
 * @param p sizes alone count
 * @param levels of recursion, 0 or more
 * @return flops, transactions and bytes; negative: not modelled
 */
struct cost model_winograd(const struct context *x, struct product p, int levels);

#ifdef __cplusplus
}
#endif
#endif
