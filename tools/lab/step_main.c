/* SPDX-License-Identifier: MIT */
/** @file step_main.c
 * main() of every step: gives the step's tables to the common library, and what explains wrong
 * results.
 *
 * Each precision is a program of its own, so that only what is asked for must be built:
 * `01-cpu-naive --precision f64` becomes 01-cpu-naive.f64, which is in the same folder. The
 * build defines LADDER_STEP, the step's name, and LADDER_PRECISIONS, its precisions with blanks
 * between them, the default first. An exercise's program has neither, and a main() of its own
 * (exercise_main.c).
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/measure/run.h"
#include "mistakes/explain.h"

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
    size_t length = strlen(precision);
    *first = true;
    for (const char *word = LADDER_PRECISIONS; *word; *first = false) {
        size_t end = strcspn(word, " ");
        if (end == length && strncmp(word, precision, length) == 0)
            return true;
        word += end + (word[end] == ' ');
    }
    return false;
}

/* The folder of this program. */
static void own_folder(char *folder, size_t size, const char *argv0)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    if (length >= 0)
        folder[length] = '\0';
    else
        snprintf(folder, size, "%s", argv0);
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    else
        snprintf(folder, size, ".");
}

/* Becomes the step's program for another precision; returns the exit status when it is not
 * there. */
static int run_sibling(char **argv, const char *precision, bool first)
{
    char folder[PATH_MAX], program[PATH_MAX + 64];
    own_folder(folder, sizeof folder, argv[0]);
    int name = snprintf(program, sizeof program, "%s/", folder);
    snprintf(program + name, sizeof program - (size_t)name, "%s%s%s%s", LADDER_STEP,
             first ? "" : ".", first ? "" : precision, backend.simulated ? ".sim" : "");
    argv[0] = program;
    execv(program, argv);
    char *bin = strrchr(folder, '/'); /* programs lie in the build folder's bin */
    fprintf(stderr,
            "--precision %s is a program of its own, which is not built yet: %s. To build it:\n"
            "  cmake --build '%.*s' --target %s\n",
            precision, program, bin ? (int)(bin - folder) : 2, bin ? folder : "..",
            program + name);
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
