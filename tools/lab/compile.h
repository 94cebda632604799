/* SPDX-License-Identifier: MIT */
/** @file compile.h
 * From a learner's text to a program.
 */
#ifndef TOOLS_LAB_COMPILE_H
#define TOOLS_LAB_COMPILE_H

#include "inspect.h"

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
