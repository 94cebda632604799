/* SPDX-License-Identifier: MIT */
/** @file export.c
 * ./ladder lab export: makes a folder for the students of a course. It holds the exercises
 * without their answers, the sources that check, and the chapters, whose listings leave out
 * what an exercise asks for.
 *
 * Answers are recognised by their tokens: a file that has the same ones in the same order as a
 * solution gives it away. In a listing of a chapter the names may differ.
 */
#include <dirent.h>
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab.h"
#include "process.h"
#include "compile.h"

enum { MOST_FILES = 3000, MOST_TOKENS = 100000, GIVEN_AWAY_PERCENT = 50 };

/* What students get besides exercises and chapters; a folder includes all its files. */
static const char *const always[] = {"LICENSE",
                                     "CMakeLists.txt",
                                     "ladder",
                                     "cmake",
                                     "common",
                                     "simgpu/simgpu.cmake",
                                     "simgpu/simgpu.h",
                                     "simgpu/include",
                                     "simgpu/src",
                                     "simgpu/tools",
                                     "tools/scripts/build",
                                     "tools/scripts/install",
                                     "tools/lab",
                                     "exercises/CMakeLists.txt"};
static const char *const pages[] = {"docs/cuda-primer.md",    "docs/glossary.md",
                                    "docs/row-major.md",      "docs/floating-point.md",
                                    "docs/measuring-time.md", "docs/count-tables.md"};

/* All runs of `length` consecutive tokens of a text, as sorted numbers. */
struct windows {
    int length;
    bool names; /* names count; otherwise all names are alike, and all numbers */
    uint64_t *all;
    int count;
};

/* An exercise that is handed out, and the tokens that only its solution has. */
struct asked {
    const char *name;
    struct windows exact, shape;
    bool given_away;
};

struct handout {
    const struct lab *lab;
    const char *out;
    const char *files[MOST_FILES]; /* paths from the root */
    int count;
    struct asked asked[MAX_EXERCISES];
    int exercises;
};

/* ---- tokens ---- */

struct tokens {
    uint64_t kind[MOST_TOKENS];
    int line[MOST_TOKENS]; /* from 0 */
    int count;
};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void add_token(struct tokens *t, const char *at, size_t length, int line, bool names)
{
    static const char keywords[] = "if else for while do return break continue sizeof";
    const char *word = text("%.*s", (int)length, at);
    bool kept = names || has_word(keywords, word) || strncmp(word, "__", 2) == 0;
    uint64_t kind = !is_word(*at) || kept         ? (unsigned char)*at
                    : isdigit((unsigned char)*at) ? '0'
                                                  : 'a';
    for (size_t i = 1; i < length && kept; i++)
        kind = kind * 31 + (unsigned char)at[i] + 256;
    if (t->count == MOST_TOKENS)
        return;
    t->kind[t->count] = kind;
    t->line[t->count++] = line;
}

/* C's tokens, without comments. */
static const struct tokens *tokens_of(const char *code, bool names)
{
    static struct tokens t;
    int line = 0;
    t.count = 0;
    for (const char *c = code; *c;) {
        size_t length = 1;
        if (c[0] == '/' && c[1] == '*') {
            const char *end = strstr(c + 2, "*/");
            for (; *c && c != end; c++)
                line += *c == '\n';
            c += *c ? 2 : 0;
            continue;
        }
        if (c[0] == '/' && c[1] == '/') {
            c += strcspn(c, "\n");
            continue;
        }
        while (is_word(*c) && is_word(c[length]))
            length++;
        if (!isspace((unsigned char)*c))
            add_token(&t, c, length, line, names);
        line += *c == '\n';
        c += length;
    }
    return &t;
}

