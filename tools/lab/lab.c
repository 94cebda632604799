/* SPDX-License-Identifier: MIT */
/** @file lab.c
 * ./ladder lab: the exercises.
 */
#include "lab.h"
#include "tools/lab/process/process.h"

#include "common/command/letters.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct command {
    const char *name, *arguments, *sentence;
    command_function *run;
} commands[] = {
    {"list", "", "list the exercises, and how far you are", command_list},
    {"start", "EX", "copy an exercise into lab/EX, for you to work on", command_start},
    {"check", "[EX [FILE]]", "compile and check your answer, or another file", command_check},
    {"hint", "[EX]", "show the next hint", command_hint},
    {"solution", "[EX]", "show the solution, after a pass (or with --anyway)",
     command_solution},
    {"run", "[EX] [--n N]", "print A, B, your C and the right C side by side", command_run},
    {"picture", "[EX] --line L", "draw the addresses that a warp touches at this line",
     command_picture},
    {"debug", "[EX] [--line L]", "run your answer in gdb, on the sizes that failed last",
     command_debug},
    {"reset", "EX", "begin again; your file is kept under another name", command_reset},
    {"export", "OUT [EX...]", "for teachers: a folder for students, without the answers",
     command_export},
    {"score", "[--recheck]",
     "print a table; --json, --junit, --csv or --gradescope for a grader", command_score},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_usage(FILE *out)
{
    fputs("usage: ./ladder lab COMMAND\n\n", out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-22s %s\n", text("%s %s", commands[i].name, commands[i].arguments),
                commands[i].sentence);
    fputs("\n"
          "EX is an exercise's name, its step, or a part of its name; without it: the one you "
          "started last.\n"
          "\n"
          "  --seed S        check: draw sizes and inputs from this seed (a failed check "
          "prints its own)\n"
          "  --class SEED    the variants of the exercises that this class or student has;\n"
          "                  score --students: with a / at its end each student has others\n"
          "  --no-gpu        check, score --recheck: do not use the GPU, even if there is one\n"
          "  --fast          list, start: the fast track, ten exercises in three and a half "
          "hours\n"
          "  --line L, --block 1,0, --thread 9,0  debug, picture: the line, and whose thread's "
          "view of it\n"
          "  --anyway        solution: show it before a pass, too (score records that)\n"
          "  --yes           reset: do not ask\n"
          "  --for GRADER    export: with what gradescope needs\n"
          "  --points        list: say what each exercise's points are for\n"
          "  --recheck       score: check every answer again instead of believing the record\n"
          "  --students DIR  score: each folder in DIR is a student's work\n"
          "  --require N     score: exit status 1 if fewer than N are passed\n"
          "\n"
          "Environment: LADDER_LAB, the folder with your work (default: lab); LADDER_BUILD, "
          "the build folder;\n"
          "LADDER_LAB_SECONDS, the longest that a run may take (default: 5, on a GPU 10).\n"
          "Exit status: 0 passed, 1 not passed, 2 bad usage, 3 a resource is missing.\n",
          out);
}

static const char *environment(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

/* The build folder: this program is in its bin/, unless the environment names another. */
static const char *build_folder(void)
{
    static char folder[PATH_MAX];
    char program[PATH_MAX], whole[PATH_MAX];
    bool found = realpath("/proc/self/exe", program);
    const char *named = environment("LADDER_BUILD", found ? dirname(dirname(program)) : "");
    /* The whole path, because compilers run in other folders. */
    snprintf(folder, sizeof folder, "%s", realpath(named, whole) ? whole : named);
    return folder;
}

/* At the end: whether all output could be written. */
static void check_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    fputs("lab: standard output cannot be written\n", stderr);
    _exit(RESOURCE);
}

/* Removes the options from the words, wherever they are; the command's own words remain. */
static int take_options(struct lab *lab, const char *command, int count, char **words)
{
    const char *size;
    const struct {
        const char *name, *commands; /* that it belongs to; "": all */
        bool *flag;
        const char **value; /* neither: it is a format */
    } options[] = {
        {"--no-gpu", "check score", &lab->no_gpu, NULL},
        {"--anyway", "solution", &lab->anyway, NULL},
        {"--yes", "", &lab->yes, NULL},
        {"--fast", "list start", &lab->quick, NULL},
        {"--points", "list", &lab->points, NULL},
        {"--recheck", "score", &lab->recheck, NULL},
        {"--seed", "check score export", NULL, &lab->seed},
        {"--class", "", NULL, &lab->class_seed},
        {"--for", "export", NULL, &lab->grader},
        {"--students", "score", NULL, &lab->students},
        {"--require", "score", NULL, &lab->require},
        {"--json", "score", NULL, NULL},
        {"--junit", "score", NULL, NULL},
        {"--csv", "score", NULL, NULL},
        {"--gradescope", "score", NULL, NULL},
        {"--n", "run debug picture", NULL, &size},
        {"--m", "run debug picture", NULL, &size},
        {"--k", "run debug picture", NULL, &size},
        {"--levels", "run debug picture", NULL, &size},
        {"--ld-extra", "run debug picture", NULL, &size},
        {"--line", "debug picture", NULL, &lab->line},
        {"--block", "debug picture", NULL, &lab->block},
        {"--thread", "debug picture", NULL, &lab->thread},
    };
    enum { OPTIONS = sizeof options / sizeof *options };
    int left = 0;
    for (int i = 0; i < count; i++) {
        char *word = words[i];
        int at = 0;
        while (at < OPTIONS && strcmp(word, options[at].name) != 0)
            at++;
        if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
            print_usage(stdout);
            exit(PASSED);
        } else if (at == OPTIONS && *word == '-') {
            die(USAGE, "%s: no option '%s'; see ./ladder lab --help", command, word);
        } else if (at == OPTIONS) {
            words[left++] = word;
            continue;
        }
        if (!strstr(*options[at].commands ? options[at].commands : command, command))
            die(USAGE, "%s: no option '%s'; it belongs to %s", command, word,
                options[at].commands);
        if (options[at].flag) {
            *options[at].flag = true;
        } else if (!options[at].value) {
            if (lab->format && strcmp(lab->format, word) != 0)
                die(USAGE, "score prints one format: %s or %s, not both", lab->format, word);
            lab->format = word;
        } else if (++i == count) {
            die(USAGE, "%s needs a value", word);
        } else {
            *options[at].value = words[i];
        }
        if (options[at].value == &size)
            lab->sizes = text("%s %s %s", lab->sizes, word, size);
        if (strcmp(word, "--seed") == 0)
            whole_number(word, lab->seed, 0, 999999999);
    }
    return left;
}

