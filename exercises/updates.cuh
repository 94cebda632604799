/* SPDX-License-Identifier: MIT */
/** @file updates.cuh
 * Blocks with numbers that nobody can foretell, for exercises that update them: who has not
 * read an element does not know it.
 */
#ifndef EXERCISES_UPDATES_CUH
#define EXERCISES_UPDATES_CUH

#include <time.h>

#include "exercises/blocks.cuh"

/* 0 where tiles are cut off: all elements begin with the same number then, and a mistake in one
 * of them is plainer. */
static unsigned seed_for(long m, long n)
{
    return m % 16 || n % 16 ? 0 : (unsigned)clock() | 1;
}

/* An element before its update, from `least` on. */
static __device__ real before(real least, unsigned seed, int i, int j)
{
    unsigned mixed = (seed + i * 40503u) * 2654435761u ^ j * 2246822519u;
    mixed = (mixed ^ mixed >> 15) * 3266489917u;
    return seed ? least + (real)(mixed >> 28) / 8 : least;
}

static __global__ void fill(real *x, int ldx, real least, unsigned seed, int rows, int cols)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i < rows && j < cols)
        x[(size_t)i * ldx + j] = before(least, seed, i, j);
}

static inline void fill_block(struct block x, real least, unsigned seed)
{
    dim3 block(16, 16), grid(blocks_for(x.cols, 16), blocks_for(x.rows, 16));
    fill<<<grid, block>>>(x.at, x.ld, least, seed, x.rows, x.cols);
    CHECK_LAUNCH();
}

#endif
