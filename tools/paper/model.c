/* SPDX-License-Identifier: MIT */
/** @file model.c
 * Prints the cost model of Li et al. (2011), from common/model.h: a line for each method and
 * number of levels, or kernel, and size.
 */
#include <stdio.h>

#include "common/model.h"

static void print_cost(const char *name, int levels, long n, struct cost cost)
{
    printf("%s,%d,%ld,%.17g,%.17g,%.17g\n", name, levels, n, cost.flops, cost.transactions,
           cost.volume);
}

int main(void)
{
    const struct context ctx = {.fused = 1};
    puts("name,levels,n,arithmetics,transactions,volume");
    for (long n = 2048; n <= 16384; n *= 2) {
        struct product p = product_of_size(n, n, n);
        print_cost("GPU8", 0, n, model_gpu8(&ctx, p, 0));
        for (int levels = 0; levels <= 4; levels++) {
            print_cost("Strassen", levels, n, model_strassen(&ctx, p, levels));
            print_cost("Winograd", levels, n, model_winograd(&ctx, p, levels));
        }
        for (int i = 0; i < KERNEL_MODELS; i++)
            print_cost(kernel_models[i].name, 0, n, model_kernel(&kernel_models[i], n));
    }
    return 0;
}
