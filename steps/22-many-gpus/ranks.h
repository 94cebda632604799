/**
 * @file ranks.h
 * The beginning and the end of a run of all ranks.
 */
#ifndef STEPS_22_MANY_GPUS_RANKS_H
#define STEPS_22_MANY_GPUS_RANKS_H

#include "comm.h"
#include "common/command/options.h"

/** Finds the other ranks, or starts them as processes or as threads of this one, chooses each
 * one's device, and calls `run` on each. All must have been asked for the same product. Returns
 * the exit status. */
int ranks_run(const struct options *options,
              int (*run)(const struct options *options, struct comm *comm));

/** False after a message about options that would do nothing, or that ranks cannot do. */
bool ranks_options_hold(const struct options *options);

/** From now on blocks lie in `place`, and messages go from there: by NCCL where it is. */
void ranks_move_to(struct comm *comm, const struct place *place);

/** How many ranks run on this host. */
int ranks_here(const struct comm *comm);

#endif
