/* SPDX-License-Identifier: MIT */
/** @file bandwidth.cuh
 * The step's two actions: effective input bandwidth (Fatahalian et al. (2004), section 3, Table
 * 1), which are the fetches of NV Single and NV Multi with the arithmetic removed, and the
 * microbenchmarks of Table 2. For f32 alone: textures hold floats.
 */
#ifndef STEPS_07_GPU_STREAMS_MEASUREMENTS_BANDWIDTH_CUH
#define STEPS_07_GPU_STREAMS_MEASUREMENTS_BANDWIDTH_CUH

#include "common/measure/json.h"
#include "common/command/options.h"
#include "common/device/timer.h"
#include "steps/07-gpu-streams/textures/nv.cuh"

/** The document's GB are 2^30 bytes: otherwise the 4n^3 bytes of NV Single over the times of
 * Table 1 would be more than its bandwidths. */
static inline double gib_per_s(double bytes, double ms)
{
    return bytes / (1 << 30) / (ms / 1e3);
}

/** A line of JSON with the fields that each begins with, and the times, null on the simulated
 * GPU.
 */
struct json json_of(const char *variant);
void json_times(struct json *json, struct timing timing);

/** --bandwidth: the fetches of both variants, or of --variant, alone. */
int run_bandwidth(const struct options *options);

/** --microbenchmarks, in microbenchmarks.cu: the ladder of bandwidths, from registers to device
 * memory. */
int run_microbenchmarks(const struct options *options);

/// [keep]
/* A fetch whose texel nothing depends on is removed by the compiler, as by the drivers of 2004.
   These two multiply-adds are the fewest instructions that need all four components. */
static __device__ __forceinline__ void keep(float *sum, float4 texel)
{
    *sum += texel.x * texel.y;
    *sum += texel.z * texel.w;
}
/// [keep]

#endif
