/* SPDX-License-Identifier: MIT */
/** @file read_json.h
 * Finds fields in a line that common/measure/json.h has written: in the line each time it is
 * asked.
 */
#ifndef TOOLS_TOUR_READ_JSON_H
#define TOOLS_TOUR_READ_JSON_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Finds the value of a field of the object. Fields of inner objects are ignored.
 * @param object a line with one object
 * @param name of the field
 * @return where the value begins in `object`; NULL if there is no such field, or if the text
 *   before it is not JSON
 */
const char *json_find(const char *object, const char *name);

/**
 * Reads a number.
 * @param object a line with one object
 * @param name of the field
 * @return the number; NAN if the field is missing, null or not a number
 */
double json_get_number(const char *object, const char *name);

/**
 * Reads a bool.
 * @param object a line with one object
 * @param name of the field
 * @return whether the field exists and is true
 */
bool json_get_bool(const char *object, const char *name);

/**
 * Reads a text in UTF-8 with the escapes that json_text() writes.
 * @param object a line with one object
 * @param name of the field
 * @param size bytes of `text`, 1 or more
 * @param text gets at most size - 1 bytes and a 0; "" if the field is missing or not a text
 * @return whether there was a text
 */
bool json_get_text(const char *object, const char *name, char *text, size_t size);

#endif
