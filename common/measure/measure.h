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
    char note[256];     /**< of the step, about its setup; "" without */
    int right, wrong;   /**< how many variants */
    int left_out;       /**< how many cannot run on the ranks of step 22 */
    int count;
    struct result results[MAX_VARIANTS]; /**< of the variants that were asked for */
};

/** Functions that measure() calls on its way. Each may be NULL. */
struct listener {
    /** Called before the first run; the results then contain levels, cost and shape. */
    void (*begin)(const struct options *options, const struct outcome *outcome);
    /** Called for each variant that is left out because its workspace is too large. */
    void (*skip)(const struct options *options, const struct result *result,
                 double matrix_bytes);
    /** Called with the current activity. */
    void (*progress)(const struct options *options, const char *what);
    /** Called after the last run of a variant. */
    void (*result)(const struct options *options, struct result *result);
};

/** Runs every variant first on small integers, where C must match bit for bit; then on the
 * chosen input, where errors must be within the theorem's bound; then timed, in turn with the
 * vendor's library, with a check of each run; and finally on a small product of another shape.
 * The backend's device must be there (backend.missing()).
 * @param options as options_read() left them
 * @param listener functions that are called meanwhile
 * @param outcome overwritten; its status says whether the variants ran
 * @param traced the step's table from the simulated GPU's counting build, or NULL */
void measure(const struct options *options, const struct step *traced,
             const struct listener *listener, struct outcome *outcome);

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

/** Measures the variants that the options ask for, and prints the results and the verdict.
 * @param options of the run
 * @param outcome overwritten
 * @param traced the step's table from the counting build, or NULL
 * @return the exit status */
int run_variants(const struct options *options, const struct step *traced,
                 struct outcome *outcome);

#ifdef __cplusplus
}
#endif
#endif
