/* SPDX-License-Identifier: MIT */
/** @file product.cu
 * Runs the passes of a product, one after another. See product.h.
 */
#include "product.h"

#include "steps/20-library/methods.h"

/* Terms of k between two promotions, by default. Every addition truncates a tensor core's sum,
   so the error grows with the terms of a sum; and every promotion rounds the total. In short
   products the truncation is the larger error; in long ones a promotion every 64 terms leaves a
   third of cublasSgemm's error. On an H100 promotion took no measurable time: one warpgroup
   promotes while the other multiplies. */
enum { PROMOTE_SHORT = 32, PROMOTE_LONG = 64, LONG = 2048, PROMOTE_BYTES = 512 };

int terms_between_promotions(const struct context *ctx, struct product p, int levels,
                             enum format format)
{
    if (ctx->settings[SET_PROMOTE] > 0)
        return (int)ctx->settings[SET_PROMOTE];
    if (format == FORMAT_HALF_AND_BYTES)
        return PROMOTE_BYTES;
    return p.a.cols >> levels < LONG ? PROMOTE_SHORT : PROMOTE_LONG;
}

/* Strassen's sums, scaling and splitting take one pass over A and one over B; all products are
   one launch; C takes one more pass. */
void multiply_tensor(const struct context *ctx, struct product p, int levels, real *workspace,
                     enum format format, enum tensor_leaf leaf)
{
    char *free = (char *)workspace;
    struct batch b = batch_of(p, format, levels,
                              terms_between_promotions(ctx, p, levels, format), NULL, &free);
    split_factors(ctx, &b);
    multiply_batch(ctx, &b, leaf);
    join_products(ctx, &b, p.c);
    repair(ctx, &b, p.c, true);
}

/* A batch whose right factors are at the front of `kept`; the rest of its layout is unused. */
static struct batch batch_in(void *kept, struct product p, int levels, enum format format)
{
    char *free = (char *)kept;
    return batch_of(p, format, levels, 0, NULL, &free);
}

static enum format format_of(int math)
{
    return math == LADDER_GEMM_TENSOR ? FORMAT_TWO_HALVES : FORMAT_HALF_AND_BYTES;
}

size_t prepared_bytes(struct product p, int levels, int math)
{
    char *begin = (char *)256; /* any aligned address will do */
    return (size_t)((char *)batch_in(begin, p, levels, format_of(math)).progress - begin);
}

void prepare_right(const struct context *ctx, struct product p, int levels, int math,
                   void *kept)
{
    struct batch b = batch_in(kept, p, levels, format_of(math));
    split_right(ctx, &b);
}

/* multiply_tensor() without the work that prepare_right() has done. */
void multiply_prepared(const struct context *ctx, struct product p, int levels, int math,
                       void *kept, void *workspace)
{
    enum format format = format_of(math);
    struct batch prepared = batch_in(kept, p, levels, format);
    char *free = (char *)workspace;
    struct batch b =
        batch_of(p, format, levels, terms_between_promotions(ctx, p, levels, format),
                 &prepared.right, &free);
    split_left(ctx, &b);
    multiply_batch(ctx, &b, LEAF_FASTEST);
    join_products(ctx, &b, p.c);
    repair(ctx, &b, p.c, true);
}

size_t prepared_workspace(struct product p, int levels, int math)
{
    char *begin = (char *)256, *end = begin;
    struct batch prepared = batch_in(begin, p, levels, format_of(math));
    batch_of(p, format_of(math), levels, 0, &prepared.right, &end);
    return (size_t)(end - begin);
}

void fp16(const struct context *ctx, struct product p, int levels, real *workspace)
{
    multiply_tensor(ctx, p, levels, workspace, FORMAT_TWO_HALVES, LEAF_FASTEST);
}

size_t workspace_fp16(const struct context *, struct product p, int levels)
{
    return batch_elements(p, FORMAT_TWO_HALVES, levels);
}

void int8(const struct context *ctx, struct product p, int levels, real *workspace)
{
    multiply_tensor(ctx, p, levels, workspace, FORMAT_HALF_AND_BYTES, LEAF_FASTEST);
}

size_t workspace_int8(const struct context *, struct product p, int levels)
{
    return batch_elements(p, FORMAT_HALF_AND_BYTES, levels);
}
