/* SPDX-License-Identifier: MIT */
/** @file dps.cuh
 * The table of Dumas, Pernet and Sedoglavic on a GPU: a level in three passes, and the members
 * by which step 19's panels use it.
 */
#ifndef STEPS_24_ACCURATE_GPU_DPS_CUH
#define STEPS_24_ACCURATE_GPU_DPS_CUH

#include "steps/19-own-leaf/beside.cuh"

/* Of two neighbouring elements: the sums that step 18 has of four, and for both the multiples
   by a power of two. */
static __device__ __forceinline__ real2 plus(real2 x, real2 y) { return add2(x, y); }

static __device__ __forceinline__ real2 minus(real2 x, real2 y) { return sub2(x, y); }

static __device__ __forceinline__ real2 times(real factor, real2 x)
{
    x.x *= factor, x.y *= factor;
    return x;
}

static __device__ __forceinline__ real4 times(real factor, real4 x)
{
    x.x *= factor, x.y *= factor, x.z *= factor, x.w *= factor;
    return x;
}

#include "dps_sums.cuh"

/** Seven blocks of one shape. */
struct seven_blocks {
    struct block x[PRODUCTS];
};

/** A level: its quadrants, its factors, where its products go. All factors are sums. */
struct dps_level {
    struct product products[PRODUCTS];
    struct quadrants a, b, c;
    struct seven_blocks left, right, results;
};

/* A pass: reads each quadrant that the factors `from` to `last` need once, and writes these
   factors. */
template <bool is_right, int from, int last>
static __global__ void dps_factors_kernel(struct quadrants x, struct seven_blocks to)
{
    for (long tile = blockIdx.x; tile < tiles_of(x.q11); tile += gridDim.x) {
        struct four_position at = position_in(x.q11, tile);
        if (is_outside(x.q11, at))
            continue;
        const real4 in[4] = {*four(x.q11, at), *four(x.q12, at), *four(x.q21, at),
                             *four(x.q22, at)};
        real4 out[PRODUCTS];
        if (is_right)
            dps_right(in, out);
        else
            dps_left(in, out);
#pragma unroll
        for (int p = from; p <= last; p++)
            *four(to.x[p], at) = out[p];
    }
}

/* The factors `from` to `last` of A and of B. */
template <int from, int last>
static inline void dps_factors(const struct context *ctx, const struct dps_level *x)
{
    dps_factors_kernel<false, from, last>
        <<<sum_blocks(ctx, tiles_of(x->a.q11)), four_block(), 0, ctx->stream>>>(x->a, x->left);
    GPU_CALL(ctx, launch_error(ctx));
    dps_factors_kernel<true, from, last>
        <<<sum_blocks(ctx, tiles_of(x->b.q11)), four_block(), 0, ctx->stream>>>(x->b, x->right);
    GPU_CALL(ctx, launch_error(ctx));
}

/* C from the seven products. A thread reads them all before it writes, so that four of them may
   be C's quadrants. */
static __global__ void dps_results_kernel(struct seven_blocks from, struct quadrants C)
{
    for (long tile = blockIdx.x; tile < tiles_of(C.q11); tile += gridDim.x) {
        struct four_position at = position_in(C.q11, tile);
        if (is_outside(C.q11, at))
            continue;
        real4 in[PRODUCTS], out[4];
#pragma unroll
        for (int p = 0; p < PRODUCTS; p++)
            in[p] = *four(from.x[p], at);
        dps_results(in, out);
        *four(C.q11, at) = out[0], *four(C.q12, at) = out[1];
        *four(C.q21, at) = out[2], *four(C.q22, at) = out[3];
    }
}

/// [method]
namespace
{
/** The functions that step 19's panels and `beside` call. */
struct dps_method {
    typedef struct dps_level level;
    enum { BEFORE_SUMS = 1 };

    static __device__ __forceinline__ void left(const real2 *a, real2 *f) { dps_left(a, f); }
    static __device__ __forceinline__ void right(const real2 *b, real2 *f) { dps_right(b, f); }
    static __device__ __forceinline__ void combined(const real2 *p, real2 *c)
    {
        dps_results(p, c);
    }

    /* Seven factors of A, seven of B and three products; four are in C. */
    static size_t elements(long m, long n, long k)
    {
        return (size_t)(PRODUCTS * (m * k + k * n) + 3 * m * n);
    }

    static level plan(struct product whole, real **workspace)
    {
        level x;
        x.a = quadrants_of(whole.a), x.b = quadrants_of(whole.b), x.c = quadrants_of(whole.c);
        const struct block in_c[4] = {x.c.q11, x.c.q12, x.c.q21, x.c.q22};
        for (int p = 0; p < PRODUCTS; p++) {
            x.left.x[p] = take_block(workspace, x.a.q11.rows, x.a.q11.cols);
            x.right.x[p] = take_block(workspace, x.b.q11.rows, x.b.q11.cols);
            x.results.x[p] =
                p < 4 ? in_c[p] : take_block(workspace, x.c.q11.rows, x.c.q11.cols);
            x.products[p] = product_on(x.left.x[p], x.right.x[p], x.results.x[p]);
        }
        return x;
    }

    /* The first product's factors are differences of two quadrants. They come first, and all
       others during the first product. */
    static void begin(const struct context *ctx, const level *x) { dps_factors<0, 0>(ctx, x); }
    static void sum(const struct context *ctx, const level *x) { dps_factors<1, 6>(ctx, x); }

    static void combine(const struct context *ctx, const level *x)
    {
        dps_results_kernel<<<sum_blocks(ctx, tiles_of(x->c.q11)), four_block(), 0,
                             ctx->stream>>>(x->results, x->c);
        GPU_CALL(ctx, launch_error(ctx));
    }
};
} // namespace
/// [method]

#endif
