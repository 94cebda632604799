/* SPDX-License-Identifier: MIT */
/** @file measure.h
 * Checks and times a step's variants. The results are returned in a structure, which a grader
 * can use directly.
 */
#ifndef COMMON_MEASURE_MEASURE_H
#define COMMON_MEASURE_MEASURE_H

#include "common/check/result.h"
#include "common/command/options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MAX_VARIANTS = 64 };

/** The outcome of measuring a step. */
struct outcome {
    int status; /**< EXIT_RIGHT or EXIT_WRONG; EXIT_USAGE or EXIT_RESOURCE if nothing ran */
    char message[512];  /**< why nothing ran, or "" */
    const char *vendor; /**< the library that is timed with the variants, or NULL */
    int right, wrong;   /**< how many variants */
    int left_out;       /**< how many cannot run on the ranks of step 22 */
    int count;
    struct result results[MAX_VARIANTS]; /**< of the variants that were asked for */
};

/** Runs every variant first on small integers, where C must match bit for bit; then on the
 * chosen input, where errors must be within the theorem's bound; then timed, in turn with the
 * vendor's library, with a check of each run; and finally on a small product of another shape.
 * The backend's device must be there (backend.missing()).
 * @param options as options_read() left them. Without --quiet and --json it is printed what is
 * known before the first run, and then what is done
 * @param traced the step's table from the simulated GPU's counting build, or NULL
 * @param take is called after the last run of each variant, or NULL
 * @param outcome overwritten; its status says whether the variants ran */
void measure(const struct options *options, const struct step *traced,
             void (*take)(const struct options *options, struct result *result),
             struct outcome *outcome);

/** How many runs are timed: as asked, or as many as fit into about two seconds.
 * @param options of the run
 * @param first_ms milliseconds of the first run
 * @return 0 or more */
int timed_runs(const struct options *options, double first_ms);

/* ---- run.c ---- */

/** If $OMP_NUM_THREADS asks for more threads than OpenMP can start, uses one per processor. */
void limit_threads(void);

/** The whole program: see measure().
 * @param argc,argv as main() has it
 * @param steps  the step's table in each precision, or NULL
 * @param traced the same tables from the simulated GPU's counting build, or NULL
 * @param explainer adds to the verdict on a wrong result, or NULL
 * @return the exit status */
int run_step(int argc, char **argv, const struct step *const steps[PRECISIONS],
             const struct step *const traced[PRECISIONS], const struct explainer *explainer);

#ifdef __cplusplus
}
#endif
#endif
