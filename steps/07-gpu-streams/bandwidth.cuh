/* SPDX-License-Identifier: MIT */
/** @file bandwidth.cuh
 * Effective input bandwidth (Fatahalian et al. (2004), section 3, Table 1): the fetches of NV
 * Single and NV Multi with the arithmetic removed. For f32 alone: textures hold floats.
 */
#ifndef STEPS_07_GPU_STREAMS_BANDWIDTH_CUH
#define STEPS_07_GPU_STREAMS_BANDWIDTH_CUH

#include "common/measure/json.h"
#include "common/command/options.h"
#include "common/device/timer.h"
#include "nv.cuh"

/** A variant without its arithmetic. */
struct fetching {
    const char *variant;
    size_t (*workspace)(const struct context *ctx, struct product p, int levels);
    /** Fetches; returns how many elements of the matrices were fetched, and in how many ms. */
    double (*fetch)(const struct context *ctx, struct product p, real *workspace, double *ms);
    double (*elements)(const struct context *ctx, struct product p); /**< how many it must be */
    struct cost (*cost)(const struct context *ctx, struct product p, int levels);
};

/** "single" and "multi"; ends with an empty row. */
extern const struct fetching fetchings[];

/** What a run without arithmetic came to. */
struct fetched {
    struct timing timing; /**< says nothing on the simulated GPU */
    double fetches;  /**< texels: counted on the simulated GPU, by the formula on a real one */
    double bytes;    /**< of these texels */
    double elements; /**< of the matrices in them */
    int right;       /**< elements and fetches are as many as they must be */
};

/** Runs one of them: a first time unmeasured, then as --reps says (5 by default). The product
 * has sizes alone. */
struct fetched measure_fetches(const struct options *options, const struct fetching *fetching,
                               struct product p);

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
