/* SPDX-License-Identifier: MIT */
/** @file host_code.c
 * Finds calls of host functions in device functions by their words. It reports a call only
 * where the words leave no doubt: a function may be one of the device if it begins with a
 * macro, is a template or is inside a condition on nvcc's macros.
 */
#include "host_code.h"

#include <ctype.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 4096, MOST_NESTED = 64 };

/* Lists of words, each with blanks around it. */
/** The names of the C library and std that programs use most and that a kernel cannot use. */
static const char library[] =
    " exit rand srand calloc realloc fopen fprintf fputs puts putchar scanf qsort atoi atof "
    "getenv system cudaDeviceSynchronize abort ";
static const char classes[] = " vector string map set list deque cout cerr sort thread "
                              "function shared_ptr unique_ptr to_string ";
/** Words before the name of a function that say nothing about where it runs. */
static const char plain_words[] =
    " void bool char short int long float double unsigned signed const static inline size_t "
    "int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t std string vector ";
/** Words after which a name is used, not declared. */
static const char verbs[] = " return else case throw new delete do and or not ";

/* The messages, which follow a name. */
static const char of_program[] = " is of the host, and a kernel or device function cannot use "
                                 "it: declare it __device__, too",
                  of_library[] =
                      " is of the host, and a kernel or device function cannot use it",
                  of_texture[] =
                      " references left CUDA: use a texture object (cudaCreateTextureObject)";

/* Functions of the host; all other names that are declared: trees of tsearch(). */
static void *host, *others;
static struct call {
    const char *path;
    int line;
    char *name;
    const char *says;
} calls[MOST_CALLS];
static int call_count;

/** A word or a character of a source. */
struct token {
    const char *begin;
    size_t length;
    bool word;
};

static bool is(struct token t, const char *text)
{
    return strlen(text) == t.length && !memcmp(t.begin, text, t.length);
}

static bool is_one(struct token t, const char *words)
{
    char word[32];
    return t.length + 3 <= sizeof word &&
           snprintf(word, sizeof word, " %.*s ", (int)t.length, t.begin) > 0 &&
           strstr(words, word);
}

static char *copy_of(struct token t)
{
    char *copy = malloc(t.length + 1);
    if (!copy)
        exit(1);
    memcpy(copy, t.begin, t.length);
    copy[t.length] = '\0';
    return copy;
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }

static bool known(void *const *names, const char *name)
{
    return tfind(name, names, compare) != NULL;
}

static void note(void **names, struct token t)
{
    char *name = copy_of(t);
    if (known(names, name) || !tsearch(name, names, compare))
        free(name);
}

/** The reader's place, and the conditions of the preprocessor around it. */
struct place {
    const char *at, *end;
    int line;
    int nested;
    bool left_out[MOST_NESTED]; /* #if 0, or on nvcc's macros */
};

static const char *skip(struct place *p, const char *to)
{
    for (; p->at < to && p->at < p->end; p->at++)
        p->line += *p->at == '\n';
    return p->at;
}

/** A line of the preprocessor, with the lines that continue it. */
static void read_directive(struct place *p)
{
    const char *begin = p->at, *end = begin;
    while (end < p->end && (*end != '\n' || end[-1] == '\\'))
        end++;
    skip(p, end);
    for (begin++; begin < end && isblank((unsigned char)*begin);)
        begin++;
    struct token line = {begin, (size_t)(end - begin), true};
    char *text = copy_of(line);
    if (!strncmp(text, "if", 2) && p->nested < MOST_NESTED)
        p->left_out[p->nested++] =
            !strncmp(text, "if 0", 4) || strstr(text, "__CUDA") || strstr(text, "__NVCC__");
    else if (!strncmp(text, "endif", 5) && p->nested > 0)
        p->nested--;
    free(text);
}

/** The next word or character outside comments, literals and directives; of length 0 at the
 * end. */
