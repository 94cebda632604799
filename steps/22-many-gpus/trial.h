/**
 * @file trial.h
 * A variant on this rank: its matrices and workspace, made, run, judged and timed.
 */
#ifndef LADDER_TRIAL_ON_RANKS_H
#define LADDER_TRIAL_ON_RANKS_H

#include "check.h"
#include "common/verify.h"
#include "plan.h"
#include "room.h"
#include "show.h"

struct trial_on_ranks {
    const struct options *o;
    struct comm *comm;
    struct plan plan;
    struct world world;
    struct shares shares;
    struct room a, b, c, work, leaf;
    struct judged_product judged;
    int members[3 * MOST_RANKS];
};

void open_trial(struct trial_on_ranks *t, const struct options *o, struct comm *comm, const struct plan *plan,
                struct device *device);
void close_trial(struct trial_on_ranks *t);
enum bound_kind kind_of(const struct plan *p);
void fill(struct trial_on_ranks *t, enum input input);
double run_once(struct trial_on_ranks *t);
void judge_and_time(struct trial_on_ranks *t, struct outcome_on_ranks *r);
void predict(struct trial_on_ranks *t, struct outcome_on_ranks *r);

#endif