static uint64_t window_at(const struct tokens *t, int at, int length)
{
    uint64_t hash = 14695981039346656037u;
    for (int i = at; i < at + length; i++)
        hash = (hash ^ t->kind[i]) * 1099511628211u;
    return hash;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool has_window(const struct windows *w, uint64_t window)
{
    return bsearch(&window, w->all, (size_t)w->count, sizeof window, by_value) != NULL;
}

static struct windows windows_of(const char *code, int length, bool names)
{
    const struct tokens *t = tokens_of(code, names);
    struct windows w = {length, names, (void *)buffer((size_t)(t->count + 1) * sizeof *w.all),
                        0};
    for (int i = 0; i + length <= t->count; i++)
        w.all[w.count++] = window_at(t, i, length);
    qsort(w.all, (size_t)w.count, sizeof *w.all, by_value);
    return w;
}

/* Removes the windows that a text has, too. */
static void forget(struct windows *w, const char *code)
{
    struct windows there = windows_of(code, w->length, w->names);
    int left = 0;
    for (int i = 0; i < w->count; i++)
        if (!has_window(&there, w->all[i]))
            w->all[left++] = w->all[i];
    w->count = left;
}

static struct asked ask_for(const struct lab *lab, const char *exercise)
{
    const char *solution = exercise_solution(lab, exercise),
               *stub = exercise_stub(lab, exercise);
    struct asked a = {.name = exercise,
                      .exact = windows_of(solution, 8, true),
                      .shape = windows_of(solution, 20, false)};
    forget(&a.exact, stub);
    forget(&a.shape, stub);
    return a;
}

/* Whether a source contains most of an exercise's answer. */
static bool gives_away(const char *code, const struct asked *a)
{
    struct windows there = windows_of(code, a->exact.length, a->exact.names);
    int found = 0;
    for (int i = 0; i < a->exact.count; i++)
        found += has_window(&there, a->exact.all[i]);
    return a->exact.count && 100 * found >= GIVEN_AWAY_PERCENT * a->exact.count;
}

/* ---- files ---- */

static const char *rooted(const struct handout *h, const char *file)
{
    return text("%s/%s", h->lab->root, file);
}

static bool is_listed(const struct handout *h, const char *file)
{
    for (int i = 0; i < h->count; i++)
        if (strcmp(h->files[i], file) == 0)
            return true;
    return false;
}

/* Adds a file, or a folder with all that is in it. */
static void list_files(struct handout *h, const char *file)
{
    struct stat info;
    if (is_listed(h, file) || stat(rooted(h, file), &info) != 0)
        return;
    if (S_ISREG(info.st_mode) && h->count < MOST_FILES)
        h->files[h->count++] = text("%s", file);
    DIR *folder = S_ISDIR(info.st_mode) ? opendir(rooted(h, file)) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (*entry->d_name != '.')
            list_files(h, text("%s/%s", file, entry->d_name));
    if (folder)
        closedir(folder);
}

/* Adds what a source includes by its path from the root, and what that includes. */
static void list_includes(struct handout *h, const char *code)
{
    static const char directive[] = "#include \"";
    while (code && (code = strstr(code, directive))) {
        code += strlen(directive);
        const char *file = text("%.*s", (int)strcspn(code, "\"\n"), code);
        if (is_listed(h, file) || !exists(rooted(h, file)))
            continue;
        list_files(h, file);
        list_includes(h, read_file(rooted(h, file), NULL));
    }
}

static bool ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length >= end && strcmp(name + length - end, suffix) == 0;
}

static void put(const struct handout *h, const char *file, const char *content)
{
    const char *path = text("%s/%s", h->out, file), *slash = strrchr(path, '/');
    struct stat info;
    make_folders(text("%.*s", (int)(slash - path), path));
    write_file(path, content);
    if (stat(rooted(h, file), &info) == 0)
        chmod(path, info.st_mode & 0777);
}

/* ---- pages ---- */

