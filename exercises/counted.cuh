/* SPDX-License-Identifier: MIT */
/** @file counted.cuh
 * Numbers of the products on a GPU, as blocks.cuh and fused_products.cuh count them. The lab
 * reads them from the step's note: `exactly products 7` in a goals file.
 */
#ifndef EXERCISES_COUNTED_CUH
#define EXERCISES_COUNTED_CUH

#include <stdio.h>

/* Of the last multiplication; count_from_zero() begins one. */
static int counted_products;
static long counted_multiplications; /* of elements, in all products */

static inline void count_from_zero(void)
{
    counted_products = 0;
    counted_multiplications = 0;
}

/* A product of rows x inner by inner x cols. */
static inline void count_product(long rows, long inner, long cols)
{
    counted_products++;
    counted_multiplications += rows * inner * cols;
}

static inline const char *counted_note(void)
{
    static char text[64];
    snprintf(text, sizeof text, "products=%d multiplications=%ld", counted_products,
             counted_multiplications);
    return text;
}

#endif
