/* SPDX-License-Identifier: MIT */
/** @file compile.c
 * Compiles what a learner wrote: a copy of it, alone in a folder, by a compiler that can read
 * only the house's headers and the system's.
 */
#include "compile.h"

#include <glob.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include "tools/lab/process/process.h"

enum { MOST_WORDS = 200, MOST_PLACES = 64, COMPILE_SECONDS = 20 };
static const size_t compiler_memory = (size_t)3 << 29, largest_file = (size_t)1 << 28;

static const char *folder(void) { return text("%s/compile", scratch()); }

const char *compiled_program(void) { return text("%s/program", folder()); }

/* The copy, under the name that the compiler's messages use for it. */
static const char *copy_of(const struct job *job)
{
    return job->place == ON_CPU ? "exercise.c" : "exercise.cu";
}

/* ---- what the compiler and a run may read ---- */

struct places {
    const char *all[MOST_PLACES + 1];
    int count;
};

static void add_place(struct places *p, const char *place)
{
    if (p->count < MOST_PLACES)
        p->all[p->count++] = place;
}

/* Adds a compiler that is not the system's, and the files that came with it. */
static void add_compiler(struct places *p, const char *compiler)
{
    char *path = realpath(compiler, NULL), *slash;
    for (int i = 0; i < 2 && path; i++)
        if ((slash = strrchr(path, '/')))
            *slash = '\0';
    static const char *const parts[] = {"bin", "lib*", "include", "share", "*-linux-*", "nvvm"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && path && *path; i++) {
        glob_t found;
        if (glob(text("%s/%s", path, parts[i]), 0, NULL, &found) == 0)
            for (size_t f = 0; f < found.gl_pathc; f++)
                add_place(p, text("%s", found.gl_pathv[f]));
        globfree(&found);
    }
    free(path);
}

const char *const *readable_places(const struct lab *lab)
{
    static const char *const system[] = {"/usr", "/lib",      "/lib32",      "/lib64", "/bin",
                                         "/etc", "/opt",      "/nix",        "/gnu",   "/proc",
                                         "/sys", "/dev/zero", "/dev/urandom"};
    static const char *const ours[] = {"common", "exercises", "simgpu", "steps"};
    static const char *const compilers[] = {"CC", "CXX", "NVCC"};
    static struct places places;
    places.count = 0; /* its texts live only until texts are released (lab.h) */
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        add_place(&places, system[i]);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        add_place(&places, text("%s/%s", lab->root, ours[i]));
    add_place(&places, lab->build);
    add_place(&places, folder());
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
        if (*setting(lab, compilers[i]))
            add_compiler(&places, setting(lab, compilers[i]));
    places.all[places.count] = NULL;
    return places.all;
}

/* ---- command lines ---- */

/* A command line under construction. */
struct command {
    char *words[MOST_WORDS + 1];
    int count;
};

static void add(struct command *c, const char *word)
{
    if (c->count < MOST_WORDS)
        c->words[c->count++] = text("%s", word);
}

/* Adds words up to NULL. */
static void add_all(struct command *c, ...)
{
    va_list words;
    va_start(words, c);
    for (const char *word; (word = va_arg(words, const char *));)
        add(c, word);
    va_end(words);
}

static void add_words(struct command *c, const char *words)
{
    char *parts[MOST_WORDS];
    int count = split_words(text("%s", words), parts, MOST_WORDS);
    for (int i = 0; i < count; i++)
        add(c, parts[i]);
}

/* The object file of a job in one precision ("f32"). */
static const char *object_file(const char *precision)
{
    return text("%s/exercise_%s.o", folder(), precision);
}

/* Whether the machine has too little room, rather than the learner's code asking too much. */
static bool is_full(void)
{
    struct statvfs disk;
    struct rlimit most;
    return (statvfs(scratch(), &disk) == 0 && disk.f_bavail * disk.f_frsize < 1 << 20) ||
           (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < largest_file);
}

