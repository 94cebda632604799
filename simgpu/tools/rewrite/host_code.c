/* SPDX-License-Identifier: MIT */
/** @file host_code.c
 * Finds calls of host functions in device functions by their words. It reports a call only
 * where the words leave no doubt: a function may be one of the device if it begins with a
 * macro, is a template or is inside a condition on nvcc's macros.
 */
#include "rewrite.h"

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
static const char to_symbol[] = " cudaMemcpyToSymbol cudaMemcpyToSymbolAsync ";
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
                  of_variable[] = " is a variable of the host; cudaMemcpyToSymbol takes a "
                                  "__device__ or __constant__ variable",
                  of_texture[] =
                      " references left CUDA: use a texture object (cudaCreateTextureObject)";

/* Functions and variables of the host; all other names that are declared: trees of tsearch().
 */
static void *host, *variables, *others;
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

/** The conditions of the preprocessor around the reader's place. */
struct conditions {
    int nested;
    int depth;                  /* of the braces */
    int before[MOST_NESTED];    /* the same at its #if: each branch may open one of its own */
    int value[MOST_NESTED];     /* of the condition, if it is the number 0 or 1; or -1 */
    bool left_out[MOST_NESTED]; /* the branch of #if 0 or #else of #if 1, or on nvcc's macros */
};

/** The number 0 or 1 that is all of a condition, such as (0); or -1. */
static int constant_condition(const char *text)
{
    int value = -1;
    for (; *text; text++)
        if (value < 0 && (*text == '0' || *text == '1'))
            value = *text - '0';
        else if (text[0] == '/' && (text[1] == '/' || text[1] == '*'))
            break;
        else if (!strchr(" \t()", *text))
            return -1;
    return value;
}

/** A line of the preprocessor, with the lines that continue it. */
static void read_directive(struct reader *r, struct conditions *c)
{
    size_t begin = r->at + 1;
    while (r->at < r->end && (r->text[r->at] != '\n' || r->text[r->at - 1] == '\\'))
        r->at++;
    while (begin < r->at && isblank((unsigned char)r->text[begin]))
        begin++;
    char *text = copy_of((struct token){r->text + begin, r->at - begin, true});
    const int value = !strncmp(text, "if", 2) ? constant_condition(text + 2) : -1;
    if (!strncmp(text, "if", 2) && c->nested < MOST_NESTED) {
        c->before[c->nested] = c->depth;
        c->value[c->nested] = value;
        c->left_out[c->nested++] =
            value == 0 || strstr(text, "__CUDA") || strstr(text, "__NVCC__");
    } else if (!strncmp(text, "el", 2) && c->nested > 0) {
        c->depth = c->before[c->nested - 1];
        if (c->value[c->nested - 1] >= 0)
            c->left_out[c->nested - 1] = c->value[c->nested - 1];
    } else if (!strncmp(text, "endif", 5) && c->nested > 0) {
        c->nested--;
    }
    free(text);
}

/** The next word or character outside comments, literals and directives; of length 0 at the
 * end. */
static struct token next(struct reader *r, struct conditions *c)
{
    while ((r->at = skip_space(r, r->at)) < r->end) {
        size_t from = r->at, literal = skip_literal(r, from), word = word_end(r, from);
        if (r->text[from] == '#') {
            read_directive(r, c);
        } else if (literal != from) {
            r->at = literal;
        } else {
            r->at = word > from ? word : from + 1;
            return (struct token){r->text + from, r->at - from,
                                  word > from && !isdigit((unsigned char)r->text[from])};
        }
    }
    return (struct token){r->text + r->end, 0, false};
}

static void note_call(const char *path, int line, struct token name, const char *says)
{
    if (call_count < MOST_CALLS)
        calls[call_count++] = (struct call){path, line, copy_of(name), says};
}

void find_host_calls(const char *path, const char *text, size_t length)
{
    struct reader r = {.path = path, .text = text, .end = length};
    struct conditions c = {0};
    struct token before[3] = {{"", 0, false}, {"", 0, false}, {"", 0, false}},
                 now = next(&r, &c);
    const char *counted = text; /* up to where `line` counts */
    int line = 1;
    int device_depth = -1; /* of the braces around a device function */
    bool device = false, host_too = false,
         plain = true; /* the words of the declaration so far */
    while (now.length) {
        while (counted < now.begin)
            line += *counted++ == '\n';
        const int depth = c.depth += is(now, "{") - is(now, "}");
        struct token after = next(&r, &c);
        bool in_device = device_depth >= 0, left_out = false;
        for (int i = 0; i < c.nested; i++)
            left_out |= c.left_out[i];
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
            else if (declared && plain && !device && depth == 0 && is_one(after, " [ = ; "))
                note(&variables, now);
            else if (declared)
                note(&others, now);
            else if (is(before[0], "(") && is_one(before[1], to_symbol))
                note_call(path, line, now, of_variable);
            if (depth == 0 && is(now, "texture") && is(after, "<") && !declared)
                note_call(path, line, now, of_texture);
            plain &= is_one(now, plain_words);
        } else if (is(now, "{")) {
            if (device && device_depth < 0)
                device_depth = depth - 1;
        } else if (is(now, "}") && depth <= device_depth) {
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
        const bool variable = c->says == of_variable;
        if (known(&others, c->name) || known(variable ? &variables : &host, c->name) !=
                                           (variable || c->says == of_program))
            continue;
        fprintf(stderr, "%s:%d: error: simgpu: %s%s\n", c->path, c->line, c->name, c->says);
        told = true;
    }
    return told;
}
