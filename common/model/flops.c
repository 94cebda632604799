/* SPDX-License-Identifier: MIT */
#include "common/model/flops.h"

/* A level's additions of quadrants of A's, B's and C's shape, then seven products. Sizes are
   halved as real numbers: what is peeled off an odd one is not counted apart. */
static struct cost flops_of(struct product p, int levels, double a_sums, double b_sums,
                            double c_sums)
{
    double m = (double)p.c.rows, n = (double)p.c.cols, k = (double)p.a.cols, products = 1,
           flops = 0;
    for (int level = 0; level < levels; level++) {
        m /= 2, n /= 2, k /= 2;
        flops += products * (a_sums * m * k + b_sums * k * n + c_sums * m * n);
        products *= 7;
    }
    return (struct cost){flops + products * (2 * m * n * k - m * n), -1, -1};
}

struct cost model_strassen_flops(const struct context *x, struct product p, int levels)
{
    return flops_of(p, levels, 5, 5, 8);
}

struct cost model_winograd_flops(const struct context *x, struct product p, int levels)
{
    return flops_of(p, levels, 4, 4, 7);
}
