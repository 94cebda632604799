/**
 * @file counted.h
 * Sums and products of blocks that count themselves, for exercises on the processor. The lab reads
 * the numbers from the step's note: `exactly products 7` in a goals file.
 */
#ifndef LADDER_COUNTED_H
#define LADDER_COUNTED_H

#include <stdio.h>

#include "steps/01-cpu-naive/ikj.h"
#include "steps/03-cpu-divide-conquer/sums.h"

/* What the last multiplication did; count_from_zero() begins one. */
static struct {
    int products, sums;
} counted;

/* Kept out of line: inlined a dozen times the loops would take seconds to compile. */
#define ONCE static __attribute__((noinline, unused))

static inline void count_from_zero(void)
{
    counted.products = 0;
    counted.sums = 0;
}

static inline const char *counted_note(void)
{
    static char text[64];
    snprintf(text, sizeof text, "products=%d sums=%d", counted.products, counted.sums);
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

/** c = a * b. */
ONCE void product(struct block a, struct block b, struct block c)
{
    struct problem p = {.m = c.rows, .n = c.cols, .k = a.cols, .a = a.at, .lda = a.ld, .b = b.at,
                        .ldb = b.ld, .c = c.at, .ldc = c.ld};
    counted.products++;
    multiply_ikj(&p, NULL);
}

/** c = c + a * b. */
ONCE void product_add(struct block a, struct block b, struct block c)
{
    struct problem p = {.m = c.rows, .n = c.cols, .k = a.cols, .a = a.at, .lda = a.ld, .b = b.at,
                        .ldb = b.ld, .c = c.at, .ldc = c.ld, .accumulate = 1};
    counted.products++;
    multiply_ikj(&p, NULL);
}

#endif
