/* SPDX-License-Identifier: MIT */
/** @file json-cases.c
 * The reader of JSON on a line as programs print them, on texts that are cut, and on half a
 * line.
 */
#include "tools/tour/read_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void check(bool right, const char *what)
{
    if (!right)
        printf("failed: %s\n", what), failures++;
}

/* Whether the field is this text, read into `size` bytes. */
static bool text_is(const char *line, const char *name, size_t size, const char *expected)
{
    char text[64];
    return json_get_text(line, name, text, size) && strcmp(text, expected) == 0;
}

int main(void)
{
    const char *line = "{\"step\":\"10-gpu8\",\"m\":256,\"ms_median\":1.25e-3,\"ratio\":null,"
                       "\"note\":\"\\\"n\\\":7, m = {1}, \\\\\",\"n\":-64,\"passed\":true}\n";
    check(json_get_number(line, "m") == 256, "m");
    check(json_get_number(line, "ms_median") == 1.25e-3, "an exponent");
    check(json_get_number(line, "n") == -64, "n, not the one in a text");
    check(isnan(json_get_number(line, "ratio")), "null is no number");
    check(isnan(json_get_number(line, "step")), "a text is no number");
    check(isnan(json_get_number(line, "nothing")), "no such field");
    check(isnan(json_get_number(line, "ste")), "a part of a name");
    check(json_get_bool(line, "passed"), "true");
    check(!json_get_bool(line, "m") && !json_get_bool(line, "nothing"), "not true");
    check(text_is(line, "step", 64, "10-gpu8"), "a text");
    check(text_is(line, "note", 64, "\"n\":7, m = {1}, \\"), "a text with quotes");
    check(text_is("{\"a\":\"two\\u000alines\\u\"}", "a", 64, "two\nlinesu"), "two lines");
    check(text_is("{\"a\":\"\"}", "a", 64, ""), "an empty text");

    /* Cut where the buffer ends, but never within a character. */
    char four[4];
    check(text_is("{\"a\":\"abcdef\"}", "a", sizeof four, "abc"), "cut");
    check(text_is("{\"a\":\"ab\xc3\xbc\"}", "a", sizeof four, "ab"), "cut before a character");
    check(text_is("{\"a\":\"ab\\\"c\"}", "a", sizeof four, "ab\""), "cut after a quote");
    check(!json_get_text("{\"a\":null}", "a", four, sizeof four) && !*four, "null is no text");

    static const char *const halves[] = {"",        "{",         "{\"a\"",
                                         "{\"a\":", "{\"a\":\"", "{\"a\":\"\\"};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        check(isnan(json_get_number(halves[i], "a")) && !json_get_bool(halves[i], "a"),
              halves[i]);
    check(text_is("{\"a\":\"b\\", "a", 64, "b\\"), "a line that ends in a text");
    return failures > 0;
}