/* Runs a compiler; adds its messages to *said. */
static bool carry_out(const struct job *job, struct command *c, char **said)
{
    struct limits limits = {.seconds = COMPILE_SECONDS,
                            .data = compiler_memory,
                            .file = largest_file,
                            .processes = true,
                            .folder = folder(),
                            .readable = readable_places(job->lab)};
    struct ended ended = process_run(c->words, &limits);
    if (ended.timed_out)
        *said = text("%sThe compiler was stopped after %d s.\n", *said, COMPILE_SECONDS);
    *said = text("%s%s", *said, ended.err);
    if (ended.status != 0 && is_full())
        die(RESOURCE, "the disk is full: %s has no room for temporary files", scratch());
    return ended.status == 0 && !ended.timed_out;
}

/* Unused names are no mistake in unfinished code, and the functions that a frame declares have
   parameters that an exercise may not need. For an error in one of our macros only the
   place where it is used helps the learner. A C compiler would take a misspelt name for a
   function that is elsewhere; as an error, "did you mean" comes before anything is said of
   calls. */
static const char warnings[] =
    "-Wall -Wextra -Wno-missing-field-initializers -Wno-unused-parameter -Wno-unused-function "
    "-Wno-unused-variable -Wno-unused-but-set-variable -Wshadow=local "
    "-fno-diagnostics-show-option -ftrack-macro-expansion=0 -fmax-errors=5";
static const char clang_warnings[] =
    "-Wall -Wextra -Wno-missing-field-initializers -Wno-unused -Wno-unused-parameter "
    "-ferror-limit=5 -fmacro-backtrace-limit=1";

static void add_flags(struct command *c, const struct job *job, const char *flags,
                      const char *precision)
{
    const char *upper = strcmp(precision, "f32") == 0 ? "-DLADDER_F32" : "-DLADDER_F64";
    bool clang = strcmp(setting(job->lab, "CLANG"), "yes") == 0;
    add_words(c, flags);
    add_words(c, clang ? clang_warnings : warnings);
    if (job->debug)
        add_words(c, "-O0 -g3");
    if (job->named) {
        add(c, text("-ffile-prefix-map=%s=%s", copy_of(job), job->file));
        add(c, text("-ffile-prefix-map=%s/%s=%s", folder(), copy_of(job), job->file));
    }
    if (job->place == ON_CPU && !job->debug)
        add(c, "-g1"); /* source lines, to report a crash */
    add_all(c, upper, text("-I%s", job->lab->root), NULL);
}

/* With "-S" for `how` it writes the assembler's text, with "-c" the object file. */
static bool compile_one(const struct job *job, const char *source, const char *headers,
                        const char *precision, const char *how, char **said)
{
    const struct lab *lab = job->lab;
    struct command c = {0};
    switch (job->place) {
    case ON_CPU:
        add(&c, setting(lab, "CC"));
        add_flags(&c, job, setting(lab, "C_FLAGS"), precision);
        add(&c, "-Werror=implicit-function-declaration");
        break;
    case ON_SIM:
        add(&c, setting(lab, "CXX"));
        add_flags(&c, job, setting(lab, "SIM_FLAGS"), precision);
        add_all(&c, text("-I%s/simgpu/include", lab->root),
                text("-I%s", setting(lab, "SIM_MADE_HEADERS")), "-DLADDER_TRACED",
                "-U_FORTIFY_SOURCE", "-include", "cstdio" /* nvcc declares printf, too */,
                NULL);
        break;
    default:
        add(&c, setting(lab, "NVCC"));
        add_words(&c, setting(lab, "CUDA_FLAGS"));
        add_all(&c, strcmp(precision, "f32") == 0 ? "-DLADDER_F32" : "-DLADDER_F64",
                text("-I%s", lab->root), NULL);
    }
    add_words(&c, headers);
    add_all(&c, how, source, "-o", object_file(strcmp(how, "-S") == 0 ? how : precision), NULL);
    return carry_out(job, &c, said);
}

/* Whether kernel `yours` computes with numbers of more than 32 bits where real is float: it
 * converts floats. The text does not always say so: `auto x = 0.0`. */
