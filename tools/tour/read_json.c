/* SPDX-License-Identifier: MIT */
#include "read_json.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the field's value begins; "" if there is no such field. */
static const char *value_of(const char *line, const char *name)
{
    char field[64];
    snprintf(field, sizeof field, "\"%s\":", name);
    const char *found = strstr(line, field);
    return found ? found + strlen(field) : "";
}

double json_get_number(const char *line, const char *name)
{
    const char *value = value_of(line, name);
    bool number = *value == '-' || isdigit((unsigned char)*value);
    return number ? strtod(value, NULL) : NAN; /* our programs stay in the "C" locale */
}

bool json_get_bool(const char *line, const char *name)
{
    return strncmp(value_of(line, name), "true", 4) == 0;
}

bool json_get_text(const char *line, const char *name, char *text, size_t size)
{
    const char *s = value_of(line, name);
    size_t used = 0;
    bool there = *s == '"';
    for (s += there; there && *s && *s != '"' && used + 1 < size; s++) {
        unsigned code;
        int length = 0; /* of a control character, see put_string() */
        if (*s == '\\' && s[1] && sscanf(++s, "u00%2x%n", &code, &length) == 1)
            s += length - 1;
        text[used++] = length ? (char)code : *s;
    }
    while (used > 0 && ((unsigned char)*s & 0xc0) == 0x80)
        s--, used--; /* keep whole characters */
    text[used] = '\0';
    return there;
}
