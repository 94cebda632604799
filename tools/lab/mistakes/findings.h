/* SPDX-License-Identifier: MIT */
/** @file findings.h
 * The evidence on a wrong C, and what all files here do with a formula: if it gives the wrong
 * elements, a sentence is suggested.
 */
#ifndef TOOLS_LAB_MISTAKES_FINDINGS_H
#define TOOLS_LAB_MISTAKES_FINDINGS_H

#include "common/check/verify.h"

enum { MOST_SAMPLES = 400 };

/** Some of the wrong elements, spread over all of them, and the matrices. */
struct evidence {
    const struct matrix *c, *a, *b;
    const struct reference *r;
    const struct tolerance *t;
    long m, n, k; /**< what levels halve: the matrices, or padded ones */
    long rows[MOST_SAMPLES], cols[MOST_SAMPLES];
    int count; /**< of these samples, which have a value */
    long wrong, unwritten;
    long first_row, last_row, first_col, last_col; /**< of the unwritten ones */
    bool quadrant_wrong[4];
};

/** The formulas that fit. A formula is reported only if no other one fits. */
struct findings {
    int count;
    char sentence[512]; /**< of the first one */
};

/**
 * Suggests a sentence if a formula fits.
 * @param f gets the sentence of the first one
 * @param fitting how many formulas of this kind fit, or whether one does
 * @param format of the sentence, as for printf
 */
void suggest(struct findings *f, int fitting, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
