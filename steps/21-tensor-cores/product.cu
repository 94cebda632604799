/**
 * @file product.cu
 * The passes of a product, one after another. See product.h.
 */
#include "product.h"

enum { PROMOTE_HALVES = 128, PROMOTE_BYTES = 512 }; /* terms of k, where nothing says it */

/// [multiply]
/* Strassen's sums, scaling and splitting in one pass over A and one over B; all products in one
   launch; one pass for C. */
void multiply_tensor(const struct gpu_context *x, const struct problem *p, enum format format,
                     enum leaf leaf, int levels, int promote, void *workspace)
{
    struct block c = block_c(p);
    if (promote == 0)
        promote = format == FORMAT_TWO_HALVES ? (int)PROMOTE_HALVES : (int)PROMOTE_BYTES;
    struct batch b = batch_of(p, format, levels, promote, (float *)workspace);
    find_exponents(x, &b);
    make_factors(x, &b);
    multiply_batch(x, &b, leaf);
    join_products(x, &b, c);
    repair(x, &b, c);
}
/// [multiply]
