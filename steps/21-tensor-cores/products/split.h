/* SPDX-License-Identifier: MIT */
/** @file split.h
 * Products over cuBLAS's tensor-core products: one of TF32, three of FP16.
 */
#ifndef STEPS_21_TENSOR_CORES_PRODUCTS_SPLIT_H
#define STEPS_21_TENSOR_CORES_PRODUCTS_SPLIT_H

#include "common/step.h"

/** C = A * B with one product of TF32: rounds the factors to 11 significant bits. */
void multiply_tf32(struct block A, struct block B, struct block C);

/** With three products of halves, scaled line by line; hi hi is cut into pieces of SET_PROMOTE
 * terms of k. */
void multiply_fp16x3(const struct context *ctx, struct product p, int levels, real *workspace);
size_t workspace_fp16x3(const struct context *ctx, struct product p, int levels);

#endif
