/* SPDX-License-Identifier: MIT */
/** @file again.c
 * Makes an item's numbers again on this computer.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/measure/json.h"
#include "common/step.h"
#include "kept.h"
#include "paper.h"

enum { MOST_WORDS = 256 };

static bool takes_gpu(const struct item *item)
{
    return strncmp(item->measure, "gpu ", 4) == 0 ||
           strncmp(item->measure, "paper/measure ", 12) == 0;
}

/* Whether there is a GPU for which programs can be built. */
static bool have_gpu(void) { return system("nvidia-smi -L 2>/dev/null | grep -q '^GPU'") == 0; }

/* Whether a program runs on it. */
static bool runs_on_gpu(void)
{
    const char *bin = getenv("BIN");
    return system(text("\"%s/10-gpu8\" --n 1 --quiet >/dev/null 2>&1",
                       bin ? bin : "build/bin")) == 0;
}

/* Runs a program; its exit status. */
static int run(char *const *words)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execv(words[0], words);
        perror(words[0]);
        _exit(EXIT_RESOURCE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return EXIT_RESOURCE;
    return WEXITSTATUS(status);
}

/* Splits a list of words behind `count` others; how many there are then. */
static int split(char *list, char *words[], int count)
{
    char *rest;
    for (char *word = strtok_r(list, " ", &rest); word && count < MOST_WORDS - 1;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    words[count] = NULL;
    return count;
}

/* Builds what an item is measured with: in each part the word behind the results file, and what
 * stands behind a --. */
static int build_programs(const struct item *item, const char *source, const char *build)
{
    char tool[4352], copy[2048], *words[MOST_WORDS] = {tool, (char *)build, "paper-tables"};
    char *of[MOST_WORDS], *rest;
    int count = 3;
    snprintf(tool, sizeof tool, "%s/tools/build", source);
    snprintf(copy, sizeof copy, "%s", takes_gpu(item) ? "" : item->measure);
    if (takes_gpu(item))
        words[count++] = "gpu-programs";
    for (char *part = strtok_r(copy, ";", &rest); part; part = strtok_r(NULL, ";", &rest)) {
        int used = split(part, of, 0);
        for (int i = 1; i < used && count < MOST_WORDS - 1; i++)
            if (i == 1 || strcmp(of[i - 1], "--") == 0)
                words[count++] = of[i];
    }
    words[count] = NULL;
    return run(words);
}

/* What was counted, beside the model: a line a result. Returns whether both are equal. */
static bool print_counted(const char *name)
{
    const char *line;
    char step[64], variant[64];
    bool equal = true;
    for (int i = 1; (line = kept_line(name, i)); i++) {
        double counted = json_get_number(line, "transactions"),
               model = json_get_number(line, "model_transactions"),
               bytes = json_get_number(line, "volume_bytes"), n = json_get_number(line, "n");
        bool right = json_get_bool(line, "passed");
        if (!json_get_text(line, "step", step, sizeof step) ||
            !json_get_text(line, "variant", variant, sizeof variant) || isnan(n))
            continue; /* without n: an order, counted without a product */
        bool same = isnan(counted) || isnan(model) ||
                    (counted == model && bytes == json_get_number(line, "model_volume_bytes"));
        printf("%s %s, n = %.0f, levels = %.0f: %s", step, variant, n,
               json_get_number(line, "levels"), right ? "right" : "WRONG");
        if (!isnan(counted))
            printf("; counted %.0f transactions, %.0f bytes%s", counted, bytes,
                   isnan(model) ? ""
                   : same       ? ", as the model says"
                                : ", which the model does NOT say");
        putchar('\n');
        equal = equal && right && same;
    }
    return equal && kept_line(name, 0);
}

int measure_again(const struct item *item, const char *source, const char *build,
                  const char *results)
{
    char copy[2048], tool[4352], *words[MOST_WORDS] = {tool}, *rest;
    int status = EXIT_RIGHT;
    if (!item->measure) {
        printf("%s: there is nothing to measure\n", item->id);
        return EXIT_RIGHT;
    }
    if (!takes_gpu(item) || have_gpu())
        status = build_programs(item, source, build);
    if (status != EXIT_RIGHT)
        return status;
    if (takes_gpu(item) && !runs_on_gpu()) {
        fprintf(stderr,
                "%s is measured on an NVIDIA GPU, and none can be used here. `./ladder paper "
                "%s` shows the kept results.\n",
                item->title, item->id);
        return EXIT_RESOURCE;
    }
    setenv("RESULTS", results, 1);
    if (strncmp(item->measure, "paper/measure ", 12) == 0) {
        setenv("PARTS", item->measure + 14, 1);
        snprintf(tool, sizeof tool, "%s/tools/paper/measure", source);
        return run((char *[]){tool, "--out", (char *)results, NULL});
    }
    snprintf(copy, sizeof copy, "%s", item->measure + (takes_gpu(item) ? 4 : 0));
    for (char *part = strtok_r(copy, ";", &rest); part; part = strtok_r(NULL, ";", &rest)) {
        snprintf(tool, sizeof tool, "%s/tools/measure/programs", source);
        split(part, words, 1);
        int one = run(words);
        status = one ? one : status;
        if (strcmp(item->answered, "exact") == 0 && !print_counted(words[1]))
            status = EXIT_WRONG;
    }
    return status;
}
