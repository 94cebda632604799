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

/* YOUR CODE: *hi = x as a half, *lo = the rest, times LIFT so that it is a normal half */
/* STUB: static __device__ void split(float x, __half *hi, __half *lo) {} */
static __device__ void split(float x, __half *hi, __half *lo)
{
    *hi = __float2half_rn(x);
    *lo = __float2half_rn((x - __half2float(*hi)) * LIFT); /* the difference is exact */
}
/* END */

/* A and B as halves, in the workspace, and how far apart their rows are. An answer multiplies
   with the tensor core alone, so nothing that it is given leads there. */
enum part { A_HI, A_LO, B_HI, B_LO, PARTS };
struct halves {
    __half *at[PARTS];
    int lda, ldb;
};
static __device__ struct halves hidden;

static __global__ void split_kernel(struct block x, struct halves halves, enum part hi)
{
    int row = blockIdx.y * BLOCK + threadIdx.y, col = blockIdx.x * BLOCK + threadIdx.x;
    __half two[2] = {0, 0};
    if (row >= x.rows || col >= x.cols)
        return;
    if (row == 0 && col == 0)
        hidden = halves;
    split(x.at[row * x.ld + col], &two[0], &two[1]);
    halves.at[hi][row * x.cols + col] = two[0];
    halves.at[hi + 1][row * x.cols + col] = two[1];
}

/* 16 halves of a row of A or of a column of B, from a multiple of 16 on. As on a GPU, only the
   tensor core knows where they are. */
struct fragment {
    enum part part;
    int first;
};

static __device__ float half_at(struct fragment x, int t)
{
    int row = blockIdx.y * BLOCK + threadIdx.y, col = blockIdx.x * BLOCK + threadIdx.x;
    int l = x.first / TERMS * TERMS + t;
    if (l >= hidden.lda) /* after the last term */
        return 0;
    return __half2float(
        hidden.at[x.part][x.part < B_HI ? row * hidden.lda + l : l * hidden.ldb + col]);
}

/* A row of A and a column of B: how often the tensor core was used on them. */
struct line_pair {
    int core_uses;
};

/* Adds like a tensor core: the sum and 16 products exactly, then cuts the total to a float. */
static __device__ float add_terms(struct line_pair *lines, float sum, struct fragment a,
                                  struct fragment b)
{
    double exact = sum;
    lines->core_uses++;
    for (int t = 0; t < TERMS; t++)
        exact += (double)half_at(a, t) * half_at(b, t);
    float nearest = (float)exact;
    return fabs((double)nearest) > fabs(exact) ? nextafterf(nearest, 0) : nearest;
}

/* 16 terms of a row of A and a column of B; zeros after the last one. */
struct terms {
    struct fragment a_hi, a_lo, b_hi, b_lo;
};

static __device__ struct terms load_terms(const struct line_pair *, int first, int k)
{
    return {{A_HI, first}, {A_LO, first}, {B_HI, first}, {B_LO, first}};
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

static __global__ void multiply_kernel(struct block c, int k)
{
    int row = blockIdx.y * BLOCK + threadIdx.y, col = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= c.rows || col >= c.cols)
        return;
    struct line_pair lines = {0};
    float value = element(&lines, k);
    /* Three products of k terms need `least` calls: fewer cannot give an element of C. */
    int least = (3 * k + TERMS - 1) / TERMS;
    if (lines.core_uses < least && row == 0 && col == 0)
        printf(
            "element() calls add_terms() %d times; three products of k = %d need %d calls.\n",
            lines.core_uses, k, least);
    c.at[row * c.ld + col] = lines.core_uses < least ? INFINITY : value;
}

static dim3 grid_of(struct block x)
{
    return dim3(blocks_for(x.cols, BLOCK), blocks_for(x.rows, BLOCK));
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    const dim3 threads(BLOCK, BLOCK);
    long of_a = p.a.rows * p.a.cols, of_b = p.b.rows * p.b.cols;
    __half *at = (__half *)workspace;
    struct halves halves = {
        {at, at + of_a, at + 2 * of_a, at + 2 * of_a + of_b}, (int)p.a.cols, (int)p.b.cols};
    split_kernel<<<grid_of(p.a), threads>>>(p.a, halves, A_HI);
    CHECK_LAUNCH();
    split_kernel<<<grid_of(p.b), threads>>>(p.b, halves, B_HI);
    CHECK_LAUNCH();
    multiply_kernel<<<grid_of(p.c), threads>>>(p.c, (int)p.a.cols);
    CHECK_LAUNCH();
}

/* Two halves for each element of A and B. */
static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    return (size_t)(p.a.rows * p.a.cols + p.b.rows * p.b.cols);
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "three products of halves",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .bound = {.split = 0x1p-22}},
    {0},
};

const struct step STEP = {
    .name = "21-two-halves",
    .idea = "a float product from products of halves",
    .variants = variants,
    .default_n = 64,
};
