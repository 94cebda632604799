/* SPDX-License-Identifier: MIT */
/** @file read_json.h
 * Finds fields in a line that common/measure/json.h has written: one object, in which no blank
 * is between a name and its value, and a quote in a text has a backslash before it. So a name
 * in quotes with a colon after it is a field's and nothing else.
 */
#ifndef TOOLS_TOUR_READ_JSON_H
#define TOOLS_TOUR_READ_JSON_H

#include <stdbool.h>
#include <stddef.h>

/** Reads a number.
 * @param line a line with one object
 * @param name of the field
 * @return the number; NAN if the field is missing, null or not a number */
double json_get_number(const char *line, const char *name);

/** Reads a bool.
 * @param line a line with one object
 * @param name of the field
 * @return whether the field exists and is true */
bool json_get_bool(const char *line, const char *name);

/** Reads a text in UTF-8 with the escapes that json_text() writes.
 * @param line a line with one object
 * @param name of the field
 * @param size bytes of `text`, 1 or more
 * @param text gets at most size - 1 bytes and a 0; "" if the field is missing or not a text
 * @return whether there was a text */
bool json_get_text(const char *line, const char *name, char *text, size_t size);

#endif
