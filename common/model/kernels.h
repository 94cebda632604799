/* SPDX-License-Identifier: MIT */
/** @file kernels.h
 * The ten kernels of Li et al. (2011), section 5, and what each of them costs (Figure 11).
 */
#ifndef COMMON_MODEL_KERNELS_H
#define COMMON_MODEL_KERNELS_H

#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One of the kernels of Li et al. (2011), section 5, and its row of Figure 11: passes over m x
 * m elements, made by a sum's accesses (m^2/32 transactions each) or by a product's store
 * (m^2/16), 4 m^2 bytes each. */
struct kernel_model {
    const char *name;
    int sum_passes;   /**< of a kernel that is a sum */
    int product;      /**< 1: GPU8's T and V too */
    int store_passes; /**< beyond the one that every product makes */
};
enum { KERNEL_MODELS = 10 };
extern const struct kernel_model kernel_models[KERNEL_MODELS];

/**
 * Transactions and bytes of one kernel on m x m matrices, m a multiple of 128; flops: not
 * said.
 * @param kernel one of kernel_models
 * @param m order of the matrices
 * @return transactions and bytes; flops are negative
 */
struct cost model_kernel(const struct kernel_model *kernel, long m);

#ifdef __cplusplus
}
#endif
#endif
