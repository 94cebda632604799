/* SPDX-License-Identifier: MIT */
/** @file counted.cuh
 * Counts the products that blocks.cuh and fused_products.cuh compute on a GPU. The lab reads
 * the counts from the step's note, and the goals name them: `exactly products 7`. A factor that
 * nobody can foresee scales them until scale_back(): a result that is made of these products
 * comes out right, and one that was computed in another way does not.
 */
#ifndef EXERCISES_COUNTED_CUH
#define EXERCISES_COUNTED_CUH

#include <stdio.h>
#include <unistd.h>

#include "common/matrix/block.h"
#include "exercises/divide.h"

/* Counts of the multiplication that began with the last count_from_zero(). */
static int counted_products;
static long counted_multiplications; /* of elements, in all products */
/* A power of two, small enough for a sum that a product is added to not to be rounded away: the
   checker finds it in C (tools/lab/mistakes/sums.c). */
static real product_factor = 1;

static inline void count_from_zero(void)
{
    unsigned char random = 0;
    if (getentropy(&random, 1) == 0)
        product_factor = (real)(2 << random % 10);
    counted_products = 0;
    counted_multiplications = 0;
}

/* Counts a product of a rows x inner block and an inner x cols block, as its kernel gets them.
 */
static inline void count_product(int rows, int inner, int cols)
{
    counted_products++;
    counted_multiplications += inner > 0 ? (long)rows * inner * cols : 0;
}

static inline void scale_back(struct block c)
{
    divide_on_the_host(c.at, sizeof(real), c.ld, c.rows, c.cols, product_factor);
    product_factor = 1;
}

static inline const char *counted_note(void)
{
    static char text[64];
    snprintf(text, sizeof text, "products=%d multiplications=%ld", counted_products,
             counted_multiplications);
    return text;
}

#endif
