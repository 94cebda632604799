/* SPDX-License-Identifier: MIT */
/** @file json.h
 * Writes one JSON object on one line, field by field.
 */
#ifndef COMMON_MEASURE_JSON_H
#define COMMON_MEASURE_JSON_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An object that is being written. */
struct json {
    FILE *out;
    bool empty; /**< no field yet */
};

/** Begins an object.
 * @param out where it is written
 * @return the object, still without fields */
struct json json_begin(FILE *out);

/** @{ */
/** Adds a field: a text, quoted and escaped, or null for NULL; a number with ten significant
 * digits, or null if it is not finite; a whole number with all its digits; true or false.
 * @param json begun
 * @param name of the field
 * @param value its value; a text is in UTF-8 */
void json_text(struct json *json, const char *name, const char *value);
void json_number(struct json *json, const char *name, double value);
void json_whole(struct json *json, const char *name, double value);
void json_bool(struct json *json, const char *name, bool value);
/** @} */

/** A number as json_number() writes it, or null if it is unknown.
 * @param json begun
 * @param known whether the number is known
 * @param name of the field
 * @param value any number */
void json_number_if(struct json *json, bool known, const char *name, double value);

/** Ends the object and the line.
 * @param json begun; no further field may be added */
void json_end(struct json *json);

#ifdef __cplusplus
}
#endif
#endif
