/**
 * @file runner.h
 * Runs a step's table: reads the command line, makes the inputs, checks and times every variant.
 */
#ifndef LADDER_RUNNER_H
#define LADDER_RUNNER_H

#include "precision.h"
#include "step.h"

/**
 * The whole program.
 *
 * Every variant is run on small integers first and must match bit for bit, then on the input that
 * was asked for and must stay within its theorem's bound, then timed in turn with the vendor's
 * library, then checked once more.
 * @param steps  the step's table in each precision, NULL where it has none
 * @param traced the same tables from the simulated GPU's counting build, NULL elsewhere
 * @return the exit status
 */
int run_step(int argc, char **argv, const struct step *const steps[PRECISIONS],
             const struct step *const traced[PRECISIONS]);

#endif
