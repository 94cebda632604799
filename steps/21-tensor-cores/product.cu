/**
 * @file product.cu
 * The passes of a product, one after another. See product.h.
 */
#include "product.h"

enum { PROMOTE_HALVES = 128, PROMOTE_BYTES = 512 }; /* terms of k, where nothing says it */

int terms_between_promotions(enum format format, int promote)
{
    if (promote > 0)
        return promote;
    return format == FORMAT_TWO_HALVES ? (int)PROMOTE_HALVES : (int)PROMOTE_BYTES;
}

/// [multiply]
/* Strassen's sums, scaling and splitting in one pass over A and one over B; all products in one
   launch; one pass for C. */
void multiply_tensor(const struct gpu_context *x, const struct problem *p, enum format format,
                     enum leaf leaf, int levels, int promote, void *workspace)
{
    char *free = (char *)workspace;
    struct batch b =
        batch_of(p, format, levels, terms_between_promotions(format, promote), NULL, &free);
    find_right_exponents(x, &b);
    find_left_exponents(x, &b);
    make_left_factors(x, &b);
    make_right_factors(x, &b);
    multiply_batch(x, &b, leaf);
    join_products(x, &b, block_c(p));
    repair(x, &b, block_c(p));
}
/// [multiply]
