/* SPDX-License-Identifier: MIT */
/** @file check.h
 * One check while it goes on: its runs, what they told, and why it failed.
 */
#ifndef TOOLS_LAB_CHECK_H
#define TOOLS_LAB_CHECK_H

#include "compile.h"
#include "facts.h"
#include "process.h"

enum { MOST_RUNS = 16 };

/** A check of one file. */
struct check {
    const struct lab *lab;
    const char *exercise;
    FILE *out;
    struct checked result;
    struct job job;
    long drawn;                  /**< the number that sizes and inputs come from */
    int lines;                   /**< goals that drew numbers so far */
    const char *counting;        /**< --no-count, --count --report or nothing */
    const char *runs[MOST_RUNS]; /**< options of the runs drawn, for the GPU */
    int run_count;
    bool show;  /**< matrices are shown in place of being judged (show.h) */
    bool shown; /**< what the learner's code printed was shown */
    /* of the last run */
    const char *options;
    struct ended ended;
    struct facts facts;
    double seconds; /**< what a run may take */
    /* what was tried out after it had failed (evidence.c) */
    const char *proven;   /**< an advice of the simulated GPU's that cures its fault; NULL */
    const char *smallest; /**< a smaller size that fails, too; "" without */
};

/** Runs a program of the exercise; true when it told that everything is right. */
bool run_exercise(struct check *check, const char *program, const char *options);

/** " --levels L" as the first goal that has it says; "" without. */
const char *goal_levels(const struct lab *lab, const char *exercise);

/** The sizes among options, in words; where one is given twice, the last one holds. */
const char *shape_of(const char *options);

/** Why the last run failed, in the words of whoever saw it. */
char *explain_run(const struct check *check);

/** Tries out, after a run has failed, what is said of it: whether the barrier that the
 * simulated GPU advises cures its fault, and which smaller size fails, too. What is known of
 * the failed run stays. */
void find_evidence(struct check *check);

/** "FILE:LINE, in HELPER: " for a program that was at these addresses, the innermost first: the
 * first line of the learner's, and the helper called there, if any. "" when it is not known. */
char *line_of(const struct job *job, char *const addresses[], int count);

/** Why a goal on this field was missed; "" when there is nothing to say. */
char *explain_goal(const struct check *check, const char *field);

/** What the learner's code printed in the last run, at most so many lines; "" without. */
const char *what_it_printed(const struct check *check, int most);

#endif
