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

/* The elements of X, times the factor of counted.cuh. */
struct scaled {
    const real *at;
    real factor;
    __device__ void operator+=(size_t elements) { at += elements; }
    __device__ real operator[](size_t i) const { return factor * at[i]; }
};

struct by_scaled_pointer {
    static const real *left(const struct context *, struct block w) { return w.at; }
    static struct scaled right(const struct context *, struct block x)
    {
        return {x.at, product_factor};
    }
};

static inline void mul(struct block w, struct block x, struct block z)
{
    count_product(w.rows, w.cols, x.cols);
    mul<by_scaled_pointer>(NULL, w, x, z);
}

static inline void mulIncInc(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w.rows, w.cols, x.cols);
    mulIncInc<by_scaled_pointer>(NULL, w, x, y, z);
}

static inline void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w.rows, w.cols, x.cols);
    mulIncDec<by_scaled_pointer>(NULL, w, x, y, z);
}

static inline void mulStoreDec(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w.rows, w.cols, x.cols);
    mulStoreDec<by_scaled_pointer>(NULL, w, x, y, z);
}

static inline void mulStoreInc(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w.rows, w.cols, x.cols);
    mulStoreInc<by_scaled_pointer>(NULL, w, x, y, z);
}

static inline void mulAdd(struct block w, struct block x, struct block y, struct block z)
{
    count_product(w.rows, w.cols, x.cols);
    mulAdd<by_scaled_pointer>(NULL, w, x, y, z);
}

static inline void mulIncIncInc(struct block u, struct block v, struct block w, struct block x,
                                struct block y, struct block z)
{
    count_product(u.rows, u.cols, v.cols);
    mulIncIncInc<by_scaled_pointer>(NULL, u, v, w, x, y, z);
}

static inline void mulSubInc(struct block v, struct block w, struct block x, struct block y,
                             struct block z)
{
    count_product(v.rows, v.cols, w.cols);
    mulSubInc<by_scaled_pointer>(NULL, v, w, x, y, z);
}

#endif
