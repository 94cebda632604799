/* SPDX-License-Identifier: MIT */
#include "common/check/again.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/matrix/random.h"

bool again_begin(struct again *again, struct trial *trial, const struct result *result,
                 const struct tolerance *tolerance)
{
    *again = (struct again){.trial = trial,
                            .result = result,
                            .tolerance = *tolerance,
                            .rows = malloc((size_t)trial->c.rows * sizeof *again->rows),
                            .verdict.passed = true};
    for (long i = 0; again->rows && i < trial->c.rows; i++)
        again->rows[i] = matrix_row_hash(&trial->c, i);
    return again->rows != NULL;
}

void again_end(struct again *again) { free(again->rows); }

/* Changes the sign of a row of A and C, or of a column of B and C. */
static void negate(struct trial *trial, bool of_a, long at)
{
    if (of_a) {
        matrix_negate_row(&trial->a, at);
        matrix_negate_row(&trial->c, at);
    } else {
        matrix_negate_column(&trial->b, at);
        matrix_negate_column(&trial->c, at);
    }
}

double again_run(struct again *again, bool last)
{
    struct trial *trial = again->trial;
    if (!again->verdict.passed)
        return -1;
    uint64_t bits = random_bits(RANDOM_STEP * (uint64_t)(trial->options->seed + ++again->run));
    bool of_a = again->run % 2;
    long at = (long)(bits % (uint64_t)(of_a ? trial->a.rows : trial->b.cols));
    struct matrix *changed = of_a ? &trial->a : &trial->b;
    negate(trial, of_a, at);
    matrix_upload(changed);
    double ms = trial_run(trial, again->result);
    if (isinf(ms)) {
        again->verdict = trial_lost();
        return -1;
    }
    matrix_download(&trial->c);
    if (last) {
        matrix_download(&trial->a);
        matrix_download(&trial->b);
    }
    negate(trial, of_a, at);
    matrix_upload(changed);
    bool right = !trial->clock_touched &&
                 verify_again(&trial->c, &trial->reference, &again->tolerance, again->rows);
    if (right && !last)
        return ms;
    char when[128];
    snprintf(when, sizeof when,
             "right the first time, wrong when run again (timed run %d, with %s %ld of %s "
             "negated): ",
             again->run, of_a ? "row" : "column", at, of_a ? "A" : "B");
    again->verdict = trial_judge_host(trial, &again->tolerance, when);
    return again->verdict.passed ? ms : -1;
}