/* A path relative to a page, without ./ and ../ in it. */
static const char *resolved(const char *page, const char *target)
{
    char *path = text("%s", page), *slash = strrchr(path, '/');
    path[slash ? slash - path : 0] = '\0';
    while (strncmp(target, "../", 3) == 0 || strncmp(target, "./", 2) == 0) {
        if (target[1] == '.') {
            slash = strrchr(path, '/');
            path[slash ? slash - path : 0] = '\0';
        }
        target += target[1] == '.' ? 3 : 2;
    }
    return text("%s%s%.*s", path, *path ? "/" : "", (int)strcspn(target, "#"), target);
}

/* A line of a page, in which links to pages that are not handed out become plain text. Its
 * pictures are handed out. */
static char *relinked(const struct handout *h, const char *page, const char *line)
{
    char *result = buffer(2 * strlen(line) + 1), *to = result;
    const char *opened = NULL; /* the last [ in the result */
    for (const char *c = line; *c; c++) {
        if (*c == '[')
            opened = to;
        if (!opened || strncmp(c, "](", 2) != 0) {
            *to++ = *c;
            continue;
        }
        const char *target = c + 2, *end = strchr(target, ')');
        const char *file = end ? resolved(page, text("%.*s", (int)(end - target), target)) : "";
        bool known = !end || *target == '#' || strstr(target, "://") || is_listed(h, file);
        if (!known && ends_in(file, ".svg") && exists(rooted(h, file))) {
            put(h, file, read_file(rooted(h, file), NULL));
            known = true;
        }
        if (known) {
            *to++ = *c;
        } else {
            size_t length = (size_t)(to - opened) - 1;
            memmove((char *)opened, opened + 1, length);
            to = (char *)opened + length;
            c = end;
        }
        opened = NULL;
    }
    *to = '\0';
    return result;
}

/* Marks each line of a listing that is part of an answer with the exercise's name, or NULL. */
static void mark_lines(const struct handout *h, const char *listing, const char **marks)
{
    const struct tokens *t = tokens_of(listing, false);
    for (int e = 0; e < h->exercises; e++) {
        const struct windows *shape = &h->asked[e].shape;
        for (int i = 0; i + shape->length <= t->count; i++)
            if (has_window(shape, window_at(t, i, shape->length)))
                for (int line = t->line[i]; line <= t->line[i + shape->length - 1]; line++)
                    marks[line] = h->asked[e].name;
    }
}

/* A page without the answers. */
static const char *page_for_students(const struct handout *h, const char *page, char *rest)
{
    struct stream made;
    if (!rest)
        die(RESOURCE, "%s cannot be read", page);
    stream_begin(&made);
    for (char *line; (line = next_line(&rest));) {
        fprintf(made.out, "%s\n", relinked(h, page, line));
        if (strncmp(line, "```", 3) != 0)
            continue;
        const char *end = rest ? strstr(rest, "```") : NULL;
        char *listing = end ? text("%.*s", (int)(end - rest), rest) : text("%s", "");
        size_t lines = 1;
        for (char *c = listing; *c; c++)
            lines += *c == '\n';
        const char **marks = (void *)buffer(lines * sizeof *marks), *last = NULL;
        memset(marks, 0, lines * sizeof *marks);
        mark_lines(h, listing, marks);
        int at = 0;
        for (; end && rest < end && (line = next_line(&rest)); at++) {
            if (!marks[at])
                fprintf(made.out, "%s\n", line);
            else if (!last)
                fprintf(made.out, "/* ... left out: exercise %s asks for it */\n", marks[at]);
            last = marks[at];
        }
        if (end && (line = next_line(&rest)))
            fprintf(made.out, "%s\n", line);
    }
    return stream_end(&made);
}

/* The goals and the first two hints: the third one nearly is the answer, and answers follow it.
 */
static const char *check_for_students(const char *check)
{
    const char *third = strstr(check, "\n### 3");
    return third ? text("%.*s", (int)(third - check), check) : "";
}

/* A source of a step that exercises include, without the regions that a chapter shows and that
 * are an exercise's answer. */
