/* SPDX-License-Identifier: MIT */
/** @file launches.c
 * Turns kernel<<<grid, block>>>(arguments) into a call.
 */
#include "rewrite.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Finds in the output where the expression before `<<<` begins: a name, perhaps with scope,
 * members, template arguments, an index or parentheses. */
static size_t callee_start(void)
{
    const char *s = output.data;
    size_t i = blanks_back(s, output.length);
    for (;;) {
        bool group = false;
        while (i > 0 && (s[i - 1] == ')' || s[i - 1] == ']' || s[i - 1] == '>')) {
            bool template_arguments = s[i - 1] == '>';
            i = skip_brackets_back(s, i);
            if (template_arguments) /* the name may be on a line above them */
                i = blanks_back(s, i);
            group = true;
        }
        size_t name_end = i;
        while (i > 0 && is_word(s[i - 1]))
            i--;
        if (i == name_end && !group)
            return i;
        size_t before = blanks_back(s, i);
        if (before > 1 &&
            (memcmp(s + before - 2, "::", 2) == 0 || memcmp(s + before - 2, "->", 2) == 0))
            i = before - 2;
        else if (before > 0 && s[before - 1] == '.' && !ends_in_comment(before))
            i = before - 1;
        else
            return i;
        i = blanks_back(s, i);
        bool scope = s[before - 1] == ':';
        if (i == 0 || !(is_word(s[i - 1]) || strchr(scope ? ">" : ")]", s[i - 1])))
            return i; /* a leading "::" */
    }
}

/** Kernels whose name alone does not identify the function: templates, overloads, and those
 * with default arguments. */
struct text called_kernels, cluster_macros;
struct text defined_kernels; /* all kernels so far, in the same form */

bool listed(const struct text *names, const char *name, size_t length)
{
    struct text entry = {0};
    put(&entry, ";%.*s;", (int)length, name);
    bool found = names->length && strstr(names->data, entry.data);
    free(entry.data);
    return found;
}

struct text host_functions; /* names of functions at file scope, in the same form */

static bool launched_by_call(const char *callee)
{
    size_t end = blanks_back(callee, strcspn(callee, "<")), begin;
    for (begin = end; begin > 0 && is_word(callee[begin - 1]);)
        begin--;
    return end > begin && (listed(&called_kernels, callee + begin, end - begin) ||
                           listed(&host_functions, callee + begin, end - begin));
}

void rewrite_launch(struct reader *r)
{
    size_t open = r->at, i = open + 3;
    while (i < r->end && !starts(r, i, ">>>") && r->text[i] != ';')
        i = skip_part(r, i);
    if (!starts(r, i, ">>>"))
        fail(r, open, "this <<< has no >>>, which is written without blanks");

    if (r->comments_end && blanks_back(output.data, output.length) == r->comments_end)
        for (size_t at = r->comments; at < r->comments_end; at++)
            if (output.data[at] != '\n')
                output.data[at] = ' ';
    size_t start = callee_start();
    while (start < output.length && strchr(" \t\n\\", output.data[start]))
        start++;
    if (start == output.length)
        fail(r, open, "there is no kernel before this <<<");
    size_t before = blanks_back(output.data, start);
    if (r->in_directive && before > 6 && memcmp(output.data + before - 6, "define", 6) == 0)
        fail(r, open,
             "a macro that begins with <<< is not simulated: write the kernel's name into the "
             "macro, or as its parameter");
    char *callee = checked(strdup(output.data + start)), *flat = on_one_line(callee);
    output.length = start;
    if (r->kernel_depth >= 0 && !r->host_too)
        put(&output, "::simgpu::launch_in_kernel(SIMGPU_TEXT(");
    else if (launched_by_call(callee)) /* the call selects the kernel */
        put(&output,
            "::simgpu::launch_call([=](auto... simgpu_arguments) { %s(simgpu_arguments...); }, "
            "[=](auto simgpu_kernel) -> decltype(static_cast<decltype(simgpu_kernel)>(%s)) { "
            "return %s; }, SIMGPU_TEXT(",
            callee, flat, flat);
    else
        put(&output, "::simgpu::launch(%s, SIMGPU_TEXT(", callee);
    put(&output, "%s), __FILE__, __LINE__).on(", flat);
    size_t last = blanks_back(flat, strlen(flat));
    r->explicit_types = last > 0 && flat[last - 1] == '>';
    free(callee);
    free(flat);
    r->at = open + 3; /* the shape and the arguments are rewritten like other text */
    r->shape_end = i;
    size_t arguments = skip_space(r, i + 3);
    if (starts(r, arguments, "("))
        r->arguments_end = skip_brackets(r, arguments);
}

void put_bound(struct reader *r)
{
    for (size_t i = 0; i < r->bound.length; i++)
        if (r->bound.data[i] == '\n') /* line numbers stay */
            r->bound.data[i] = ' ';
    if (r->bound.length && !strstr(r->bound.data, "//"))
        put(&output, " SIMGPU_LAUNCH_BOUND(%s)", r->bound.data);
    if (r->cluster.length) { /* what is empty in the declaration is a call here */
        put(&output,
            "\n#undef __cluster_dims__\n#define __cluster_dims__ ::simgpu::cluster_dims\n%s;\n"
            "#undef __cluster_dims__\n#define __cluster_dims__(...)\n",
            r->cluster.data);
        put_line(line_of(r, r->at), r->path);
        put(&output, "\n");
    }
    r->bound.length = r->cluster.length = 0;
}

bool is_shift(const struct reader *r)
{
    size_t at = r->at, next = at + 2;
    bool right = starts(r, at, ">>");
    if (r->kernel_depth < 0 || r->host_too || r->in_directive ||
        (!right && !starts(r, at, "<<")) || at == 0 || next >= r->end ||
        strchr("<>=", r->text[next]))
        return false;
    if (right &&
        !(isspace((unsigned char)r->text[at - 1]) && isspace((unsigned char)r->text[next])))
        return false;
    next = skip_space(r, next);
    size_t to = word_end(r, next);
    return !(isdigit((unsigned char)r->text[next]) && to - next <= 2 &&
             strtoul(r->text + next, NULL, 10) < 32);
}

bool null_argument(const struct reader *r, size_t from, size_t to)
{
    if (from >= r->arguments_end || from < r->shape_end || !r->explicit_types ||
        !word_is(r, from, to, "0"))
        return false;
    size_t next = skip_space(r, to), before = blanks_back(r->text, from);
    return before > 0 && strchr("(,", r->text[before - 1]) && next < r->end &&
           strchr("),", r->text[next]);
}
