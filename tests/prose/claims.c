/* SPDX-License-Identifier: MIT */
/* claims [--fill] PAGE.md...: every number that a page claims leads to the row that it comes
 * from.
 *
 * A claim is a link to a results file, written as Markdown writes references. In the text
 * stands
 * `[5.4 to 5.6 times][06-order]`, and at the end of the page
 *
 *   [06-order]: ../../docs/results/h100/06-gpu.jsonl "ms[variant=uncoalesced] /
 * ms[variant=coalesced] for n=1024,2048"
 *
 * The title says how the number is computed: FIELD[NAME=VALUE ...] is a field of the one row
 * that has all these values
 * (NAME~PART: a text with that part in it; _ is a blank; part=NAME: a row below conditions with
 * this part; @FILE among them: of a row in another file; `ms` is ms_median), and + - * / ( )
 * are what they always are. After ` where ` stand values that all rows share, after ` for ` a
 * field and its values: the claim then has a number for each of them, or their smallest and
 * largest. `says TEXT` instead: the file, of whatever kind, has this text. A title of numbers
 * alone is arithmetic that the page explains where the link leads.
 *
 * Checked is that the words' numbers are the computed ones, rounded as they are written (a word
 * or "about": within a tenth), and that the title ends with what --fill puts there: the value,
 * the spread of the runs, the machine and the day. And in README.md and a chapter (but for the
 * sections that predict, show code or set tasks) a number with a unit or "times" must be a
 * claim, and so must "half the speed" and "a fifth less time". A paragraph with a superlative
 * has a claim or a link to its source.
 *
 * Exit status: 0, or 1 with a line for each fault; 2 bad usage, 3 a file that cannot be read.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <libgen.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/measure/json.h"

enum { MOST_CLAIMS = 200, MOST_VALUES = 32, TEXT = 512, MOST_FILES = 200 };

/* A number and what it would be by the fastest and the slowest run. */
struct value {
    double at, low, high;
};

struct results {
    char path[4 * TEXT];
    char *text;
};
static struct results files[MOST_FILES];
static int file_count;
/* How the line begins that says where and when the rows below it were measured. */
static const char conditions_begin[] = "{\"conditions\":";

struct claim {
    char id[64], path[2 * TEXT], expression[2 * TEXT], title[2 * TEXT];
    int line, count;
    bool used, bad;
    const char *conditions; /* the line above its first row */
    struct value values[MOST_VALUES];
};

static const char *page;
static bool filling; /* --fill: a number that is no claim yet is no fault */
static int faults;
static struct claim claims[MOST_CLAIMS];
static int claim_count;

__attribute__((format(printf, 2, 3))) static void fault(int line, const char *format, ...)
{
    va_list rest;
    printf("%s:%d: ", page, line);
    va_start(rest, format);
    vprintf(format, rest);
    va_end(rest);
    putchar('\n');
    faults++;
}

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!file)
        return NULL;
    if (getdelim(&text, &size, 0, file) < 0)
        text = calloc(1, 1);
    fclose(file);
    return text;
}

static const char *results_text(const char *path)
{
    for (int i = 0; i < file_count; i++)
        if (!strcmp(files[i].path, path))
            return files[i].text;
    if (file_count == MOST_FILES)
        return NULL;
    struct results *f = &files[file_count];
    snprintf(f->path, sizeof f->path, "%s", path);
    f->text = read_whole(path);
    file_count += f->text != NULL;
    return f->text;
}

/* ---- Rows ---- */

/* The value of a row's field as text: of a JSON object, or of a line of a CSV file with a
 * headline. */
static bool field_text(const char *head, const char *row, const char *name, char *text,
                       size_t size)
{
    if (*row == '{') {
        const char *at = json_find(row, name);
        if (at && *at == '"')
            return json_get_text(row, name, text, size);
        snprintf(text, size, "%.*s", at ? (int)strcspn(at, ",}\n") : 0, at ? at : "");
        return at != NULL;
    }
    for (; *head; head += strcspn(head, ",\n"), head += *head == ',') {
        size_t length = strcspn(head, ",\n");
        if (strlen(name) == length && !strncmp(head, name, length)) {
            snprintf(text, size, "%.*s", (int)strcspn(row, ",\n"), row);
            return true;
        }
        if (head[length] != ',')
            return false;
        row += strcspn(row, ",\n"), row += *row == ',';
    }
    return false;
}

