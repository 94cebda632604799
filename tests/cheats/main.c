/* SPDX-License-Identifier: MIT */
/** @file main.c
 * Runs every cheat through the checker, each with its worker, and compares the verdict
 * with the expected one. What a cheat prints, and its exit status, count for nothing.
 *
 *     cheats [NAME]        all of them, or one, with the whole reason
 */
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cheats.h"
#include "common/device/worker.h"
#include "common/measure/measure.h"
#include "tools/lab/mistakes/explain.h"

enum { WORDS = 24, LINE = 512, TIME_LIMIT = 20 /* s */ };

/* A process's report about its cheat. */
struct told {
    bool passed;
    double ms; /* the median of its timed runs */
    char reason[sizeof((struct verdict *)0)->reason + sizeof((struct outcome *)0)->message];
};

/* The options of a cheat as words; `line` keeps them. */
static int words_of(const struct cheat *cheat, char line[LINE], char *words[WORDS])
{
    int count = 0;
    const char *own = cheat->options ? cheat->options : "";
    snprintf(line, LINE, "cheats %s %s --warmup 1 --variant %s %s",
             strstr(own, "--n ") ? "" : "--n 40", strstr(own, "--reps ") ? "" : "--reps 4",
             cheat->name, own);
    for (char *word = strtok(line, " "); word && count < WORDS - 1; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    return count;
}

/* Measures a cheat in this process. */
static void judge(const struct cheat *cheat, enum precision precision, struct told *told)
{
    static struct outcome outcome;
    static const struct leaf leaves[] = {{.name = "none", .sentence = "none"}, {0}};
    struct variant variants[] = {cheat->variant, {0}};
    variants[0].name = cheat->name, variants[0].multiply = cheat->multiply;
    const struct step step = {.name = "cheats",
                              .idea = "",
                              .variants = variants,
                              .leaves = cheat->variant.bound.scheme ? leaves : NULL,
                              .default_n = 40,
                              .default_tau1 = 1};
    const struct step *steps[PRECISIONS] = {NULL};
    struct options options;
    char line[LINE], *words[WORDS];
    int status, count = words_of(cheat, line, words);
    steps[precision] = &step;
    if (!options_read(&options, count, words, steps, &status)) {
        snprintf(told->reason, sizeof told->reason, "its options are wrong");
        return;
    }
    options.explainer = &explainer_of_mistakes;
    options.quiet = true;
    if (options.reps == 0) /* as common/measure/run.c does */
        worker_start();
    measure(&options, NULL, NULL, &outcome);
    told->passed = outcome.status == EXIT_RIGHT && outcome.right == 1;
    told->ms = outcome.results[0].timing.median;
    snprintf(told->reason, sizeof told->reason, "%s%s", outcome.message,
             outcome.results[0].verdict.reason);
}

static struct told try(const struct cheat *cheat, enum precision precision)
{
    struct told *told =
        mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told != MAP_FAILED)
        strcpy(told->reason, "the process ended without a verdict");
    fflush(stdout); /* otherwise the child would print it again */
    pid_t process = told != MAP_FAILED ? fork() : -1;
    if (process < 0) {
        perror("cheats");
        exit(EXIT_RESOURCE);
    }
    if (process == 0) {
        alarm(TIME_LIMIT);
        if (freopen("/dev/null", "w", stdout))
            judge(cheat, precision, told);
        _exit(0);
    }
    waitpid(process, NULL, 0);
    struct told copy = *told;
    munmap(told, sizeof *told);
    return copy;
}

/* How many were tried, how many of them are cheats, and how many verdicts were wrong. */
struct score {
    int tried, cheats, failed;
};

static void try_one(const struct cheat *cheat, enum precision precision, bool alone,
                    struct score *score)
{
    struct told told = try(cheat, precision);
    bool as_it_must = cheat->reason ? !told.passed && strstr(told.reason, cheat->reason)
                                    : told.passed && told.ms >= cheat->least_ms;
    score->tried++;
    score->cheats += cheat->reason != NULL;
    score->failed += !as_it_must;
    if (as_it_must && !alone)
        return;
    printf("%s%s (%s): %s%s, %.3f ms\n", as_it_must ? "" : "FAILED: ", cheat->name,
           precision_names[precision], told.passed ? "passed" : "rejected: ", told.reason,
           told.ms);
    if (!as_it_must && cheat->reason)
        printf("    it must be rejected because: %s\n", cheat->reason);
}

int main(int argc, char **argv)
{
    static const struct {
        const struct cheat *cheats;
        enum precision precision;
    } tables[] = {{shortcuts_f32, PRECISION_F32}, {shortcuts_f64, PRECISION_F64},
                  {rounded_f32, PRECISION_F32},   {rounded_f64, PRECISION_F64},
                  {outside_f32, PRECISION_F32},   {outside_f64, PRECISION_F64}};
    struct score score = {0};
    setenv("OPENBLAS_NUM_THREADS", "1", 1); /* fork() must find one thread only */
#ifdef _OPENMP
    omp_set_num_threads(1);
#endif
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct cheat *c = tables[t].cheats; c->name; c++)
            if (argc < 2 || strcmp(argv[1], c->name) == 0)
                try_one(c, tables[t].precision, argc > 1, &score);
    printf("%d cheats and %d honest ones tried, %d not judged as they must be\n", score.cheats,
           score.tried - score.cheats, score.failed);
    return score.failed || !score.tried ? EXIT_WRONG : EXIT_RIGHT;
}
