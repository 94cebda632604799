/* SPDX-License-Identifier: MIT */
/** @file words.c
 * Rewrites words: variables of the device, kernels and their parameters, the library's
 * functions.
 */
#include "rewrite.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int nesting(char c)
{
    return (c == '<' || c == '(' || c == '[') - (c == '>' || c == ')' || c == ']');
}

/** Goes from a `<` to the position after the template arguments, or to the first of the
 * characters `end`; false if that comes before they are closed. */
static bool skip_angles(const struct reader *r, size_t *i, const char *end)
{
    int depth = 0;
    do
        depth += nesting(r->text[*i]);
    while (++*i < r->end && depth > 0 && !strchr(end, r->text[*i]));
    return depth == 0;
}

static const char *const builtin_names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

/** Does `extern` (i is after it) begin a declaration of dynamic shared memory? */
static bool declares_dynamic_shared(const struct reader *r, size_t i)
{
    while (i < r->end && !strchr(";({=\"\n", r->text[i])) {
        if (is_word(r->text[i])) {
            size_t to = word_end(r, i);
            if (word_is(r, i, to, "__shared__"))
                return true;
            bool aligns = word_is(r, i, to, "__align__");
            i = aligns ? skip_space(r, to) : to;
            if (aligns && i < r->end && r->text[i] == '(')
                i = skip_brackets(r, i);
        } else {
            i++;
        }
    }
    return false;
}

/** Does __device__ (i is after the word) begin a declaration of shared memory? */
static bool declares_shared(const struct reader *r, size_t i)
{
    while (i < r->end && !strchr(";({=\"\n[", r->text[i])) {
        size_t to = word_end(r, i);
        if (word_is(r, i, to, "__shared__"))
            return true;
        i = to > i ? to : i + 1;
    }
    return false;
}

static struct text
    extern_variables; /* declared by `extern __device__` or `extern __constant__` */

/** Writes the linkage of a variable of the device. As with nvcc's default, each translation
 * unit has a separate variable of this name, unless the unit has declared it extern. */
static void put_linkage(const struct reader *r, size_t name, size_t name_end, bool is_extern)
{
    bool known = listed(&extern_variables, r->text + name, name_end - name);
    if (is_extern && !known)
        put(&extern_variables, ";%.*s;", PART(r, name, name_end));
    put(&output, is_extern ? " extern " : known ? " " : " static ");
}

/** Does __device__ or __managed__ (i is after the word) begin a variable, not a function? If
 * so, finds its name and whether it is constant or managed. */
static bool declares_device_variable(const struct reader *r, size_t i, size_t *name,
                                     size_t *name_end, bool *constant, bool *managed)
{
    bool found = false, type = false; /* struct { ... } */
    *constant = *managed = false;
    while (i < r->end && !strchr("({;=[,}", r->text[i])) {
        size_t after = skip_literal(r, i);
        if (after != i) {
            i = after;
        } else if (is_word(r->text[i])) {
            size_t to = word_end(r, i), next = skip_space(r, to);
            if (word_is(r, i, to, "__global__") || word_is(r, i, to, "operator"))
                return false;
            *constant |= word_is(r, i, to, "const") || word_is(r, i, to, "constexpr") ||
                         word_is(r, i, to, "__constant__");
            *managed |= word_is(r, i, to, "__managed__");
            type |= word_is(r, i, to, "struct") || word_is(r, i, to, "union");
            bool attribute = word_is(r, i, to, "__align__") || word_is(r, i, to, "alignas") ||
                             word_is(r, i, to, "__attribute__");
            if (!attribute)
                *name = i, *name_end = to, found = true;
            i = attribute && next < r->end && r->text[next] == '(' ? skip_brackets(r, next)
                                                                   : to;
        } else if (r->text[i] == '<') { /* template arguments have commas of their own */
            skip_angles(r, &i, ";{");
        } else {
            i++;
        }
    }
    return found && i < r->end && strchr(type ? ";=[," : ";=[,{", r->text[i]);
}

void put_unroll(const char *from, const char *to)
{
    while (from < to && (isspace((unsigned char)*from) || *from == '('))
        from++;
    while (to > from && (isspace((unsigned char)to[-1]) || to[-1] == ')'))
        to--;
    if (from == to)
        put(&output, "SIMGPU_UNROLL");
    else if (to - from > 1 || *from != '1') /* 1: the loop is left as it is */
        put(&output, "SIMGPU_UNROLL_BY(%.*s)", (int)(to - from), from);
}

