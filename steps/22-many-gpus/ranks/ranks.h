/* SPDX-License-Identifier: MIT */
/** @file ranks.h
 * The ranks of a run. The matrices are distributed over them, so this step fills, runs, times
 * and judges in its own way.
 */
#ifndef STEPS_22_MANY_GPUS_RANKS_RANKS_H
#define STEPS_22_MANY_GPUS_RANKS_RANKS_H

#include "common/measure/measure.h"
#include "common/measure/json.h"
#include "rank_plan.h"

enum { MOST_RANKS = 1024 };

/** The arguments of a rank's variant. */
struct rank_part {
    struct product product; /**< the rank's part of it */
    real *workspace, *leaf_workspace;
};

/* ---- ranks.c ---- */

/** Finds or starts the ranks and calls run() on each, with options that name the rank. Returns
 * the largest of their statuses. */
int ranks_start(const struct options *options, int (*run)(const struct options *options));
/** True on the one rank that prints. */
bool rank_prints(const struct rank *rank);
/** Plans a variant and describes it in its result. Returns false if it cannot run here; the
 * result's note then says why. */
bool rank_plans(struct rank *rank, struct result *result);
/** Why no variant is left to run. */
const char *rank_has_nothing_left(struct rank *rank);
/** The leaf that was asked for, or the first of the step's. */
const char *rank_leaf(const struct options *options);
/** Plans a variant again and takes its memory; rank_close() frees it. */
struct rank_part rank_open(struct rank *rank, struct result *result);
void rank_close(struct rank *rank);
/** Makes A and B. `magnitude` bounds integers. */
void rank_fill(struct rank *rank, enum input input, int magnitude);
/** Fills C and the workspace with NaN, waits for all ranks and multiplies. Returns the
 * milliseconds until the last rank was ready. */
double rank_run(struct rank *rank, const struct variant *variant, const struct context *ctx,
                const struct rank_part *part);
/** Makes a copy of C on the rank that prints; the others keep an empty matrix. */
void rank_collect(struct rank *rank, struct matrix *c);
/** Predicts the time of a product before it is timed. */
void rank_predict(struct rank *rank, const struct context *ctx, struct product p);
/** The product for the vendor's library; false if no rank has all of it. */
bool rank_has_all(const struct rank *rank, struct product *p);

/** True while no guard cell around the rank's memory was written, on all ranks. */
bool rank_guards_hold(const struct rank *rank);

/* ---- rank_measure.c ---- */

/** Measures the variants that the options ask for, on their rank; returns the status. */
int rank_measure(const struct options *options);

/* ---- freivalds.c ---- */

enum { CHECK_VECTORS = 32 };

/** Judges the last product and sets the result's `judged`; all ranks get the same verdict. */
struct verdict rank_judge(struct rank *rank, struct result *result, bool exact);

/* ---- rank_report.c: what rank 0 prints ---- */

/* In common/measure/report.h's lines. */
void report_ranks(const struct options *options);
void report_row(const struct options *options, const struct result *result);
void report_json_before(const struct options *options, struct json *json);
void report_json_after(const struct options *options, struct json *json);

/** Every rank calls it; rank 0 prints all ranks' logs, one JSON line for each message. */
void report_messages(const struct rank *rank, const struct variant *variant);

/** One JSON line: a plan's words and messages, and the bounds. */
void report_model(const struct options *options, const struct variant *variant,
                  const struct rank_plan *plan);

#endif
