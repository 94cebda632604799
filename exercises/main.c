/**
 * @file main.c
 * main() of an exercise: the runner of every step, with the tables that the exercise was compiled
 * to.
 *
 * For the simulated GPU only the counting build is made, and stands in for both: it is fast enough
 * at an exercise's sizes, compiles once instead of twice, and sees faults in every run.
 */
#include "common/runner.h"

extern const struct step step_f32 __attribute__((weak));
extern const struct step step_f64 __attribute__((weak));
extern const struct step step_f32_traced __attribute__((weak));
extern const struct step step_f64_traced __attribute__((weak));

int main(int argc, char **argv)
{
    const struct step *const traced[PRECISIONS] = {&step_f32_traced, &step_f64_traced};
    const struct step *const steps[PRECISIONS] = {&step_f32_traced ? &step_f32_traced : &step_f32,
                                                  &step_f64_traced ? &step_f64_traced : &step_f64};
    return run_step(argc, argv, steps, traced);
}
