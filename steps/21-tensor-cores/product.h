/**
 * @file product.h
 * A whole product on tensor cores: what the step's variants and the library's math mode both
 * run.
 */
#ifndef STEPS_21_TENSOR_CORES_PRODUCT_H
#define STEPS_21_TENSOR_CORES_PRODUCT_H

#include "tensor_leaf.h"

/** Terms of k after which a partial sum is added in float: `promote`, or with 0 what suits the
 * format. */
int terms_between_promotions(enum format format, int promote);

/**
 * C = A * B by `levels` levels of Strassen's method, 0 to TENSOR_LEVELS, in x's stream. Nothing
 * waits for the GPU. m, n and k are multiples of 4 * 2^levels, leading dimensions multiples
 * of 4.
 * @param leaf      which hand-written product
 * @param promote   terms of k after which a partial sum is added in float; 0: what suits the
 * format
 * @param workspace of batch_elements() floats, aligned to 64 bytes
 */
void multiply_tensor(const struct gpu_context *x, const struct problem *p, enum format format,
                     enum leaf leaf, int levels, int promote, void *workspace);

#endif
