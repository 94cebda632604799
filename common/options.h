/**
 * @file options.h
 * The command line, the same for every step.
 */
#ifndef LADDER_OPTIONS_H
#define LADDER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "input.h"
#include "matrix.h"
#include "step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** --reps 0: one run, checked on the input asked for, neither timed nor preceded by integers. */
enum { CHECK_ONCE = -1 };

/** What the command line said. */
struct options {
    long m, n, k;
    const char *variant; /**< one name or several with commas; NULL: all */
    enum precision precision;
    enum input input;
    bool input_given;
    uint64_t seed;
    int reps; /**< 0: as many as about two seconds hold; CHECK_ONCE: none */
    int warmup;
    int levels; /**< -1: not given */
    long tau1, tau2; /**< 0: not given */
    const char *leaf; /**< NULL: the step's first */
    int threads;
    long ld_extra; /**< elements added to each leading dimension */
    long parameter;
    bool list, json, quiet, help;
    /* simulated GPU */
    int count; /**< 1 on, 0 off, -1 while it should take under two seconds */
    bool report;
    bool modern;      /**< --gpu modern instead of c1060 */
    uint64_t shuffle; /**< 0: blocks and threads in order */
    const char *addresses;               /**< --addresses FILE:LINE */
    const struct action *action;         /**< the step's own option, if one was given */
    const struct step *step;             /**< the table in the chosen precision */
    const struct step *step_by_precision[PRECISIONS]; /**< NULL where the step lacks it */
};

/**
 * Reads the command line. `steps` has one entry a precision, NULL where the step does not have it.
 * @return true to go on; false when the program should end with *status (help was asked for, or a
 *         message about bad usage was printed on standard error).
 */
bool options_read(struct options *options, int argc, char **argv,
                  const struct step *const steps[PRECISIONS], int *status);

/** How deep a recursion goes. */
struct depth {
    int levels;
    int fused; /**< the last level is of the fused kind: tau1 < n <= tau2 when it is reached */
};

/**
 * The depth that `options` ask for on this size, n being the smallest of m, n, k: --levels as
 * given; otherwise halvings until n <= tau2, and one fused level more when n > tau1 then (000
 * Figures 16 and 23; 004 Algorithm 4's n0 is tau1 + 1). One threshold alone sets the other by
 * tau2 = 2 tau1. Without any of them the step's default, and at least one level. Never more levels
 * than leave every dimension at least 1.
 */
struct depth options_depth(const struct options *options);

/** True when a list of names with commas between them has this one. */
bool is_listed(const char *list, const char *name);

/** The variant of that name in a table, or NULL. */
const struct variant *find_variant(const struct variant *table, const char *name);

#ifdef __cplusplus
}
#endif
#endif