static const struct command *find_command(const char *name)
{
    const char *names = "", *meant = NULL;
    int least = strlen(name) > 4 ? 3 : 2; /* letters */
    for (int i = 0; i < COMMANDS; i++) {
        const int letters = letters_between(name, commands[i].name);
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
        meant = letters < least ? commands[i].name : meant;
        least = letters < least ? letters : least;
        names = text("%s%s ", names, commands[i].name);
    }
    die(USAGE, "no command '%s'%s%s; there are: %s(see ./ladder lab --help)", name,
        meant ? ", did you mean " : "", meant ? meant : "", names);
}

int main(int argc, char **argv)
{
    struct lab lab = {.root = LADDER_ROOT, .build = build_folder(), .sizes = ""};
    lab.folder = environment("LADDER_LAB", LADDER_ROOT "/lab");
    lab.exercises = environment("LADDER_EXERCISES", LADDER_ROOT "/exercises");
    atexit(check_output);
    catch_interrupts();
    if (argc < 2) {
        print_usage(stderr);
        return USAGE;
    }
    if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return PASSED;
    }
    const struct command *command = find_command(argv[1]);
    int count = take_options(&lab, command->name, argc - 2, argv + 2);
    find_exercises(&lab);
    command->run(&lab, count, argv + 2);
    return PASSED;
}
