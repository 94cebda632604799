/* SPDX-License-Identifier: MIT */
/** @file compile.h
 * From a learner's text to a program.
 */
#ifndef TOOLS_LAB_JUDGE_COMPILE_H
#define TOOLS_LAB_JUDGE_COMPILE_H

#include <stdint.h>

#include "tools/lab/lab.h"

/* ---- source.c ---- */

/** Whether the line is a mark YOUR CODE, or END. */
bool begins_region(const char *line);
bool ends_region(const char *line);

/** Whether the code contains this word, not as a part of another one. */
bool has_word(const char *code, const char *word);

/* ---- inspect.c ---- */

/** Said of a function, for text(). */
#define A_GPU_HAS_NO "A GPU has no %s: use what CUDA has for it."

/** A headline, and its detail for text(). */
#define DOES_WITHOUT "it uses what this exercise does without"
#define WITHOUT      "It is to be written without %s."

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
    bool named; /**< the debugging information names `file` in place of the copy */
};

/** Checks an object file of a job. Returns NULL, or a headline with *detail: it calls what
 * multiplies or checks, or replaces it. */
const char *inspect(const struct job *job, const char *object, char **detail);

/** A number that depends on the machine code that was compiled last, and on nothing else. */
uint64_t compiled_code(void);

/* ---- compile.c ---- */

/** What a learner's file is compiled as, in the builds that are not for a debugger. */
struct job job_of(const struct lab *lab, const char *exercise, const char *file,
                  const char *content);

/** Compiles a job. Returns NULL, or why it failed: a headline; *said gets the compiler's
 * messages that concern the learner, warnings included. */
const char *compile(const struct job *job, char **said);

/** The path of the program that was compiled last. */
const char *compiled_program(void);

/** The places that the compiler and a run of its program may read (process.h). */
const char *const *readable_places(const struct lab *lab);

/** The output of a compiler or a program, with the learner's file in place of the copy that was
 * compiled. */
char *with_known_path(const struct job *job, const char *said);

#endif
