/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"

enum { FILE_BYTES = 1 << 20 };

/* The most memory that a run may use. */
static size_t memory_limit(void) { return (size_t)4 << 30; }

bool run_exercise(struct check *c, const char *program, const char *options)
{
    char *argv[64] = {text("%s", program)};
    split_words(text("%s", options), argv + 1, 62);
    bool cuda = c->job.place == ON_CUDA;
    struct limits limits = {
        .seconds = cuda ? 6 * c->seconds : c->seconds,
        .data = cuda ? 0 : memory_limit(), /* a GPU's driver maps as much as it likes */
        .file = cuda ? 0 : FILE_BYTES,
        .processes = !cuda,
        .little_stack = c->job.place == ON_CPU && counts_workspace(c->lab, c->exercise),
        .folder = empty_folder("run"),
        .channel = true,
        .show = c->show,
        .readable = cuda ? NULL : readable_places(c->lab)};
    c->options = options;
    c->ended = process_run(argv, &limits);
    c->facts = facts_read(c->ended.said);
    /* The largest bank conflict of any line, and where it is. */
    char *rest = text("%s", c->facts.report), *words[8];
    double most = 0;
    const char *place = NULL;
    for (char *line; (line = next_line(&rest));)
        if (split_words(line, words, 8) >= 6 && strcmp(words[1], "shared") == 0 &&
            strchr(words[5], 'x') && atof(words[5]) > most) {
            most = atof(words[5]);
            place = text("%s %s", words[0], words[2]);
        }
    if (place && c->facts.count + 2 < (int)(sizeof c->facts.all / sizeof *c->facts.all)) {
        c->facts.all[c->facts.count].name = "conflict";
        c->facts.all[c->facts.count++].value = text("%.12g", most);
        c->facts.all[c->facts.count].name = "conflict_at";
        c->facts.all[c->facts.count++].value = place;
    }
    const char *status = fact(&c->facts, "status");
    return status && strcmp(status, "0") == 0;
}

const char *goal_levels(const struct lab *lab, const char *exercise)
{
    char *rest = exercise_comment(lab, exercise, "GOALS"), *words[32];
    for (char *line; (line = next_line(&rest));) {
        int count = split_words(line, words, 32);
        for (int i = 0; i + 1 < count; i++)
            if (strcmp(words[i], "--levels") == 0)
                return text(" --levels %s", words[i + 1]);
    }
    return "";
}

const char *shape_of(const char *options)
{
    char *words[64];
    int count = split_words(text("%s", options), words, 64);
    const char *names[32], *values[32], *result = "";
    int known = 0;
    for (int i = 0; i + 1 < count; i += 2) {
        int at = 0;
        while (at < known && strcmp(names[at], words[i] + 2) != 0)
            at++;
        if (at == known && known < 32)
            names[known++] = words[i] + 2;
        values[at] = words[i + 1];
    }
    for (int i = 0; i < known; i++) {
        bool wider = strcmp(names[i], "ld-extra") == 0;
        if (strcmp(names[i], "seed") == 0 || (wider && strcmp(values[i], "0") == 0))
            continue;
        result = text("%s%s%s%s%s", result, *result ? ", " : "",
                      wider ? "rows wider by " : names[i], wider ? "" : " = ", values[i]);
    }
    return result;
}

const char *what_it_printed(const struct check *c, int most)
{
    char *rest = text("%s", c->ended.out), *result = text("%s", "");
    int lines = 0;
    for (char *line; (line = next_line(&rest)); lines++)
        if (lines < most)
            result = text("%s      | %.200s\n", result, line);
    if (lines > most)
        result = text("%s      | ... %d lines more\n", result, lines - most);
    return result;
}