/** Rewrites _Pragma("unroll"), the form in macros; r->at is after _Pragma. */
static bool rewrite_pragma_operator(struct reader *r)
{
    size_t open = skip_space(r, r->at);
    if (!starts(r, open, "("))
        return false;
    size_t close = skip_brackets(r, open), quote = skip_space(r, open + 1);
    if (!starts(r, quote, "\"unroll"))
        return false;
    size_t end = skip_literal(r, quote);
    put_unroll(r->text + quote + strlen("\"unroll"), r->text + end - 1);
    r->at = close;
    return true;
}

/** Finds the last word between two positions: the name of a parameter. */
static bool last_word(const struct reader *r, size_t from, size_t to, size_t *begin,
                      size_t *end)
{
    bool found = false;
    for (size_t i = from; i < to;) {
        size_t after = skip_literal(r, i);
        if (after != i) {
            i = after;
        } else if (r->text[i] == '=' || r->text[i] == '[') {
            return found;
        } else if (is_word(r->text[i])) {
            *begin = i;
            *end = i = word_end(r, i);
            found = true;
        } else {
            i++;
        }
    }
    return found;
}

/** Does the parameter list differ in length from the one noted before? */
static bool overloads(const struct reader *r, size_t from, size_t close, const char *noted)
{
    int depth = 0, here = close > from, there = 0;
    for (size_t i = from; i < close; i++) {
        depth += nesting(r->text[i]);
        here += r->text[i] == ',' && depth == 0;
    }
    for (const char *c = noted; *c && *c != ';'; c++)
        there += *c == ',';
    return here != there;
}

/** Does the output end in `template <...>`, apart from words such as static? */
static bool after_template(void)
{
    const char *s = output.data;
    size_t i = output.length;
    for (;;) {
        i = blanks_back(s, i);
        if (i > 0 && is_word(s[i - 1])) { /* static, inline ... */
            while (i > 0 && is_word(s[i - 1]))
                i--;
        } else if (i > 0 && s[i - 1] == ')') {
            i = skip_brackets_back(s, i);
        } else {
            break;
        }
    }
    if (i == 0 || s[i - 1] != '>')
        return false;
    i = blanks_back(s, skip_brackets_back(s, i));
    return i >= 8 && memcmp(s + i - 8, "template", 8) == 0;
}

/** Prepares the call that registers the largest block of a kernel, by its address. */
static void note_bounded(struct reader *r, size_t name, size_t name_end)
{
    size_t first = 0;
    int depth = 0;
    for (; first < r->bound.length && (depth > 0 || r->bound.data[first] != ','); first++)
        depth += nesting(r->bound.data[first]);
    r->bounded.length = 0;
    put(&r->bounded,
        " static const int simgpu_bounded_%.*s __attribute__((unused)) = "
        "::simgpu_launch_bound((const void *)&%.*s, %.*s);",
        PART(r, name, name_end), PART(r, name, name_end), (int)first, r->bound.data);
    for (size_t i = 0; i < r->bounded.length; i++)
        if (r->bounded.data[i] == '\n')
            r->bounded.data[i] = ' ';
    if (strstr(r->bounded.data, "//"))
        r->bounded.length = 0;
}