/* Whether a row has all values of "NAME=VALUE NAME~PART"; a blank in them is written _, and of
   two for one name the first counts. `above` are its conditions, which may name a part. */
static bool row_has(const char *head, const char *above, const char *row,
                    const char *conditions)
{
    char copy[2 * TEXT], text[TEXT], seen[2 * TEXT] = " ", *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", conditions);
    while ((word = strsep(&rest, " "))) {
        char name[TEXT], *value = strpbrk(word, "=~");
        if (!value || *word == '@' || !strncmp(word, "line=", 5))
            continue;
        bool part = *value == '~';
        *value++ = 0;
        snprintf(name, sizeof name, " %s ", word);
        if (strstr(seen, name))
            continue;
        strncat(seen, name + 1, sizeof seen - strlen(seen) - 1);
        const char *from =
            above && !strcmp(word, "part") ? json_find(above, "conditions") : row;
        if (!from || !field_text(head, from, word, text, sizeof text))
            return false;
        for (char *c = text; *c; c++)
            *c = (char)(*c == ' ' ? '_' : *c);
        bool same = !strcmp(text, value) || (isdigit((unsigned char)*value) &&
                                             !strchr(value, '_') && atof(text) == atof(value));
        if (part ? !strstr(text, value) : !same)
            return false;
    }
    return true;
}

/* An expression that cannot be computed: says so once. */
__attribute__((format(printf, 2, 3))) static struct value give_up(struct claim *c,
                                                                  const char *format, ...)
{
    char what[2 * TEXT];
    va_list rest;
    va_start(rest, format);
    vsnprintf(what, sizeof what, format, rest);
    va_end(rest);
    if (!c->bad)
        fault(c->line, "[%s]: %s", c->id, what);
    c->bad = true;
    return (struct value){NAN, NAN, NAN};
}

/* ---- Expressions ---- */

struct parser {
    struct claim *claim;
    const char *at;
    char shared[TEXT]; /* conditions of all rows */
};

static double row_number(const char *head, const char *row, const char *name)
{
    char text[TEXT], *end;
    double x = field_text(head, row, name, text, sizeof text) ? strtod(text, &end) : NAN;
    return x;
}

/* A field, and for what is timed its spread. */
static struct value field_value(const char *head, const char *row, const char *name)
{
    double ms = row_number(head, row, "ms_median"), fast = row_number(head, row, "ms_min"),
           slow = row_number(head, row, "ms_max"), x = row_number(head, row, name);
    if (!strcmp(name, "ms") && !isnan(ms))
        return (struct value){ms, isnan(fast) ? ms : fast, isnan(slow) ? ms : slow};
    if ((!strcmp(name, "ratio") || !strcmp(name, "gflops")) && fast > 0 && slow > 0)
        return (struct value){x, x * ms / slow, x * ms / fast};
    return (struct value){x, x, x};
}

static struct value row_value(struct parser *p, const char *name, const char *conditions)
{
    struct claim *c = p->claim;
    char all[2 * TEXT], path[4 * TEXT], folder[2 * TEXT];
    snprintf(all, sizeof all, "%s %s", conditions, p->shared);
    snprintf(path, sizeof path, "%s", c->path);
    const char *other = strchr(all, '@');
    if (other) {
        snprintf(folder, sizeof folder, "%s", c->path);
        snprintf(path, sizeof path, "%s/%.*s", dirname(folder), (int)strcspn(other + 1, " "),
                 other + 1);
    }
    const char *head = results_text(path), *found = NULL, *above = NULL;
    if (!head)
        return give_up(c, "%s cannot be read", path);
    const char *only = strstr(all, "line="); /* where a row was measured twice */
    int count = 0, line = 0;
    for (const char *row = head; *row; row += strcspn(row, "\n"), row += *row == '\n') {
        line++;
        if (!strncmp(row, conditions_begin, strlen(conditions_begin)))
            above = row;
        else if ((!only || atoi(only + 5) == line) && row_has(head, above, row, all))
            found = row, count++;
        if (found == row && !other && !c->conditions)
            c->conditions = above;
    }
    if (count != 1)
        return give_up(c, "%s[%s]: %d rows of %s have these values; one must", name, conditions,
                       count, path);
    struct value x = field_value(head, found, name);
    if (isnan(x.at))
        return give_up(c, "%s[%s]: the row has no number %s", name, conditions, name);
    return x;
}

