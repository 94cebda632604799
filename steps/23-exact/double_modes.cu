/* SPDX-License-Identifier: MIT */
/** @file double_modes.cu
 * The products of this step as modes of step 20's library. A mode is used only if the caller
 * asked for it: see ladder_gemm_set_math_mode() and ladder_gemm_set_double_mode().
 */
#include <math.h>

#include "steps/23-exact/leaf/byte_mma.h"
#include "steps/20-library/methods.h"

/* A grid would allow edges a few times as long; this is the longest that was tried. */
enum { EXACT_LONGEST_EDGE = 1 << 16 };

/* Does nothing: CUDA loads the kernels at their first launch. */
static void load_nothing(const struct context *ctx) { (void)ctx; }

template <int moduli, bool safe> static struct exact_plan plan_of(int levels)
{
    return {levels, moduli, 0, EXACT_FUSED, safe, moduli == MODULI_FLOAT};
}

template <int moduli, bool safe>
static void multiply_modulo(const struct context *ctx, struct product p, int levels,
                            real *workspace)
{
    multiply_exact(ctx, p, plan_of<moduli, safe>(levels), workspace);
}

template <int moduli, bool safe>
static size_t workspace_modulo(const struct context *ctx, struct product p, int levels)
{
    (void)ctx;
    return exact_batch_bytes(p, plan_of<moduli, safe>(levels)) /
           (moduli == MODULI_FLOAT ? sizeof(float) : sizeof(double));
}

/* A byte per modulus and element of each product, and A, B and C in double, would be fewer: but
   the passes wait for their arithmetic. On an H100 and an H200 at 8192 their time doubles with
   each level. The safe mode reads the counts of a row and a column per element. */
template <int moduli, bool safe> static double moved_modulo(int levels)
{
    return (10.75 + 3.0 / 8 * moduli) * pow(2, levels) + (safe ? 6 : 0);
}

/* An H100 and an H200 compute 26 multiplications of bytes in the time of one product of cuBLAS
   in float or double. On them `exact` is faster than cuBLAS from edges of about 4000 on; with
   sure_gain cuBLAS is chosen below 5000, and on an H200 below 3600. Other GPUs need a measured
   plan: see guess_plan(). */
template <int moduli, bool safe = false>
static constexpr struct method exact_mode(const char *name, int math, char letter,
                                          unsigned settings)
{
    return {.name = name,
            .most = EXACT_LEVELS,
            .math = math,
            .mode = name,
            .letter = letter,
            .settings = settings,
            .always = moduli == MODULI_FLOAT,
            .speed = 26.0 / moduli,
            .longest_edge = EXACT_LONGEST_EDGE,
            .missing = byte_mma_missing,
            .functions = {multiply_modulo<moduli, safe>, workspace_modulo<moduli, safe>},
            .load = load_nothing,
            .wide = moduli != MODULI_FLOAT,
            .moved = moved_modulo<moduli, safe>,
            .launches = 8,
            .sure_gain = 0.78};
}

extern "C" const struct method ladder_reproducible =
    exact_mode<MODULI_FLOAT>("reproducible", LADDER_GEMM_REPRODUCIBLE, 'r', 1 << 5);
extern "C" const struct method ladder_exact =
    exact_mode<MODULI_EXACT>("exact", LADDER_GEMM_DOUBLE_EXACT, 'x', 1 << 4 | 1 << 5);
extern "C" const struct method ladder_safe =
    exact_mode<MODULI_EXACT, true>("safe", LADDER_GEMM_DOUBLE_SAFE, 's', 1 << 1);
extern "C" const struct method ladder_more =
    exact_mode<MODULI_MORE>("more", LADDER_GEMM_DOUBLE_MORE, 'm', 1 << 3);
extern "C" const struct method ladder_fewer =
    exact_mode<MODULI_FEWER>("fewer", LADDER_GEMM_DOUBLE_FEWER, 'w', 1 << 2);
