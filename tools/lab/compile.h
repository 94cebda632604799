/* SPDX-License-Identifier: MIT */
/** @file compile.h
 * From a learner's text to a program.
 */
#ifndef TOOLS_LAB_COMPILE_H
#define TOOLS_LAB_COMPILE_H

#include "inspect.h"

/** Compiles `content`. NULL, or why it failed: a headline; *said is what the compiler said that
 * concerns the learner, warnings included. */
const char *compile(const struct job *job, const char *content, char **said);

#endif
