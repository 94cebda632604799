/* SPDX-License-Identifier: MIT */
/** @file rewrite.c
 * Turns a CUDA source into C++ for an ordinary compiler, line by line.
 *
 *     rewrite [-I DIR]... [-d DEPFILE] -o OUTPUT INPUT.cu
 *
 * It changes only what C++ cannot express:
 *
 * - `kernel<<<grid, block>>>(args)` becomes a call that passes the kernel, the shape and the
 *   arguments to the runtime.
 * - `__shared__ float t[16][17];` becomes a reference into the block's shared memory;
 *   `extern __shared__ float t[];` becomes a pointer to the launch's dynamic shared memory.
 * - `#pragma unroll` gets the host compiler's own spelling.
 * - malloc, free, new, delete, memcpy, memmove and memset in device functions become the
 *   simulator's.
 * - `#include "x.cuh"` becomes the header's rewritten text, because a header may launch
 * kernels.
 *
 * `#line` directives keep every message, and every address in the debugging information, on its
 * line of the original file. Comments, strings and everything else are copied unchanged.
 */
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_code.h"

struct text {
    char *data;
    size_t length, capacity;
};

enum { MAX_PATHS = 256 };

static struct text output, dependencies, parameters;
static const char *include_paths[MAX_PATHS];
static int include_path_count;
static const char *open_files[MAX_PATHS]; /* the files being read, each included by the last */
static int open_file_count;

static void *checked(void *memory)
{
    if (!memory) {
        fprintf(stderr, "simgpu rewrite: out of memory\n");
        exit(1);
    }
    return memory;
}

static void append(struct text *t, const char *data, size_t length)
{
    if (t->length + length + 1 > t->capacity) {
        t->capacity = (t->length + length + 1) * 2;
        t->data = checked(realloc(t->data, t->capacity));
    }
    memcpy(t->data + t->length, data, length);
    t->length += length;
    t->data[t->length] = '\0';
}

static void put(struct text *t, const char *format, ...)
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

/** The file being read: its text, the position in it, and the state of the parser. */
struct reader {
    const char *path; /* absolute */
    const char *text;
    size_t at, end;
    int depth;         /* of braces */
    bool line_start;   /* only blanks since the last newline */
    bool in_directive; /* inside a preprocessor line */
    struct text after; /* what to insert after the next semicolon at after_depth */
    int after_depth;
    bool kernel_next;     /* a device function is being declared */
    struct text bound;    /* the argument of its __launch_bounds__(...) */
    struct text bounded;  /* to be written after its body: the bound of its address */
    bool host_too;        /* it is a function of the host, too */
    size_t shape_end;     /* where the `>>>` of the last launch is */
    size_t arguments_end; /* where the arguments of the last launch end */
    bool explicit_types;  /* its kernel's template arguments are given */
    unsigned renamed;     /* the host's own variables called gridDim and so on, a bit each */
    int renamed_depth;    /* the depth of braces inside which they are */
    int kernel_depth; /* the depth of braces around the device function being defined; or -1 */
};

static int line_of(const struct reader *r, size_t position)
{
    int line = 1;
    for (size_t i = 0; i < position; i++)
        line += r->text[i] == '\n';
    return line;
}

