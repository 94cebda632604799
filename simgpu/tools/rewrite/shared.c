/* SPDX-License-Identifier: MIT */
/** @file shared.c
 * Turns declarations of __shared__ arrays into places in the block's shared memory.
 */
#include "rewrite.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool take_back(const char *word)
{
    size_t end = output.length, length = strlen(word);
    while (end > 0 && (output.data[end - 1] == ' ' || output.data[end - 1] == '\t'))
        end--;
    if (end < length || memcmp(output.data + end - length, word, length) != 0 ||
        (end > length && is_word(output.data[end - length - 1])))
        return false;
    output.length = end - length;
    output.data[output.length] = '\0';
    return true;
}

/** One variable of a declaration: `stars name dimensions`. */
struct declarator {
    char *stars, *name, *dimensions;
};

static char *slice(const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    char *copy = checked(malloc((size_t)(to - from) + 1));
    memcpy(copy, from, (size_t)(to - from));
    copy[to - from] = '\0';
    return copy;
}

/** Splits `[type] stars name dimensions`. Returns the type; later declarators have none. */
static char *split_declarator(const char *from, const char *to, struct declarator *d)
{
    const char *bracket = from;
    while (bracket < to && *bracket != '[')
        bracket++;
    d->dimensions = slice(bracket, to);
    const char *name_end = bracket;
    while (name_end > from && isspace((unsigned char)name_end[-1]))
        name_end--;
    const char *name = name_end;
    while (name > from && is_word(name[-1]))
        name--;
    d->name = slice(name, name_end);
    const char *stars = name;
    while (stars > from && (isspace((unsigned char)stars[-1]) || stars[-1] == '*'))
        stars--;
    d->stars = slice(stars, name);
    return slice(from, stars);
}

/** Writes "[0]" for each dimension but the last `left`. */
static void emit_subscripts(const char *dimensions, int left)
{
    int depth = 0, count = 0;
    for (const char *s = dimensions; *s; s++) {
        count += *s == '[' && depth == 0;
        depth += (*s == '[' || *s == '(') - (*s == ']' || *s == ')');
    }
    for (; count > left; count--)
        put(&output, "[0]");
}

static void emit_shared(const char *qualifiers, const char *type, const char *alignment,
                        const struct declarator *d)
{
    put(&output,
        "typedef %s%s %s simgpu_type_%s%s; static ::simgpu_shared_site simgpu_site_%s = "
        "{\"%s\", sizeof(simgpu_type_%s), %s, __FILE__, __LINE__, 0, ",
        qualifiers, type, d->stars, d->name, d->dimensions, d->name, d->name, d->name,
        alignment);
    for (int left = 1; left >= 0; left--) {
        put(&output, "sizeof((*(simgpu_type_%s *)0)", d->name);
        emit_subscripts(d->dimensions, left);
        put(&output, left ? "), " : ")}; ");
    }
    put(&output,
        "simgpu_type_%s &%s = *static_cast<simgpu_type_%s "
        "*>(::simgpu::shared_at(&simgpu_site_%s)); ",
        d->name, d->name, d->name, d->name);
    if (d->dimensions[0])
        put(&output,
            "static_assert(__builtin_constant_p(sizeof(simgpu_type_%s)), \"simgpu: the size of "
            "a __shared__ array must be a constant; a size that the launch chooses takes "
            "extern __shared__\"); ",
            d->name);
}

/** Outside functions, each host thread has its own copy; it runs one block at a time. */
static void emit_file_scope(const char *qualifiers, const char *type,
                            const struct declarator *d, bool dynamic)
{
    if (dynamic) {
        const char *rest = strchr(d->dimensions, ']');
        rest = rest ? rest + 1 : "";
        if (*rest)
            put(&output, "static __thread %s%s %s(*%s)%s; ", qualifiers, type, d->stars,
                d->name, rest);
        else
            put(&output, "static __thread %s%s %s*%s; ", qualifiers, type, d->stars, d->name);
        put(&output,
            "static const int simgpu_registered_%s __attribute__((unused)) = "
            "::simgpu_file_scope_dynamic([] { return (void **)&%s; }); ",
            d->name, d->name);
        return;
    }
    put(&output,
        "static __thread %s%s %s %s%s; static ::simgpu_shared_site simgpu_site_%s = {\"%s\", "
        "sizeof(%s), 1, __FILE__, __LINE__, 0, 0, 0}; static const int simgpu_registered_%s "
        "__attribute__((unused)) = ::simgpu_file_scope_shared(&simgpu_site_%s, [] { return "
        "(void *)&%s; }); ",
        qualifiers, type, d->stars, d->name, d->dimensions, d->name, d->name, d->name, d->name,
        d->name, d->name);
}

static void emit_dynamic(const struct reader *r, size_t position, const char *qualifiers,
                         const char *type, const struct declarator *d)
{
    const char *rest = d->dimensions;
    if (!*rest) { /* one object, usually a structure */
        put(&output, "%s%s %s&%s = *static_cast<%s%s %s*>(::simgpu::dynamic_shared());",
            qualifiers, type, d->stars, d->name, qualifiers, type, d->stars);
        return;
    }
    while (*rest && *rest != ']')
        rest++;
    if (d->dimensions[0] != '[' || *rest != ']')
        fail(r, position,
             "extern __shared__ memory is declared as an array without a size: T name[]");
    rest++;
    /* All arrays of one name have one type: nvcc and the compiler both require it. */
    put(&output, "extern %s%s %ssimgpu_dynamic_%s[]%s __attribute__((unused)); ", qualifiers,
        type, d->stars, d->name, rest);
    if (*rest)
        put(&output,
            "%s%s %s(*const %s)%s = static_cast<%s%s %s(*)%s>(::simgpu::dynamic_shared());",
            qualifiers, type, d->stars, d->name, rest, qualifiers, type, d->stars, rest);
    else
        put(&output, "%s%s %s*const %s = static_cast<%s%s %s*>(::simgpu::dynamic_shared());",
            qualifiers, type, d->stars, d->name, qualifiers, type, d->stars);
}

