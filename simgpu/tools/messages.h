/* SPDX-License-Identifier: MIT */
/** @file messages.h
 * What `sim` shows of the compiler's messages.
 */
#ifndef SIMGPU_TOOLS_MESSAGES_H
#define SIMGPU_TOOLS_MESSAGES_H

#include <cstdio>
#include <string>

extern std::string own_headers, made_headers; /* folders of the simulator */

bool has(const std::string &text, const std::string &part);
bool starts(const std::string &text, const std::string &with);
/** The next line of a file, with its end. */
bool next_line(FILE *file, std::string &line);
/** Shows the errors of a compiler that has failed, without the simulator's own headers; of one
 * that has not, which functions return no value where they should, as nvcc does. */
void show_messages(FILE *file, bool failed);

#endif
