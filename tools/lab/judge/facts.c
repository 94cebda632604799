/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void add_fact(struct facts *facts, const char *name, const char *value)
{
    if (facts->count == (int)(sizeof facts->all / sizeof *facts->all))
        return;
    facts->all[facts->count].name = name;
    facts->all[facts->count++].value = value;
}

struct facts facts_read(const char *said)
{
    struct facts facts = {0};
    char *rest = said ? text("%s", said) : NULL;
    struct stream report;
    stream_begin(&report);
    for (char *line; (line = next_line(&rest));) {
        if (begins_with(line, "| ")) {
            fprintf(report.out, "%s\n", make_printable(line + 2));
            continue;
        }
        char *value = strchr(line, ' ');
        if (!value)
            continue;
        *value++ = '\0';
        for (char *c = value; *c; c++) /* the ends of lines were sent as \001 */
            *c = *c == '\001' ? '\n' : *c;
        add_fact(&facts, line, make_printable(value));
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
