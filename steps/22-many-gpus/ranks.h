/**
 * @file ranks.h
 * The beginning and the end of a run of all ranks.
 */
#ifndef LADDER_RANKS_H
#define LADDER_RANKS_H

#include "comm.h"
#include "common/options.h"

enum { MOST_LEVELS = 4 };

int ranks_here(const struct comm *comm);
int begin_ranks(const struct options *o, struct comm *comm);
void compare_sizes(const struct options *o, struct comm *comm);
void move_to(struct comm *comm, const struct place *place);
int end_ranks(struct comm *comm, int status);

#endif