/** After __global__: records the names of the kernel and its parameters, for messages. */
static void note_parameters(struct reader *r, size_t i)
{
    r->bound.length = r->cluster.length = 0;
    bool is_template = after_template();
    size_t name = i, name_end = i;
    while (i < r->end && !strchr(";{}", r->text[i])) {
        size_t after = skip_literal(r, i);
        if (after != i) {
            i = after;
        } else if (is_word(r->text[i])) {
            size_t end = word_end(r, i), next = skip_space(r, end);
            bool dims = word_is(r, i, end, "__cluster_dims__");
            bool attribute = dims || word_is(r, i, end, "__launch_bounds__") ||
                             word_is(r, i, end, "__attribute__");
            if (listed(&cluster_macros, r->text + i, end - i))
                put(&r->cluster, " %.*s", PART(r, i, end));
            name = i, name_end = end;
            i = next;
            if (i < r->end && r->text[i] == '(') {
                size_t open = i + 1, close = skip_brackets(r, i), word = skip_space(r, close);
                /* a macro with arguments may come before the name, too */
                bool macro = word < r->end && is_word(r->text[word]) && !starts(r, word, "__");
                if (!attribute && !macro)
                    break;
                i = close;
                if (word_is(r, name, name_end, "__launch_bounds__"))
                    put(&r->bound, "%.*s", (int)(i - 1 - open), r->text + open);
                if (dims)
                    put(&r->cluster, " %.*s", PART(r, name, i));
            }
        } else {
            i++;
        }
    }
    if (i >= r->end || r->text[i] != '(' || name == name_end)
        return;
    size_t close = skip_brackets(r, i) - 1, from = i + 1;
    bool has_default = false;
    for (size_t at = from; at < close; at++)
        has_default |= r->text[at] == '=';
    struct text key = {0};
    put(&key, "%.*s:", PART(r, name, name_end));
    char *seen = parameters.length ? strstr(parameters.data, key.data) : NULL;
    size_t after = skip_space(r, close + 1);
    bool declared_before = seen && (seen == parameters.data || seen[-1] == ';');
    bool again = declared_before && after < r->end && r->text[after] == ';';
    free(key.data);
    bool defined = after < r->end && r->text[after] == '{';
    if (!defined) /* the next brace is another function's */
        r->bound.length = r->cluster.length = 0;
    bool twice = defined && listed(&defined_kernels, r->text + name, name_end - name);
    if (defined)
        put(&defined_kernels, ";%.*s;", PART(r, name, name_end));
    if (defined && r->bound.length && !is_template && !twice)
        note_bounded(r, name, name_end);
    if (is_template || has_default || twice ||
        (declared_before && !again && overloads(r, from, close, seen)))
        put(&called_kernels, ";%.*s;", PART(r, name, name_end));
    put(&parameters, "%.*s:", PART(r, name, name_end));
    int depth = 0;
    for (size_t at = from; at <= close; at++) {
        char c = r->text[at];
        depth += nesting(c);
        if (at < close && !(c == ',' && depth == 0))
            continue;
        size_t begin, end;
        if (last_word(r, from, at, &begin, &end))
            put(&parameters, "%.*s,", PART(r, begin, end));
        from = at + 1;
    }
    put(&parameters, ";");
}

/** Is `template` before i in the same declaration? Such a variable has no address yet. */
static bool in_template_declaration(const struct reader *r, size_t i)
{
    size_t begin = i;
    while (begin > 0 && !strchr(";{}", r->text[begin - 1]))
        begin--;
    for (; begin < i; begin++)
        if (is_word(r->text[begin])) {
            size_t to = word_end(r, begin);
            if (word_is(r, begin, to, "template") && starts(r, skip_space(r, to), "<"))
                return true;
            begin = to;
        }
    return false;
}

enum variable_kind { DEVICE_VARIABLE, MANAGED_VARIABLE, CONSTANT_VARIABLE };

/** Registers the names and addresses of the variables in a declaration, of which the
 * first name is given; of __constant__ variables only those without an initialiser. */
static void register_variables(struct reader *r, size_t name, size_t name_end,
                               enum variable_kind kind)
{
    size_t i = name_end;
    for (;;) {
        bool initialised = false;
        while (i < r->end && !strchr(",;", r->text[i])) {
            size_t after = skip_literal(r, i);
            initialised |= after == i && strchr("=({", r->text[i]);
            i = after != i ? after : strchr("([{", r->text[i]) ? skip_brackets(r, i) : i + 1;
        }
        if (kind != CONSTANT_VARIABLE || !initialised)
            put(&r->after,
                " static const int simgpu_registered_%.*s __attribute__((unused)) = "
                "::simgpu_device_variable(\"%.*s\", (const void *)&%.*s, sizeof(%.*s), %d, "
                "__FILE__, __LINE__);",
                PART(r, name, name_end), PART(r, name, name_end), PART(r, name, name_end),
                PART(r, name, name_end), kind);
        if (i >= r->end || r->text[i] == ';')
            return;
        for (i++; i < r->end && !is_word(r->text[i]) && r->text[i] != ';';)
            i++;
        name = i;
        name_end = i = word_end(r, i);
    }
}

