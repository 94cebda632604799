/* SPDX-License-Identifier: MIT */
/** @file compile.h
 * From a learner's text to a program.
 */
#ifndef TOOLS_LAB_COMPILE_H
#define TOOLS_LAB_COMPILE_H

#include "inspect.h"

/** Compiles a job. NULL, or why it failed: a headline; *said is what the compiler said that
 * concerns the learner, warnings included. */
const char *compile(const struct job *job, char **said);

/** What the job that was compiled last became. */
const char *compiled_program(void);

/** Where the compiler and a run of what it made may read (process.h). */
const char *const *readable_places(const struct lab *lab);

/** What a compiler or a program said, with the learner's file in place of the copy that was
 * compiled. */
char *with_known_path(const struct job *job, const char *said);

#endif
