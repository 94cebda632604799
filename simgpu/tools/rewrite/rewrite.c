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
#include "rewrite.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PATHS = 256 };

struct text output, parameters;
static struct text dependencies;
static const char *include_paths[MAX_PATHS];
static int include_path_count;
static const char *open_files[MAX_PATHS]; /* the files being read, each included by the last */
static int open_file_count;

void put_line(int line, const char *path)
{
    put(&output, "#line %d \"", line);
    for (; *path; path++)
        put(&output, *path == '"' || *path == '\\' ? "\\%c" : "%c", *path);
    put(&output, "\"");
}

/* ---- preprocessor lines ---- */

static void rewrite_file(const char *path);

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

static bool is_cuda(const char *path, bool with_included, struct text *seen);

/** Does a header include another one, by its name in quotes, that must be rewritten? */
static bool includes_cuda(const char *path, const char *text, struct text *seen)
{
    char candidate[PATH_MAX];
    for (const char *c = text; (c = strstr(c, "#include"));) {
        c += strlen("#include");
        c += strspn(c, " \t");
        if (*c++ != '"')
            continue;
        snprintf(candidate, sizeof candidate, "%.*s/%.*s", (int)(strrchr(path, '/') - path),
                 path, (int)strcspn(c, "\"\n"), c);
        if (!readable(candidate) || listed(seen, candidate, strlen(candidate)))
            continue;
        put(seen, ";%s;", candidate);
        if (is_cuda(candidate, true, seen))
            return true;
    }
    return false;
}

/** Does a header contain something that must be rewritten? */
static bool is_cuda(const char *path, bool with_included, struct text *seen)
{
    if (has_suffix(path, ".cuh") || has_suffix(path, ".cu"))
        return true;
    static const char *const words[] = {"<<<",        "__shared__",  "__device__",
                                        "__global__", "__managed__", "threadIdx",
                                        "blockIdx",   "blockDim",    "gridDim"};
    size_t length;
    const char *own = getenv("SIMGPU_OWN_HEADERS"); /* of an installed sim */
    if (strstr(path, own ? own : SIMGPU_INCLUDE "/"))
        return false;
    char *text = read_file(path, &length);
    /* Thrust's algorithms run on the host, and its headers include each other. */
    size_t count = strstr(path, "/thrust/") ? 1 : sizeof words / sizeof *words;
    bool found = false;
    for (size_t i = 0; i < count; i++)
        found |= strstr(text, words[i]) != NULL;
    found = found || (with_included && includes_cuda(path, text, seen));
    free(text);
    return found;
}

/** #include: a CUDA header becomes part of the text; the project's C headers get their path. */
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
    bool cub = strncmp(r->text + name + 1, "cub/block/", 10) == 0 || /* an installed library */
               strncmp(r->text + name + 1, "cub/warp/", 9) == 0;
    for (int p = -1; p < include_path_count + cub && !cuda; p++) {
        if (p >= 0) {
            if (beside)
                break;
            snprintf(candidate, sizeof candidate, "%s/%.*s",
                     p < include_path_count ? include_paths[p] : "/usr/include", length,
                     r->text + name + 1);
            if (!readable(candidate) || !realpath(candidate, real))
                continue;
        } else if (!beside) {
            continue;
        }
        struct text seen = {0};
        append(&seen, "", 0);
        cuda = is_cuda(real, beside, &seen);
        free(seen.data);
        break;
    }
    if (cuda) {
        int line = line_of(r, name);
        append(&output, "\n", 1);
        rewrite_file(real);
        put(&output, "\n");
        put_line(line + 1, r->path);
        return true;
    }
    if (beside) {
        put(&output, "#include \"%s\"", real);
        return true;
    }
    return false;
}

/** Remembers a macro that contains __cluster_dims__: a kernel may be declared with it. */
static void note_cluster_macro(const struct reader *r, size_t name, size_t line_end)
{
    static const char dims[] = "__cluster_dims__";
    size_t to = word_end(r, name);
    for (size_t i = to; i + sizeof dims <= line_end; i++)
        if (starts(r, i, dims) && !listed(&cluster_macros, r->text + name, to - name))
            put(&cluster_macros, ";%.*s;", PART(r, name, to));
}

/** At #else the braces are those of the #if. */
static void note_condition(struct reader *r, size_t from, size_t to)
{
    if (starts(r, from, "if") && r->conditions < MOST_CONDITIONS) {
        r->before[r->conditions].depth = r->depth;
        r->before[r->conditions].kernel_depth = r->kernel_depth;
        r->before[r->conditions++].kernel_next = r->kernel_next;
    } else if (starts(r, from, "el") && r->conditions > 0) {
        r->depth = r->before[r->conditions - 1].depth;
        r->kernel_depth = r->before[r->conditions - 1].kernel_depth;
        r->kernel_next = r->before[r->conditions - 1].kernel_next;
    } else if (word_is(r, from, to, "endif") && r->conditions > 0) {
        r->conditions--;
    }
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
    note_condition(r, word, to);
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
        if (word_is(r, word, to, "define"))
            note_cluster_macro(r, rest, line_end);
        append(&output, "#", 1);
        r->at++;
    }
}

/* ---- files ---- */

/** Writes a path for make, with a backslash before each blank, which would end the name. */
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
    for (int k = 0; k < 4; k++)
        if (r->depth + 1 < r->renamed[k] && (c == '}' || c == ';'))
            r->renamed[k] = 0;
    if (c == '}' && r->depth <= r->kernel_depth)
        r->kernel_depth = -1;
    if (strchr(";}", c) && r->kernel_depth < 0)
        r->host_too = false;
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
    put_line(1, r.path);
    put(&output, "\n");

    while (r.at < r.end) {
        char c = r.text[r.at];
        size_t after = skip_literal(&r, r.at);
        if (after != r.at && c == '"' && put_constraint(&r, r.at, after)) { /* in a macro */
            r.at = after;
        } else if (after != r.at) {
            if (c == '/' && blanks_back(output.data, output.length) != r.comments_end)
                r.comments = output.length;
            append(&output, r.text + r.at, after - r.at);
            if (c == '/')
                r.comments_end = output.length;
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
            if (c == '{' && (r.bound.length || r.cluster.length) && !r.in_directive)
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
