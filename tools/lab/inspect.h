/* SPDX-License-Identifier: MIT */
/** @file inspect.h
 * Checks that compiled code is the learner's, and nobody else's.
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
    const char *file;    /**< where the learner's text came from, for messages */
    const char *content; /**< the text, normalised (lab.h) */
    enum place place;
    bool both;  /**< in f64, too */
    bool debug; /**< for a debugger: not optimised, with all debugging information */
};

/** Checks an object file of a job. Returns NULL, or a headline with *detail: it calls what
 * multiplies or checks, or replaces it. */
const char *inspect(const struct job *job, const char *object, char **detail);

#endif
