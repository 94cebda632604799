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
   mulStoreDec and mulStoreInc 2, mulIncDec 3. Figure 16: the same sums, two of C, three pairs.
 */
static const struct level strassen_fused = {5, 5, 8, 15, 15, 0, 13};
static const struct level strassen_plain = {5, 5, 8, 15, 15, 2 * 3 + 3 * 5, 0};
/* Figure 13: four and four; mulAdd 1 (twice), mulIncIncInc 5, mulSubInc 3. Figure 23: the same
   sums, two of C, and two assignments to two quadrants of 6 and 5 passes. */
static const struct level winograd_fused = {4, 4, 7, 12, 12, 0, 10};
static const struct level winograd_plain = {4, 4, 7, 12, 12, 2 * 3 + 6 + 5, 0};

static struct cost multilevel(const struct problem *p, const struct level *plain,
                              const struct level *fused)
{
    if (p->levels == 0)
        return model_gpu8(p);
    struct problem half = *p;
    half.m /= 2, half.n /= 2, half.k /= 2, half.levels--;
    struct cost product = multilevel(&half, plain, fused);
    const struct level *level = p->levels == 1 && p->fused ? fused : plain;
    double a = (double)half.m * (double)half.k, b = (double)half.k * (double)half.n,
           c = (double)half.m * (double)half.n;
    struct cost cost = {
        7 * product.flops + level->a_sums * a + level->b_sums * b + level->c_sums * c, -1, -1};
    if (product.transactions < 0 || half.n % 64 || half.k % 64 || half.m % 8)
        return cost;
    double passed = level->a_passes * a + level->b_passes * b + level->c_passes * c;
    cost.transactions = 7 * product.transactions + passed / 32 + level->fused_c_passes * c / 16;
    cost.volume = 7 * product.volume + 4 * passed + 4 * level->fused_c_passes * c;
    return cost;
}

struct cost model_strassen(const struct problem *p)
{
    return multilevel(p, &strassen_plain, &strassen_fused);
}

struct cost model_winograd(const struct problem *p)
{
    return multilevel(p, &winograd_plain, &winograd_fused);
}
