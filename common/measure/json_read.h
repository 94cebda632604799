/* SPDX-License-Identifier: MIT */
/** @file json_read.h
 * Reads the JSON lines that programs print with --json: one object a line.
 *
 * Only texts are copied: a field is looked up in the line each time it is asked for.
 */
#ifndef COMMON_MEASURE_JSON_READ_H
#define COMMON_MEASURE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Where the value of the object's own field `name` begins in `object`; NULL if there is no
 * such field, or if the text before it is not JSON. Fields of inner objects do not count.
 * @param object a line with one object
 * @param name of the field
 * @return a place in `object`, or NULL
 */
const char *json_find(const char *object, const char *name);

/**
 * A number; NAN where the field is missing, null or no number.
 * @param object a line with one object
 * @param name of the field
 * @return the number, or NAN
 */
double json_get_number(const char *object, const char *name);

/**
 * True only where the field is true.
 * @param object a line with one object
 * @param name of the field
 * @return whether it is true
 */
bool json_get_bool(const char *object, const char *name);

/**
 * A text, as UTF-8 with its escapes resolved.
 * @param object a line with one object
 * @param name of the field
 * @param size bytes of `text`, 1 or more
 * @param text gets at most size - 1 bytes and a 0; empty where the field is missing or no text
 * @return whether there was a text
 */
bool json_get_text(const char *object, const char *name, char *text, size_t size);

#endif
