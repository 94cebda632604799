/* SPDX-License-Identifier: MIT */
/** @file tables.cuh
 * --tables: Tables 1 and 2 of Fatahalian et al. (2004).
 */
#ifndef STEPS_07_GPU_STREAMS_TABLES_CUH
#define STEPS_07_GPU_STREAMS_TABLES_CUH

#include "common/command/options.h"

/** The action: runs the variants, then prints the tables with this GPU's numbers under the
 * document's; on the simulated GPU, which has no times, the counts. */
int run_tables(const struct options *options);

#endif
