/* SPDX-License-Identifier: MIT */
/** @file facts.h
 * What an exercise's program told through its channel, and expressions over it.
 */
#ifndef TOOLS_LAB_FACTS_H
#define TOOLS_LAB_FACTS_H

#include "lab.h"

/** Names and values; texts that live as long as any (lab.h). */
struct facts {
    int count;
    struct {
        const char *name, *value;
    } all[128];
    const char *report; /**< the simulated GPU's accesses, line by line; "" without */
};

/** Takes the program's answer apart. NULL is an answer without facts. */
struct facts facts_read(const char *said);

/** A value as it was told, NULL when it is not known or null. */
const char *fact(const struct facts *facts, const char *name);

/** The value of an expression such as 17*n^3/4096 or before_ms / 2; false when a name in it is
 * not known or it is none. */
bool evaluate(const struct facts *facts, const char *expression, double *value);

/** A number as a person writes it: whole ones whole, others to four digits. */
const char *plain(double number);

/** A fact's name, or a note's word, as it is read: blanks for underscores. */
const char *in_words(const char *field);

#endif
