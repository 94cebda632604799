/**
 * @file main.c
 * main() of every step: hands the runner the step's tables, one a precision.
 */
#include "runner.h"

/* A step defines those that it has. */
extern const struct step step_f32 __attribute__((weak));
extern const struct step step_f64 __attribute__((weak));
extern const struct step step_i32 __attribute__((weak));
extern const struct step step_f32_traced __attribute__((weak));
extern const struct step step_f64_traced __attribute__((weak));

int main(int argc, char **argv)
{
    static const struct step *const steps[PRECISIONS] = {&step_f32, &step_f64, &step_i32};
    static const struct step *const traced[PRECISIONS] = {&step_f32_traced, &step_f64_traced};
    return run_step(argc, argv, steps, traced);
}
