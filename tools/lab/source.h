/* SPDX-License-Identifier: MIT */
/** @file source.h
 * Marked regions, line by line.
 */
#ifndef TOOLS_LAB_SOURCE_H
#define TOOLS_LAB_SOURCE_H

#include "lab.h"

/** Whether the line is a mark YOUR CODE, or END. */
bool begins_region(const char *line);
bool ends_region(const char *line);

/** Whether the code contains this word, not as a part of another one. */
bool has_word(const char *code, const char *word);

#endif
