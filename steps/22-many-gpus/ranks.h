/* SPDX-License-Identifier: MIT */
/** @file ranks.h
 * One rank: its parts of the matrices, and what the runner asks of it (common/check/world.h).
 */
#ifndef STEPS_22_MANY_GPUS_RANKS_H
#define STEPS_22_MANY_GPUS_RANKS_H

#include "common/check/world.h"
#include "out_of_core.h"
#include "place.h"
#include "rank_plan.h"

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

struct rank {
    const struct options *options;
    struct comm *comm;
    struct out_of_core *device; /**< brings operands to where they are multiplied; NULL: they
                                   already are */
    double needed, free; /**< bytes: what the smallest variant that did not fit needs, or 0;
                            and what is there */
    char why[200];       /**< why a variant does not run */

    /* Of the variant that runs: */
    struct rank_plan plan;
    struct shares shares;
    struct group row, column, layers; /**< of the grid: beside, above and behind each other */
    void *block;                      /**< its memory: A, B, C and the workspace, in which */
    struct block held[4];             /**< guard cells lie between these */
    struct source a, b;               /**< what A and B were filled with */
    double bound;                     /**< of an element's error; 0: every element is exact */
    bool has_run;
    double begun;

    /* The results, on all ranks: */
    double rms;                  /**< root mean square of the elements' errors */
    struct traffic most, model;  /**< received by the rank with the most; by formulas */
    struct copied_words copied;  /**< to the device and back, of the rank with the most */
    double leaf_gflops, link_gb; /**< measured before: a rank's product, and its link */
    double predicted;            /**< milliseconds from these two */
    struct leaf_work leaf;       /**< of the last run: rank 0's method, the most of any rank */
};

/** C = A * B, or C + A * B, on blocks of this rank, by the leaf; they may be empty. */
void multiply_here(const struct context *ctx, struct product p);

/** Writes why a variant cannot run on `ranks` ranks, as a sentence that follows its name. */
void write_why_not(char *text, size_t size, int ranks, const char *why);

/* ---- ranks.c: struct world's functions ---- */

int ranks_start(const struct options *options, int (*run)(const struct options *options));
bool rank_prints(const struct rank *rank);
bool rank_plans(struct rank *rank, struct result *result);
const char *rank_has_nothing_left(struct rank *rank);
struct rank_part rank_open(struct rank *rank, struct result *result);
void rank_close(struct rank *rank);
void rank_fill(struct rank *rank, enum input input, int magnitude);
void rank_begin(struct rank *rank);
double rank_end(struct rank *rank);
void rank_collect(struct rank *rank, struct matrix *c);
void rank_predict(struct rank *rank, const struct context *ctx, struct product p);
bool rank_has_all(const struct rank *rank, struct product *p);

/** True while no guard cell around the rank's memory was written, on all ranks. */
bool rank_guards_hold(const struct rank *rank);

/* ---- freivalds.c ---- */

enum { CHECK_VECTORS = 32 };

struct verdict rank_judge(struct rank *rank, struct result *result, bool exact);

/* ---- rank_report.c: what rank 0 prints ---- */

/** The leaf that was asked for, or the first of the step's. */
const char *rank_leaf(const struct options *options);

void report_ranks(const struct rank *rank);
void report_row(const struct rank *rank, const struct result *result);
void report_json_before(const struct rank *rank, struct json *json);
void report_json_after(const struct rank *rank, struct json *json);

/** Every rank calls it; rank 0 prints all ranks' logs, one JSON line for each message. */
void report_messages(const struct rank *rank, const struct variant *variant);

/** One JSON line: a plan's words and messages, and the bounds. */
void report_model(const struct options *options, const struct variant *variant,
                  const struct rank_plan *plan);

/* ---- mpirun.c ---- */

/** --ranks P: starts this program again under mpirun, with P ranks, and returns the exit status
 * of mpirun; -1 if there is nothing to start: one rank, or mpirun has started us. */
int launch_ranks(const struct options *options);

/** Under mpirun: starts this program again as the rank, waits for it, reports how it died, and
 * returns the exit status. -1 in the rank itself, and without mpirun. */
int keep_rank(const struct options *options);

#endif