static const char *source_for_students(const struct handout *h, const char *file)
{
    static const char mark[] = "/// [";
    char *code = read_file(rooted(h, file), NULL), *begin = code;
    if (!code || strncmp(file, "steps/", 6) != 0)
        return code;
    while ((begin = strstr(begin, mark))) {
        const char *line = text("%.*s", (int)strcspn(begin, "\n"), begin);
        char *end = strstr(begin + 1, line);
        if (!end)
            break;
        end += strlen(line);
        const char *region = text("%.*s", (int)(end - begin), begin);
        bool secret = false;
        for (int e = 0; e < h->exercises; e++)
            secret = secret || gives_away(region, &h->asked[e]);
        if (secret)
            memmove(begin, end, strlen(end) + 1);
        else
            begin = end;
    }
    return code;
}

/* ---- the command ---- */

/* Lists all that students get except the exercises' own files. */
static void list_all(struct handout *h)
{
    h->count = 0;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        list_files(h, always[i]);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        list_files(h, pages[i]);
    for (int e = 0; e < h->exercises; e++) {
        const char *readme = exercise_file(h->lab, h->asked[e].name, "README.md");
        const char *link = read_file(readme, NULL);
        list_includes(h, exercise_solution(h->lab, h->asked[e].name));
        while (link && (link = strstr(link, "(../../steps/"))) /* its chapter */
            link += strlen("(../../"),
                list_files(h, text("%.*s", (int)strcspn(link, "#)"), link));
    }
}

/* Loops that every student's sources contain need not be hidden in a chapter. */
static void forget_what_is_known(struct handout *h)
{
    for (int i = 0; i < h->count; i++)
        if (strncmp(h->files[i], "common/", 7) == 0)
            for (int e = 0; e < h->exercises; e++)
                forget(&h->asked[e].shape, read_file(rooted(h, h->files[i]), NULL));
}

/* If an exercise's helpers hold the answer of another exercise, leaves that exercise out. */
static void leave_out_what_is_given_away(struct handout *h)
{
    for (int e = 0; e < h->exercises; e++)
        for (int i = 0; i < h->count && !h->asked[e].given_away; i++) {
            const char *code =
                ends_in(h->files[i], ".md") ? NULL : source_for_students(h, h->files[i]);
            if (!code || !gives_away(code, &h->asked[e]))
                continue;
            h->asked[e].given_away = true;
            fprintf(stderr,
                    "lab: %s is left out: %s, which an exercise here includes, holds its "
                    "answer\n",
                    h->asked[e].name, h->files[i]);
        }
    int left = 0;
    for (int e = 0; e < h->exercises; e++)
        if (!h->asked[e].given_away)
            h->asked[left++] = h->asked[e];
    h->exercises = left;
}

static void export_exercise(const struct handout *h, const char *exercise)
{
    const char *folder = text("exercises/%s", exercise);
    put(h, text("%s/README.md", folder),
        page_for_students(h, text("%s/README.md", folder),
                          exercise_text(h->lab, exercise, "README.md")));
    put(h, text("%s/source.%s", folder, exercise_suffix(h->lab, exercise)),
        exercise_handout(h->lab, exercise));
    put(h, text("%s/check.md", folder),
        check_for_students(exercise_text(h->lab, exercise, "check.md")));
}

static const char first_page[] =
    "# Exercises: %s\n\n"
    "Begin with `./ladder lab list`, then `./ladder lab start EX`. It says what to read and "
    "what to edit.\n"
    "`./ladder lab check` compiles your answer and tries it; `./ladder lab hint` helps.\n"
    "On a bare Debian or Ubuntu the first command asks before it installs a compiler, CMake "
    "and Ninja.\n\n"
    "Hand in the folder `lab/`.\n";