static bool computes_in_double(const struct job *job, const char *source, const char *headers)
{
    const char *forbidden = goal_words(job->lab, job->exercise, "forbid");
    char *rest, *said = text("%s", "");
    bool inside = false, found = false;
#ifndef __x86_64__ /* other instructions, or a page, whose compiler writes no such text */
    forbidden = NULL;
#endif
    if (!forbidden || !has_word(forbidden, "double") || job->place != ON_SIM ||
        !compile_one(job, source, headers, "f32", "-S", &said))
        return false;
    rest = read_file(object_file("-S"), NULL);
    for (char *line; (line = next_line(&rest));) {
        if (word_length(line))
            inside = strstr(line, "5yours") != NULL;
        const char *name = line + strspn(line, " \t"), *end = name + strcspn(name, " \t");
        bool to_double = (begins_with(name, "cvt") || begins_with(name, "vcvt")) &&
                         (begins_with(end - 2, "sd") || begins_with(end - 2, "pd"));
        /* also the processor's old numbers of 80 bits, and a function for those of 128 */
        found =
            found || (inside && (to_double || *name == 'f' || strstr(name, "\t__extendsf")));
    }
    return found;
}

static bool link_program(const struct job *job, char **said)
{
    static const char *const compilers[] = {"CC", "CXX", "NVCC"};
    static const char *const libraries[] = {"CPU_LIBRARY", "SIM_LIBRARY", "CUDA_LIBRARY"};
    const struct lab *lab = job->lab;
    struct command c = {0};
    add(&c, setting(lab, compilers[job->place]));
    add(&c, object_file("f32"));
    if (job->both)
        add(&c, object_file("f64"));
    for (int i = 0; i < 2; i++) /* twice, because each library uses something of the other */
        add_all(&c, setting(lab, libraries[job->place]), setting(lab, "COMMON_LIBRARY"), NULL);
    if (job->place == ON_SIM) /* exercise_main.c notes who launches a kernel */
        add_all(&c, setting(lab, "SIMGPU_LIBRARY"), "-Wl,--wrap=simgpu_launch", NULL);
    add_words(&c, job->place == ON_CUDA ? "-lcublas -lgomp -ldl" : setting(lab, "LINK_FLAGS"));
    add_all(&c, "-o", compiled_program(), NULL);
    return carry_out(job, &c, said);
}

/* Whether a line of the compiler's output is about code that the learner did not write. */
static bool is_ours(const char *line)
{
    return strstr(line, "In file included from") ||
           begins_with(line, "                 from ") ||
           strstr(line, "note: in expansion of macro") ||
           strstr(line, "note: in definition of macro") ||
           strstr(line, "compilation terminated due to") || strstr(line, " generated.");
}

char *with_known_path(const struct job *job, const char *said)
{
    const char *name = copy_of(job), *shown = shown_path(job->lab, job->file);
    size_t name_length = strlen(name), folder_length = strlen(folder());
    struct stream known;
    stream_begin(&known);
    for (const char *c = said; *c;) {
        bool begins = c == said || strchr(" \n\"'(", c[-1]);
        const char *after = c;
        if (begins && strncmp(c, folder(), folder_length) == 0 && c[folder_length] == '/')
            after += folder_length + 1;
        if (begins && strncmp(after, name, name_length) == 0 && after[name_length] == ':') {
            fputs(shown, known.out);
            c = after + name_length;
        } else {
            fputc(*c++, known.out);
        }
    }
    return stream_end(&known);
}

/* Explains a launch whose arguments do not fit the kernel, in the learner's terms. */
static const char *launch_in_words(const char *line)
{
    const char *call = strstr(line, "no match for call to"),
               *takes = call ? strstr(call, "prepared_launch<") : NULL;
    const char *gets = takes ? strstr(takes, ">) (") : NULL,
               *end = gets ? strrchr(gets, ')') : NULL;
    if (!end)
        return line;
    takes = strchr(takes, '<') + 1;
    return text("%.*sthe kernel takes (%.*s), and is launched with (%.*s)", (int)(call - line),
                line, (int)(gets - takes), takes, (int)(end - gets - 4), gets + 4);
}

