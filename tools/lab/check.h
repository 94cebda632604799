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
};

/** Runs a program of the exercise; true when it told that everything is right. */
bool run_exercise(struct check *check, const char *program, const char *options);

/** " --levels L" as the first goal that has it says; "" without. */
const char *goal_levels(const struct lab *lab, const char *exercise);

/** The sizes among options, in words; where one is given twice, the last one holds. */
const char *shape_of(const char *options);

/** Why the last run failed, in the words of whoever saw it. */
char *explain_run(const struct check *check);

/** Why a goal on this field was missed; "" when there is nothing to say. */
char *explain_goal(const struct check *check, const char *field);

/** What the learner's code printed in the last run, at most so many lines; "" without. */
const char *what_it_printed(const struct check *check, int most);

#endif
