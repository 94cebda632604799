/* SPDX-License-Identifier: MIT */
/** @file check.h
 * One check while it runs: its runs, what they reported, and why it failed.
 */
#ifndef TOOLS_LAB_JUDGE_CHECK_H
#define TOOLS_LAB_JUDGE_CHECK_H

#include "compile.h"
#include "tools/lab/process/process.h"

/* ---- facts.c: what a program answers ---- */

/** Names and values; the texts live as long as all others (lab.h). */
struct facts {
    int count;
    struct {
        const char *name, *value;
    } all[128];
    const char *report; /**< the simulated GPU's accesses, line by line; "" if there is none */
};

/** Parses the program's answer. NULL is an answer without facts. */
struct facts facts_read(const char *said);

/** A value as it was reported; NULL if it is not known or null. */
const char *fact(const struct facts *facts, const char *name);

/** The value of an expression such as 17*n^3/4096 or before_ms / 2; false if a name in it is
 * not known, or if it is no expression. */
bool evaluate(const struct facts *facts, const char *expression, double *value);

/** A number as a person writes it: whole numbers without a point, others to four digits. */
const char *plain(double number);

/** A fact's name, or a note's word, for people: blanks for underscores. */
const char *in_words(const char *field);

/* ---- check.c and explain.c ---- */

enum { MOST_RUNS = 16 };

/** A check of one file. */
struct check {
    const struct lab *lab;
    const char *exercise;
    FILE *out;
    struct checked result;
    struct job job;
    const char *shadows;         /**< which variables hide others, line by line; "" if none */
    long drawn;                  /**< the number from which sizes and inputs are drawn */
    int lines;                   /**< goals that have drawn numbers so far */
    const char *counting;        /**< --no-count, --count --report or nothing */
    const char *runs[MOST_RUNS]; /**< options of the runs drawn, for the GPU */
    int run_count;
    bool show;  /**< matrices are shown instead of being checked (show.h) */
    bool shown; /**< what the learner's code printed has been shown */
    /* of the last run */
    const char *options;
    struct ended ended;
    struct facts facts;
    double seconds; /**< the most that a run may take */
    /* what was tried after it had failed (evidence.c) */
    const char *proven;   /**< an advice of the simulated GPU that cures its fault; NULL */
    const char *smallest; /**< a smaller size that fails, too; "" without */
};

/** Runs a program of the exercise; true if it reports that everything is right. */
bool run_exercise(struct check *check, const char *program, const char *options);

/** The value of an option among others; if it is given twice, the last one. NULL without it. */
const char *last_option(const char *options, const char *name);

/** " --levels L" of the first goal that has it; "" if there is none. */
const char *goal_levels(const struct lab *lab, const char *exercise);

/** The sizes among options, in words; if one is given twice, the last one counts. */
const char *shape_of(const char *options);

/** Explains why the last run failed, in the words of the program that found it. */
char *explain_run(const struct check *check);

/** After a run that was right on its own shape and wrong on another one, whose numbers have no
 * pattern: multiplies integers of that shape, whose wrong values can be recognised. The facts
 * are then about that run. */
void look_at_other_shape(struct check *check);

/** After a failed run, tries out what could be said about it: whether the barrier that the
 * simulated GPU advises cures its fault, and which smaller size fails, too. The facts about the
 * failed run are kept. */
void find_evidence(struct check *check);

/** "FILE:LINE, in HELPER: " for a program that was at these addresses, the innermost first: the
 * learner's innermost line, and the helper called there, if any. "" if it is not known. */
char *line_of(const struct job *job, char *const addresses[], int count);

/** Why a goal on this field was missed; "" when there is nothing to say. */
char *explain_goal(const struct check *check, const char *field);

/** What the learner's code printed in the last run, at most `most` lines; "" if nothing. */
const char *what_it_printed(const struct check *check, int most);

#endif
