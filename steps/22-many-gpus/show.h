/**
 * @file show.h
 * What rank 0 prints.
 */
#ifndef STEPS_22_MANY_GPUS_SHOW_H
#define STEPS_22_MANY_GPUS_SHOW_H

#include "common/command/options.h"
#include "common/device/timer.h"
#include "plan.h"

enum { MOST_RANKS = 1024 };

/** What a variant came to on all ranks. */
struct outcome_on_ranks {
    const struct variant *variant;
    struct plan plan;
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

void show_start(const struct options *options, const struct comm *comm);
void show_result(const struct options *options, const struct comm *comm,
                 const struct outcome_on_ranks *result);
void show_end(const struct options *options, int right, int wrong, int left_out);

/** On standard error: why a variant does not run, or cannot be predicted. */
void show_left_out(const struct options *options, int variant, int ranks, const char *why);

/** Every rank calls it; rank 0 prints all ranks' logs, a JSON line a message. */
void show_messages(const struct options *options, struct comm *comm,
                   const struct variant *variant, const struct plan *plan);

/** One JSON line: a plan's words and messages, and the bounds. */
void show_model(const struct options *options, const struct variant *variant,
                const struct plan *plan);

/** The number of ranks after this one in the table of --model. */
int show_next_count(int ranks);

#endif