static bool begins_with_word(const char *s, const char *word)
{
    return strncmp(s, word, strlen(word)) == 0 && !is_word(s[strlen(word)]);
}

/** Does this begin a type that is defined where it is used, such as `union {`? */
static bool defines_type(const char *s)
{
    static const char *const words[] = {"struct", "union", "class", "enum"};
    s += strspn(s, " \t\n");
    while (begins_with_word(s, "const") || begins_with_word(s, "volatile"))
        s += strcspn(s, " \t\n"), s += strspn(s, " \t\n");
    for (int i = 0; i < 4; i++)
        if (begins_with_word(s, words[i]))
            return true;
    return false;
}

/** `union { ... } a, b` becomes a named type and then variables of it. The brace is at `open`.
 * Returns the position after the closing brace. */
static size_t name_type(const struct reader *r, size_t open, struct text *plain)
{
    static int types;
    size_t end = skip_brackets(r, open);
    put(&output, "typedef %.*s%.*s simgpu_defined_%d; ", (int)plain->length, plain->data,
        PART(r, open, end), ++types);
    plain->length = 0;
    put(plain, "simgpu_defined_%d ", types);
    return end;
}

/** Finds the end of a declarator: a comma outside brackets, or the end of the text. */
static const char *declarator_end(const char *s)
{
    int depth = 0;
    bool type = true; /* < is a bracket before the first dimension */
    for (; *s && (*s != ',' || depth > 0); s++) {
        type = type && *s != '[';
        depth += (*s == '(' || *s == '[' || (type && *s == '<')) -
                 (*s == ')' || *s == ']' || (type && *s == '>'));
    }
    return s;
}

void rewrite_shared(struct reader *r, bool dynamic)
{
    size_t position = r->at;
    bool file_scope = r->depth == 0 && !r->in_directive;
    struct text qualifiers = {0}, plain = {0}, alignment = {0};
    append(&qualifiers, "", 0);
    while (take_back("static") || take_back("__device__"))
        ;
    if (take_back("volatile"))
        put(&qualifiers, "volatile ");

    int newlines = 0;
    size_t i = r->at;
    while (i < r->end && r->text[i] != ';') {
        size_t from = i, after = skip_literal(r, i);
        if (after != i) {
            i = after;
        } else if (is_word(r->text[i])) {
            i = word_end(r, i);
            if (word_is(r, from, i, "__align__") || word_is(r, from, i, "alignas")) {
                size_t bracket = skip_space(r, i);
                i = skip_brackets(r, bracket);
                alignment.length = 0;
                append(&alignment, r->text + bracket, i - bracket);
            } else if (word_is(r, from, i, "__attribute__")) {
                i = skip_brackets(r, skip_space(r, i));
            } else if (word_is(r, from, i, "extern")) {
                dynamic = true;
            } else if (!word_is(r, from, i, "__shared__") && !word_is(r, from, i, "static")) {
                append(&plain, r->text + from, i - from);
            }
        } else if (r->text[i] == '{' && plain.length && defines_type(plain.data)) {
            i = name_type(r, i, &plain);
            from = i; /* the output has its lines already */
        } else if (r->text[i] == '[') {
            i = skip_brackets(r, i);
            for (size_t c = from; c < i; c++)
                append(&plain, strchr("\n\\", r->text[c]) ? " " : r->text + c, 1);
        } else {
            if (r->text[i] == '=' || r->text[i] == '(' || r->text[i] == '{')
                fail(r, position, "a __shared__ variable cannot have an initialiser");
            append(&plain, strchr("\n\\", r->text[i]) ? " " : r->text + i, 1);
            i++;
        }
        for (size_t c = from; c < i; c++)
            newlines += r->text[c] == '\n';
    }
    if (i == r->end)
        fail(r, position, "this __shared__ declaration has no end");
    append(&plain, "", 0);
    if (!alignment.length)
        put(&alignment, "1");

    char *type = NULL;
    const char *from = plain.data;
    for (;;) {
        const char *c = declarator_end(from);
        struct declarator d;
        char *declared = split_declarator(from, c, &d);
        if (!type)
            type = declared;
        else
            free(declared);
        if (!type[0] && strncmp(d.name, "simgpu_defined_", 15) == 0)
            fail(r, position,
                 "nothing here is __shared__: the union or struct needs a variable, `union { "
                 "... } name;`");
        if (!d.name[0] || !type[0])
            fail(r, position,
                 "this __shared__ declaration is not understood: write `T name[size];`");
        if (file_scope)
            emit_file_scope(qualifiers.data, type, &d, dynamic);
        else if (dynamic)
            emit_dynamic(r, position, qualifiers.data, type, &d);
        else
            emit_shared(qualifiers.data, type, alignment.data, &d);
        free(d.stars);
        free(d.name);
        free(d.dimensions);
        if (!*c)
            break;
        from = c + 1;
    }
    for (int n = 0; n < newlines; n++)
        put(&output, r->in_directive ? "\\\n" : "\n");
    free(type);
    free(plain.data);
    free(qualifiers.data);
    free(alignment.data);
    r->at = i + 1;
}