static void write_all(struct handout *h)
{
    const char *names = "";
    for (int i = 0; i < h->count; i++) {
        const char *content = source_for_students(h, h->files[i]);
        if (!content)
            die(RESOURCE, "%s cannot be read", h->files[i]);
        if (strncmp(h->files[i], "exercises/", 10) != 0 || !ends_in(h->files[i], "README.md"))
            put(h, h->files[i],
                ends_in(h->files[i], ".md")
                    ? page_for_students(h, h->files[i], text("%s", content))
                    : content);
    }
    for (int e = 0; e < h->exercises; e++) {
        export_exercise(h, h->asked[e].name);
        names = text("%s%s%s", names, e ? ", " : "", h->asked[e].name);
    }
    put(h, "README.md", text(first_page, names));
    chmod(text("%s/README.md", h->out), 0644);
    put(h, "exercises/class", text("%s\n", h->lab->class_seed ? h->lab->class_seed : ""));
    static const char *const files[][2] = {{"gradescope", "setup.sh"},
                                           {"gradescope", "run_autograder"},
                                           {"classroom50", "autograder.py"}};
    for (int i = 0; i < 3; i++)
        if (h->lab->grader && strcmp(h->lab->grader, files[i][0]) == 0) {
            const char *file = text("docs/classroom/%s", files[i][1]);
            put(h, files[i][1], read_file(rooted(h, file), NULL));
            chmod(text("%s/%s", h->out, files[i][1]), 0755);
        }
}

/* Makes an archive of the folder, by tar or zip. */
static void pack(const char *folder, const char *archive, bool zip)
{
    char *by_tar[] = {"tar", "-C", text("%s", folder), "-czf", text("%s", archive), ".", NULL};
    char *by_zip[] = {"zip", "-qr", text("%s", archive), ".", NULL};
    struct ended ended = process_run(
        zip ? by_zip : by_tar, &(struct limits){.folder = zip ? folder : NULL, .seconds = 120});
    if (ended.status != 0)
        die(RESOURCE, "%s was not made by %s: %s", archive, zip ? "zip" : "tar", ended.err);
}

void command_export(struct lab *lab, int count, char **words)
{
    struct handout *h = (void *)buffer(sizeof *h);
    *h = (struct handout){.lab = lab};
    const char *out = count ? words[0] : NULL;
    for (int i = 1; i < count; i++)
        h->asked[h->exercises++].name = find_exercise(lab, words[i]);
    if (!out)
        die(USAGE, "export wants a folder, or an archive that ends in .tar.gz or .zip");
    if (lab->grader && strcmp(lab->grader, "gradescope") != 0 &&
        strcmp(lab->grader, "classroom50") != 0)
        die(USAGE, "--for takes gradescope or classroom50, not '%s'", lab->grader);
    if (exists(out))
        die(USAGE, "%s is there already; nothing was changed", out);
    if (lab->seed)
        lab->class_seed = lab->seed;
    if (exists(class_file(lab)))
        die(USAGE, "this folder was handed out itself: its exercises have no answers");
    for (int i = 0; i < lab->count && (!h->exercises || h->exercises == i); i++)
        h->asked[h->exercises++].name = lab->names[i];
    for (int e = 0; e < h->exercises; e++)
        h->asked[e] = ask_for(lab, h->asked[e].name);
    list_all(h);
    leave_out_what_is_given_away(h);
    if (!h->exercises)
        die(RESOURCE, "no exercise is left");
    list_all(h);
    forget_what_is_known(h);
    bool zip = ends_in(out, ".zip"), archive = zip || ends_in(out, ".tar.gz");
    char *slash = *out == '/' ? NULL : getcwd(buffer(PATH_MAX), PATH_MAX);
    out = slash ? text("%s/%s", slash, out) : out;
    h->out = archive ? empty_folder("handout") : out;
    write_all(h);
    if (archive)
        pack(h->out, out, zip);
    fprintf(stderr, "%d exercise%s, %d files: %s\n", h->exercises, h->exercises == 1 ? "" : "s",
            h->count, shown_path(lab, out));
}
