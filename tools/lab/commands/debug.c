/* SPDX-License-Identifier: MIT */
/** @file debug.c
 * ./ladder lab run, debug and picture: runs an answer without checking it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lab/judge/check.h"
#include "common/model.h"

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

/* The size that an option of the command line gives; `otherwise` if it is not there. */
static long shown_size(const struct lab *lab, const char *name, long otherwise)
{
    const char *word = last_option(lab->sizes, name);
    return word ? whole_number(name, word, 1, SHOWN_MOST) : otherwise;
}

/* Compiles the learner's file, or ends the program. */
static struct job compile_or_die(const struct lab *lab, const char *exercise, bool debug,
                                 bool named)
{
    char *path = realpath(work_file(lab, exercise), NULL), *said, *detail = NULL;
    const char *content = path ? read_file(path, NULL) : NULL;
    struct job job =
        job_of(lab, exercise, text("%s", path ? path : ""), content ? content : "");
    job.debug = debug;
    job.named = named;
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
    long n = shown_size(lab, "--n", default_size(lab, exercise));
    long m = shown_size(lab, "--m", n), k = shown_size(lab, "--k", n);
    prepare(lab, exercise);
    struct check c = {.lab = lab,
                      .exercise = exercise,
                      .out = stdout,
                      .seconds = RUN_SECONDS,
                      .show = true,
                      .shadows = "",
                      .smallest = ""};
    c.job = compile_or_die(lab, exercise, false, false);
    const char *levels = goal_levels(lab, exercise);
    bool right =
        run_exercise(&c, compiled_program(),
                     text("--variant yours --n %ld --m %ld --k %ld%s%s", n, m, k,
                          last_option(lab->sizes, "--levels") ? "" : levels, lab->sizes));
    fputs(c.facts.report, stdout);
    const char *printed = what_it_printed(&c, 200);
    if (*printed)
        printf("Your code printed:\n%s", printed);
    if (!c.ended.said || fact(&c.facts, "message") || strstr(c.ended.err, ": fault: "))
        fputs(with_known_path(&c.job, explain_run(&c)), stdout);
    exit(right ? PASSED : NOT_PASSED);
}

/* Compiles the learner's file into lab/EX/NAME; returns the sizes that it is to run on. */
static const char *keep_program(const struct lab *lab, const char *exercise, const char *name,
                                bool debug)
{
    const char *options = lab->sizes;
    if (!*options)
        options = last_failure(lab, exercise);
    if (!*options)
        options = text("--n %ld%s", default_size(lab, exercise), goal_levels(lab, exercise));
    prepare(lab, exercise);
    const char *program = text("%s/%s/%s", lab->folder, exercise, name);
    compile_or_die(lab, exercise, debug, true);
    char *copy[] = {"cp", "-f", "--", text("%s", compiled_program()), text("%s", program),
                    NULL};
    if (process_run(copy, &(struct limits){0}).status != 0)
        die(RESOURCE, "cannot write %s", program);
    return options;
}

/* The place that --line means: a number is a line of the learner's file. */
static const char *place_of(const struct lab *lab, const char *exercise)
{
    const char *line = strrchr(lab->line, ':');
    char *end;
    long number = strtol(line ? line + 1 : lab->line, &end, 10);
    if (number < 1 || *end ||
        (line && memchr(lab->line, '.', (size_t)(line - lab->line)) == NULL))
        die(USAGE, "--line takes a line of your file, or FILE:LINE, not '%s'", lab->line);
    return line ? lab->line
                : text("%s:%ld", strrchr(work_file(lab, exercise), '/') + 1, number);
}

/* The condition for gdb that `name` is the index that an option gives: X, X,Y or X,Y,Z. */
static const char *condition(const char *option, const char *value, const char *name)
{
    unsigned x, y = 0, z = 0;
    char end;
    int count = sscanf(value, "%u,%u,%u%c", &x, &y, &z, &end);
    if (count < 1 || count > 3 || strspn(value, "0123456789,") != strlen(value) ||
        value[strlen(value) - 1] == ',')
        die(USAGE, "%s takes X, X,Y or X,Y,Z, such as 1,0, not '%s'", option, value);
    return text("%s.x == %u && %s.y == %u && %s.z == %u", name, x, name, y, name, z);
}

