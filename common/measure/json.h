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

struct json json_begin(FILE *out);

/** A string, quoted and escaped; null for NULL. */
void json_text(struct json *json, const char *name, const char *text);

/** A number with ten significant digits; null when it is not finite. */
void json_number(struct json *json, const char *name, double value);

/** The same, or null where the number is not known. */
void json_number_if(struct json *json, bool known, const char *name, double value);

/** A whole number with all its digits. */
void json_whole(struct json *json, const char *name, double value);

void json_bool(struct json *json, const char *name, bool value);

/** Ends the object and the line. */
void json_end(struct json *json);

#ifdef __cplusplus
}
#endif
#endif
