/* SPDX-License-Identifier: MIT */
/** @file inspect.h
 * Whether what was compiled is the learner's, and nobody else's.
 */
#ifndef TOOLS_LAB_INSPECT_H
#define TOOLS_LAB_INSPECT_H

#include "lab.h"

/** Where an exercise runs. */
enum place { ON_CPU, ON_SIM, ON_CUDA };

/** What is compiled, and how. */
struct job {
    const struct lab *lab;
    const char *exercise;
    const char *file;    /**< where the learner's text came from: errors name it */
    const char *content; /**< the text, normalised (lab.h) */
    enum place place;
    bool both;  /**< f64, too */
    bool debug; /**< for a debugger: slow, and with everything it wants to know */
};

/** Looks into an object file of a job. NULL, or a headline with *detail: it calls what
 * multiplies or judges, or stands in for it. */
const char *inspect(const struct job *job, const char *object, char **detail);

#endif
