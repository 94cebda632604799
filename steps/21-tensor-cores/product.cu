/* SPDX-License-Identifier: MIT */
/** @file product.cu
 * The passes of a product, one after another. See product.h.
 */
#include "product.h"

enum { PROMOTE_HALVES = 128, PROMOTE_BYTES = 512 }; /* terms of k, where nothing says it */

int terms_between_promotions(const struct context *x, enum format format)
{
    if (x->settings[SET_PROMOTE] > 0)
        return (int)x->settings[SET_PROMOTE];
    return format == FORMAT_TWO_HALVES ? (int)PROMOTE_HALVES : (int)PROMOTE_BYTES;
}

/// [multiply]
/* Strassen's sums, scaling and splitting in one pass over A and one over B; all products in one
   launch; one pass for C. */
void multiply_tensor(const struct context *x, struct product p, int levels, real *workspace,
                     enum format format, enum tensor_leaf leaf)
{
    char *free = (char *)workspace;
    struct batch b =
        batch_of(p, format, levels, terms_between_promotions(x, format), NULL, &free);
    zero_batch(x, &b);
    find_exponents(x, &b);
    make_factors(x, &b);
    multiply_batch(x, &b, leaf);
    join_products(x, &b, p.c);
    repair(x, &b, p.c);
}
/// [multiply]

void fp16(const struct context *x, struct product p, int levels, real *workspace)
{
    multiply_tensor(x, p, levels, workspace, FORMAT_TWO_HALVES, LEAF_FASTEST);
}

size_t workspace_fp16(const struct context *x, struct product p, int levels)
{
    return batch_elements(p, FORMAT_TWO_HALVES, levels);
}

void int8(const struct context *x, struct product p, int levels, real *workspace)
{
    multiply_tensor(x, p, levels, workspace, FORMAT_HALF_AND_BYTES, LEAF_FASTEST);
}

size_t workspace_int8(const struct context *x, struct product p, int levels)
{
    return batch_elements(p, FORMAT_HALF_AND_BYTES, levels);
}
