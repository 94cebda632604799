/* SPDX-License-Identifier: MIT */
/** @file ranks.h
 * The ranks of a run: what the runner asks of each (common/check/world.h), the checks, and the
 * reports.
 */
#ifndef STEPS_22_MANY_GPUS_RANKS_H
#define STEPS_22_MANY_GPUS_RANKS_H

#include "common/check/world.h"
#include "rank_plan.h"

enum { MOST_RANKS = 1024 };

/* ---- ranks.c: struct world's functions ---- */

int ranks_start(const struct options *options, int (*run)(const struct options *options));
bool rank_prints(const struct rank *rank);
bool rank_plans(struct rank *rank, struct result *result);
const char *rank_has_nothing_left(struct rank *rank);
/** The leaf that was asked for, or the first of the step's. */
const char *rank_leaf(const struct options *options);
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

void report_ranks(const struct rank *rank);
void report_row(const struct rank *rank, const struct result *result);
void report_json_before(const struct rank *rank, struct json *json);
void report_json_after(const struct rank *rank, struct json *json);

/** Every rank calls it; rank 0 prints all ranks' logs, one JSON line for each message. */
void report_messages(const struct rank *rank, const struct variant *variant);

/** One JSON line: a plan's words and messages, and the bounds. */
void report_model(const struct options *options, const struct variant *variant,
                  const struct rank_plan *plan);

#endif
