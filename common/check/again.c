/* SPDX-License-Identifier: MIT */
#include "common/check/again.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/device/host.h"
#include "common/scheme.h"

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

/* Writes how the reason of a wrong run begins. */
static void say_when(const struct again *again, char *text, size_t size)
{
    char seed[32] = "";
    if (input_has_seed(again->input))
        snprintf(seed, sizeof seed, ", --seed %ld", again->seed);
    if (again->run)
        snprintf(text, size,
                 "right the first time, wrong when run again (timed run %d, with new "
                 "numbers%s): ",
                 again->run, seed);
    else
        snprintf(text, size, "when counted: ");
}

static bool say(struct again *again, const char *what)
{
    char when[128];
    say_when(again, when, sizeof when);
    again->verdict.passed = false;
    snprintf(again->verdict.reason, sizeof again->verdict.reason, "%s%s", when, what);
    return false;
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
        say(again, "too little memory to find the wrong element");
    }
    trial->reference = first;
}

/* Whether A and B are compared after this run. Copying large ones back from a GPU takes longer
   than the run, so there only one run in four is compared, chosen at random. */
static bool should_look_at_operands(const struct trial *trial, bool last)
{
    const size_t small = 64 << 20;
    return last || backend.shares_host_memory || trial->a.bytes + trial->b.bytes < small ||
           host_secret() % 4 == 0;
}

/* The hashes of A and B before a run. */
struct hashes {
    uint64_t a, b;
};

static struct hashes operands_of(const struct trial *trial)
{
    return (struct hashes){matrix_hash(&trial->a), matrix_hash(&trial->b)};
}

/* Judges the last run, whose C is on the device; true if it was right. */
static bool judge(struct again *again, struct hashes before, bool last)
{
    struct trial *trial = again->trial;
    char where[128];
    matrix_download(&trial->c);
    if (should_look_at_operands(trial, last)) {
        matrix_download(&trial->a);
        matrix_download(&trial->b);
        if (matrix_hash(&trial->a) != before.a)
            return say(again, "A was changed: a product must not write to its inputs");
        if (matrix_hash(&trial->b) != before.b)
            return say(again, "B was changed: a product must not write to its inputs");
    }
    enum signs_verdict by_signs =
        verify_by_signs(&trial->c, &trial->a, &trial->b, &again->tolerance, host_secret());
    if (by_signs != SIGNS_RIGHT || last || !trial_kept_time(trial) ||
        !matrix_guards_intact(&trial->c, where, sizeof where))
        judge_fully(again);
    if (again->verdict.passed && by_signs == SIGNS_WRONG)
        return say(again,
                   "C times a vector of random signs is not A times (B times that vector)");
    return again->verdict.passed;
}

static bool lost(struct again *again)
{
    again->verdict = trial_lost();
    return false;
}

double again_run(struct again *again, bool last)
{
    if (!again->verdict.passed)
        return -1;
    again->run++;
    again->seed = (long)(host_secret() >> 1);
    trial_fill_anew(again->trial, again->input, again->magnitude, again->seed);
    struct hashes before = operands_of(again->trial);
    double ms = trial_run(again->trial, again->result);
    bool right = isinf(ms) ? lost(again) : judge(again, before, last);
    return right ? ms : -1;
}

/* How many bits the sums of one level add to the numbers, at both ends. */
static int bits_of_sums(const struct scheme *scheme)
{
    return scheme ? (int)ceil(log2(scheme_largest_sum(scheme))) + scheme_bits(scheme).factors
                  : 0;
}

/* How many bits numbers may have so that their products, and those of the levels' sums, are
   exact. Then the bits of C depend only on the order of the sums, and not on whether a compiler
   fuses a product and a sum. */
static int short_bits(const struct result *r, enum precision precision)
{
    int bits = (precision == PRECISION_F64 ? 26 : 12) -
               bits_of_sums(scheme_of(r->variant->bound.kind)) * r->levels;
    return bits > 4 ? bits : 4;
}

bool again_count(struct again *again, struct result *result)
{
    struct trial *trial = again->trial;
    trial_fill(trial, again->input, again->magnitude);
    trial_shorten(trial, short_bits(result, trial->options->precision));
    struct hashes before = operands_of(trial);
    if (isinf(trial_run(trial, result)))
        return lost(again);
    matrix_download(&trial->c);
    uint64_t bits = matrix_elements_hash(&trial->c);
    if (!trial_count(trial, result))
        return lost(again);
    if (!judge(again, before, false))
        return false;
    return matrix_elements_hash(&trial->c) == bits ||
           say(again, "the counting build and the timed build give different bits, so they run "
                      "different kernels; does the source test LADDER_TRACED?");
}