/** asm("" ...) has no instruction; it is only a hint for the compiler. */
static bool empty_asm(const struct reader *r, size_t i)
{
    for (;;) {
        i = skip_space(r, i);
        size_t to = word_end(r, i);
        if (to == i)
            break;
        i = to; /* volatile */
    }
    if (!starts(r, i, "("))
        return false;
    i = skip_space(r, i + 1);
    return starts(r, i, "\"\"");
}

/** Does a type come before this name, in the same line? */
static bool is_declared(const struct reader *r, size_t from)
{
    static const char *const others[] = {"return", "else", "case", "do", "and", "or", "not"};
    if (r->in_directive || blanks_back(output.data, output.length) == r->comments_end)
        return false;
    size_t end = blanks_back(r->text, from), begin = end;
    while (begin > 0 && is_word(r->text[begin - 1]))
        begin--;
    bool type = begin < end && !memchr(r->text + end, '\n', from - end);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        type &= !word_is(r, begin, end, others[k]);
    return type;
}

/** Is this word a call of a library function that the simulator has for kernels too? */
static bool of_the_library(const struct reader *r, size_t from, size_t to)
{
    static const char *const names[] = {"memcpy", "memmove", "memset",
                                        "malloc", "free",    "clock"};
    size_t last = blanks_back(output.data, output.length);
    const char *s = output.data;
    bool member = last > 1 && (s[last - 1] == '.' || memcmp(s + last - 2, "->", 2) == 0 ||
                               (last > 2 && memcmp(s + last - 2, "::", 2) == 0 &&
                                (s[last - 3] == '>' || is_word(s[last - 3])) &&
                                !(last > 4 && memcmp(s + last - 5, "std", 3) == 0)));
    bool found = false;
    /* In host code those that touch pinned and managed memory, which the streams order. */
    size_t count = r->kernel_depth >= 0 ? sizeof names / sizeof *names : 3;
    for (size_t i = 0; i < count; i++)
        found |= word_is(r, from, to, names[i]);
    return found && !member && starts(r, skip_space(r, to), "(") && !is_declared(r, from);
}

/** Rewrites malloc and the like in a device function; false if the word is something else. */
static bool rewrite_library(struct reader *r, size_t from, size_t to)
{
    size_t next = skip_space(r, to);
    if (of_the_library(r, from, to)) {
        if (!take_back("std::"))
            take_back("::");
        put(&output, " ::simgpu::kernel_%.*s", PART(r, from, to));
    } else if (word_is(r, from, to, "new") && !starts(r, next, "(")) { /* new (place) stays */
        put(&output, "new (::simgpu::kernel_heap)");
    } else if (word_is(r, from, to, "delete") && !starts(r, next, ";")) { /* `= delete;` */
        bool array = starts(r, next, "[");
        put(&output, "::simgpu::kernel_delete%s =", array ? "_array" : "");
        r->at = array ? skip_brackets(r, next) : to;
    } else {
        return false;
    }
    return true;
}

/** `dim3 gridDim(4, 1), blockDim(32);` and `int blockIdx` declare variables. Notes their names,
 * and where they end. */
static void note_own_names(struct reader *r, size_t i)
{
    bool names[4] = {false}, begins = true;
    while (i < r->end && !strchr(";)", r->text[i])) {
        size_t after = skip_literal(r, i), to = word_end(r, i);
        if (after != i) {
            i = after;
        } else if (to > i) {
            for (int k = 0; begins && k < 4; k++)
                names[k] |= word_is(r, i, to, builtin_names[k]);
            begins = word_is(r, i, to, "dim3") || word_is(r, i, to, "const");
            i = to;
        } else {
            if (r->text[i] == ',')
                begins = true;
            i = strchr("([{", r->text[i]) ? skip_brackets(r, i) : i + 1;
        }
    }
    bool parameter = i < r->end && r->text[i] == ')';
    for (int k = 0; k < 4; k++)
        if (names[k])
            r->renamed[k] = r->depth + parameter + 1;
}

/** Is this word one of threadIdx ... gridDim, but not the kernel's: a variable of the program,
 * or a member of a structure? */
static bool own_builtin(struct reader *r, size_t from, size_t to)
{
    for (int k = 0; k < 4; k++)
        if (word_is(r, from, to, builtin_names[k])) {
            if (is_declared(r, from))
                note_own_names(r, from);
            bool member = from > 0 &&
                          (r->text[from - 1] == '.' || (from > 1 && starts(r, from - 2, "->")));
            return member || r->renamed[k] > (r->kernel_depth >= 0);
        }
    return false;
}

