/* SPDX-License-Identifier: MIT */
/** @file counted.h
 * Adds and multiplies blocks and counts how often, for exercises on the processor. The lab
 * reads the counts from the step's note, and the goals name them: `exactly products 7`.
 */
#ifndef EXERCISES_COUNTED_H
#define EXERCISES_COUNTED_H

#include <stdio.h>

#include "steps/01-cpu-naive/ikj.h"
#include "common/matrix/sums.h"
#include "exercises/exchanged.h"

/* What has been done since the last count_from_zero(). */
static struct {
    int products, sums;
    long multiplications,
        longest_side; /* of elements in all products; of any factor or result */
    real factor;      /* scales every product; 0 means 1 */
} counted;

/* Not inlined: with a dozen copies of the loops an exercise would take seconds to compile. */
#define ONCE static __attribute__((noinline, unused))

static inline void count_from_zero(void)
{
    counted.products = 0;
    counted.sums = 0;
    counted.multiplications = counted.longest_side = 0;
}

/* A product of empty blocks does no work and is not counted. */
static inline void count_product(struct product p)
{
    long sides[] = {p.c.rows, p.c.cols, p.a.cols};
    if (p.c.rows == 0 || p.c.cols == 0 || p.a.cols == 0)
        return;
    counted.products++;
    counted.multiplications += p.c.rows * p.c.cols * p.a.cols;
    for (int i = 0; i < 3; i++)
        if (sides[i] > counted.longest_side)
            counted.longest_side = sides[i];
}

static inline const char *counted_note(void)
{
    static char text[128];
    snprintf(text, sizeof text,
             "products=%d sums=%d multiplications=%ld longest_side_of_a_product=%ld",
             counted.products, counted.sums, counted.multiplications, counted.longest_side);
    return text;
}

/** z = x + y; z may be x or y. */
ONCE void plus(struct block x, struct block y, struct block z)
{
    counted.sums++;
    add(x, y, z);
}

/** z = x - y; z may be x or y. */
ONCE void minus(struct block x, struct block y, struct block z)
{
    counted.sums++;
    sub(x, y, z);
}

/* Multiplies every product by a power of two until scale_back() divides C by it. A result that
   is made of these products comes out right, and one that was computed in another way comes out
   too small. The factor changes from run to run. */
static inline void scale_products(void)
{
    static int runs;
    counted.factor = (real)(2 << runs++ % 3);
}

/* Divides C by the factor. Elements that were never written are NaN and stay so. */
static inline void scale_back(struct block c)
{
    for (long i = 0; i < c.rows; i++)
        for (long j = 0; j < c.cols; j++)
            if (c.at[i * c.ld + j] == c.at[i * c.ld + j])
                c.at[i * c.ld + j] /= counted.factor;
}

/** c = c + a * b. */
ONCE void product_add(struct block a, struct block b, struct block c)
{
    real factor = counted.factor == 0 ? 1 : counted.factor;
    count_product(product_on(a, b, c));
    for (long i = 0; i < c.rows; i++)
        for (long l = 0; l < a.cols; l++) {
            real ail = factor * a.at[i * a.ld + l];
            for (long j = 0; j < c.cols; j++)
                c.at[i * c.ld + j] += ail * b.at[l * b.ld + j];
        }
}

/** c = a * b. */
ONCE void product(struct block a, struct block b, struct block c)
{
    for (long i = 0; i < c.rows; i++)
        for (long j = 0; j < c.cols; j++)
            c.at[i * c.ld + j] = 0;
    product_add(a, b, c);
}

#endif
