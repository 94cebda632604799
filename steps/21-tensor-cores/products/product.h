/* SPDX-License-Identifier: MIT */
/** @file product.h
 * A whole product on tensor cores, which both the step's variants and the library's math modes
 * run.
 */
#ifndef STEPS_21_TENSOR_CORES_PRODUCTS_PRODUCT_H
#define STEPS_21_TENSOR_CORES_PRODUCTS_PRODUCT_H

#include "steps/21-tensor-cores/leaf/tensor_leaf.h"

struct options;

/** Places in the table of settings: the terms of k after which a partial sum is added in float,
 * and the kind of data of --rungs. */
enum { SET_PROMOTE, SET_DATA };

/** Terms of k after which a partial sum is added in float: the setting, or, if that is 0, the
 * default for the format and the length of the sums. */
int terms_between_promotions(const struct context *ctx, struct product p, int levels,
                             enum format format);

/**
 * C = A * B with `levels` levels of Strassen's method, 0 to TENSOR_LEVELS, queued in ctx's
 * stream without waiting for the GPU. m, n and k are multiples of 4 * 2^levels, leading
 * dimensions multiples of 4.
 * @param workspace of batch_elements() floats, aligned to 64 bytes
 * @param leaf      which hand-written product
 */
void multiply_tensor(const struct context *ctx, struct product p, int levels, real *workspace,
                     enum format format, enum tensor_leaf leaf);

/** The same, split into two halves or into a half and bytes, with this GPU's fastest product.
 */
void fp16(const struct context *ctx, struct product p, int levels, real *workspace);
void int8(const struct context *ctx, struct product p, int levels, real *workspace);
size_t workspace_fp16(const struct context *ctx, struct product p, int levels);
size_t workspace_int8(const struct context *ctx, struct product p, int levels);

/** Splits the right factor once, to be multiplied often, in step 20's math mode `math`. p: the
 * sizes of the product; only B's determine what is kept. `kept` has prepared_bytes() bytes,
 * `workspace` prepared_workspace(), both aligned to 64. B must stay unchanged: elements outside
 * the halves' range are read from it again. */
void prepare_right(const struct context *ctx, struct product p, int levels, int math,
                   void *kept);
void multiply_prepared(const struct context *ctx, struct product p, int levels, int math,
                       void *kept, void *workspace);
size_t prepared_bytes(struct product p, int levels, int math);
size_t prepared_workspace(struct product p, int levels, int math);

/** --rungs, in tensor_rungs.cu: every rung, compared with cublasSgemm, with errors against a
 * more exact product, on square matrices of order 2048 to 32768, or on those that --n, --m and
 * --k give. Returns the exit status: 3 without times or memory, 1 if a repeated product gave
 * other bits. */
int measure_tensor_rungs(const struct options *options);

#endif
