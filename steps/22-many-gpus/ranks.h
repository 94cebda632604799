/* SPDX-License-Identifier: MIT */
/** @file ranks.h
 * The beginning and the end of a run of all ranks: finding or starting them (ranks.c), as
 * processes under mpirun (mpirun.c) or as threads.
 */
#ifndef STEPS_22_MANY_GPUS_RANKS_H
#define STEPS_22_MANY_GPUS_RANKS_H

#include "comm.h"
#include "common/command/options.h"

enum { MOST_RANKS = 1024 };

/** The step's own numbers, in the order of its table of settings. */
enum {
    SET_RANKS,
    SET_ONE_PROCESS,
    SET_MEMORY,
    SET_DEVICE_MEMORY,
    SET_LIMIT,
    SET_PANELS,
    SET_GFLOPS,
    SET_LINK
};

/** Finds the other ranks, or starts them as processes or as threads of this one, chooses each
 * one's device, and calls `run` on each. All must have been asked for the same product. Returns
 * the exit status. */
int ranks_run(const struct options *options,
              int (*run)(const struct options *options, struct comm *comm));

/** From now on blocks lie in `place`, and messages go from there: by NCCL where it is. */
void ranks_move_to(struct comm *comm, const struct place *place);

/** How many ranks run on this host. */
int ranks_here(const struct comm *comm);

/** --ranks P: starts this program again under mpirun, with so many ranks, and returns what
 * became of it; -1 when there is nothing to start: one rank, or mpirun has started us. */
int launch_ranks(const struct options *options);

/** Under mpirun: starts this program again as the rank, waits for it, says how it died, and
 * returns the exit status. -1 in the rank itself, and where there is no mpirun. */
int keep_rank(const struct options *options);

#endif
