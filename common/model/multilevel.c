/* SPDX-License-Identifier: MIT */
#include "common/model/multilevel.h"

#include "common/model/classical.h"

/* What a method does at one level beside its seven products, in passes over quadrants. A pass
   moves one quadrant: elements/32 transactions of 128 bytes when a sum does it (Figure 10),
   elements/16 of 64 when a product's store does it. */
struct level {
    double a_sums, b_sums, c_sums; /* additions of quadrants of A's, B's and C's shape */
    double a_passes, b_passes;     /* by sums, over quadrants of A's and B's shape */
    double c_passes;               /* by sums, over quadrants of C's shape */
    double fused_c_passes;         /* by the products' stores, beyond the one of each product */
};

/* Figure 12: five sums of A and five of B; mulIncInc 3 passes beyond a product's own (twice),
   mulStoreDec and mulStoreInc 2, mulIncDec 3. Figure 16: the same sums, two of C,
   three pairs. */
static const struct level strassen_fused = {5, 5, 8, 15, 15, 0, 13};
static const struct level strassen_plain = {5, 5, 8, 15, 15, 2 * 3 + 3 * 5, 0};
/* Figure 13: four and four; mulAdd 1 (twice), mulIncIncInc 5, mulSubInc 3. Figure 23: the same
   sums, two of C, and two assignments to two quadrants of 6 and 5 passes. */
static const struct level winograd_fused = {4, 4, 7, 12, 12, 0, 10};
static const struct level winograd_plain = {4, 4, 7, 12, 12, 2 * 3 + 6 + 5, 0};

static struct cost multilevel(struct product p, int levels, int last_is_fused,
                              const struct level *plain, const struct level *fused)
{
    if (levels == 0)
        return model_gpu8(NULL, p, 0);
    long m = p.c.rows / 2, n = p.c.cols / 2, k = p.a.cols / 2;
    struct cost product =
        multilevel(product_of_size(m, n, k), levels - 1, last_is_fused, plain, fused);
    const struct level *level = levels == 1 && last_is_fused ? fused : plain;
    double a = (double)m * (double)k, b = (double)k * (double)n, c = (double)m * (double)n;
    struct cost cost = {
        7 * product.flops + level->a_sums * a + level->b_sums * b + level->c_sums * c, -1, -1};
    if (product.transactions < 0 || n % 64 || k % 64 || m % 8)
        return cost;
    double passed = level->a_passes * a + level->b_passes * b + level->c_passes * c;
    cost.transactions = 7 * product.transactions + passed / 32 + level->fused_c_passes * c / 16;
    cost.volume = 7 * product.volume + 4 * passed + 4 * level->fused_c_passes * c;
    return cost;
}

struct cost model_strassen(const struct context *x, struct product p, int levels)
{
    return multilevel(p, levels, x->fused, &strassen_plain, &strassen_fused);
}

struct cost model_winograd(const struct context *x, struct product p, int levels)
{
    return multilevel(p, levels, x->fused, &winograd_plain, &winograd_fused);
}
