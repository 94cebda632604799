/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 21-two-halves: a float product from products of halves.
 */
#include <cuda_fp16.h>
#include <math.h>
#include <stdio.h>

#include "common/matrix/block.h"
#include "common/device/gpu.h"

enum { TERMS = 16, LIFT = 2048, BLOCK = 16 };

/* A row of A and a column of B, k elements each; how often the tensor core was used on them,
   and the factor by which its products are too large: a power of two that differs from run to
   run and is divided out at the end. */
struct line_pair {
    const float *row_of_a, *col_of_b;
    long ldb_of_b;
    float too_large;
    int core_uses;
};

/* Adds like a tensor core: the sum and 16 products exactly, then cuts the total to a float. */
static __device__ float add_terms(struct line_pair *lines, float sum, const __half a[TERMS],
                                  const __half b[TERMS])
{
    double exact = sum;
    lines->core_uses++;
    for (int t = 0; t < TERMS; t++)
        exact += (double)lines->too_large * __half2float(a[t]) * __half2float(b[t]);
    float nearest = (float)exact;
    return fabs((double)nearest) > fabs(exact) ? nextafterf(nearest, 0) : nearest;
}

/* YOUR CODE: *hi = x as a half, *lo = the rest, times LIFT so that it is a normal half */
/* STUB: static __device__ void split(float x, __half *hi, __half *lo) {} */
static __device__ void split(float x, __half *hi, __half *lo)
{
    *hi = __float2half_rn(x);
    *lo = __float2half_rn((x - __half2float(*hi)) * LIFT); /* the difference is exact */
}
/* END */

/* 16 terms of a row of A and a column of B, split; zeros after the last one. */
struct terms {
    __half a_hi[TERMS], a_lo[TERMS], b_hi[TERMS], b_lo[TERMS];
};

static __device__ struct terms load_terms(const struct line_pair *lines, int first, int k)
{
    struct terms x;
    for (int t = 0; t < TERMS; t++) {
        int l = first + t;
        split(l < k ? lines->row_of_a[l] : 0, &x.a_hi[t], &x.a_lo[t]);
        split(l < k ? lines->col_of_b[l * lines->ldb_of_b] : 0, &x.b_hi[t], &x.b_lo[t]);
    }
    return x;
}

/* YOUR CODE: a row times a column, 16 terms at a time: load_terms(), add_terms() */
/* STUB: static __device__ float element(struct line_pair *lines, int k) */
/* STUB: { */
/* STUB:     return 0; */
/* STUB: } */
static __device__ float element(struct line_pair *lines, int k)
{
    float large = 0, small = 0;
    for (int first = 0; first < k; first += TERMS) {
        struct terms x = load_terms(lines, first, k);
        /* From zero, so that little is cut off; the float addition rounds. */
        large += add_terms(lines, 0, x.a_hi, x.b_hi);
        /* The error of cutting off here is divided by LIFT in the end. */
        small = add_terms(lines, small, x.a_lo, x.b_hi);
        small = add_terms(lines, small, x.a_hi, x.b_lo);
    }
    return large + small / LIFT;
}
/* END */

static __global__ void multiply_kernel(struct block a, struct block b, struct block c,
                                       float too_large)
{
    int row = blockIdx.y * BLOCK + threadIdx.y, col = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= c.rows || col >= c.cols)
        return;
    struct line_pair lines = {a.at + row * a.ld, b.at + col, b.ld, too_large, 0};
    float value = element(&lines, (int)a.cols);
    /* Three products of k terms need `least` calls: fewer cannot give an element of C. */
    int least = (3 * (int)a.cols + TERMS - 1) / TERMS;
    if (lines.core_uses < least && row == 0 && col == 0)
        printf(
            "element() calls add_terms() %d times; three products of k = %d need %d calls.\n",
            lines.core_uses, (int)a.cols, least);
    c.at[row * c.ld + col] = lines.core_uses < least ? INFINITY : value / too_large;
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    static int runs;
    multiply_kernel<<<dim3(blocks_for(p.c.cols, BLOCK), blocks_for(p.c.rows, BLOCK)),
                      dim3(BLOCK, BLOCK)>>>(p.a, p.b, p.c, (float)(2 << runs++ % 3));
    CHECK_LAUNCH();
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "three products of halves",
     .multiply = multiply_yours,
     .bound = {.split = 0x1p-22}},
    {0},
};

const struct step STEP = {
    .name = "21-two-halves",
    .idea = "a float product from products of halves",
    .variants = variants,
    .default_n = 64,
};
