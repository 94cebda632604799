/* SPDX-License-Identifier: MIT */
/** @file debug.c
 * ./ladder lab run and debug: runs an answer without checking it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

enum { SHOWN_MOST = 12, RUN_SECONDS = 10 };

/* The exercise that the words mean. */
static const char *read_words(const struct lab *lab, int count, char **words)
{
    const char *exercise = exercise_or_last(lab, count, words);
    if (count > 1)
        die(USAGE, "one exercise at a time, not '%s' too", words[1]);
    started_work(lab, exercise);
    return exercise;
}

/* The value of an option of the command line; `otherwise` if it is not there. */
static long option_value(const struct lab *lab, const char *name, long otherwise)
{
    const char *word = last_option(lab->sizes, name);
    char *end;
    long value = word ? strtol(word, &end, 10) : otherwise;
    if (word && (*end || value < 0 || value > 1 << 20))
        die(USAGE, "%s takes a whole number, not '%s'", name, word);
    return value;
}

/* Compiles the learner's file, or ends the program. */
static struct job compile_or_die(const struct lab *lab, const char *exercise, bool debug)
{
    char *path = realpath(work_file(lab, exercise), NULL), *said, *detail = NULL;
    const char *content = path ? read_file(path, NULL) : NULL;
    struct job job =
        job_of(lab, exercise, text("%s", path ? path : ""), content ? content : "");
    job.debug = debug;
    free(path);
    const char *headline =
        content ? check_regions(lab, exercise, job.content, &detail) : "no text";
    if (!headline)
        headline = compile(&job, &said);
    else
        said = detail;
    if (headline) {
        printf("  not yet: %s\n%s\n", make_printable(text("%s", headline)),
               said ? make_printable(said) : "");
        exit(NOT_PASSED);
    }
    fputs(said, stdout);
    return job;
}

/* The smallest size that the exercise takes, read from its goals: sizes are multiples of it. */
static long default_size(const struct lab *lab, const char *exercise)
{
    char *rest = exercise_part(lab, exercise, "Goals"), *words[16];
    long unit = 1;
    for (char *line; (line = next_line(&rest));) {
        int count = split_words(line, words, 16);
        for (int i = 0; i + 1 < count; i++)
            if (strcmp(words[i], "x") == 0 && *words[0] != '#')
                unit = atol(words[i + 1]) > unit ? atol(words[i + 1]) : unit;
    }
    return unit > 4 ? 4 : unit * ((4 + unit - 1) / unit);
}

void command_run(struct lab *lab, int count, char **words)
{
    const char *exercise = read_words(lab, count, words);
    long n = option_value(lab, "--n", default_size(lab, exercise));
    long m = option_value(lab, "--m", n), k = option_value(lab, "--k", n);
    if (m < 1 || n < 1 || k < 1 || m > SHOWN_MOST || n > SHOWN_MOST || k > SHOWN_MOST)
        die(USAGE, "run: m, n and k are from 1 to %d, so that the matrices fit a screen",
            SHOWN_MOST);
    prepare(lab, exercise);
    struct check c = {.lab = lab,
                      .exercise = exercise,
                      .out = stdout,
                      .seconds = RUN_SECONDS,
                      .show = true,
                      .smallest = ""};
    c.job = compile_or_die(lab, exercise, false);
    const char *levels = goal_levels(lab, exercise);
    bool right =
        run_exercise(&c, compiled_program(),
                     text("--variant yours --n %ld --m %ld --k %ld%s%s", n, m, k,
                          option_value(lab, "--levels", -1) < 0 ? levels : "", lab->sizes));
    fputs(c.facts.report, stdout);
    const char *printed = what_it_printed(&c, 200);
    if (*printed)
        printf("Your code printed:\n%s", printed);
    if (!c.ended.said || fact(&c.facts, "message") || strstr(c.ended.err, ": fault: "))
        fputs(with_known_path(&c.job, explain_run(&c)), stdout);
    exit(right ? PASSED : NOT_PASSED);
}

void command_debug(struct lab *lab, int count, char **words)
{
    const char *exercise = read_words(lab, count, words), *options = lab->sizes;
    if (!*options)
        options = last_failure(lab, exercise);
    if (!*options)
        options = text("--n %ld%s", default_size(lab, exercise), goal_levels(lab, exercise));
    prepare(lab, exercise);
    const char *program = text("%s/%s/debug", lab->folder, exercise);
    compile_or_die(lab, exercise, true);
    char *copy[] = {"cp", "-f", "--", text("%s", compiled_program()), text("%s", program),
                    NULL};
    if (process_run(copy, &(struct limits){0}).status != 0)
        die(RESOURCE, "cannot write %s", program);
    char *argv[64] = {
        "gdb", "-q",  "-ex",   "set breakpoint pending on", "-ex", "break multiply_yours",
        "-ex", "run", "--args"};
    int used = 9;
    argv[used++] = text("%s", program);
    used +=
        split_words(text("--variant yours --warmup 0 --reps 0 %s", options), argv + used, 50);
    argv[used] = NULL;
    printf("%s, on %s\n", shown_path(lab, program), shape_of(options));
    const char *line = "gdb -ex 'break multiply_yours' -ex run --args";
    for (int i = 9; i < used; i++)
        line = text("%s %s", line, argv[i]);
    printf("%s\n", line);
    fflush(stdout);
    if (!getenv("LADDER_LAB_NO_GDB"))
        execvp(argv[0], argv);
    die(RESOURCE,
        "gdb is not here (%s). The program is ready; with gdb installed: the line above",
        strerror(errno));
}
