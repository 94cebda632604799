/**
 * @file ranks.h
 * The beginning and the end of a run of all ranks.
 */
#ifndef LADDER_RANKS_H
#define LADDER_RANKS_H

#include "comm.h"
#include "common/options.h"

/** Finds the other ranks, or starts them, and chooses each one's device. All must have been asked for the
 *  same product. Returns -1 when the run can begin, otherwise the exit status. */
int ranks_begin(const struct options *options, struct comm *comm);

/** From now on blocks lie in `place`, and messages go from there: by NCCL where it is. */
void ranks_move_to(struct comm *comm, const struct place *place);

/** Lets go of everything. Returns the exit status: `status`, but wrong where a simulated GPU has found a
 *  fault. */
int ranks_end(struct comm *comm, int status);

/** How many ranks run on this host. */
int ranks_here(const struct comm *comm);

#endif
