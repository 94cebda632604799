/* SPDX-License-Identifier: MIT */
/** @file json.h
 * Writes one JSON object on one line, field by field, and finds fields in such a line.
 */
#ifndef COMMON_MEASURE_JSON_H
#define COMMON_MEASURE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An object that is being written. */
struct json {
    FILE *out;
    bool empty; /**< no field yet */
};

/**
 * Begins an object.
 * @param out where it is written
 * @return the object, still without fields
 */
struct json json_begin(FILE *out);

/** @{ */
/**
 * Adds a field: a text, quoted and escaped, or null for NULL; a number with ten significant
 * digits, or null if it is not finite; a whole number with all its digits; true or false.
 * @param json begun
 * @param name of the field
 * @param value its value; a text is in UTF-8
 */
void json_text(struct json *json, const char *name, const char *value);
void json_number(struct json *json, const char *name, double value);
void json_whole(struct json *json, const char *name, double value);
void json_bool(struct json *json, const char *name, bool value);
/** @} */

/**
 * A number as json_number() writes it, or null if it is unknown.
 * @param json begun
 * @param known whether the number is known
 * @param name of the field
 * @param value any number
 */
void json_number_if(struct json *json, bool known, const char *name, double value);

/**
 * Ends the object and the line.
 * @param json begun; no further field may be added
 */
void json_end(struct json *json);

/* ---- Reading: a field is looked up in the line each time it is asked for ---- */

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

#ifdef __cplusplus
}
#endif
#endif