void command_debug(struct lab *lab, int count, char **words)
{
    const char *exercise = read_words(lab, count, words), *stop = "break multiply_yours";
    bool gpu = is_for_gpu(lab, exercise);
    if (!gpu && (lab->block || lab->thread))
        die(USAGE, "--block and --thread: %s runs on the processor", exercise);
    if (!lab->line && (lab->block || lab->thread))
        die(USAGE, "--block and --thread want a --line of your kernel, too");
    if (lab->line)
        stop = text("break %s", place_of(lab, exercise));
    if (lab->line && gpu)
        stop = text("%s if %s && %s", stop,
                    condition("--block", lab->block ? lab->block : "0", "blockIdx"),
                    condition("--thread", lab->thread ? lab->thread : "0", "threadIdx"));
#ifdef __clang__
    if (lab->line && gpu)
        die(RESOURCE,
            "--line needs GCC: gdb learns the type of threadIdx from it, not from Clang");
#endif
    const char *options = keep_program(lab, exercise, "debug", true);
    const char *program = text("%s/%s/debug", lab->folder, exercise);
    char *argv[64] = {"gdb", "-q"};
    int used = 2, begin;
    if (gpu) {
        argv[used++] = "-x";
        argv[used++] = text("%s/simgpu/include/simgpu/debug.gdb", lab->root);
    }
    argv[used++] = "-ex";
    argv[used++] = text("%s", stop);
    argv[used++] = "-ex";
    argv[used++] = "run";
    argv[begin = used++] = "--args";
    argv[used++] = text("%s", program);
    used +=
        split_words(text("--variant yours --warmup 0 --reps 0 %s", options), argv + used, 50);
    argv[used] = NULL;
    const char *line = "gdb";
    for (int i = 2; i < used; i++)
        line = text(i < begin && strchr(argv[i], ' ') ? "%s '%s'" : "%s %s", line, argv[i]);
    printf("%s, on %s\n%s\n", shown_path(lab, program), shape_of(options), line);
    fflush(stdout);
    remove_scratch(); /* what follows is gdb's process */
    if (!getenv("LADDER_LAB_NO_GDB"))
        execvp(argv[0], argv);
    die(RESOURCE, "gdb is not installed here: apt-get install gdb");
}

/* Prints what steps of the ladder count on the same sizes, where there is a formula for it. */
static void compare_with_steps(const char *counted, const char *options)
{
    static const struct {
        const char *what;
        struct cost (*model)(const struct context *ctx, struct product p, int levels);
    } steps[] = {{"step 06, a thread for each element", model_naive},
                 {"step 08, tiles of 16 x 16", model_tile16},
                 {"step 10, GPU8", model_gpu8}};
    const char *n = last_option(options, "--n"), *m = last_option(options, "--m"),
               *k = last_option(options, "--k");
    struct product p = {0};
    p.b.cols = p.c.cols = n ? atol(n) : 0;
    p.a.rows = p.c.rows = m ? atol(m) : p.c.cols;
    p.a.cols = p.b.rows = k ? atol(k) : p.c.cols;
    double yours;
    if (!counted || sscanf(counted, "counted %lf transactions", &yours) != 1)
        return;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        double theirs = steps[i].model(NULL, p, 0).transactions;
        if (theirs > 0)
            printf("Yours: %.2f times the transactions of %s (%.0f)\n", yours / theirs,
                   steps[i].what, theirs);
    }
}

void command_picture(struct lab *lab, int count, char **words)
{
    const char *exercise = read_words(lab, count, words);
    if (!lab->line)
        die(USAGE, "picture wants --line L, a line of your kernel");
    if (!is_for_gpu(lab, exercise))
        die(USAGE, "picture: %s runs on the processor, where no warp touches memory", exercise);
    const char *place = place_of(lab, exercise);
    const char *block = lab->block ? lab->block : "0", *thread = lab->thread;
    condition("--block", block, "");
    condition("--thread", thread ? thread : "0", "");
    setenv("SIMGPU_BLOCK", block, 1);
    setenv("SIMGPU_THREAD", thread ? thread : "0", 1);
    if (!*lab->sizes) /* a multiple of the tiles of all steps */
        lab->sizes = text("--n 128%s", goal_levels(lab, exercise));
    const char *options = keep_program(lab, exercise, "counted", false);
    char *argv[64] = {text("%s", realpath(text("%s/%s/counted", lab->folder, exercise), NULL))};
    int used = 1 + split_words(text("--variant yours --warmup 0 --reps 0 --picture %s %s",
                                    place, options),
                               argv + 1, 60);
    argv[used] = NULL;
    const char *picture =
        text("%s/%s/%.*s-%s.svg", lab->folder, exercise, (int)(strrchr(place, '.') - place),
             place, strrchr(place, ':') + 1);
    unlink(picture);
    struct limits limits = {.folder = text("%s/%s", lab->folder, exercise)};
    struct ended ended = process_run(argv, &limits);
    fputs(ended.out, stdout);
    compare_with_steps(strstr(ended.out, "counted "), options);
    fputs(ended.err, stdout);
    exit(ended.status == 0 || ended.status == USAGE ? ended.status : NOT_PASSED);
}
