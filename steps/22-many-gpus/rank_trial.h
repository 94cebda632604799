/* SPDX-License-Identifier: MIT */
/** @file rank_trial.h
 * A variant on this rank: its matrices and workspace, and what is done with them. Every rank
 * calls each of these functions at the same time.
 */
#ifndef STEPS_22_MANY_GPUS_RANK_TRIAL_H
#define STEPS_22_MANY_GPUS_RANK_TRIAL_H

#include "common/check/verify.h"
#include "common/device/timer.h"
#include "freivalds.h"
#include "rank_plan.h"
#include "ranks.h"

/** Memory of a rank, with guard cells before and behind it that nobody may write. */
struct guarded_buffer {
    const struct place *place; /**< where it lies */
    real *at;                  /**< its first element */
    char *block;               /**< what was allocated, guard cells and all */
    size_t elements;
};

struct rank_trial {
    const struct options *o;
    struct comm *comm;
    struct rank_plan plan;
    struct world world;   /**< what it multiplies with */
    struct shares shares; /**< of A, B and C, in the buffers below */
    struct guarded_buffer a, b, c, work, leaf;
    struct judged_product judged; /**< what rank_trial_fill() has made */
};

/** What a variant came to on all ranks. */
struct outcome_on_ranks {
    const struct variant *variant;
    struct rank_plan plan;
    struct timing timing;           /**< reps 0: not timed */
    const char *reference;          /**< the vendor's library, on one rank; or NULL */
    struct timing reference_timing; /**< its product of the same size */
    bool passed, judged_exactly;
    double rms, bound; /**< root mean square error of the elements, and what each may have */
    double words, messages;             /**< received by the rank with the most */
    double model_words, model_messages; /**< the same by the formulas */
    bool outside; /**< the matrices: tiles of them go to the device and back */
    double device_there, device_back; /**< words, of the rank with the most */
    double leaf_gflops, link_gb;      /**< measured before: a rank's product, and its link */
    double predicted;                 /**< milliseconds from these two; 0: not predicted */
    char reason[512];
};

/** Takes memory and makes the groups of ranks for the plan. The trial holds a pointer to
 * itself: it may not be copied. */
void rank_trial_open(struct rank_trial *trial, const struct options *options, struct comm *comm,
                     const struct rank_plan *plan, struct out_of_core *device);
void rank_trial_close(struct rank_trial *trial);

/** Makes this rank's shares of A and B. Integers are so small that every sum and product is
 * exact. */
void rank_trial_fill(struct rank_trial *trial, enum input input);

/** One product, into a C of NaN; milliseconds from the start of all ranks to the end of the
 * last one. */
double rank_trial_run(struct rank_trial *trial);

/** Judges the product on integers and on the input that was asked for, compares what was moved
 * with the model, and times it. */
void rank_trial_judge(struct rank_trial *trial, struct outcome_on_ranks *result);

/** Measures the rates of a product and of the links, and predicts the time from them. */
void rank_trial_predict(struct rank_trial *trial, struct outcome_on_ranks *result);
#endif
