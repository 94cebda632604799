/* SPDX-License-Identifier: MIT */
/** @file source_text.c
 * Reads a source: literals, blanks, words and brackets; and the text that is written.
 */
#include "rewrite.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *checked(void *memory)
{
    if (!memory) {
        fprintf(stderr, "simgpu rewrite: out of memory\n");
        exit(1);
    }
    return memory;
}

void append(struct text *t, const char *data, size_t length)
{
    if (t->length + length + 1 > t->capacity) {
        t->capacity = (t->length + length + 1) * 2;
        t->data = checked(realloc(t->data, t->capacity));
    }
    memcpy(t->data + t->length, data, length);
    t->length += length;
    t->data[t->length] = '\0';
}

void put(struct text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *line = checked(malloc((size_t)length + 1));
    va_start(arguments, format);
    vsnprintf(line, (size_t)length + 1, format, arguments);
    va_end(arguments);
    append(t, line, (size_t)length);
    free(line);
}

int line_of(const struct reader *r, size_t position)
{
    int line = 1;
    for (size_t i = 0; i < position; i++)
        line += r->text[i] == '\n';
    return line;
}

void fail(const struct reader *r, size_t position, const char *message)
{
    fprintf(stderr, "%s:%d: error: %s\n", r->path, line_of(r, position), message);
    exit(1);
}

bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

bool starts(const struct reader *r, size_t i, const char *what)
{
    size_t length = strlen(what);
    return i + length <= r->end && memcmp(r->text + i, what, length) == 0;
}

size_t skip_literal(const struct reader *r, size_t i)
{
    const char *s = r->text;
    if (starts(r, i, "//")) {
        while (i < r->end && s[i] != '\n')
            i += s[i] == '\\' && i + 1 < r->end ? 2 : 1;
    } else if (starts(r, i, "/*")) {
        i += 2;
        while (i < r->end && !starts(r, i, "*/"))
            i++;
        i = i + 2 < r->end ? i + 2 : r->end;
    } else if (s[i] == '"' && i > 0 && s[i - 1] == 'R') {
        size_t open = i + 1;
        while (open < r->end && s[open] != '(')
            open++;
        struct text close = {0};
        put(&close, ")%.*s\"", (int)(open - i - 1), s + i + 1);
        while (open < r->end && !starts(r, open, close.data))
            open++;
        i = open + close.length < r->end ? open + close.length : r->end;
        free(close.data);
    } else if (s[i] == '"' || (s[i] == '\'' && !(i > 0 && isalnum((unsigned char)s[i - 1])))) {
        char quote = s[i++];
        while (i < r->end && s[i] != quote && s[i] != '\n')
            i += s[i] == '\\' && i + 1 < r->end ? 2 : 1;
        if (i < r->end && s[i] == quote)
            i++;
    }
    return i;
}

size_t skip_space(const struct reader *r, size_t i)
{
    for (;;) {
        if (i < r->end && (isspace((unsigned char)r->text[i]) || starts(r, i, "\\\n")))
            i++;
        else if (i < r->end && (starts(r, i, "//") || starts(r, i, "/*")))
            i = skip_literal(r, i);
        else
            return i;
    }
}

size_t word_end(const struct reader *r, size_t i)
{
    while (i < r->end && is_word(r->text[i]))
        i++;
    return i;
}

bool word_is(const struct reader *r, size_t from, size_t to, const char *word)
{
    return strlen(word) == to - from && memcmp(r->text + from, word, to - from) == 0;
}

size_t skip_brackets(const struct reader *r, size_t i)
{
    size_t start = i;
    int depth = 0;
    while (i < r->end) {
        size_t after = skip_literal(r, i);
        if (after != i) {
            i = after;
            continue;
        }
        char c = r->text[i++];
        if (strchr("([{", c) && c)
            depth++;
        else if (strchr(")]}", c) && c && --depth == 0)
            return i;
    }
    fail(r, start, "this bracket is never closed");
    return i;
}

size_t skip_part(const struct reader *r, size_t i)
{
    size_t after = skip_literal(r, i);
    return after != i ? after : strchr("([{", r->text[i]) ? skip_brackets(r, i) : i + 1;
}

size_t skip_brackets_back(const char *s, size_t i)
{
    char close = s[i - 1], open = close == ')' ? '(' : close == ']' ? '[' : '<';
    i--;
    while (i > 0 && s[i - 1] != open) {
        char c = s[i - 1]; /* a '>' between parentheses is a comparison */
        i = c == ')' || c == ']' || (c == '>' && close == '>') ? skip_brackets_back(s, i)
                                                               : i - 1;
    }
    return i > 0 ? i - 1 : 0;
}

bool ends_in_comment(size_t end)
{
    for (size_t i = end; i > 1 && output.data[i - 1] != '\n'; i--)
        if (memcmp(output.data + i - 2, "//", 2) == 0)
            return true;
    return false;
}

size_t blanks_back(const char *s, size_t i)
{
    while (i > 0 && (isspace((unsigned char)s[i - 1]) || (s[i - 1] == '\\' && s[i] == '\n')))
        i--;
    return i;
}

char *on_one_line(const char *text)
{
    char *copy = checked(strdup(text));
    for (char *c = copy; *c; c++)
        if (isspace((unsigned char)*c) || *c == '\\')
            *c = ' ';
    return copy;
}

/** Removes a byte order mark, and the carriage return of every Windows line end: a backslash
 * before one continues the line, as it does for nvcc. */
static void drop_windows_bytes(struct text *t)
{
    size_t from = t->length >= 3 && memcmp(t->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, to = 0;
    for (; from < t->length; from++)
        if (t->data[from] != '\r' || t->data[from + 1] != '\n')
            t->data[to++] = t->data[from];
    t->length = to;
    t->data[to] = '\0';
}

char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "simgpu rewrite: cannot read %s\n", path);
        exit(1);
    }
    struct text t = {0};
    char buffer[65536];
    size_t got;
    append(&t, "", 0);
    while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
        append(&t, buffer, got);
    fclose(file);
    drop_windows_bytes(&t);
    *length = t.length;
    return t.data;
}