static struct value sum(struct parser *p);

static void skip(struct parser *p) { p->at += strspn(p->at, " "); }

static struct value factor(struct parser *p)
{
    char name[64], conditions[TEXT];
    skip(p);
    if (*p->at == '(') {
        p->at++;
        struct value x = sum(p);
        skip(p);
        if (*p->at++ != ')')
            return give_up(p->claim, "a ) is missing");
        return x;
    }
    if (isdigit((unsigned char)*p->at)) {
        char *end;
        double x = strtod(p->at, &end);
        p->at = end;
        return (struct value){x, x, x};
    }
    size_t length = strcspn(p->at, "[ ");
    if (p->at[length] != '[' || length >= sizeof name)
        return give_up(p->claim, "FIELD[NAME=VALUE ...] or a number is expected before '%s'",
                       p->at);
    snprintf(name, sizeof name, "%.*s", (int)length, p->at);
    p->at += length + 1;
    length = strcspn(p->at, "]");
    snprintf(conditions, sizeof conditions, "%.*s", (int)length, p->at);
    p->at += length + (p->at[length] == ']');
    return row_value(p, name, conditions);
}

static struct value product(struct parser *p)
{
    struct value x = factor(p);
    for (skip(p); *p->at == '*' || *p->at == '/'; skip(p)) {
        bool times = *p->at++ == '*';
        struct value y = factor(p);
        x = times ? (struct value){x.at * y.at, x.low * y.low, x.high * y.high}
                  : (struct value){x.at / y.at, x.low / y.high, x.high / y.low};
    }
    return x;
}

static struct value sum(struct parser *p)
{
    struct value x = product(p);
    for (skip(p); *p->at == '+' || *p->at == '-'; skip(p)) {
        bool plus = *p->at++ == '+';
        struct value y = product(p);
        x = plus ? (struct value){x.at + y.at, x.low + y.low, x.high + y.high}
                 : (struct value){x.at - y.at, x.low - y.high, x.high - y.low};
    }
    return x;
}

/* Computes a claim's values, one for each value after ` for `. */
static void compute(struct claim *c)
{
    char text[2 * TEXT], *where, *each, *name = NULL, *rest = NULL;
    snprintf(text, sizeof text, "%s", c->expression);
    if ((each = strstr(text, " for "))) {
        *each = 0;
        name = each + 5;
        rest = strchr(name, '=');
        if (rest)
            *rest++ = 0;
    }
    if ((where = strstr(text, " where ")))
        *where = 0;
    do {
        struct parser p = {c, text, ""};
        char *value = rest ? strsep(&rest, ",") : NULL;
        snprintf(p.shared, sizeof p.shared, "%.300s %.60s%s%.60s", where ? where + 7 : "",
                 value ? name : "", value ? "=" : "", value ? value : "");
        c->values[c->count++] = sum(&p);
        skip(&p);
        if (*p.at)
            give_up(c, "'%s' is left over", p.at);
    } while (rest && c->count < MOST_VALUES);
}

/* ---- The numbers in a claim's words ---- */