/** Is __CUDA_ARCH__ in a device function? Outside of functions, `#if __CUDA_ARCH__ >= 700`
 * usually guards device functions, while `#ifdef __CUDA_ARCH__` may be before host
 * code. */
static bool for_the_device(const struct reader *r, size_t behind)
{
    if (r->kernel_depth >= 0)
        return !r->host_too;
    size_t next = skip_space(r, behind);
    return r->in_directive && next < r->end && strchr("<>=!", r->text[next]);
}

/** Is this word the name of a kernel that has been seen? */
static bool names_kernel(const struct reader *r, size_t from, size_t to)
{
    struct text entry = {0};
    put(&entry, ";%.*s:", PART(r, from, to));
    const char *at = parameters.length ? strstr(parameters.data, entry.data + 1) : NULL;
    bool found = at && (at == parameters.data || strstr(parameters.data, entry.data));
    free(entry.data);
    return found;
}

/** `(void *)kernel` in host code loses the kernel's type, which a launch by its address needs:
 * makes the kernel known. False if the word is something else. */
static bool rewrite_kernel_address(struct reader *r, size_t from, size_t to)
{
    if (r->kernel_depth >= 0 || r->in_directive || !names_kernel(r, from, to))
        return false;
    size_t last = output.length;
    const char *s = output.data;
    while (last > 0 && (isspace((unsigned char)s[last - 1]) || strchr("()>&", s[last - 1])))
        last--;
    if (last == 0 || last == output.length || s[last - 1] != '*')
        return false;
    last = blanks_back(s, last - 1);
    size_t next = skip_space(r, to);
    if (last < 4 || memcmp(s + last - 4, "void", 4) != 0 || starts(r, next, "("))
        return false;
    if (starts(r, next, "<") && !starts(r, next, "<<<")) { /* template arguments */
        if (!skip_angles(r, &next, "(;{"))
            return false;
        to = next;
    }
    bool address = take_back("&");
    put(&output, "::simgpu::known_kernel(%s%.*s, SIMGPU_TEXT(%.*s))", address ? "&" : "",
        PART(r, from, to), PART(r, from, to));
    r->at = to;
    return true;
}

/** Is the word at `from` the one that `#define` or `#undef` or a condition names? */
static bool names_macro(const struct reader *r, size_t from)
{
    size_t begin = from;
    while (begin > 0 &&
           (r->text[begin - 1] != '\n' || (begin > 1 && r->text[begin - 2] == '\\')))
        begin--;
    size_t word = skip_space(r, begin);
    word = starts(r, word, "#") ? skip_space(r, word + 1) : word;
    size_t to = word_end(r, word);
    return !word_is(r, word, to, "define") || skip_space(r, to) == from;
}

/** Is this a member template of a class template, as in `pair<T>::get<2>(x)`? C++ wants the
 * word `template` before it where T is a parameter; nvcc does without. */
static bool is_member_template(const struct reader *r, size_t from, size_t to)
{
    size_t i = blanks_back(r->text, from), next = skip_space(r, to);
    if (r->depth == 0 || i < 3 || memcmp(r->text + i - 2, "::", 2) != 0 ||
        r->text[blanks_back(r->text, i - 2) - 1] != '>' || !starts(r, next, "<") ||
        starts(r, next, "<<") || in_template_declaration(r, from))
        return false;
    return skip_angles(r, &next, ";{&|") && starts(r, skip_space(r, next), "(");
}

