/* SPDX-License-Identifier: MIT */
/** @file counted.h
 * Adds and multiplies blocks and counts how often, for exercises on the processor. The lab
 * reads the counts from the step's note, and the goals name them: `exactly products 7`.
 */
#ifndef EXERCISES_COUNTED_H
#define EXERCISES_COUNTED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "steps/01-cpu-naive/ikj.h"
#include "common/device/worker.h"
#include "common/matrix/sums.h"
#include "exercises/exchanged.h"

/* What has been done since the last count_from_zero(). */
static struct counted {
    int products;
    long additions, multiplications; /* of elements, in all sums and all products */
    long least, longest_side; /* elements of the smallest result; of any factor or result */
} * counted;

/* Not inlined: with a dozen copies of the loops an exercise would take seconds to compile. */
#define ONCE static __attribute__((noinline, unused))

static inline void count_from_zero(void)
{
    counted = worker_counters();
    *counted = (struct counted){0};
}

/* Opens closed memory for an operation on three blocks; returns whether it was closed. Only
   what is in A, B, C and the workspace can be used then: nothing is computed elsewhere. */
static inline int open_for(struct block x, struct block y, struct block z)
{
    struct block all[] = {x, y, z};
    int closed = worker_open();
    for (int i = 0; closed && i < 3; i++)
        if (all[i].rows > 0 && all[i].cols > 0 &&
            !worker_has(all[i].at,
                        (size_t)((all[i].rows - 1) * all[i].ld + all[i].cols) * sizeof(real))) {
            puts("A block has memory outside the workspace, and not in A, B or C.");
            fflush(stdout);
            abort();
        }
    return closed;
}

static inline void close_if(int closed)
{
    if (closed)
        worker_close();
}

/* A product of empty blocks does no work and is not counted. */
static inline void count_product(struct product p)
{
    long sides[] = {p.c.rows, p.c.cols, p.a.cols};
    if (p.c.rows <= 0 || p.c.cols <= 0 || p.a.cols <= 0)
        return;
    counted->products++;
    counted->multiplications += p.c.rows * p.c.cols * p.a.cols;
    for (int i = 0; i < 3; i++)
        if (sides[i] > counted->longest_side)
            counted->longest_side = sides[i];
}

static inline void count_result(struct block z, bool is_sum)
{
    long elements = z.rows > 0 && z.cols > 0 ? z.rows * z.cols : 0;
    counted->additions += is_sum ? elements : 0;
    if (elements && (!counted->least || elements < counted->least))
        counted->least = elements;
}

/* Two sums in one call count as two, and so does a sum that a product is added to. */
static inline const char *counted_note(void)
{
    static char text[128];
    long least = counted->least ? counted->least : 1;
    snprintf(text, sizeof text,
             "products=%d sums=%ld multiplications=%ld longest_side_of_a_product=%ld",
             counted->products, (counted->additions + least - 1) / least,
             counted->multiplications, counted->longest_side);
    return text;
}

/** z = x + y; z may be x or y. */
ONCE void plus(struct block x, struct block y, struct block z)
{
    int closed = open_for(x, y, z);
    count_result(z, true);
    add(x, y, z);
    close_if(closed);
}

/** z = x - y; z may be x or y. */
ONCE void minus(struct block x, struct block y, struct block z)
{
    int closed = open_for(x, y, z);
    count_result(z, true);
    sub(x, y, z);
    close_if(closed);
}

/** y = x */
ONCE void copy_opened(struct block x, struct block y)
{
    int closed = open_for(x, y, y);
    copy(x, y);
    close_if(closed);
}

/* c = a * b, or c + a * b. */
ONCE void multiply_opened(struct block a, struct block b, struct block c, bool is_sum)
{
    int closed = open_for(a, b, c);
    count_product(product_on(a, b, c));
    count_result(c, is_sum);
    for (long i = 0; i < c.rows && !is_sum; i++)
        for (long j = 0; j < c.cols; j++)
            c.at[i * c.ld + j] = 0;
    for (long i = 0; i < c.rows; i++)
        for (long l = 0; l < a.cols; l++) {
            real ail = a.at[i * a.ld + l];
            for (long j = 0; j < c.cols; j++)
                c.at[i * c.ld + j] += ail * b.at[l * b.ld + j];
        }
    close_if(closed);
}

/** c = c + a * b. */
static inline void product_add(struct block a, struct block b, struct block c)
{
    multiply_opened(a, b, c, true);
}

/** c = a * b. */
static inline void product(struct block a, struct block b, struct block c)
{
    multiply_opened(a, b, c, false);
}

#define copy copy_opened

#endif