static void fail(const struct reader *r, size_t position, const char *message)
{
    fprintf(stderr, "%s:%d: error: %s\n", r->path, line_of(r, position), message);
    exit(1);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool starts(const struct reader *r, size_t i, const char *what)
{
    size_t length = strlen(what);
    return i + length <= r->end && memcmp(r->text + i, what, length) == 0;
}

/** If a comment, string or character literal starts at i, the position after it, else i. */
static size_t skip_literal(const struct reader *r, size_t i)
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

/** Skips blanks and comments. */
static size_t skip_space(const struct reader *r, size_t i)
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

static size_t word_end(const struct reader *r, size_t i)
{
    while (i < r->end && is_word(r->text[i]))
        i++;
    return i;
}

static bool word_is(const struct reader *r, size_t from, size_t to, const char *word)
{
    return strlen(word) == to - from && memcmp(r->text + from, word, to - from) == 0;
}

/** Goes from an opening bracket to the position after the one that closes it. */
static size_t skip_brackets(const struct reader *r, size_t i)
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

/* ---- launches ---- */

/** Goes from the position after a closing bracket back to the one that opens it. */
static size_t skip_brackets_back(const char *s, size_t i)
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

/** Does a comment begin before `end` in its line of the output? */
static bool ends_in_comment(size_t end)
{
    for (size_t i = end; i > 1 && output.data[i - 1] != '\n'; i--)
        if (memcmp(output.data + i - 2, "//", 2) == 0)
            return true;
    return false;
}

/** The position after the last character before `i` that is no blank and no continued line's
 * end. */
static size_t blanks_back(const char *s, size_t i)
{
    while (i > 0 && (isspace((unsigned char)s[i - 1]) || (s[i - 1] == '\\' && s[i] == '\n')))
        i--;
    return i;
}

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
        while (i > 0 && isspace((unsigned char)s[i - 1]))
            i--;
        bool scope = s[before - 1] == ':';
        if (i == 0 || !(is_word(s[i - 1]) || strchr(scope ? ">" : ")]", s[i - 1])))
            return i; /* a leading "::" */
    }
}

/** Kernels whose name alone does not identify the function: templates, overloads, and those
 * with default arguments. */
static struct text called_kernels;
static struct text defined_kernels; /* all kernels so far, in the same form */

static bool listed(const struct text *names, const char *name, size_t length)
{
    struct text entry = {0};
    put(&entry, ";%.*s;", (int)length, name);
    bool found = names->length && strstr(names->data, entry.data);
    free(entry.data);
    return found;
}

static struct text host_functions; /* names of functions at file scope, in the same form */

static bool launched_by_call(const char *callee)
{
    size_t end = strcspn(callee, "<"), begin;
    while (end > 0 && isspace((unsigned char)callee[end - 1]))
        end--;
    for (begin = end; begin > 0 && is_word(callee[begin - 1]);)
        begin--;
    return listed(&called_kernels, callee + begin, end - begin) ||
           listed(&host_functions, callee + begin, end - begin);
}

/** A copy of the text in which line ends are blanks. */
static char *on_one_line(const char *text)
{
    char *copy = checked(strdup(text));
    for (char *c = copy; *c; c++)
        if (isspace((unsigned char)*c) || *c == '\\')
            *c = ' ';
    return copy;
}

static void rewrite_launch(struct reader *r)
{
    size_t open = r->at, i = open + 3;
    while (i < r->end && !starts(r, i, ">>>")) {
        size_t after = skip_literal(r, i);
        if (after != i)
            i = after;
        else if (strchr("([{", r->text[i]))
            i = skip_brackets(r, i);
        else if (r->text[i] == ';')
            break;
        else
            i++;
    }
    if (!starts(r, i, ">>>"))
        fail(r, open, "this <<< has no >>>");

    size_t start = callee_start();
    while (start < output.length && strchr(" \t\n\\", output.data[start]))
        start++;
    if (start == output.length)
        fail(r, open, "there is no kernel before this <<<");
    char *callee = checked(strdup(output.data + start)), *flat = on_one_line(callee);
    output.length = start;
    if (r->kernel_depth >= 0 && !r->host_too)
        put(&output, "::simgpu::launch_in_kernel(SIMGPU_TEXT(");
    else if (launched_by_call(callee)) /* the call selects the kernel */
        put(&output,
            "::simgpu::launch_call([=](auto... simgpu_arguments) { %s(simgpu_arguments...); }, "
            "[=](auto simgpu_kernel) -> decltype(static_cast<decltype(simgpu_kernel)>(%s)) { "
            "return %s; }, "
            "SIMGPU_TEXT(",
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

/* ---- shared memory ---- */

/** Removes `word` from the end of the output. Returns false if another word is there. */
static bool take_back(const char *word)
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
        "simgpu_type_%s &%s = *static_cast<simgpu_type_%s *>(::simgpu::shared_at("
        "&simgpu_site_%s)); ",
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
    while (*rest && *rest != ']')
        rest++;
    if (d->dimensions[0] != '[' || *rest != ']')
        fail(r, position,
             "extern __shared__ memory is declared as an array without a size: T name[]");
    rest++;
    /* All arrays of one name have one type: nvcc says so, and so does the compiler. */
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
        (int)(end - open), r->text + open, ++types);
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

/** Rewrites a declaration with __shared__. r->at is after that word, or after `extern` for
 * dynamic shared memory. */
static void rewrite_shared(struct reader *r, bool dynamic)
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

/* ---- words ---- */

static int nesting(char c)
{
    return (c == '<' || c == '(' || c == '[') - (c == '>' || c == ')' || c == ']');
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

/** Writes the linkage of a variable of the device. Each translation unit has a variable of its
 * name for itself, as with nvcc's default, unless the unit has declared it extern. */
static void put_linkage(const struct reader *r, size_t name, size_t name_end, bool is_extern)
{
    bool known = listed(&extern_variables, r->text + name, name_end - name);
    if (is_extern && !known)
        put(&extern_variables, ";%.*s;", (int)(name_end - name), r->text + name);
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
            int depth = 0;
            do
                depth += nesting(r->text[i]);
            while (++i < r->end && depth > 0 && !strchr(";{", r->text[i]));
        } else {
            i++;
        }
    }
    return found && i < r->end && strchr(type ? ";=[," : ";=[,{", r->text[i]);
}