/* Keeps the messages that concern the learner: none about our macros, nor on how the simulated
 * GPU launches. */
static char *for_the_learner(const struct job *job, const char *said)
{
    char *rest = with_known_path(job, said), *result = text("%s", "");
    bool skipping = false; /* inside a note, including its lines of code */
    int lines = 0;
    size_t root = strlen(job->lab->root);
    for (char *line; (line = next_line(&rest)) && lines < 30;) {
        bool in_house = strncmp(line, job->lab->root, root) == 0 && line[root] == '/';
        const char *known = launch_in_words(in_house ? line + root + 1 : line);
        skipping = skipping && *line == ' ';
        if (begins_with(known, "common/") && strstr(known, ": note: "))
            skipping = true;
        if (skipping || is_ours(line))
            continue;
        result = text("%s%s\n", result, known);
        lines++;
    }
    return result;
}

/* Rewrites the copy as C++ for the simulated GPU; NULL after a message. */
static const char *rewrite(const struct job *job, char **said)
{
    const char *rewritten = "exercise.cpp";
    struct command c = {0};
    add_all(&c, setting(job->lab, "SIM_REWRITE"), text("-I%s", job->lab->root), "-o", rewritten,
            copy_of(job), NULL);
    return carry_out(job, &c, said) ? rewritten : NULL;
}

/* The GNU style of clang-format ends a launch by "> > >", which no compiler takes for >>>.
   Joins the three, so that what follows keeps its column. */
static char *with_whole_launches(char *content)
{
    for (char *at = content; (at = strstr(at, "<<<")); at++) {
        char *end = strstr(at, "> > >");
        if (end && end < at + strcspn(at, ";"))
            memcpy(end, ">>>  ", 5);
    }
    return content;
}

struct job job_of(const struct lab *lab, const char *exercise, const char *file,
                  const char *content)
{
    return (struct job){.lab = lab,
                        .exercise = exercise,
                        .file = file,
                        .content = with_whole_launches(normalised(content)),
                        .place = is_for_gpu(lab, exercise) ? ON_SIM : ON_CPU,
                        .both = goal_words(lab, exercise, "precision") != NULL};
}

static const char *compile_hiding(const struct job *job, const char *words, char **said)
{
    const char *source = copy_of(job);
    *said = text("%s", "");
    char *headers, *body = prepared(job->content, words, &headers);
    write_file(text("%s/%s", empty_folder("compile"), source), body);
    bool done = true;
    if (job->place == ON_SIM)
        done = (source = rewrite(job, said)) != NULL;
    done = done && compile_one(job, source, headers, "f32", "-c", said);
    done = done && (!job->both || compile_one(job, source, headers, "f64", "-c", said));
    char *detail = NULL;
    const char *headline = done ? inspect(job, object_file("f32"), &detail) : NULL;
    if (done && !headline && job->both)
        headline = inspect(job, object_file("f64"), &detail);
    if (done && !headline && computes_in_double(job, source, headers)) {
        headline = DOES_WITHOUT;
        detail = text(WITHOUT "\nWhere real is float, a constant like 0.5 is a double, too; "
                              "(real)0.5 is not.",
                      "double");
    }
    if (headline) {
        *said = detail;
        return headline;
    }
    done = done && link_program(job, said);
    *said = for_the_learner(job, *said);
    return done ? NULL : "it does not compile";
}

const char *compile(const struct job *job, char **said)
{
    char *words = forbidden_words(job->lab, job->exercise, job->content);
    const char *headline = compile_hiding(job, words, said);
    if (!headline || !*words)
        return headline;
    /* The message names the one that is not the region's own. */
    char *message = text("%s", *said), *parts[64];
    if ((headline = compile_hiding(job, "", said)))
        return headline;
    int count = split_words(words, parts, 64), at = 0;
    while (at < count - 1 && !strstr(message, text("%s_of_yours", parts[at])))
        at++;
    *said = text(WITHOUT, parts[at]);
    return DOES_WITHOUT;
}