static const struct {
    const char *word;
    double value;
} words[] = {{"half", 0.5},     {"third", 1. / 3}, {"quarter", 0.25}, {"fifth", 0.2},
             {"sixth", 1. / 6}, {"eighth", 0.125}, {"tenth", 0.1},    {"twice", 2},
             {"double", 2},     {"two", 2},        {"three", 3},      {"four", 4},
             {"five", 5},       {"six", 6},        {"seven", 7},      {"eight", 8},
             {"nine", 9},       {"ten", 10},       {"eleven", 11},    {"twelve", 12},
             {"fifteen", 15},   {"twenty", 20},    {"thirty", 30},    {"forty", 40},
             {"fifty", 50},     {"sixty", 60},     {"seventy", 70},   {"eighty", 80},
             {"ninety", 90},    {"hundred", 100},  {"thousand", 1e3}};

struct number {
    double value, within;
};

/* The next number at or after *at: its value, and how far it may be off as it is written. */
static bool next_number(const char **at, struct number *x)
{
    for (const char *c = *at; *c; c++) {
        bool begins =
            c == *at || !(isalnum((unsigned char)c[-1]) || c[-1] == '.' || c[-1] == '_');
        if (begins && isdigit((unsigned char)*c)) {
            char digits[64];
            int length = 0, decimals = -1, zeros = 0;
            for (; isdigit((unsigned char)*c) ||
                   ((*c == ',' || *c == '.') && isdigit((unsigned char)c[1]));
                 c++) {
                if (*c == ',' || length >= 40)
                    continue;
                if (*c == '.')
                    decimals = 0;
                else
                    decimals += decimals >= 0, zeros = *c == '0' ? zeros + 1 : 0;
                digits[length++] = *c;
            }
            digits[length] = 0;
            int exponent = 0;
            if (*c == 'e')
                exponent = atoi(c + 1), c += 1 + strspn(c + 1, "-0123456789");
            x->value = atof(digits) * pow(10, exponent);
            x->within = 0.5 * pow(10, exponent - (decimals > 0 ? decimals : -zeros));
            if (decimals <= 0 && zeros)
                x->within = fmax(fmin(x->within, x->value / 20), 0.5);
            *at = c;
            return true;
        }
        for (size_t w = 0; begins && w < sizeof words / sizeof *words; w++) {
            size_t length = strlen(words[w].word);
            if (!strncasecmp(c, words[w].word, length) && !isalpha((unsigned char)c[length])) {
                *x = (struct number){words[w].value, words[w].value / 10};
                *at = c + length;
                return true;
            }
        }
    }
    return false;
}

static bool says_one_of(const char *text, const char *const *phrases)
{
    for (; *phrases; phrases++)
        if (strcasestr(text, *phrases))
            return true;
    return false;
}

static bool says(const struct number *x, double value)
{
    return fabs(x->value - value) <= x->within * (1 + 1e-9);
}

/* Whether the words of a link say what the claim's values are. */
static void compare(struct claim *c, const char *text, int line)
{
    static const char *const about[] = {"about",   "almost", "nearly", "some ",
                                        "roughly", "near ",  NULL};
    static const char *const above[] = {"more than", "at least", "over ", "above ", NULL};
    static const char *const below[] = {"less than", "at most", "under ", "below ",
                                        "up to ",    "within ", NULL};
    struct number numbers[MOST_VALUES];
    double low = INFINITY, high = -INFINITY;
    int count = 0;
    for (const char *at = text; count < MOST_VALUES && next_number(&at, &numbers[count]);
         count++)
        if (says_one_of(text, about))
            numbers[count].within = fmax(numbers[count].within, numbers[count].value / 10);
    for (int i = 0; i < c->count; i++)
        low = fmin(low, c->values[i].at), high = fmax(high, c->values[i].at);
    bool agrees = count > 0 && count == c->count;
    for (int i = 0; i < count && agrees; i++)
        agrees = says(&numbers[i], c->values[i].at);
    if (!agrees && count == 2)
        agrees = says(&numbers[0], low) && says(&numbers[1], high);
    else if (!agrees && count == 1 && says_one_of(text, above))
        agrees = low >= numbers[0].value && low <= 1.5 * numbers[0].value;
    else if (!agrees && count == 1 && says_one_of(text, below))
        agrees = high <= numbers[0].value && high >= numbers[0].value / 1.5;
    else if (!agrees && count == 1)
        agrees = says(&numbers[0], low) && says(&numbers[0], high);
    if (!agrees && low < high)
        fault(line, "\"%s\": by [%s] it is %.5g to %.5g", text, c->id, low, high);
    else if (!agrees)
        fault(line, "\"%s\": by [%s] it is %.5g", text, c->id, low);
}

