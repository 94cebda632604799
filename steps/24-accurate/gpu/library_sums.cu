/* SPDX-License-Identifier: MIT */
/** @file library_sums.cu
 * The sums of Dumas, Pernet and Sedoglavic for step 20's library: in accurate calls they take
 * the places of the methods batched, two-levels and beside, see ladder_gemm_set_accurate().
 * Compiled once for each precision.
 */
#include "dps.cuh"
#include "steps/20-library/methods.h"

#ifdef LADDER_F32
#define ACCURATE_BATCHED    ladder_accurate_batched_f32
#define ACCURATE_TWO_LEVELS ladder_accurate_two_levels_f32
#define ACCURATE_BESIDE     ladder_accurate_beside_f32
#else
#define ACCURATE_BATCHED    ladder_accurate_batched_f64
#define ACCURATE_TWO_LEVELS ladder_accurate_two_levels_f64
#define ACCURATE_BESIDE     ladder_accurate_beside_f64
#endif

static const char *missing(void) { return NULL; }

static void load(const struct context *ctx)
{
    const void *const kernels[] = {
        (const void *)pack_kernel<0, dps_method>,
        (const void *)pack_kernel<1, dps_method>,
        (const void *)pack_kernel<2, dps_method>,
        (const void *)combine_all_kernel<1, dps_method>,
        (const void *)combine_all_kernel<2, dps_method>,
        (const void *)dps_factors_kernel<false, 0, 0>,
        (const void *)dps_factors_kernel<true, 0, 0>,
        (const void *)dps_factors_kernel<false, 1, 6>,
        (const void *)dps_factors_kernel<true, 1, 6>,
        (const void *)dps_results_kernel,
    };
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct cudaFuncAttributes attributes;
        GPU_CALL(ctx, cudaFuncGetAttributes(&attributes, kernels[i]));
    }
}

static void load_nothing(const struct context *ctx) { (void)ctx; } /* load() is for all three */

extern "C" const struct method ACCURATE_BATCHED = {
    .name = "accurate batched",
    .missing = missing,
    .functions = {batched<dps_method>, workspace_batched<dps_method>},
    .load = load,
    .wide = sizeof(real) == sizeof(double),
    .instead_of = "batched",
};
extern "C" const struct method ACCURATE_TWO_LEVELS = {
    .name = "accurate two-levels",
    .missing = missing,
    .functions = {two_levels<dps_method>, workspace_two_levels<dps_method>},
    .load = load_nothing,
    .wide = sizeof(real) == sizeof(double),
    .instead_of = "two-levels",
};
extern "C" const struct method ACCURATE_BESIDE = {
    .name = "accurate beside",
    .missing = missing,
    .functions = {beside<dps_method>, workspace_beside<dps_method>},
    .load = load_nothing,
    .wide = sizeof(real) == sizeof(double),
    .instead_of = "beside",
};
