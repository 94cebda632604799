/* SPDX-License-Identifier: MIT */
/** @file step_main.c
 * main() of every step: gives the step's tables to the common library, and what explains wrong
 * results.
 *
 * Each precision is a separate program, so that only what is asked for must be built:
 * `01-cpu-naive --precision f64` becomes 01-cpu-naive.f64, which is in the same folder. The
 * build defines LADDER_STEP, the step's name, and LADDER_PRECISIONS, its precisions with blanks
 * between them, the default first. An exercise's program has neither, and another main()
 * (exercise_main.c).
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/measure/measure.h"
#include "tools/lab/mistakes/explain.h"

/* A program has one precision, and on the simulated GPU also its counting build. */
extern const struct step step_f32 __attribute__((weak));
extern const struct step step_f64 __attribute__((weak));
extern const struct step step_i32 __attribute__((weak));
extern const struct step step_f32_traced __attribute__((weak));
extern const struct step step_f64_traced __attribute__((weak));

/* The word that --precision is given, "" without one. getopt takes the beginning of an option's
   name for the option, and here no other one begins with a p. */
static const char *precision_asked(int argc, char **argv)
{
    const char *asked = "";
    for (int i = 1; i < argc; i++) {
        size_t length = strcspn(argv[i], "=");
        if (length < 3 || strncmp(argv[i], "--precision", length) != 0)
            continue;
        if (argv[i][length] == '=')
            asked = argv[i] + length + 1;
        else if (i + 1 < argc)
            asked = argv[i + 1];
    }
    return asked;
}

/* True when LADDER_PRECISIONS has this word; *first: it is the first one. */
static bool step_has(const char *precision, bool *first)
{
    char words[] = LADDER_PRECISIONS;
    *first = true;
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "), *first = false)
        if (strcmp(word, precision) == 0)
            return true;
    return false;
}

/* Becomes the step's program for another precision; returns the exit status when it is not
 * there. */
static int run_sibling(char **argv, const char *precision, bool first)
{
    char name[256], program[PATH_MAX + sizeof name], folder[PATH_MAX];
    if (!realpath("/proc/self/exe", folder))
        snprintf(folder, sizeof folder, "%s", argv[0]);
    const char *here = dirname(folder);
    snprintf(name, sizeof name, "%s%s%s%s", LADDER_STEP, first ? "" : ".",
             first ? "" : precision, backend.simulated ? ".sim" : "");
    snprintf(program, sizeof program, "%s/%s", here, name);
    argv[0] = program;
    execv(program, argv);
    fprintf(stderr,
            "--precision %s is a separate program, which is not built yet: %s. To build it:\n"
            "  cmake --build '%s' --target %s\n",
            precision, program, dirname(folder), name); /* programs are in the folder's bin */
    return EXIT_RESOURCE;
}

int main(int argc, char **argv)
{
    static const struct step *const steps[PRECISIONS] = {&step_f32, &step_f64, &step_i32};
    static const struct step *const traced[PRECISIONS] = {&step_f32_traced, &step_f64_traced};
    const char *asked = precision_asked(argc, argv);
    bool first;
    for (int p = 0; p < PRECISIONS; p++)
        if (strcmp(asked, precision_names[p]) == 0 && !steps[p] && step_has(asked, &first))
            return run_sibling(argv, asked, first);
    return run_step(argc, argv, steps, traced, &explainer_of_mistakes);
}
