/* SPDX-License-Identifier: MIT */
#include "common/check/again.h"

#include <math.h>
#include <stdio.h>

#include "common/device/host.h"

bool again_begin(struct again *again, struct trial *trial, const struct result *result,
                 int magnitude)
{
    enum input input = trial->options->input;
    *again = (struct again){.trial = trial,
                            .result = result,
                            .input = input,
                            .magnitude = magnitude,
                            .tolerance = trial_tolerance(trial, result, input),
                            .verdict.passed = true};
    if (again->tolerance.exact || verify_by_signs(NULL, &trial->a, &trial->b, &again->tolerance,
                                                  host_secret()) != SIGNS_RIGHT)
        return true;
    if (magnitude == 0)
        return false;
    again->input = INPUT_INTEGERS;
    again->tolerance = trial_tolerance(trial, result, INPUT_INTEGERS);
    return true;
}

/* What the reason of a wrong run begins with. */
static void say_when(const struct again *again, char *text, size_t size)
{
    char seed[32] = "";
    if (input_has_seed(again->input))
        snprintf(seed, sizeof seed, ", --seed %ld", again->seed);
    snprintf(text, size,
             "right the first time, wrong when run again (timed run %d, with new numbers%s): ",
             again->run, seed);
}

static void say(struct again *again, const char *what)
{
    char when[128];
    say_when(again, when, sizeof when);
    again->verdict.passed = false;
    snprintf(again->verdict.reason, sizeof again->verdict.reason, "%s%s", when, what);
}

/* Judges C element by element. */
static void judge_fully(struct again *again)
{
    struct trial *trial = again->trial;
    struct reference first = trial->reference;
    char when[128];
    say_when(again, when, sizeof when);
    if (reference_create(&trial->reference, &trial->a, &trial->b)) {
        again->verdict = trial_judge_host(trial, &again->tolerance, when);
        reference_destroy(&trial->reference);
    } else {
        say(again, "there is no memory to see more");
    }
    trial->reference = first;
}

/* Comparing A and B after each run would take longer than the run where they are copied back
   from a GPU and large: then it is done after one run in four, and nobody knows after which. */
static bool should_look_at_operands(const struct trial *trial, bool last)
{
    const size_t small = 64 << 20;
    return last || backend.shares_host_memory || trial->a.bytes + trial->b.bytes < small ||
           host_secret() % 4 == 0;
}

double again_run(struct again *again, bool last)
{
    struct trial *trial = again->trial;
    if (!again->verdict.passed)
        return -1;
    again->run++;
    again->seed = (long)(host_secret() >> 1);
    trial_fill_anew(trial, again->input, again->magnitude, again->seed);
    uint64_t hash_a = matrix_hash(&trial->a), hash_b = matrix_hash(&trial->b);
    double ms = trial_run(trial, again->result);
    if (isinf(ms)) {
        again->verdict = trial_lost();
        return -1;
    }
    matrix_download(&trial->c);
    if (should_look_at_operands(trial, last)) {
        matrix_download(&trial->a);
        matrix_download(&trial->b);
        if (matrix_hash(&trial->a) != hash_a)
            say(again, "A was changed: a product must not write to its inputs");
        else if (matrix_hash(&trial->b) != hash_b)
            say(again, "B was changed: a product must not write to its inputs");
        if (!again->verdict.passed)
            return -1;
    }
    enum signs_verdict by_signs =
        verify_by_signs(&trial->c, &trial->a, &trial->b, &again->tolerance, host_secret());
    char where[128];
    if (by_signs != SIGNS_RIGHT || last || !trial_kept_time(trial) ||
        !matrix_guards_intact(&trial->c, where, sizeof where))
        judge_fully(again);
    if (again->verdict.passed && by_signs == SIGNS_WRONG)
        say(again, "C times a vector of random signs is not A times (B times that vector)");
    return again->verdict.passed ? ms : -1;
}
