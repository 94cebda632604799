/**
 * @file fused.cuh
 * The product kernels of step 12 without the context, which an exercise about one level does not
 * have. They count themselves; the lab reads the numbers from the step's note.
 */
#ifndef LADDER_EXERCISES_FUSED_CUH
#define LADDER_EXERCISES_FUSED_CUH

#include <stdio.h>

#include "steps/12-strassen-one-level/kernels.cuh"

/* Of the last multiplication; count_from_zero() begins one. */
static struct {
    int products;
    long multiplications; /* of elements, in all products */
} counted;

static inline void count_from_zero(void)
{
    counted.products = 0, counted.multiplications = 0;
}

static inline const char *counted_note(void)
{
    static char text[64];
    snprintf(text, sizeof text, "products=%d multiplications=%ld", counted.products,
             counted.multiplications);
    return text;
}

static inline void count_product(struct block left, struct block right)
{
    counted.products++;
    counted.multiplications += left.rows * left.cols * right.cols;
}

static inline void mul(struct block w, struct block x, struct block z)
{
    count_product(w, x);
    mul(NULL, w, x, z);
}

static inline void mulIncInc(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w, x);
    mulIncInc(NULL, w, x, y, z);
}

static inline void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w, x);
    mulIncDec(NULL, w, x, y, z);
}

static inline void mulStoreDec(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w, x);
    mulStoreDec(NULL, w, x, y, z);
}

static inline void mulStoreInc(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w, x);
    mulStoreInc(NULL, w, x, y, z);
}

static inline void mulAdd(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w, x);
    mulAdd(NULL, w, x, y, z);
}

static inline void mulIncIncInc(struct block u, struct block v, struct block w, struct block x,
                                struct block y, struct block z)
{
    count_product(u, v);
    mulIncIncInc(NULL, u, v, w, x, y, z);
}

static inline void mulSubInc(struct block v, struct block w, struct block x, struct block y,
                             struct block z)
{
    count_product(v, w);
    mulSubInc(NULL, v, w, x, y, z);
}

#endif
