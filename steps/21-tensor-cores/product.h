/* SPDX-License-Identifier: MIT */
/** @file product.h
 * A whole product on tensor cores: what the step's variants and the library's math mode both
 * run.
 */
#ifndef STEPS_21_TENSOR_CORES_PRODUCT_H
#define STEPS_21_TENSOR_CORES_PRODUCT_H

#include "tensor_leaf.h"

/** Places in the table of settings: the terms of k after which a partial sum is added in float,
 * and the kind of data of --rungs. */
enum { SET_PROMOTE, SET_DATA };

/** Terms of k after which a partial sum is added in float: the setting, or with 0 what suits
 * the format. */
int terms_between_promotions(const struct context *x, enum format format);

/**
 * C = A * B by `levels` levels of Strassen's method, 0 to TENSOR_LEVELS, in x's stream. Nothing
 * waits for the GPU. m, n and k are multiples of 4 * 2^levels, leading dimensions multiples
 * of 4.
 * @param workspace of batch_elements() floats, aligned to 64 bytes
 * @param leaf      which hand-written product
 */
void multiply_tensor(const struct context *x, struct product p, int levels, real *workspace,
                     enum format format, enum tensor_leaf leaf);

/** It in two halves, and in a half and bytes, with the fastest product that this GPU has. */
void fp16(const struct context *x, struct product p, int levels, real *workspace);
void int8(const struct context *x, struct product p, int levels, real *workspace);
size_t workspace_fp16(const struct context *x, struct product p, int levels);
size_t workspace_int8(const struct context *x, struct product p, int levels);

/** The right factors alone, split once and multiplied often, in step 20's math mode `math`.
 * p: the sizes of the product, of which B's alone count for what is kept; `kept` of
 * prepared_bytes() bytes, `workspace` of prepared_workspace(), both aligned to 64. B must stay
 * as it was: elements beyond the halves' range are read again. */
void prepare_right(const struct context *x, struct product p, int levels, int math, void *kept);
void multiply_prepared(const struct context *x, struct product p, int levels, int math,
                       void *kept, void *workspace);
size_t prepared_bytes(struct product p, int levels, int math);
size_t prepared_workspace(struct product p, int levels, int math);

#endif
