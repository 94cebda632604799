/* SPDX-License-Identifier: MIT */
/** @file findings.h
 * The evidence on a wrong C, and what all files here do with a formula: if it gives the wrong
 * elements, a sentence is suggested.
 */
#ifndef TOOLS_LAB_MISTAKES_FINDINGS_H
#define TOOLS_LAB_MISTAKES_FINDINGS_H

#include "common/check/verify.h"

enum { MOST_SAMPLES = 400 };

/** With fewer wrong elements, sums of a few terms fit by chance. */
enum { FEWEST = 4 };

/** Some of the wrong elements, spread over all of them, and the matrices. */
struct evidence {
    const struct matrix *c, *a, *b;
    const struct reference *r;
    const struct tolerance *t;
    long m, n, k; /**< what levels halve: the matrices, or padded ones */
    long rows[MOST_SAMPLES], cols[MOST_SAMPLES];
    int count; /**< of these samples, which have a value */
    long wrong, unwritten;
    bool quadrant_wrong[4];
};

/** The formulas that fit. A formula is reported only if no other one fits. */
struct findings {
    int count;
    char sentence[512]; /**< of the first one */
};

/** Suggests a sentence if a formula fits.
 * @param f gets the sentence of the first one
 * @param fitting how many formulas of this kind fit, or whether one does
 * @param format of the sentence, as for printf */
void suggest(struct findings *f, int fitting, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Whether an element is marked. */
typedef bool marks_function(const void *of, long i, long j);

/** Says where the marked elements of a matrix are: "rows 0 to 3, columns 2 to 5", "all but rows
 * 0 to 3, columns 2 to 5" or, if others are among them, "some of rows 0 to 3, columns 2 to 5".
 * @param of what `marks` is called with
 * @return whether this says more than the size of the matrix does */
bool place_of_marked(char *text, size_t size, marks_function *marks, const void *of, long m,
                     long n);

#endif
