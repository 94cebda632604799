/* SPDX-License-Identifier: MIT */
/** @file run.h
 * Runs a step's table: reads the command line, makes the inputs, checks and times every
 * variant.
 */
#ifndef COMMON_MEASURE_RUN_H
#define COMMON_MEASURE_RUN_H

#include "common/measure/measure.h"
#include "common/precision.h"
#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The whole program: see measure().
 * @param argc as main() has it
 * @param argv as main() has it
 * @param steps  the step's table in each precision, or NULL
 * @param traced the same tables from the simulated GPU's counting build, or NULL
 * @param explainer adds to the verdict on a wrong result, or NULL
 * @return the exit status
 */
int run_step(int argc, char **argv, const struct step *const steps[PRECISIONS],
             const struct step *const traced[PRECISIONS], const struct explainer *explainer);

/**
 * Measures the variants that the options ask for, and prints the results and the verdict.
 * @param options of the run
 * @param outcome overwritten
 * @param traced the step's table from the counting build, or NULL
 * @return the exit status
 */
int run_variants(const struct options *options, const struct step *traced,
                 struct outcome *outcome);

#ifdef __cplusplus
}
#endif
#endif
