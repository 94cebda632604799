/* SPDX-License-Identifier: MIT */
/** @file progress.c
 * lab/progress: one line for each event, with tabs between: time, exercise, event (start pass
 * fail hint solution reset quick), and for a failed check the options of the run that failed.
 */
#include "lab.h"

#include <string.h>
#include <time.h>

static const char *progress_file(const struct lab *lab)
{
    return text("%s/progress", lab->folder);
}

void remember(const struct lab *lab, const char *exercise, const char *event, const char *more)
{
    char when[32];
    time_t now = time(NULL);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    make_folders(lab->folder);
    FILE *file = fopen(progress_file(lab), "a");
    bool written = file && fprintf(file, "%s\t%s\t%s%s%s\n", when, exercise, event,
                                   *more ? "\t" : "", more) > 0;
    if (file && fclose(file) != 0)
        written = false;
    if (!written)
        die(RESOURCE, "cannot write into %s", lab->folder);
}

/* One event; fields that are missing are "". */
struct event {
    const char *when, *exercise, *what, *more;
};

/* The next event of the progress file's text; false at its end. */
static bool next_event(char **rest, struct event *event)
{
    char *line = next_line(rest);
    if (!line)
        return false;
    const char *fields[4] = {"", "", "", ""};
    for (int i = 0; i < 4 && line; i++) {
        fields[i] = line;
        line = i < 3 ? strchr(line, '\t') : NULL;
        if (line)
            *line++ = '\0';
    }
    *event = (struct event){fields[0], fields[1], fields[2], fields[3]};
    return true;
}

int exercise_index(const struct lab *lab, const char *exercise)
{
    for (int i = 0; i < lab->count; i++)
        if (strcmp(lab->names[i], exercise) == 0)
            return i;
    return -1;
}

/* Checks for the form 2026-11-22T09:30:12Z: the learner may have edited the file. */
static bool is_time(const char *when)
{
    static const char form[] = "0000-00-00T00:00:00Z";
    size_t i = 0;
    while (form[i] && (form[i] == '0' ? when[i] >= '0' && when[i] <= '9' : when[i] == form[i]))
        i++;
    return !form[i] && !when[i];
}

static void take(struct state_of *s, const struct event *e)
{
    if (strcmp(e->what, "start") == 0 && s->state == NEW) {
        s->state = STARTED;
    } else if (strcmp(e->what, "reset") == 0) {
        *s = (struct state_of){.state = STARTED, .peeked = s->peeked};
    } else if (strcmp(e->what, "fail") == 0) {
        s->checks++;
        s->state = s->state == NEW ? STARTED : s->state;
    } else if (strcmp(e->what, "pass") == 0) {
        s->checks++;
        s->state = DONE;
        if (!*s->passed && is_time(e->when))
            snprintf(s->passed, sizeof s->passed, "%s", e->when);
    } else if (strcmp(e->what, "hint") == 0) {
        s->hints++;
    } else if (strcmp(e->what, "solution") == 0 && s->state != DONE) {
        s->peeked = true;
    }
}

void read_states(const struct lab *lab, struct state_of states[MAX_EXERCISES])
{
    char *rest = read_file(progress_file(lab), NULL);
    memset(states, 0, MAX_EXERCISES * sizeof *states);
    for (struct event e; next_event(&rest, &e);) {
        int index = exercise_index(lab, e.exercise);
        if (index >= 0)
            take(&states[index], &e);
    }
}

/* The last event of this kind, of one exercise or (NULL) of any; `when` is NULL without one. */
static struct event last_event(const struct lab *lab, const char *exercise, const char *what)
{
    char *rest = read_file(progress_file(lab), NULL);
    struct event last = {.when = NULL};
    for (struct event e; next_event(&rest, &e);)
        if (strcmp(e.what, what) == 0 && (!exercise || strcmp(e.exercise, exercise) == 0))
            last = e;
    return last;
}

const char *last_started(const struct lab *lab)
{
    struct event last = last_event(lab, NULL, "start");
    if (!last.when)
        die(USAGE, "which exercise? Nothing is started yet: ./ladder lab start EX");
    return find_exercise(lab, last.exercise);
}

const char *last_failure(const struct lab *lab, const char *exercise)
{
    struct event last = last_event(lab, exercise, "fail");
    return last.when ? last.more : "";
}

bool on_quick_track(const struct lab *lab)
{
    return lab->quick || last_event(lab, NULL, "quick").when;
}

/* The first of `names` after `exercise` that is not passed, from the top after the last. */
static const char *first_open(const struct lab *lab, const char *const names[], int count,
                              const char *exercise)
{
    struct state_of states[MAX_EXERCISES];
    read_states(lab, states);
    int from = 0;
    for (int i = 0; i < count && exercise; i++)
        if (strcmp(names[i], exercise) == 0)
            from = i + 1;
    for (int i = 0; i < count; i++) {
        const char *name = names[(from + i) % count];
        if (states[exercise_index(lab, name)].state != DONE &&
            (!exercise || strcmp(name, exercise) != 0))
            return name;
    }
    return NULL;
}

const char *next_exercise(const struct lab *lab, const char *exercise)
{
    const char *names[MAX_EXERCISES], *next = NULL;
    int minutes[MAX_EXERCISES];
    for (int quick = on_quick_track(lab); quick >= 0 && !next; quick--)
        next = first_open(lab, names, track(lab, quick, names, minutes), exercise);
    return next;
}
