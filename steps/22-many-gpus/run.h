/**
 * @file run.h
 * The program: starts the ranks, runs the variants on them, judges and reports.
 */
#ifndef STEPS_22_MANY_GPUS_RUN_H
#define STEPS_22_MANY_GPUS_RUN_H

#include "common/command/options.h"

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

/** Runs the variants on all ranks; see struct step. */
int run_ranks(const struct options *options);

/** --messages: runs a variant once on integers and prints every message, a JSON line each. */
int print_messages(const struct options *options);

/** --model: words, messages and bytes by the formulas for --ranks, or for 1 to 1024 ranks, a
 * JSON line each. A plan that needs more than --memory has its line, too, with what it needs.
 */
int print_model(const struct options *options);

/** --ranks P: starts this program again under mpirun, with so many ranks, and returns what
 * became of it; -1 when there is nothing to start: one rank, or mpirun has started us. */
int launch_ranks(const struct options *options);

/** Under mpirun: starts this program again as the rank, waits for it, says how it died, and
 * returns the exit status. -1 in the rank itself, and where there is no mpirun. */
int keep_rank(const struct options *options);

#endif
