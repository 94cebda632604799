#include "again.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/json_read.h"
#include "common/step.h"

static bool takes_gpu(const struct item *item)
{
    return strncmp(item->measure, "gpu ", 4) == 0 || strncmp(item->measure, "bench-paper ", 12) == 0;
}

void print_programs(const struct item *item)
{
    char copy[2048], *rest;
    if (!item->measure)
        return;
    if (takes_gpu(item)) {
        puts("gpu-programs");
        return;
    }
    snprintf(copy, sizeof copy, "%s", item->measure);
    for (char *part = strtok_r(copy, ";", &rest); part; part = strtok_r(NULL, ";", &rest)) {
        char *words, *word = strtok_r(part, " ", &words); /* the first word is the results file */
        for (bool program = true; (word = strtok_r(NULL, " ", &words));) {
            if (program)
                puts(word);
            program = strcmp(word, "--") == 0;
        }
    }
}

/* Whether a program runs on a GPU here. */
static bool have_gpu(void)
{
    const char *bin = getenv("BIN");
    char command[4352];
    snprintf(command, sizeof command, "\"%s/10-gpu8\" --n 1 --quiet >/dev/null 2>&1",
             bin ? bin : "build/bin");
    return system(command) == 0;
}

/* Runs a program with these words behind it. */
static int run(const char *program, char *words)
{
    char *arguments[256] = {(char *)program}, *rest;
    int count = 1, status;
    for (char *word = strtok_r(words, " ", &rest); word && count < 255;
         word = strtok_r(NULL, " ", &rest))
        arguments[count++] = word;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execv(program, arguments);
        perror(program);
        _exit(EXIT_RESOURCE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return EXIT_RESOURCE;
    return WEXITSTATUS(status);
}

/* What was counted, beside the model: a line a result. Returns whether both are equal. */
static bool print_counted(const char *results, const char *name)
{
    char path[4352], *line = NULL;
    size_t size = 0;
    bool equal = true;
    snprintf(path, sizeof path, "%s/%s.jsonl", results, name);
    FILE *from = fopen(path, "r");
    while (from && getline(&line, &size, from) > 0) {
        char step[64], variant[64];
        double counted = json_get_number(line, "transactions"),
               model = json_get_number(line, "model_transactions"),
               bytes = json_get_number(line, "volume_bytes"),
               model_bytes = json_get_number(line, "model_volume_bytes");
        if (!json_get_text(line, "step", step, sizeof step) ||
            !json_get_text(line, "variant", variant, sizeof variant))
            continue;
        if (isnan(json_get_number(line, "n")))
            continue; /* an order, counted without a product */
        bool right = json_get_bool(line, "passed");
        bool same = isnan(counted) || isnan(model) || (counted == model && bytes == model_bytes);
        printf("%s %s, n = %.0f, levels = %.0f: %s", step, variant, json_get_number(line, "n"),
               json_get_number(line, "levels"), right ? "right" : "WRONG");
        if (!isnan(counted))
            printf("; counted %.0f transactions, %.0f bytes%s", counted, bytes,
                   isnan(model) ? "" : same ? ", as the model says" : ", which the model does NOT say");
        putchar('\n');
        equal = equal && right && same;
    }
    free(line);
    if (from)
        fclose(from);
    return equal && from;
}

int measure_again(const struct item *item, const char *source, const char *results)
{
    char copy[2048], program[4352], *rest;
    int status = EXIT_RIGHT;
    if (!item->measure) {
        printf("%s: there is nothing to measure\n", item->id);
        return EXIT_RIGHT;
    }
    if (takes_gpu(item) && !have_gpu()) {
        fprintf(stderr,
                "%s is measured on an NVIDIA GPU, and none can be used here. "
                "`./ladder paper %s` shows the kept results.\n",
                item->title, item->id);
        return EXIT_RESOURCE;
    }
    setenv("RESULTS", results, 1);
    if (strncmp(item->measure, "bench-paper ", 12) == 0) {
        setenv("PARTS", item->measure + 12, 1);
        snprintf(program, sizeof program, "%s/tools/bench-paper", source);
        char option[4400];
        snprintf(option, sizeof option, "--out"); /* the folder may have blanks: an argument of its own */
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            execl(program, program, option, results, (char *)NULL);
            _exit(EXIT_RESOURCE);
        }
        return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
                   ? WEXITSTATUS(status)
                   : EXIT_RESOURCE;
    }
    snprintf(copy, sizeof copy, "%s", item->measure + (takes_gpu(item) ? 4 : 0));
    snprintf(program, sizeof program, "%s/tools/measure", source);
    for (char *part = strtok_r(copy, ";", &rest); part; part = strtok_r(NULL, ";", &rest)) {
        char name[64];
        sscanf(part, "%63s", name);
        int one = run(program, part);
        status = one ? one : status;
        if (item->answer == EXACT && !print_counted(results, name))
            status = EXIT_WRONG;
    }
    return status;
}
