/* SPDX-License-Identifier: MIT */
/** @file fused_products.cuh
 * The product kernels of step 12 without their context argument, which an exercise about one
 * level does not have. Each call is counted; the lab reads the counts from the step's note.
 */
#ifndef EXERCISES_FUSED_PRODUCTS_CUH
#define EXERCISES_FUSED_PRODUCTS_CUH

#include "exercises/counted.cuh"
#include "exercises/exchanged.h"
#include "steps/12-strassen-one-level/one-level.cuh"

static inline void mul(struct block w, struct block x, struct block z)
{
    count_product(w, x, z);
    mul<by_pointer>(NULL, w, x, z);
}

static inline void mulIncInc(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w, x, z);
    mulIncInc<by_pointer>(NULL, w, x, y, z);
}

static inline void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w, x, z);
    mulIncDec<by_pointer>(NULL, w, x, y, z);
}

static inline void mulStoreDec(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w, x, z);
    mulStoreDec<by_pointer>(NULL, w, x, y, z);
}

static inline void mulStoreInc(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w, x, z);
    mulStoreInc<by_pointer>(NULL, w, x, y, z);
}

static inline void mulAdd(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w, x, z);
    mulAdd<by_pointer>(NULL, w, x, y, z);
}

static inline void mulIncIncInc(struct block u, struct block v, struct block w, struct block x,
                                struct block y, struct block z)
{
    count_product(u, v, z);
    mulIncIncInc<by_pointer>(NULL, u, v, w, x, y, z);
}

static inline void mulSubInc(struct block v, struct block w, struct block x, struct block y,
                             struct block z)
{
    count_product(v, w, z);
    mulSubInc<by_pointer>(NULL, v, w, x, y, z);
}

#endif
