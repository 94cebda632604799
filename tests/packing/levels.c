/* SPDX-License-Identifier: MIT */
/** @file levels.c
 * Checks how many levels step 05 takes by default: at each border of the rule, and at sizes
 * where measurements on a Xeon with 16 cores and an EPYC with two (docs/results) were clear.
 */
#include <stdio.h>

#include "steps/05-cpu-winograd/packing.h"

static const struct {
    long m, n, k;
    int threads, levels;
} cases[] = {
    /* one thread: a further level each time that half the size still pays */
    {1023, 1023, 1023, 1, 0},
    {1024, 1024, 1024, 1, 1},
    {2047, 2047, 2047, 1, 1},
    {2048, 2048, 2048, 1, 2},
    {8192, 8192, 8192, 1, 4},
    /* the same work for each of several threads: n grows with the cube root of their number */
    {1279, 1279, 1279, 2, 0},
    {1280, 1280, 1280, 2, 0},
    {1613, 1613, 1613, 2, 1},
    {2559, 2559, 2559, 8, 0},
    {2560, 2560, 2560, 8, 1},
    {12901, 12901, 12901, 1024, 0},
    {12903, 12903, 12903, 1024, 1},
    /* thin: the smallest dimension decides */
    {64, 4096, 4096, 1, 0},
    {4096, 64, 4096, 1, 0},
    {4096, 4096, 64, 1, 0},
    {1023, 100000, 100000, 1, 0},
    {2559, 100000, 100000, 16, 1},
    /* measured: the fastest of 0 to 3 levels */
    {2048, 2048, 2048, 8, 0},
    {2048, 2048, 2048, 16, 0},
    {3072, 3072, 3072, 16, 0},
    {2048, 2048, 2048, 2, 1},
    {4096, 4096, 4096, 1, 3},
    {4096, 4096, 4096, 8, 1},
    {4096, 4096, 4096, 16, 1},
    {8192, 8192, 8192, 16, 2},
};

int main(void)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct context ctx = {.threads = cases[i].threads};
        long m = cases[i].m, n = cases[i].n, k = cases[i].k;
        int levels = levels_by_size(&ctx, product_of_size(m, n, k), 0);
        if (levels == cases[i].levels)
            continue;
        printf("%ld x %ld x %ld on %d threads: %d levels, not %d\n", m, n, k, ctx.threads,
               levels, cases[i].levels);
        wrong++;
    }
    return wrong != 0;
}