void rewrite_word(struct reader *r)
{
    size_t from = r->at, to = word_end(r, from);
    r->at = to;
    if (word_is(r, from, to, "__host__") && r->kernel_depth < 0)
        r->host_too = true;
    if (r->depth == 0 && !r->kernel_next && !r->in_directive &&
        starts(r, skip_space(r, to), "(") &&
        !listed(&host_functions, r->text + from, to - from))
        put(&host_functions, ";%.*s;", PART(r, from, to));
    if (word_is(r, from, to, "dim3") && r->kernel_depth < 0 && !r->kernel_next)
        note_own_names(r, to);
    if (rewrite_kernel_address(r, from, to))
        return;
    if (own_builtin(r, from, to)) {
        put(&output, "simgpu_own_%.*s", PART(r, from, to));
    } else if (from < r->arguments_end && word_is(r, from, to, "NULL")) {
        put(&output, "nullptr"); /* NULL would be passed on as an integer */
    } else if (word_is(r, from, to, "__CUDA_ARCH__") && for_the_device(r, to)) {
        put(&output, "SIMGPU_CUDA_ARCH");
    } else if (word_is(r, from, to, "__global__")) {
        if (!r->in_directive)
            note_parameters(r, to);
        r->kernel_next |= !r->in_directive;
        append(&output, r->text + from, to - from);
    } else if (word_is(r, from, to, "__shared__")) {
        if (r->in_directive && names_macro(r, from))
            append(&output, r->text + from, to - from);
        else
            rewrite_shared(r, false);
    } else if (word_is(r, from, to, "extern") && declares_dynamic_shared(r, to)) {
        rewrite_shared(r, true);
    } else if (word_is(r, from, to, "__constant__")) {
        bool is_extern = !take_back("static") && take_back("extern");
        size_t name, name_end;
        bool constant, managed;
        bool variable = !r->in_directive &&
                        declares_device_variable(r, to, &name, &name_end, &constant, &managed);
        if (variable)
            put_linkage(r, name, name_end, is_extern);
        else
            put(&output, " static ");
        put(&output, "__constant__");
        if (variable && !is_extern && !r->after.length && r->kernel_depth < 0 && !constant &&
            !managed) {
            if (in_template_declaration(r, from))
                fail(r, from,
                     "simgpu: a __constant__ variable template is not simulated: declare one "
                     "variable for each type");
            register_variables(r, name, name_end, CONSTANT_VARIABLE);
            r->after_depth = r->depth;
        }
        size_t next = skip_space(r, to), next_end = word_end(r, next);
        if (word_is(r, next, next_end, "static"))
            r->at = next_end;
    } else if (word_is(r, from, to, "__device__") && declares_shared(r, to)) {
        return; /* `__device__ __shared__ int s[64];`: the next word does it */
    } else if ((word_is(r, from, to, "__device__") || word_is(r, from, to, "__managed__")) &&
               !r->in_directive && !r->after.length) {
        size_t name, name_end;
        bool constant, managed, is_static = take_back("static"), is_const = take_back("const");
        bool is_extern = !is_static && take_back("extern");
        if (declares_device_variable(r, to, &name, &name_end, &constant, &managed)) {
            managed |= word_is(r, from, to, "__managed__");
            put_linkage(r, name, name_end, is_extern);
            put(&output, "%s",
                constant || is_const ? is_const ? "const " : ""
                : managed            ? "SIMGPU_MANAGED_VARIABLE "
                                     : "SIMGPU_DEVICE_VARIABLE ");
            if (!constant && !is_const && !is_extern) {
                register_variables(r, name, name_end,
                                   managed ? MANAGED_VARIABLE : DEVICE_VARIABLE);
                r->after_depth = r->depth;
            }
            size_t next = skip_space(r, to), next_end = word_end(r, next);
            if (word_is(r, next, next_end, "static"))
                r->at = next_end;
        } else {
            put(&output, "%s%s%.*s", is_const ? " const " : "",
                is_static   ? " static "
                : is_extern ? " extern "
                            : "",
                PART(r, from, to));
            r->kernel_next = true;
        }
    } else if ((r->kernel_depth >= 0 || (r->depth > 0 && of_the_library(r, from, to))) &&
               !r->in_directive && rewrite_library(r, from, to)) {
        return;
    } else if (word_is(r, from, to, "__builtin_memcpy") ||
               word_is(r, from, to, "__builtin_memmove") ||
               word_is(r, from, to, "__builtin_memset")) {
        size_t name = from + strlen("__builtin_");
        put(&output, " ::simgpu::kernel_%.*s", PART(r, name, to));
    } else if (word_is(r, from, to, "_Pragma") && rewrite_pragma_operator(r)) {
        return;
    } else if (word_is(r, from, to, "asm") || word_is(r, from, to, "__asm__") ||
               word_is(r, from, to, "__asm")) {
        if (!rewrite_ptx(r))
            put(&output, empty_asm(r, to) ? "__asm__" : "SIMGPU_ASM");
    } else {
        if (is_member_template(r, from, to))
            put(&output, "template ");
        append(&output, r->text + from, to - from);
    }
}
