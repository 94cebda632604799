/* SPDX-License-Identifier: MIT */
/** @file rank_report.h
 * What rank 0 prints.
 */
#ifndef STEPS_22_MANY_GPUS_RANK_REPORT_H
#define STEPS_22_MANY_GPUS_RANK_REPORT_H

#include "rank_trial.h"

void show_start(const struct options *options, const struct comm *comm);
void show_result(const struct options *options, const struct comm *comm,
                 const struct outcome_on_ranks *result);
void show_end(const struct options *options, int right, int wrong, int left_out);

/** On standard error: why a variant does not run, or cannot be predicted. */
void show_left_out(const struct options *options, int variant, int ranks, const char *why);

/** Every rank calls it; rank 0 prints all ranks' logs, a JSON line a message. */
void show_messages(const struct options *options, struct comm *comm,
                   const struct variant *variant, const struct rank_plan *plan);

/** One JSON line: a plan's words and messages, and the bounds. */
void show_model(const struct options *options, const struct variant *variant,
                const struct rank_plan *plan);

/** The number of ranks after this one in the table of --model. */
int show_next_count(int ranks);

#endif
