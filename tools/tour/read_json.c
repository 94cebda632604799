/* SPDX-License-Identifier: MIT */
#include "read_json.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

/* The closing quote of the string that begins at s; NULL if there is none. */
static const char *end_of_string(const char *s)
{
    for (s++; *s != '"'; s++)
        if (!*s || (*s == '\\' && !*++s))
            return NULL;
    return s;
}

const char *json_find(const char *object, const char *name)
{
    size_t length = strlen(name);
    int depth = 0;
    char before = '\0'; /* the last character that is no blank */
    for (const char *s = object + strspn(object, blanks); *s;
         before = *s++, s += strspn(s, blanks)) {
        depth += (*s == '{' || *s == '[') - (*s == '}' || *s == ']');
        if (*s != '"')
            continue;
        const char *text = s + 1;
        s = end_of_string(s);
        if (!s)
            return NULL;
        const char *colon = s + 1 + strspn(s + 1, blanks);
        if (depth == 1 && (before == '{' || before == ',') && *colon == ':' &&
            (size_t)(s - text) == length && strncmp(text, name, length) == 0)
            return colon + 1 + strspn(colon + 1, blanks);
    }
    return NULL;
}

double json_get_number(const char *object, const char *name)
{
    const char *value = json_find(object, name);
    if (!value || (*value != '-' && !isdigit((unsigned char)*value)))
        return NAN;
    return strtod(value,
                  NULL); /* our programs stay in the "C" locale: a point, never a comma */
}

bool json_get_bool(const char *object, const char *name)
{
    const char *value = json_find(object, name);
    return value && strncmp(value, "true", 4) == 0;
}

bool json_get_text(const char *object, const char *name, char *text, size_t size)
{
    const char *s = json_find(object, name);
    size_t used = 0;
    if (size > 0)
        text[0] = '\0';
    if (!s || *s != '"' || !end_of_string(s))
        return false;
    for (s++; *s != '"'; s++) {
        unsigned code;
        int length = 0; /* of a control character, see put_string() */
        if (*s == '\\' && sscanf(++s, "u00%2x%n", &code, &length) == 1)
            s += length - 1;
        if (used + 1 >= size)
            break;
        text[used++] = length ? (char)code : *s;
    }
    while (used > 0 && ((unsigned char)*s & 0xc0) == 0x80)
        s--, used--; /* keep whole characters */
    if (size > 0)
        text[used] = '\0';
    return true;
}