/* ---- Titles ---- */

/* What --fill puts behind the expression. */
static void describe(const struct claim *c, char *to, size_t size)
{
    double at[2] = {INFINITY, -INFINITY}, runs[2] = {INFINITY, -INFINITY};
    for (int i = 0; i < c->count; i++) {
        const struct value *x = &c->values[i];
        at[0] = fmin(at[0], x->at), at[1] = fmax(at[1], x->at);
        runs[0] = fmin(runs[0], x->low), runs[1] = fmax(runs[1], x->high);
    }
    int n = snprintf(to, size, " = %.4g", at[0]);
    if (at[1] > at[0])
        n += snprintf(to + n, size - (size_t)n, " to %.4g", at[1]);
    if (runs[0] < at[0] || runs[1] > at[1])
        n += snprintf(to + n, size - (size_t)n, ", single runs %.4g to %.4g", runs[0], runs[1]);
    const char *text = strchr(c->expression, '[') ? results_text(c->path) : NULL;
    const char *conditions = c->conditions ? c->conditions : text;
    size_t begin = strlen(conditions_begin);
    conditions =
        conditions && !strncmp(conditions, conditions_begin, begin) ? conditions + begin : NULL;
    char device[200], date[64];
    if (conditions && json_get_text(conditions, "device", device, sizeof device) &&
        json_get_text(conditions, "date", date, sizeof date))
        snprintf(to + n, size - (size_t)n, "; %s, %s", device, date);
}

/* `says TEXT`: the file has it, blanks aside. */
static bool file_says(const char *text, const char *wanted)
{
    for (; *text; text++) {
        const char *a = text, *b = wanted;
        while (*a && *b) {
            if (isspace((unsigned char)*a) && isspace((unsigned char)*b)) {
                a += strspn(a, " \t\r\n"), b += strspn(b, " \t\r\n");
                continue;
            }
            if (*a != *b)
                break;
            a++, b++;
        }
        if (!*b)
            return true;
    }
    return false;
}

/* ---- A page ---- */

/* [id]: path "title" */
static bool read_definition(const char *text, int line)
{
    struct claim *c = &claims[claim_count];
    char path[TEXT], folder[TEXT];
    if (claim_count == MOST_CLAIMS || *text != '[' ||
        sscanf(text, "[%63[^]]]: %511s \"%1023[^\"]\"", c->id, path, c->title) != 3)
        return false;
    c->line = line, c->used = c->bad = false, c->count = 0, c->conditions = NULL;
    snprintf(folder, sizeof folder, "%s", page);
    snprintf(c->path, sizeof c->path, "%s/%s", dirname(folder), path);
    c->path[strcspn(c->path, "#")] = 0;
    memcpy(c->expression, c->title, sizeof c->expression);
    char *filled = strstr(c->expression, " = ");
    if (filled && strncmp(c->expression, "says ", 5))
        *filled = 0;
    claim_count++;
    return true;
}

static struct claim *find_claim(const char *id, size_t length)
{
    for (int i = 0; i < claim_count; i++)
        if (strlen(claims[i].id) == length && !strncmp(claims[i].id, id, length))
            return &claims[i];
    return NULL;
}

