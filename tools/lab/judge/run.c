/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { FILE_BYTES = 1 << 20 };

bool run_exercise(struct check *c, const char *program, const char *options)
{
    char *argv[64] = {text("%s", program)};
    split_words(text("%s", options), argv + 1, 62);
    bool cuda = c->job.place == ON_CUDA;
    /* A GPU's driver maps as much as it likes, and the simulated GPU reserves addresses. */
    const size_t memory[] = {
        [ON_CPU] = (size_t)3 << 29, [ON_SIM] = (size_t)4 << 30, [ON_CUDA] = 0};
    struct limits limits = {.seconds = cuda ? 6 * c->seconds : c->seconds,
                            .data = memory[c->job.place],
                            .file = cuda ? 0 : FILE_BYTES,
                            .processes = !cuda,
                            .folder = empty_folder("run"),
                            .channel = true,
                            .show = c->show,
                            .readable = cuda ? NULL : readable_places(c->lab)};
    c->options = options;
    c->ended = process_run(argv, &limits);
    c->facts = facts_read(c->ended.said);
    const char *status = fact(&c->facts, "status");
    return status && strcmp(status, "0") == 0;
}

const char *last_option(const char *options, const char *name)
{
    char *words[64];
    int count = split_words(text("%s", options), words, 64);
    for (int i = count - 2; i >= 0; i--)
        if (strcmp(words[i], name) == 0)
            return words[i + 1];
    return NULL;
}

const char *goal_levels(const struct lab *lab, const char *exercise)
{
    char *rest = exercise_part(lab, exercise, "Goals");
    for (char *line; (line = next_line(&rest));) {
        const char *levels = last_option(line, "--levels");
        if (levels)
            return text(" --levels %s", levels);
    }
    return "";
}

const char *shape_of(const char *options)
{
    char *words[64];
    int count = split_words(text("%s", options), words, 64);
    const char *result = "", *seen = " --seed ";
    for (int i = 0; i + 1 < count; i += 2) {
        const char *value = last_option(options, words[i]);
        bool wider = strcmp(words[i], "--ld-extra") == 0;
        if (strstr(seen, text(" %s ", words[i])) || (wider && strcmp(value, "0") == 0))
            continue;
        seen = text("%s%s ", seen, words[i]);
        result = text("%s%s%s%s%s", result, *result ? ", " : "",
                      wider ? "rows wider by " : words[i] + 2, wider ? "" : " = ", value);
    }
    return result;
}

const char *what_it_printed(const struct check *c, int most)
{
    /* After a fault or a crash the simulated GPU and the checker have written there, too. */
    bool alone = c->ended.said && !strstr(c->ended.err, "fault: ");
    char *rest = text("%s%s", c->ended.out, alone ? c->ended.err : ""),
         *result = text("%s", "");
    int lines = 0;
    for (char *line; (line = next_line(&rest)); lines++)
        if (lines < most)
            result = text("%s      | %.200s\n", result, line);
    if (lines > most)
        result = text("%s      | ... %d lines more\n", result, lines - most);
    return result;
}
