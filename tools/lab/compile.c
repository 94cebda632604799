/* SPDX-License-Identifier: MIT */
#include "compile.h"

#include <stdlib.h>
#include <string.h>

#include "inspect.h"
#include "process.h"

enum { MOST_WORDS = 200, COMPILE_SECONDS = 120 };

/* A command line that is put together. */
struct command {
    char *words[MOST_WORDS + 1];
    int count;
};

static void add(struct command *c, const char *word)
{
    if (c->count < MOST_WORDS)
        c->words[c->count++] = text("%s", word);
    c->words[c->count] = NULL;
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
    return text("%s/exercise_%s.o", scratch(), precision);
}

/* Runs a compiler; its complaints are added to *said. */
static bool carry_out(struct command *c, char **said)
{
    struct limits limits = {
        .seconds = COMPILE_SECONDS, .data = (size_t)8 << 30, .file = (size_t)1 << 28};
    struct ended ended = process_run(c->words, &limits);
    if (ended.timed_out)
        *said = text("%sThe compiler was stopped after %d s.\n", *said, COMPILE_SECONDS);
    *said = text("%s%s", *said, ended.err);
    if (strstr(ended.err, "No space left on device") || strstr(ended.err, "File too large"))
        die(RESOURCE, "the disk is full: %s has no room for temporary files", scratch());
    return ended.status == 0 && !ended.timed_out;
}

/* Something unused is no mistake while one is at work; and of an error in a macro of ours the
   place where it is used is what a learner can change. */
static const char warnings[] =
    "-Wall -Wextra -Wno-missing-field-initializers -Wno-unused-parameter -Wno-unused-function "
    "-Wno-unused-variable -Wno-unused-but-set-variable -fno-diagnostics-show-option "
    "-ftrack-macro-expansion=0 -fmax-errors=5";
static const char clang_warnings[] =
    "-Wall -Wextra -Wno-missing-field-initializers -Wno-unused -Wno-unused-parameter "
    "-ferror-limit=5 -fmacro-backtrace-limit=1";

/* Memory on the stack, where the workspace is counted: a few sums and a tile of them are no
 * matrix.
 */
static const char stack_warnings[] = "-Wstack-usage=4096";
static const char clang_stack_warnings[] = "-Wframe-larger-than=4096 -Wvla -Walloca";

static bool has_memory_on_the_stack(const char *said)
{
    static const char *const words[] = {"warning: stack usage", "warning: stack frame size",
                                        "warning: variable length array",
                                        "warning: use of function '"};
    for (int i = 0; i < 4; i++)
        if (strstr(said, words[i]))
            return true;
    return false;
}

static void add_flags(struct command *c, const struct job *job, const char *flags,
                      const char *precision)
{
    const char *upper = strcmp(precision, "f32") == 0 ? "-DLADDER_F32" : "-DLADDER_F64";
    bool clang = strcmp(setting(job->lab, "CLANG"), "yes") == 0;
    add_words(c, flags);
    add_words(c, clang ? clang_warnings : warnings);
    if (job->place == ON_CPU && counts_workspace(job->lab, job->exercise))
        add_words(c, clang ? clang_stack_warnings : stack_warnings);
    if (job->debug)
        add_words(c, "-O0 -g3");
    add(c, upper);
    add(c, text("-I%s", job->lab->root));
    add(c, text("-I%.*s", (int)(strrchr(job->file, '/') - job->file), job->file));
}

static bool compile_one(const struct job *job, const char *source, const char *headers,
                        const char *precision, char **said)
{
    const struct lab *lab = job->lab;
    struct command c = {0};
    switch (job->place) {
    case ON_CPU:
        add(&c, setting(lab, "CC"));
        add_flags(&c, job, setting(lab, "C_FLAGS"), precision);
        break;
    case ON_SIM:
        add(&c, setting(lab, "CXX"));
        add_flags(&c, job, setting(lab, "SIM_FLAGS"), precision);
        add(&c, text("-I%s/simgpu/include", lab->root));
        add(&c, text("-I%s", setting(lab, "SIM_MADE_HEADERS")));
        add(&c, "-DLADDER_TRACED");
        break;
    default:
        add(&c, setting(lab, "NVCC"));
        add_words(&c, setting(lab, "CUDA_FLAGS"));
        add(&c, strcmp(precision, "f32") == 0 ? "-DLADDER_F32" : "-DLADDER_F64");
        add(&c, text("-I%s", lab->root));
    }
    add_words(&c, headers);
    add(&c, "-c");
    add(&c, source);
    add(&c, "-o");
    add(&c, object_file(precision));
    return carry_out(&c, said);
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
    for (int i = 0; i < 2; i++) { /* twice, because each library wants something of the other */
        add(&c, setting(lab, libraries[job->place]));
        add(&c, setting(lab, "COMMON_LIBRARY"));
    }
    if (job->place == ON_SIM)
        add(&c, setting(lab, "SIMGPU_LIBRARY"));
    add_words(&c, job->place == ON_CUDA ? "-lcublas -lgomp -ldl" : setting(lab, "LINK_FLAGS"));
    add(&c, "-o");
    add(&c, job->program);
    return carry_out(&c, said);
}

