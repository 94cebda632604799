/* SPDX-License-Identifier: MIT */
/** @file facts.h
 * What an exercise's program reported through its channel, and expressions over it.
 */
#ifndef TOOLS_LAB_FACTS_H
#define TOOLS_LAB_FACTS_H

#include "lab.h"

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

#endif