/* The links of a paragraph, [words][id], whose characters become blank. */
static void read_links(char *text, int line)
{
    for (char *at = text; (at = strstr(at, "][")); at++) {
        char *begin = at, *end = strchr(at + 2, ']'), said[TEXT];
        int depth = 1;
        while (begin > text && depth)
            begin--, depth += (*begin == ']') - (*begin == '[');
        struct claim *c = end ? find_claim(at + 2, (size_t)(end - at - 2)) : NULL;
        if (!c || depth) {
            if (end && end - at < 60)
                fault(line, "%.*s: the page has no such reference", (int)(end - at), at + 1);
            continue;
        }
        snprintf(said, sizeof said, "%.*s", (int)(at - begin - 1), begin + 1);
        c->used = true;
        if (!strncmp(c->expression, "says ", 5)) {
            struct number x, y;
            for (const char *t = said; next_number(&t, &x);) {
                bool there = false;
                for (const char *s = c->expression + 5; !there && next_number(&s, &y);)
                    there = says(&x, y.value);
                if (!there)
                    fault(line, "\"%s\": [%s] does not say %g", said, c->id, x.value);
            }
        } else if (c->count && !c->bad) {
            compare(c, said, line);
        }
        memset(begin, ' ', (size_t)(end - begin + 1));
    }
}

/* Whether a number goes on as a ratio of speeds or times, before the next comma or full stop:
 * "half the speed of", "a fifth less time", "twice as fast". */
static bool is_ratio(const char *rest)
{
    static const char *const ends[] = {" speed", " time ", " fast ", " a percent", NULL};
    char clause[48];
    int length = 0;
    for (; length < 40 && rest[length] && !strchr(".,;:?()*", rest[length]); length++)
        clause[length] = (char)(isspace((unsigned char)rest[length]) ? ' ' : rest[length]);
    snprintf(clause + length, sizeof clause - (size_t)length, " ");
    return says_one_of(clause, ends) && strncmp(clause, " level", 6) != 0;
}

/* A number with a unit, or a factor, in text that has no links to claims any more. */
static void find_unclaimed(const char *text, int line)
{
    static const char units[] =
        " ms s second seconds milliseconds microseconds µs GFLOP/s TFLOP/s "
        "GB/s TB/s % percent times transactions fetches ";
    struct number x;
    for (const char *at = text; next_number(&at, &x);) {
        char unit[40], between[32];
        const char *from = at - (at - text < 40 ? at - text : 40);
        snprintf(between, sizeof between, "%.30s", at + strspn(at, " \n"));
        between[strcspn(between, " \n,.;:)!?")] = 0;
        snprintf(unit, sizeof unit, " %s ", between);
        bool part =
            isalpha((unsigned char)at[-1]) && (x.value < 1 || !strncmp(at - 5, "twice", 5));
        if (strstr(units, unit) || (part && is_ratio(at)))
            fault(line, "\"%.*s%s\" claims a number: which row is it from?", (int)(at - from),
                  from, unit);
    }
    for (const char *at = text; (at = strstr(at, "factor of ")); at++) {
        const char *number = at;
        if (next_number(&number, &x) && number - at < 24)
            fault(line, "\"%.*s\" claims a factor: which row is it from?", (int)(number - at),
                  at);
    }
}

static bool section_claims(const char *heading)
{
    static const char *const others[] = {"Picture", "What it should cost", "The code",
                                         "Exercises", NULL};
    for (int i = 0; others[i]; i++)
        if (!strncmp(heading, others[i], strlen(others[i])))
            return false;
    return true;
}

/* A superlative with neither a claim nor a source in its paragraph; a question may have one. */
static void find_superlatives(const char *text, int line)
{
    static const char *const words_of[] = {
        "fastest",          "slowest",    "nobody has", "first to ",
        "state of the art", "best known", "no one has", NULL};
    if (*text != '|' && !strstr(text, "](") && !strstr(text, "][") && !strchr(text, '?') &&
        says_one_of(text, words_of))
        fault(line, "\"%.40s\" has a superlative, but neither a row nor a source", text);
}

static void end_paragraph(char *text, int line, bool covered)
{
    if (covered && !filling)
        find_superlatives(text, line);
    bool code = false;
    for (char *c = text; *c; c++) {
        code ^= *c == '`';
        *c = code && (*c == '[' || *c == ']') ? ' ' : *c; /* `a[i][j]` is no link */
    }
    read_links(text, line);
    if (covered && !filling)
        find_unclaimed(text, line);
    *text = 0;
}

static bool is_item(const char *line)
{
    size_t digits = strspn(line, "0123456789");
    return !strncmp(line, "* ", 2) || (digits && !strncmp(line + digits, ". ", 2));
}

