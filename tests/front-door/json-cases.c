/* SPDX-License-Identifier: MIT */
/** @file json-cases.c
 * The JSON reader on lines as programs print them, and on text that is not JSON.
 */
#include "tools/tour/read_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                                       \
    do {                                                                                       \
        if (!(condition)) {                                                                    \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);            \
            failures++;                                                                        \
        }                                                                                      \
    } while (0)

static bool text_is(const char *object, const char *name, const char *expected)
{
    char text[64];
    return json_get_text(object, name, text, sizeof text) && strcmp(text, expected) == 0;
}

int main(void)
{
    const char *line =
        "{\"step\":\"10-gpu8\",\"m\":256, \"ms_median\" : 1.25e-3,\"ratio\":null,"
        "\"note\":\"\\\"n\\\":7, m = {1}, \\\\\",\"lanes\":[[0,1],{\"n\":8}],"
        "\"inner\":{\"n\":9,\"passed\":false},\"n\":-64,\"passed\":true}\n";
    CHECK(json_get_number(line, "m") == 256);
    CHECK(json_get_number(line, "ms_median") == 1.25e-3);
    CHECK(json_get_number(line, "n") == -64); /* not the ones in a text, a list or an object */
    CHECK(isnan(json_get_number(line, "ratio")));
    CHECK(isnan(json_get_number(line, "step")));
    CHECK(isnan(json_get_number(line, "nothing")));
    CHECK(json_get_bool(line, "passed"));
    CHECK(!json_get_bool(line, "m"));
    CHECK(!json_get_bool(line, "nothing"));
    CHECK(text_is(line, "step", "10-gpu8"));
    CHECK(text_is(line, "note", "\"n\":7, m = {1}, \\"));
    CHECK(json_find(line, "lanes") && *json_find(line, "lanes") == '[');
    CHECK(json_get_number(json_find(line, "inner"), "n") == 9);
    CHECK(!json_find(line, "ste") && !json_find(line, "step\""));

    CHECK(text_is("{\"a\":\"two\\u000alines\\u\"}", "a", "two\nlinesu"));
    CHECK(text_is("{\"a\":\"\"}", "a", ""));

    /* Cut where the buffer ends, but never within a character. */
    char four[4];
    CHECK(json_get_text("{\"a\":\"abcdef\"}", "a", four, sizeof four) &&
          strcmp(four, "abc") == 0);
    CHECK(json_get_text("{\"a\":\"ab\xc3\xbc\"}", "a", four, sizeof four) &&
          strcmp(four, "ab") == 0);
    CHECK(json_get_text("{\"a\":\"ab\\\"c\"}", "a", four, sizeof four) &&
          strcmp(four, "ab\"") == 0);
    CHECK(!json_get_text("{\"a\":null}", "a", four, sizeof four) && four[0] == '\0');

    const char *no_json[] = {"",
                             "a",
                             "{",
                             "{}",
                             "[1]",
                             "{\"b\"}",
                             "{\"b\":1",
                             "{\"b\":\"",
                             "{\"b\":\"\\",
                             "{\"b\":[1",
                             "{b:1}",
                             "{\"b\":}",
                             "{\"b\":1 \"a\":2}"};
    for (size_t i = 0; i < sizeof no_json / sizeof *no_json; i++)
        if (json_find(no_json[i], "a")) {
            fprintf(stderr, "a field was found in: %s\n", no_json[i]);
            failures++;
        }
    return failures > 0;
}