/* Whether a line of the compiler's is about code that the learner did not write. */
static bool is_ours(const char *line)
{
    return strstr(line, "In file included from") ||
           strncmp(line, "                 from ", 22) == 0 ||
           strstr(line, "note: in expansion of macro") ||
           strstr(line, "note: in definition of macro") ||
           strstr(line, "compilation terminated due to") || strstr(line, " generated.");
}

/* A line with the path that the learner knows in place of those that the compiler got. */
static const char *with_known_path(const struct job *job, const char *line)
{
    const char *paths[] = {text("%s/exercise.%s", scratch(), job->place == ON_CPU ? "c" : "cu"),
                           job->file};
    size_t root = strlen(job->lab->root);
    for (int i = 0; i < 2; i++)
        if (strncmp(line, paths[i], strlen(paths[i])) == 0)
            return text("%s%s", shown_path(job->lab, job->file), line + strlen(paths[i]));
    return strncmp(line, job->lab->root, root) == 0 && line[root] == '/' ? line + root + 1
                                                                         : line;
}

/* A launch with other arguments than the kernel takes, in the learner's words. */
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

/* What concerns the learner: no word of our macros, and no note on how the simulated GPU
 * launches.
 */
static char *for_the_learner(const struct job *job, const char *said)
{
    char *rest = text("%s", said), *result = text("%s", "");
    bool skipping = false; /* a note, with the lines of code that belong to it */
    int lines = 0;
    for (char *line; (line = next_line(&rest)) && lines < 30;) {
        const char *known = launch_in_words(with_known_path(job, line));
        skipping = skipping && *line == ' ';
        if (strncmp(known, "common/", 7) == 0 && strstr(known, ": note: "))
            skipping = true;
        if (skipping || is_ours(line))
            continue;
        result = text("%s%s\n", result, known);
        lines++;
    }
    return result;
}

/* The copy as C++ for the simulated GPU, whose lines say that they are the learner's file; NULL
   after a complaint. */
static const char *rewrite(const struct job *job, const char *copy, char **said)
{
    const char *rewritten = text("%s.cpp", copy), *marked = text("\"%s\"", copy);
    struct command c = {0};
    add(&c, setting(job->lab, "SIM_REWRITE"));
    add(&c, text("-I%s", job->lab->root));
    add(&c, "-o");
    add(&c, rewritten);
    add(&c, copy);
    if (!carry_out(&c, said))
        return NULL;
    char *rest = read_file(rewritten, NULL);
    FILE *out = fopen(rewritten, "w");
    if (!rest || !out)
        die(RESOURCE, "cannot write %s", rewritten);
    for (char *line; (line = next_line(&rest));) {
        char *path = strncmp(line, "#line ", 6) == 0 ? strstr(line, marked) : NULL;
        if (path)
            fprintf(out, "%.*s\"%s\"\n", (int)(path - line), line, job->file);
        else
            fprintf(out, "%s\n", line);
    }
    if (fclose(out) != 0)
        die(RESOURCE, "cannot write %s", rewritten);
    return rewritten;
}

const char *compile(const struct job *job, const char *content, char **said)
{
    const char *suffix = job->place == ON_CPU ? "c" : "cu";
    const char *source = text("%s/exercise.%s", scratch(), suffix);
    *said = text("%s", "");
    char *headers, *body = without_standard_includes(content, &headers);
    bool done = true;
    if (job->place == ON_SIM) {
        write_file(source, body);
        source = rewrite(job, source, said);
        done = source != NULL;
    } else {
        write_file(source, text("#line 1 \"%s\"\n%s", job->file, body));
    }
    done = done && compile_one(job, source, headers, "f32", said);
    done = done && (!job->both || compile_one(job, source, headers, "f64", said));
    char *detail = NULL;
    const char *headline = done ? inspect(job, object_file("f32"), &detail) : NULL;
    if (done && !headline && job->both)
        headline = inspect(job, object_file("f64"), &detail);
    if (headline) {
        *said = detail;
        return headline;
    }
    if (done && job->place == ON_CPU && counts_workspace(job->lab, job->exercise) &&
        has_memory_on_the_stack(*said)) {
        *said = text("%sIt has arrays of more than 4096 bytes, or of a length that is not a "
                     "constant, on the stack.\n"
                     "What it needs is to be in the workspace, which is counted.\n",
                     for_the_learner(job, *said));
        return "room of its own";
    }
    done = done && link_program(job, said);
    *said = for_the_learner(job, *said);
    return done ? NULL : "it does not compile";
}
