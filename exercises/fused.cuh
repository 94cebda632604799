/**
 * @file fused.cuh
 * The product kernels of step 12 without the context, which an exercise about one level does not
 * have.
 */
#ifndef LADDER_EXERCISES_FUSED_CUH
#define LADDER_EXERCISES_FUSED_CUH

#include "steps/12-strassen-one-level/kernels.cuh"

static inline void mul(struct block w, struct block x, struct block z)
{
    mul(NULL, w, x, z);
}

static inline void mulIncInc(struct block w, struct block x, struct block y, struct block z)
{
    mulIncInc(NULL, w, x, y, z);
}

static inline void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    mulIncDec(NULL, w, x, y, z);
}

static inline void mulStoreDec(struct block w, struct block x, struct block y, struct block z)
{
    mulStoreDec(NULL, w, x, y, z);
}

static inline void mulStoreInc(struct block w, struct block x, struct block y, struct block z)
{
    mulStoreInc(NULL, w, x, y, z);
}

static inline void mulAdd(struct block w, struct block x, struct block y, struct block z)
{
    mulAdd(NULL, w, x, y, z);
}

static inline void mulIncIncInc(struct block u, struct block v, struct block w, struct block x,
                                struct block y, struct block z)
{
    mulIncIncInc(NULL, u, v, w, x, y, z);
}

static inline void mulSubInc(struct block v, struct block w, struct block x, struct block y,
                             struct block z)
{
    mulSubInc(NULL, v, w, x, y, z);
}

#endif
