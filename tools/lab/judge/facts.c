/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_fact(struct facts *facts, const char *name, const char *value)
{
    if (facts->count == (int)(sizeof facts->all / sizeof *facts->all))
        return;
    facts->all[facts->count].name = name;
    facts->all[facts->count++].value = value;
}

/* The fields of an object that json.h wrote, in place. */
static void take_object(struct facts *facts, char *at)
{
    for (char next = *at; next == '{' || next == ',';) {
        char *name = at + 2, *value = strchr(name, '"') + 2, *to = value;
        bool is_text = *value == '"';
        value[-2] = '\0';
        for (at = value + is_text; is_text ? *at != '"' : !strchr(",}", *at); at++) {
            char escaped[] = {0, 0, 0};
            if (*at == '\\' && *++at == 'u') /* a control character, such as \u000a */
                memcpy(escaped, at + 3, 2), at += 4;
            *to++ = *escaped ? (char)strtol(escaped, NULL, 16) : *at;
        }
        at += is_text;
        next = *at;
        *to = '\0';
        add_fact(facts, name, make_printable(value));
    }
}

struct facts facts_read(const char *said)
{
    struct facts facts = {0};
    char *rest = said ? text("%s", said) : NULL;
    struct stream report;
    stream_begin(&report);
    for (char *line; (line = next_line(&rest));) {
        char *value = strchr(line, ' ');
        if (begins_with(line, "| "))
            fprintf(report.out, "%s\n", make_printable(line + 2));
        else if (*line == '{')
            take_object(&facts, line);
        else if (value) /* "status 0" */
            *value = '\0', add_fact(&facts, line, value + 1);
    }
    facts.report = stream_end(&report);
    return facts;
}

const char *fact(const struct facts *facts, const char *name)
{
    for (int i = 0; i < facts->count; i++)
        if (strcmp(facts->all[i].name, name) == 0)
            return strcmp(facts->all[i].value, "null") == 0 ? NULL : facts->all[i].value;
    return NULL;
}

/* ---- expressions: sums of products of powers ---- */

struct reader {
    const struct facts *facts;
    const char *at;
    bool failed;
};

static double sum(struct reader *r);

static bool take(struct reader *r, const char *sign)
{
    r->at += strspn(r->at, " ");
    if (!begins_with(r->at, sign))
        return false;
    r->at += strlen(sign);
    return true;
}

static double number_or_name(struct reader *r)
{
    if (take(r, "(")) {
        double value = sum(r);
        r->failed = r->failed || !take(r, ")");
        return value;
    }
    if (isalpha((unsigned char)*r->at)) {
        size_t length = word_length(r->at);
        const char *value = fact(r->facts, text("%.*s", (int)length, r->at));
        r->at += length;
        r->failed = r->failed || !value;
        return value ? strtod(value, NULL) : 0;
    }
    char *end;
    double value = strtod(r->at, &end);
    r->failed = r->failed || end == r->at;
    r->at = end;
    return value;
}

static double power(struct reader *r)
{
    double base = take(r, "-") ? -number_or_name(r) : number_or_name(r);
    return take(r, "^") ? pow(base, power(r)) : base;
}

static double product(struct reader *r)
{
    double value = power(r);
    for (bool times; (times = take(r, "*")) || take(r, "/");)
        value = times ? value * power(r) : value / power(r);
    return value;
}

static double sum(struct reader *r)
{
    double value = product(r);
    for (bool plus; (plus = take(r, "+")) || take(r, "-");)
        value = plus ? value + product(r) : value - product(r);
    return value;
}

bool evaluate(const struct facts *facts, const char *expression, double *value)
{
    struct reader r = {facts, expression, false};
    *value = sum(&r);
    r.at += strspn(r.at, " ");
    return !r.failed && !*r.at;
}

const char *plain(double number)
{
    return number == floor(number) || fabs(number) >= 1000 ? text("%.0f", number)
                                                           : text("%.4g", number);
}

const char *in_words(const char *field)
{
    if (strcmp(field, "conflict") == 0)
        return "passes through the banks";
    if (strcmp(field, "ms_median") == 0)
        return "ms";
    char *words = text("%s", field);
    for (char *c = words; (c = strchr(c, '_'));)
        *c = ' ';
    return words;
}