/* Goes through the page's paragraphs and rows of tables, without its code and what
 * tools/chapters puts there. */
static void read_page(const char *text)
{
    static char paragraph[1 << 16];
    const char *name = strrchr(page, '/');
    bool fenced = false, filled = false, covered = !strcmp(name ? name + 1 : page, "README.md"),
         claimed = covered;
    int line = 0, first = 1;
    *paragraph = 0;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t length = strcspn(at, "\n");
        line++;
        bool mark = !strncmp(at, "<!-- ", 5), fence = !strncmp(at + strspn(at, " "), "```", 3);
        if (!length || mark || fence || *at == '#' || *at == '|' || is_item(at)) {
            end_paragraph(paragraph, first, claimed);
        }
        fenced ^= fence;
        if (mark)
            filled = strncmp(at, "<!-- end", 8) && strncmp(at, "<!-- long", 9);
        if (!strncmp(at, "## ", 3))
            claimed = covered && section_claims(at + 3);
        bool definition =
            *at == '[' && strstr(at, "]: ") && strstr(at, "]: ") < at + strcspn(at, " ");
        bool picture = !strncmp(at, "![", 2);
        if (!length || fenced || fence || filled || mark || definition || picture ||
            *at == '#' || strlen(paragraph) + length + 2 > sizeof paragraph)
            continue;
        if (!*paragraph)
            first = line;
        strncat(strncat(paragraph, at, length), "\n", 2);
    }
    end_paragraph(paragraph, first, claimed);
}

static char *check_page(void)
{
    char *text = read_whole(page), *filled = NULL;
    size_t size;
    if (!text) {
        fprintf(stderr, "claims: %s cannot be read; run it from the repository's root\n", page);
        exit(3);
    }
    FILE *out = open_memstream(&filled, &size);
    int line = 0;
    claim_count = 0;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char one[2 * TEXT + 200], result[TEXT] = "";
        snprintf(one, sizeof one, "%.*s", (int)strcspn(at, "\n"), at);
        line++;
        if (*at != '[' || !read_definition(one, line)) {
            fprintf(out, "%.*s\n", (int)strcspn(at, "\n"), at);
            continue;
        }
        struct claim *c = &claims[claim_count - 1];
        const char *file = results_text(c->path);
        if (!file) {
            fault(line, "[%s]: %s cannot be read", c->id, c->path);
        } else if (!strncmp(c->expression, "says ", 5)) {
            if (!file_says(file, c->expression + 5))
                fault(line, "[%s]: %s does not say \"%s\"", c->id, c->path, c->expression + 5);
        } else {
            compute(c);
            if (!c->bad)
                describe(c, result, sizeof result);
        }
        fprintf(out, "%.*s\"%s%s\"\n", (int)strcspn(one, "\""), one, c->expression, result);
        if (!filling && *result && strcmp(c->title + strlen(c->expression), result))
            fault(line, "[%s] is stale, it is%s: run tools/chapters", c->id, result);
    }
    fclose(out);
    read_page(text);
    for (int i = 0; i < claim_count; i++)
        if (!claims[i].used)
            fault(claims[i].line, "[%s] is not used", claims[i].id);
    bool changed = strcmp(text, filled) != 0;
    free(text);
    if (changed)
        return filled;
    free(filled);
    return NULL;
}

int main(int argc, char **argv)
{
    filling = argc > 1 && !strcmp(argv[1], "--fill");
    if (argc < 2 + filling) {
        fprintf(stderr, "usage: claims [--fill] PAGE.md...\n");
        return 2;
    }
    for (int i = 1 + filling; i < argc; i++) {
        page = argv[i];
        char *filled = check_page();
        FILE *out = filled && filling ? fopen(page, "w") : NULL;
        if (out) {
            fputs(filled, out);
            fclose(out);
            fprintf(stderr, "%s updated\n", page);
        }
        free(filled);
    }
    printf("%d pages, %d faults\n", argc - 1 - filling, faults);
    return faults > 0;
}