/** Writes `unroll`, `unroll 4` or `unroll(4)`; the text is what follows the word. */
static void put_unroll(const char *from, const char *to)
{
    while (from < to && (isspace((unsigned char)*from) || *from == '('))
        from++;
    while (to > from && (isspace((unsigned char)to[-1]) || to[-1] == ')'))
        to--;
    if (from == to)
        put(&output, "SIMGPU_UNROLL");
    else
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
        while (i > 0 && isspace((unsigned char)s[i - 1]))
            i--;
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
    i = skip_brackets_back(s, i);
    while (i > 0 && isspace((unsigned char)s[i - 1]))
        i--;
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
        (int)(name_end - name), r->text + name, (int)(name_end - name), r->text + name,
        (int)first, r->bound.data);
    for (size_t i = 0; i < r->bounded.length; i++)
        if (r->bounded.data[i] == '\n')
            r->bounded.data[i] = ' ';
    if (strstr(r->bounded.data, "//"))
        r->bounded.length = 0;
}

/** After __global__: records the names of the kernel and its parameters, for messages. */
static void note_parameters(struct reader *r, size_t i)
{
    r->bound.length = 0;
    bool is_template = after_template();
    size_t name = i, name_end = i;
    while (i < r->end && !strchr(";{}", r->text[i])) {
        size_t after = skip_literal(r, i);
        if (after != i) {
            i = after;
        } else if (is_word(r->text[i])) {
            size_t end = word_end(r, i), next = skip_space(r, end);
            bool attribute =
                word_is(r, i, end, "__launch_bounds__") || word_is(r, i, end, "__attribute__");
            name = i, name_end = end;
            i = next;
            if (i < r->end && r->text[i] == '(') {
                if (!attribute)
                    break;
                size_t open = i + 1;
                i = skip_brackets(r, i);
                if (word_is(r, name, name_end, "__launch_bounds__"))
                    put(&r->bound, "%.*s", (int)(i - 1 - open), r->text + open);
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
    put(&key, "%.*s:", (int)(name_end - name), r->text + name);
    char *seen = parameters.length ? strstr(parameters.data, key.data) : NULL;
    size_t after = skip_space(r, close + 1);
    bool declared_before = seen && (seen == parameters.data || seen[-1] == ';');
    bool again = declared_before && after < r->end && r->text[after] == ';';
    free(key.data);
    bool defined = after < r->end && r->text[after] == '{';
    bool twice = defined && listed(&defined_kernels, r->text + name, name_end - name);
    if (defined)
        put(&defined_kernels, ";%.*s;", (int)(name_end - name), r->text + name);
    if (defined && r->bound.length && !is_template && !twice)
        note_bounded(r, name, name_end);
    if (is_template || has_default || twice ||
        (declared_before && !again && overloads(r, from, close, seen)))
        put(&called_kernels, ";%.*s;", (int)(name_end - name), r->text + name);
    put(&parameters, "%.*s:", (int)(name_end - name), r->text + name);
    int depth = 0;
    for (size_t at = from; at <= close; at++) {
        char c = r->text[at];
        depth += nesting(c);
        if (at < close && !(c == ',' && depth == 0))
            continue;
        size_t begin, end;
        if (last_word(r, from, at, &begin, &end))
            put(&parameters, "%.*s,", (int)(end - begin), r->text + begin);
        from = at + 1;
    }
    put(&parameters, ";");
}

/** Is `template` before i in the same declaration? Such a variable has no address yet.
 */
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
                (int)(name_end - name), r->text + name, (int)(name_end - name), r->text + name,
                (int)(name_end - name), r->text + name, (int)(name_end - name), r->text + name,
                kind);
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

/** Rewrites the asm statement that reads a special register into an assignment. r->at is after
 * the word asm. False if it is another statement. */
static bool rewrite_register(struct reader *r)
{
    static const char *const names[] = {"laneid", "warpid", "globaltimer", "clock", "clock64"};
    char text[64] = "";
    size_t i = skip_space(r, r->at), to = word_end(r, i);
    while (to > i) { /* volatile */
        i = skip_space(r, to);
        to = word_end(r, i);
    }
    if (!starts(r, i, "("))
        return false;
    size_t close = skip_brackets(r, i);
    i = skip_space(r, i + 1);
    size_t end = skip_literal(r, i);
    if (r->text[i] != '"' || end - i >= sizeof text)
        return false;
    snprintf(text, sizeof text, "%.*s", (int)(end - i), r->text + i);
    char *called = strrchr(text, '%'), *stop = called ? strstr(called, ";\"") : NULL;
    if (strncmp(text, "\"mov.", 5) != 0 || !strstr(text, " %0,") || !stop)
        return false;
    called++;
    *stop = '\0';
    i = skip_space(r, end);
    if (!starts(r, i, ":"))
        return false;
    i = skip_space(r, i + 1);
    if (!starts(r, i, "\"=r\"") && !starts(r, i, "\"=l\""))
        return false;
    i = skip_space(r, i + 4);
    if (!starts(r, i, "("))
        return false;
    size_t last = skip_brackets(r, i);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(called, names[k]) == 0) {
            put(&output, "%.*s = SIMGPU_PTX_%s", (int)(last - i), r->text + i, called);
            for (size_t c = r->at; c < close; c++)
                if (r->text[c] == '\n')
                    put(&output, "\n");
            r->at = close;
            return true;
        }
    return false;
}

/** Is this word a call of a library function that the simulator has for kernels too? */
static bool of_the_library(const struct reader *r, size_t from, size_t to)
{
    static const char *const names[] = {"memcpy", "memmove", "memset",
                                        "malloc", "free",    "clock"};
    size_t last = output.length;
    while (last > 0 && isspace((unsigned char)output.data[last - 1]))
        last--;
    bool member = last > 0 && (output.data[last - 1] == '.' ||
                               (last > 1 && memcmp(output.data + last - 2, "->", 2) == 0));
    bool found = false;
    /* In host code those that touch pinned and managed memory, which the streams order. */
    size_t count = r->kernel_depth >= 0 ? sizeof names / sizeof *names : 3;
    for (size_t i = 0; i < count; i++)
        found |= word_is(r, from, to, names[i]);
    return found && !member && starts(r, skip_space(r, to), "(");
}

/** Rewrites malloc and the like in a device function; false if the word is something else. */
static bool rewrite_library(struct reader *r, size_t from, size_t to)
{
    size_t next = skip_space(r, to);
    if (of_the_library(r, from, to)) {
        if (!take_back("std::"))
            take_back("::");
        put(&output, " ::simgpu::kernel_%.*s", (int)(to - from), r->text + from);
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

/** `dim3 gridDim(4, 1), blockDim(32);` in host code declares variables. Notes their names, and
 * where they end. r->at is after the type. */
static void note_host_names(struct reader *r, size_t i)
{
    unsigned names = 0;
    bool begins = true;
    while (i < r->end && !strchr(";)", r->text[i])) {
        size_t after = skip_literal(r, i), to = word_end(r, i);
        if (after != i) {
            i = after;
        } else if (to > i) {
            for (int k = 0; begins && k < 4; k++)
                if (word_is(r, i, to, builtin_names[k]))
                    names |= 1u << k;
            begins = word_is(r, i, to, "dim3") || word_is(r, i, to, "const");
            i = to;
        } else {
            if (r->text[i] == ',')
                begins = true;
            i = strchr("([{", r->text[i]) ? skip_brackets(r, i) : i + 1;
        }
    }
    if (!names)
        return;
    bool parameter = i < r->end && r->text[i] == ')';
    r->renamed |= names;
    r->renamed_depth = r->depth + parameter;
}

/** Is this word one of threadIdx ... gridDim, but not the kernel's: a variable of the host, or
 * a member of a structure? */
static bool own_builtin(const struct reader *r, size_t from, size_t to)
{
    for (int k = 0; k < 4; k++)
        if (word_is(r, from, to, builtin_names[k])) {
            bool member = from > 0 &&
                          (r->text[from - 1] == '.' || (from > 1 && starts(r, from - 2, "->")));
            return member || (r->kernel_depth < 0 && r->renamed >> k & 1);
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
    put(&entry, ";%.*s:", (int)(to - from), r->text + from);
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
    for (last--; last > 0 && isspace((unsigned char)s[last - 1]);)
        last--;
    size_t next = skip_space(r, to);
    if (last < 4 || memcmp(s + last - 4, "void", 4) != 0 || starts(r, next, "("))
        return false;
    if (starts(r, next, "<") && !starts(r, next, "<<<")) { /* template arguments */
        int depth = 0;
        do {
            if (strchr("(;{", r->text[next]))
                return false;
            depth += nesting(r->text[next]);
        } while (++next < r->end && depth > 0);
        to = next;
    }
    bool address = take_back("&");
    put(&output, "::simgpu::known_kernel(%s%.*s, SIMGPU_TEXT(%.*s))", address ? "&" : "",
        (int)(to - from), r->text + from, (int)(to - from), r->text + from);
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

static void rewrite_word(struct reader *r)
{
    size_t from = r->at, to = word_end(r, from);
    r->at = to;
    if (word_is(r, from, to, "__host__") && r->kernel_depth < 0)
        r->host_too = true;
    if (r->depth == 0 && !r->kernel_next && !r->in_directive &&
        starts(r, skip_space(r, to), "(") &&
        !listed(&host_functions, r->text + from, to - from))
        put(&host_functions, ";%.*s;", (int)(to - from), r->text + from);
    if (word_is(r, from, to, "dim3") && r->kernel_depth < 0 && !r->kernel_next)
        note_host_names(r, to);
    if (rewrite_kernel_address(r, from, to))
        return;
    if (own_builtin(r, from, to)) {
        put(&output, "simgpu_own_%.*s", (int)(to - from), r->text + from);
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
                (int)(to - from), r->text + from);
            r->kernel_next = true;
        }
    } else if ((r->kernel_depth >= 0 || (r->depth > 0 && of_the_library(r, from, to))) &&
               !r->in_directive && rewrite_library(r, from, to)) {
        return;
    } else if (word_is(r, from, to, "__builtin_memcpy") ||
               word_is(r, from, to, "__builtin_memmove") ||
               word_is(r, from, to, "__builtin_memset")) {
        size_t name = from + strlen("__builtin_");
        put(&output, " ::simgpu::kernel_%.*s", (int)(to - name), r->text + name);
    } else if (word_is(r, from, to, "_Pragma") && rewrite_pragma_operator(r)) {
        return;
    } else if (word_is(r, from, to, "asm") || word_is(r, from, to, "__asm__") ||
               word_is(r, from, to, "__asm")) {
        if (rewrite_register(r))
            return;
        put(&output, empty_asm(r, to) ? "__asm__" : "SIMGPU_ASM");
    } else {
        append(&output, r->text + from, to - from);
    }
}

/* ---- preprocessor lines ---- */

static void rewrite_file(const char *path);
static char *read_file(const char *path, size_t *length);

static bool has_suffix(const char *path, const char *suffix)
{
    size_t a = strlen(path), b = strlen(suffix);
    return a >= b && strcmp(path + a - b, suffix) == 0;
}

static bool readable(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file)
        fclose(file);
    return file != NULL;
}

/** Does a header with another suffix contain something that must be rewritten? */
static bool speaks_cuda(const char *path)
{
    static const char *const words[] = {"<<<", "__shared__", "__device__", "__global__",
                                        "__managed__"};
    size_t length;
    const char *own = getenv("SIMGPU_OWN_HEADERS"); /* of an installed sim */
    if (strstr(path, own ? own : SIMGPU_INCLUDE "/"))
        return false;
    char *text = read_file(path, &length);
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        found |= strstr(text, words[i]) != NULL;
    free(text);
    return found;
}

/** #include: a CUDA header becomes part of the text; the project's C headers get a full path.
 */
static bool rewrite_include(struct reader *r, size_t name, size_t line_end)
{
    char close = r->text[name] == '<' ? '>' : '"';
    if (r->text[name] != '<' && r->text[name] != '"')
        return false;
    size_t stop = name + 1;
    while (stop < line_end && r->text[stop] != close)
        stop++;
    char candidate[PATH_MAX], real[PATH_MAX] = "";
    int length = (int)(stop - name - 1);
    if (close == '"') {
        const char *slash = strrchr(r->path, '/');
        snprintf(candidate, sizeof candidate, "%.*s/%.*s", (int)(slash - r->path), r->path,
                 length, r->text + name + 1);
        if (!readable(candidate) || !realpath(candidate, real))
            real[0] = '\0';
    }
    bool beside = real[0] != '\0';
    bool cuda = false;
    for (int p = -1; p < include_path_count && !cuda; p++) {
        if (p >= 0) {
            if (beside)
                break;
            snprintf(candidate, sizeof candidate, "%s/%.*s", include_paths[p], length,
                     r->text + name + 1);
            if (!readable(candidate) || !realpath(candidate, real))
                continue;
        } else if (!beside) {
            continue;
        }
        cuda = has_suffix(real, ".cuh") || has_suffix(real, ".cu") || speaks_cuda(real);
        break;
    }
    if (cuda) {
        int line = line_of(r, name);
        append(&output, "\n", 1);
        rewrite_file(real);
        put(&output, "\n#line %d \"%s\"", line + 1, r->path);
        return true;
    }
    if (beside) {
        put(&output, "#include \"%s\"", real);
        return true;
    }
    return false;
}

/** Rewrites a line that begins with `#`. Leaves r->at after the part that is done. */
static void rewrite_directive(struct reader *r)
{
    size_t word = r->at + 1;
    while (word < r->end && (r->text[word] == ' ' || r->text[word] == '\t'))
        word++;
    size_t to = word_end(r, word), line_end = to;
    while (line_end < r->end && r->text[line_end] != '\n')
        line_end++;
    size_t rest = to;
    while (rest < line_end && (r->text[rest] == ' ' || r->text[rest] == '\t'))
        rest++;

    r->in_directive = true;
    if (word_is(r, word, to, "include")) {
        if (!rewrite_include(r, rest, line_end))
            append(&output, r->text + r->at, line_end - r->at);
        r->at = line_end;
    } else if (word_is(r, word, to, "error") || word_is(r, word, to, "warning")) {
        append(&output, r->text + r->at, line_end - r->at);
        r->at = line_end;
    } else if (word_is(r, word, to, "pragma")) {
        size_t pragma_end = word_end(r, rest);
        if (word_is(r, rest, pragma_end, "unroll")) {
            size_t end = pragma_end;
            while (end < line_end && !starts(r, end, "//") && !starts(r, end, "/*"))
                end++;
            put_unroll(r->text + pragma_end, r->text + end);
        } else if (!word_is(r, rest, pragma_end, "once")) {
            append(&output, r->text + r->at, line_end - r->at);
        }
        r->at = line_end;
    } else {
        append(&output, "#", 1);
        r->at++;
    }
}

/* ---- files ---- */

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

static char *read_file(const char *path, size_t *length)
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

/** Writes a path as make reads it, in which a blank would end the name. */
static void put_dependency(const char *path)
{
    for (; *path; path++) {
        if (strchr(" \\#", *path))
            append(&dependencies, "\\", 1);
        else if (*path == '$')
            append(&dependencies, "$", 1);
        append(&dependencies, path, 1);
    }
}

/** Updates the state of the parser at a brace or a semicolon. */
static void count_brace(struct reader *r, char c)
{
    if (c == '{' && r->kernel_next && r->kernel_depth < 0)
        r->kernel_depth = r->depth;
    if (c == '{' || c == ';')
        r->kernel_next = false;
    r->depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (r->depth < r->renamed_depth && (c == '}' || c == ';'))
        r->renamed = 0;
    if (c == '}' && r->depth <= r->kernel_depth)
        r->kernel_depth = -1;
    if (strchr(";}", c) && r->kernel_depth < 0)
        r->host_too = false;
}

/** At the beginning of a kernel with __launch_bounds__: a block may not be larger. */
static void put_bound(struct reader *r)
{
    for (size_t i = 0; i < r->bound.length; i++)
        if (r->bound.data[i] == '\n') /* line numbers stay */
            r->bound.data[i] = ' ';
    if (!strstr(r->bound.data, "//"))
        put(&output, " SIMGPU_LAUNCH_BOUND(%s)", r->bound.data);
    r->bound.length = 0;
}

/** Is this << or >> a shift in a device function, by something other than a small number? The
 * right side of `a >> b` needs blanks around the sign, so that `vector<vector<int>>` is none.
 */
static bool is_shift(const struct reader *r)
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

/** Is this number the literal 0, alone as an argument of a launch? It may be a null pointer,
 * which it would no longer be once it is passed on as an integer. */
static bool null_argument(const struct reader *r, size_t from, size_t to)
{
    if (from >= r->arguments_end || from < r->shape_end || !r->explicit_types ||
        !word_is(r, from, to, "0"))
        return false;
    size_t next = skip_space(r, to), before = blanks_back(r->text, from);
    return before > 0 && strchr("(,", r->text[before - 1]) && next < r->end &&
           strchr("),", r->text[next]);
}

static void rewrite_file(const char *path)
{
    /* A header that includes itself relies on its guard: here it is empty. */
    for (int i = 0; i < open_file_count; i++)
        if (strcmp(open_files[i], path) == 0)
            return;
    if (open_file_count == MAX_PATHS) {
        fprintf(stderr, "simgpu rewrite: includes are nested too deeply at %s\n", path);
        exit(1);
    }
    struct reader r = {.path = checked(strdup(path)), .line_start = true, .kernel_depth = -1};
    char *text = read_file(path, &r.end);
    r.text = text;
    open_files[open_file_count++] = r.path;
    find_host_calls(r.path, text, r.end);
    append(&dependencies, " \\\n  ", 5);
    put_dependency(r.path);

    /* `#pragma once` does not work in included text: replace it by a guard. */
    bool once = strstr(text, "#pragma once") != NULL && open_file_count > 1;
    if (once) {
        unsigned long hash = 5381;
        for (const char *c = r.path; *c; c++)
            hash = hash * 33 + (unsigned char)*c;
        put(&output, "#ifndef SIMGPU_ONCE_%lx\n#define SIMGPU_ONCE_%lx\n", hash, hash);
    }
    put(&output, "#line 1 \"%s\"\n", r.path);

    while (r.at < r.end) {
        char c = r.text[r.at];
        size_t after = skip_literal(&r, r.at);
        if (after != r.at) {
            append(&output, r.text + r.at, after - r.at);
            r.at = after;
            r.line_start = false;
        } else if (c == '#' && r.line_start) {
            r.line_start = false;
            rewrite_directive(&r);
        } else if (r.at == r.shape_end && starts(&r, r.at, ">>>")) {
            append(&output, ")", 1);
            r.at += 3;
        } else if (starts(&r, r.at, "<<<")) {
            rewrite_launch(&r);
        } else if (is_shift(&r)) {
            put(&output, "%c%c ::simgpu::shift() %c%c", c, c, c, c);
            r.at += 2;
            r.line_start = false;
        } else if (is_word(c) && !isdigit((unsigned char)c)) {
            r.line_start = false;
            rewrite_word(&r);
        } else if (isdigit((unsigned char)c)) { /* a number, with its letters: 1e5f */
            size_t to = word_end(&r, r.at);
            if (null_argument(&r, r.at, to))
                put(&output, "::simgpu::zero()");
            else
                append(&output, r.text + r.at, to - r.at);
            r.at = to;
            r.line_start = false;
        } else {
            if (c == '\n') {
                r.line_start = true;
                if (!(r.at > 0 && r.text[r.at - 1] == '\\'))
                    r.in_directive = false;
            } else if (!isspace((unsigned char)c)) {
                r.line_start = false;
            }
            if (!r.in_directive)
                count_brace(&r, c);
            append(&output, &c, 1);
            r.at++;
            if (c == '{' && r.bound.length && !r.in_directive)
                put_bound(&r);
            if (c == '}' && r.bounded.length && r.kernel_depth < 0 && !r.in_directive) {
                append(&output, r.bounded.data, r.bounded.length);
                r.bounded.length = 0;
            }
            if (c == ';' && r.after.length && r.depth == r.after_depth) {
                append(&output, r.after.data, r.after.length);
                r.after.length = 0;
            }
        }
    }
    if (once)
        put(&output, "\n#endif\n");
    open_file_count--;
    free(text);
    /* r.path is kept: dependencies and messages name it. */
}

static void write_file(const char *path, const struct text *t)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(t->data, 1, t->length, file) != t->length || fclose(file) != 0) {
        fprintf(stderr, "simgpu rewrite: cannot write %s\n", path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    const char *input = NULL, *target = NULL, *depfile = NULL;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-I", 2) == 0) {
            const char *directory = argv[i][2] ? argv[i] + 2 : i + 1 < argc ? argv[++i] : "";
            if (*directory && include_path_count < MAX_PATHS)
                include_paths[include_path_count++] = directory;
        } else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) {
            target = argv[++i];
        } else if (strcmp(argv[i], "-d") == 0 && i + 1 < argc) {
            depfile = argv[++i];
        } else if (argv[i][0] != '-' && !input) {
            input = argv[i];
        } else {
            input = target = NULL;
            break;
        }
    }
    if (!input || !target) {
        fprintf(stderr, "usage: rewrite [-I DIR]... [-d DEPFILE] -o OUTPUT INPUT.cu\n");
        return 2;
    }
    char path[PATH_MAX];
    if (!realpath(input, path)) {
        fprintf(stderr, "simgpu rewrite: cannot read %s\n", input);
        return 1;
    }
    put_dependency(target);
    append(&dependencies, ":", 1);
    rewrite_file(path);
    if (tell_host_calls())
        return 1;
    if (parameters.length)
        put(&output,
            "\nstatic const int simgpu_parameters_named __attribute__((unused)) = "
            "::simgpu_name_parameters(\"%s\");\n",
            parameters.data);
    write_file(target, &output);
    put(&dependencies, "\n");
    if (depfile)
        write_file(depfile, &dependencies);
    free(output.data);
    free(dependencies.data);
    free(parameters.data);
    return 0;
}
