/* SPDX-License-Identifier: MIT */
/** @file options.h
 * The command line, the same for every step.
 */
#ifndef COMMON_COMMAND_OPTIONS_H
#define COMMON_COMMAND_OPTIONS_H

#include <limits.h>
#include <stdbool.h>

#include "common/device/backend.h"
#include "common/matrix/input.h"
#include "common/precision.h"
#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

struct explainer;
struct witness;

/** The options of a run, from the command line unless noted. */
struct options {
    char *const *argv; /**< the command line itself */
    long m, n, k;
    const char *variant; /**< one name or several with commas; NULL: all */
    enum precision precision;
    enum input input;
    char input_a[PATH_MAX], input_b[PATH_MAX]; /**< the files of INPUT_FILE */
    const char *output;                        /**< the file for C, or NULL */
    long seed;
    long reps; /**< -1: as many as fit into about two seconds; 0: one run on the chosen input,
                  checked but not timed, without the exact checks */
    long warmup;
    long levels;      /**< -1: not given */
    long tau1, tau2;  /**< 0: not given */
    const char *leaf; /**< NULL: the step's first */
    long threads;
    bool unfused;                /**< the last level is not fused */
    long ld_extra;               /**< elements added to each leading dimension */
    long ld_apart;               /**< added to B's leading dimension; twice as many to C's */
    long settings[MAX_SETTINGS]; /**< the step's own numbers, in the order of its table */
    bool list, json, quiet, help;
    bool untimed;                /**< judged, but not timed and not tried on another shape */
    bool count, no_count;        /**< both false: count if it should take under two seconds */
    struct counting counting;    /**< for the simulated GPU */
    const struct action *action; /**< the step's own option, if one was given */
    const struct step *step;     /**< the table in the chosen precision */
    const struct step *step_by_precision[PRECISIONS]; /**< NULL where the step lacks it */
    const struct explainer *explainer; /**< adds to the verdict on a wrong result, see
                                          common/check/verify.h; or NULL. Set by the runner */
    const struct witness *witness;     /**< of an exercise (common/check/trial.h); or NULL */
    struct rank *rank;                 /**< this rank, in step 22, which sets it */
};

/** True for a variant that the options ask for: by name, or all on the step's main line.
 * @param options as options_read() left them
 * @param variant of the step's table
 * @return whether it runs */
bool is_chosen(const struct options *options, const struct variant *variant);

/** The context that the options ask for: threads, leaf, settings and the rank.
 * @param options as options_read() left them
 * @return the context; its stream and GPU are not set */
struct context context_of(const struct options *options);

/** How deep a recursion goes. */
struct depth {
    int levels;
    int fused; /**< the last level is fused: tau1 < n <= tau2 when it is reached */
};

/** The depth that `options` ask for at their size; n is the smallest of m, n, k. With --levels
 * it is that number. With thresholds n is halved until n <= tau2, and then once more, fused, if
 * n > tau1 (Li et al. (2011), Figures 16 and 23; Musella's n0 in Algorithm 4 is tau1 + 1). If
 * only one threshold is given, tau2 = 2 tau1. Without these options the step's default applies,
 * and at least one level. Levels stop before a dimension falls below 1. With --unfused the last
 * level is not fused.
 * @param options as options_read() left them
 * @return levels, and whether the last one is fused */
struct depth depth_of(const struct options *options);

/** Reads the command line.
 * @param options overwritten
 * @param steps the step's table in each precision, or NULL
 * @param argc as main() has it
 * @param argv as main() has it; it must outlive the options
 * @param status the exit status if the result is false
 * @return true to continue; false if the program must end with *status: it has printed its
 * help, or an error on standard error */
bool options_read(struct options *options, int argc, char **argv,
                  const struct step *const steps[PRECISIONS], int *status);

#ifdef __cplusplus
}
#endif
#endif
