/* SPDX-License-Identifier: MIT */
/** @file double_modes.cu
 * The products of this step as modes of double of step 20's library. A mode is used only if the
 * caller asked for it: see ladder_gemm_set_double_mode().
 */
#include <math.h>

#include "exact_batch.h"
#include "steps/20-library/methods.h"

/* A grid would allow edges a few times as long; this is the longest that was tried. */
enum { EXACT_LONGEST_EDGE = 1 << 16 };

/* Groups of moduli, if the bytes of all take too much memory, as in the step's program.
 */
static int groups_of(struct product p)
{
    return cbrt((double)p.c.rows * p.c.cols * p.a.cols) >= 24576 ? 5 : 1;
}

/* NULL, or why not: other GPUs would multiply bytes without tensor cores. */
static const char *exact_missing(void)
{
#ifdef LADDER_SIM
    return NULL;
#elif defined(LADDER_SM90A)
    int device = 0, major = 0;
    if (cudaGetDevice(&device) == cudaSuccess)
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    return major == 9 ? NULL : "the products of bytes are for compute capability 9.0";
#else
    return "there is no machine code for compute capability 9.0: build with "
           "CMAKE_CUDA_ARCHITECTURES=90";
#endif
}

/* There is nothing to do: CUDA loads the kernels at their first launch. */
static void load_nothing(const struct context *ctx) { (void)ctx; }

/* 24: products of bytes per product of cuBLAS, float or double, in the same time on an H100. */
#define DOUBLE_METHOD(name, mode, count)                                                       \
    static void name(const struct context *ctx, struct product p, int levels, real *workspace) \
    {                                                                                          \
        multiply_exact(ctx, p, levels, count, groups_of(p), EXACT_FUSED, workspace);           \
    }                                                                                          \
    static size_t workspace_##name(const struct context *ctx, struct product p, int levels)    \
    {                                                                                          \
        (void)ctx;                                                                             \
        return exact_batch_bytes(p, levels, count, groups_of(p), EXACT_FUSED) / sizeof(real);  \
    }                                                                                          \
    extern "C" const struct method ladder_##name = {#name,                                     \
                                                    0,                                         \
                                                    EXACT_LEVELS,                              \
                                                    0,                                         \
                                                    false,                                     \
                                                    0,                                         \
                                                    mode,                                      \
                                                    24.0 / (int)(count),                       \
                                                    EXACT_LONGEST_EDGE,                        \
                                                    exact_missing,                             \
                                                    {name, workspace_##name},                  \
                                                    load_nothing,                              \
                                                    {NULL, NULL, NULL, NULL},                  \
                                                    true,                                      \
                                                    count}
DOUBLE_METHOD(exact, LADDER_GEMM_DOUBLE_EXACT, MODULI_EXACT);
DOUBLE_METHOD(more, LADDER_GEMM_DOUBLE_MORE, MODULI_MORE);
DOUBLE_METHOD(fewer, LADDER_GEMM_DOUBLE_FEWER, MODULI_FEWER);