static struct token next(struct place *p)
{
    while (p->at < p->end) {
        const char *s = p->at;
        size_t left = (size_t)(p->end - s);
        if (isspace((unsigned char)*s)) {
            skip(p, s + 1);
        } else if (left > 1 && s[0] == '/' && s[1] == '/') {
            const char *stop = memchr(s, '\n', left);
            skip(p, stop ? stop : p->end);
        } else if (left > 1 && s[0] == '/' && s[1] == '*') {
            const char *stop = strstr(s + 2, "*/");
            skip(p, stop ? stop + 2 : p->end);
        } else if (*s == '#') {
            read_directive(p);
        } else if (*s == '"' || *s == '\'') {
            const char *stop = s + 1;
            while (stop < p->end && *stop != *s && *stop != '\n')
                stop += *stop == '\\' ? 2 : 1;
            skip(p, stop + 1);
        } else if (isalnum((unsigned char)*s) || *s == '_') {
            const char *stop = s; /* 1'000'000 is one word */
            while (stop < p->end && (isalnum((unsigned char)*stop) || *stop == '_' ||
                                     (*stop == '\'' && isdigit((unsigned char)*s))))
                stop++;
            skip(p, stop);
            return (struct token){s, (size_t)(stop - s), !isdigit((unsigned char)*s)};
        } else {
            skip(p, s + 1);
            return (struct token){s, 1, false};
        }
    }
    return (struct token){p->end, 0, false};
}

static void note_call(const char *path, int line, struct token name, const char *says)
{
    if (call_count < MOST_CALLS)
        calls[call_count++] = (struct call){path, line, copy_of(name), says};
}

void find_host_calls(const char *path, const char *text, size_t length)
{
    struct place p = {.at = text, .end = text + length, .line = 1};
    struct token before[3] = {{"", 0, false}, {"", 0, false}, {"", 0, false}}, now = next(&p);
    int depth = 0, device_depth = -1; /* of the braces around a device function */
    bool device = false, host_too = false,
         plain = true; /* the words of the declaration so far */
    while (now.length) {
        int line = p.line;
        struct token after = next(&p);
        bool in_device = device_depth >= 0, left_out = false;
        for (int i = 0; i < p.nested; i++)
            left_out |= p.left_out[i];
        if (now.word) {
            bool declared = (before[0].word && !is_one(before[0], verbs)) ||
                            (before[0].length && strchr("*&>", before[0].begin[0]));
            bool called = is(after, "(");
            bool member = is(before[0], ".") || (is(before[0], ">") && is(before[1], "-"));
            bool scoped = is(before[0], ":") && is(before[1], ":");
            bool of_std = scoped && is(before[2], "std");
            device |= is(now, "__device__") || is(now, "__global__");
            host_too |= is(now, "__host__");
            if (in_device && !host_too && !left_out && of_std && is_one(now, classes))
                note_call(path, line, now, of_library);
            else if (in_device && !host_too && !left_out && called && !member && !declared &&
                     (!scoped || of_std))
                note_call(path, line, now, is_one(now, library) ? of_library : of_program);
            else if (!in_device && called && declared && plain && !device && depth == 0 &&
                     !left_out)
                note(&host, now);
            else if (declared)
                note(&others, now);
            if (depth == 0 && is(now, "texture") && is(after, "<") && !declared)
                note_call(path, line, now, of_texture);
            plain &= is_one(now, plain_words);
        } else if (is(now, "{")) {
            if (device && device_depth < 0)
                device_depth = depth;
            depth++;
        } else if (is(now, "}") && --depth <= device_depth) {
            device_depth = -1;
            device = host_too = false;
        }
        if (strchr(";{}", now.begin[0]) && device_depth < 0)
            device = host_too = false, plain = true;
        before[2] = before[1], before[1] = before[0], before[0] = now;
        now = after;
    }
}

bool tell_host_calls(void)
{
    bool told = false;
    for (int i = 0; i < call_count; i++) {
        const struct call *c = &calls[i];
        if (known(&others, c->name) || known(&host, c->name) != (c->says == of_program))
            continue;
        fprintf(stderr, "%s:%d: error: simgpu: %s%s\n", c->path, c->line, c->name, c->says);
        told = true;
    }
    return told;
}
