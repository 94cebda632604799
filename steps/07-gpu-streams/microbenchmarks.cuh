/* SPDX-License-Identifier: MIT */
/** @file microbenchmarks.cuh
 * The three microbenchmarks of Fatahalian et al. (2004), Table 2 and their like. For f32 alone:
 * textures hold floats.
 */
#ifndef STEPS_07_GPU_STREAMS_MICROBENCHMARKS_CUH
#define STEPS_07_GPU_STREAMS_MICROBENCHMARKS_CUH

#include "common/command/options.h"
#include "common/device/timer.h"

enum { MICROBENCHMARKS = 12 };

/** What one came to. */
struct rate {
    struct timing timing;
    double flops;   /**< of all threads; 0: it is not about arithmetic */
    double bytes;   /**< that all threads asked for */
    double fetches; /**< texels fetched through textures: counted on the simulated GPU */
    int right;      /**< the sums, and there the count, are what they must be */
};

/** All of them, into rates[MICROBENCHMARKS]. Returns 1 when all were right. */
int measure_all_micro(const struct options *options, struct rate *rates);

/** The one of that name among all. */
const struct rate *rate_of(const struct rate *rates, const char *name);

void print_rates(const struct rate *rates);

/** The clock that the driver states, in MHz (a busy GPU may run below it); 0: there is none. */
double clock_mhz(void);

/** --microbenchmarks: the ladder of bandwidths, from registers to device memory. */
int run_microbenchmarks(const struct options *options);

/* ---- --tables, in tables.cu ---- */

/** The action: runs the variants, then prints the tables with this GPU's numbers under the
 * document's; on the simulated GPU, which has no times, the document's alone. */
int run_tables(const struct options *options);

#endif
