/**
 * @file rank_trial.h
 * A variant on this rank: its matrices and workspace, and what is done with them. Every rank
 * calls each of these functions at the same time.
 */
#ifndef STEPS_22_MANY_GPUS_RANK_TRIAL_H
#define STEPS_22_MANY_GPUS_RANK_TRIAL_H

#include "check.h"
#include "common/check/verify.h"
#include "plan.h"
#include "room.h"
#include "show.h"

struct rank_trial {
    const struct options *o;
    struct comm *comm;
    struct plan plan;
    struct world world;   /**< what it multiplies with */
    struct shares shares; /**< of A, B and C, in the rooms below */
    struct room a, b, c, work, leaf;
    struct judged_product judged; /**< what rank_trial_fill() has made */
    int members[3 * MOST_RANKS];  /**< of the groups in `world` */
};

/** Takes memory and makes the groups of ranks for the plan. The trial holds a pointer to
 * itself: it may not be copied. */
void rank_trial_open(struct rank_trial *trial, const struct options *options, struct comm *comm,
                     const struct plan *plan, struct device *device);
void rank_trial_close(struct rank_trial *trial);

/** Makes this rank's shares of A and B. Integers are so small that every sum and product is
 * exact. */
void rank_trial_fill(struct rank_trial *trial, enum input input);

/** One product, into a C of NaN; milliseconds from the start of all ranks to the end of the
 * last one. */
double rank_trial_run(struct rank_trial *trial);

/** Judges the product on integers and on the input that was asked for, compares what was moved
 * with the model, and times it (judge.c). */
void rank_trial_judge(struct rank_trial *trial, struct outcome_on_ranks *result);

/** Measures the rates of a product and of the links, and predicts the time from them (rates.c).
 */
void rank_trial_predict(struct rank_trial *trial, struct outcome_on_ranks *result);

/** Which error bound holds for the plan. */
enum bound_kind plan_kind(const struct plan *plan);

#endif
