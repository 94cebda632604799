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

/**
 * Begins an object.
 * @param out where it is written
 * @return the object, still without fields
 */
struct json json_begin(FILE *out);

/**
 * A string, quoted and escaped; null for NULL.
 * @param json begun
 * @param name of the field
 * @param text in UTF-8, or NULL
 */
void json_text(struct json *json, const char *name, const char *text);

/**
 * A number with ten significant digits; null when it is not finite.
 * @param json begun
 * @param name of the field
 * @param value any number
 */
void json_number(struct json *json, const char *name, double value);

/**
 * The same, or null where the number is not known.
 * @param json begun
 * @param known whether it is
 * @param name of the field
 * @param value any number
 */
void json_number_if(struct json *json, bool known, const char *name, double value);

/**
 * A whole number with all its digits.
 * @param json begun
 * @param name of the field
 * @param value a whole number, negative too
 */
void json_whole(struct json *json, const char *name, double value);

/**
 * True or false.
 * @param json begun
 * @param name of the field
 * @param value true or false
 */
void json_bool(struct json *json, const char *name, bool value);

/**
 * Ends the object and the line.
 * @param json begun; nothing can be added any more
 */
void json_end(struct json *json);

#ifdef __cplusplus
}
#endif
#endif
