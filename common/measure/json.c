/* SPDX-License-Identifier: MIT */
#include "common/measure/json.h"

#include <math.h>

struct json json_begin(FILE *out)
{
    putc('{', out);
    return (struct json){out, true};
}

static void put_string(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            putc(*text, out);
    putc('"', out);
}

static void put_name(struct json *json, const char *name)
{
    if (!json->empty)
        putc(',', json->out);
    json->empty = false;
    put_string(json->out, name);
    putc(':', json->out);
}

void json_text(struct json *json, const char *name, const char *text)
{
    put_name(json, name);
    if (text)
        put_string(json->out, text);
    else
        fputs("null", json->out);
}

void json_number(struct json *json, const char *name, double value)
{
    json_number_if(json, true, name, value);
}

void json_number_if(struct json *json, bool known, const char *name, double value)
{
    put_name(json, name);
    if (known && isfinite(value))
        fprintf(json->out, "%.10g", value);
    else
        fputs("null", json->out);
}

void json_whole(struct json *json, const char *name, double value)
{
    put_name(json, name);
    fprintf(json->out, "%.0f", value);
}

void json_bool(struct json *json, const char *name, bool value)
{
    put_name(json, name);
    fputs(value ? "true" : "false", json->out);
}

void json_end(struct json *json) { fputs("}\n", json->out); }
