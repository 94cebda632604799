/* SPDX-License-Identifier: MIT */
/** @file web.c
 * The lab in a web page (docs/site/playground/lab.mjs). A page can start no process and cannot
 * wait, so this program is started anew for each process that has ended: it repeats everything,
 * finds the output of the earlier processes in /answers, and asks for the next one. It draws
 * its numbers from its seed, so it comes to the same place each time.
 *
 * lab COMMAND EXERCISE [SEED], with the exercises in /exercises, the learner's files in /lab.
 * Exit status: as ./ladder lab; 100: /asked holds a process that is to be run, one word per
 * line.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"
#include "tools/lab/process/process.h"

enum { ASKS = 100 };

void catch_interrupts(void) {}
void die_if_interrupted(void) {}

/* A text of an answer: a number of bytes, a newline, and these bytes. */
static char *take_text(const char **rest)
{
    char *end;
    long size = strtol(*rest, &end, 10);
    if (size < 0) {
        *rest = end + 1;
        return NULL;
    }
    char *taken = buffer((size_t)size);
    memcpy(taken, end + 1, (size_t)size);
    *rest = end + 1 + size;
    return taken;
}

/* An answer: "STATUS SIGNAL LATE" and a newline, then four texts: out, err, what it reported to
 * the lab, and what it wrote into the file after -o. A missing text has size -1. */
struct ended process_run(char *const argv[], const struct limits *limits)
{
    static int asked;
    (void)limits;
    size_t size;
    const char *rest = read_file(text("/answers/%d", asked++), &size);
    if (!rest) {
        const char *all = text("%s", "");
        for (int i = 0; argv[i]; i++)
            all = text("%s%s\n", all, argv[i]);
        write_file("/asked", all);
        fflush(NULL);
        _Exit(ASKS);
    }
    int status, signal, late;
    sscanf(rest, "%d %d %d", &status, &signal, &late);
    rest = strchr(rest, '\n') + 1;
    struct ended ended = {.status = status, .signal = signal, .timed_out = late};
    ended.out = make_printable(take_text(&rest));
    ended.err = make_printable(take_text(&rest));
    ended.said = take_text(&rest);
    size_t bytes = (size_t)(strtol(rest, NULL, 10) + 1);
    const char *object = take_text(&rest);
    for (int i = 0; object && argv[i + 1]; i++)
        if (strcmp(argv[i], "-o") == 0) {
            const char *path =
                *argv[i + 1] == '/' ? argv[i + 1] : text("%s/%s", limits->folder, argv[i + 1]);
            FILE *file = fopen(path, "wb");
            if (!file || fwrite(object, 1, bytes - 1, file) != bytes - 1 || fclose(file) != 0)
                die(RESOURCE, "cannot write %s", path);
        }
    return ended;
}

/* Prints each exercise: name, state, checks, hints shown, title, with tabs between. */
static void print_states(const struct lab *lab)
{
    static const char *const words[] = {"new", "started", "done"};
    struct state_of states[MAX_EXERCISES];
    read_states(lab, states);
    for (int i = 0; i < lab->count; i++)
        printf("%s\t%s\t%d\t%d\t%s\n", lab->names[i], words[states[i].state], states[i].checks,
               states[i].hints, exercise_title(lab, lab->names[i]));
}

int main(int argc, char **argv)
{
    struct lab lab = {
        .root = "", .build = "/build", .folder = "/lab", .anyway = true, .no_gpu = true};
    lab.exercises = "/exercises";
    lab.seed = argc > 3 ? argv[3] : "1";
    find_exercises(&lab);
    const char *command = argc > 1 ? argv[1] : "", *exercise = argc > 2 ? argv[2] : "";
    if (strcmp(command, "states") == 0) {
        print_states(&lab);
    } else if (strcmp(command, "stub") == 0) {
        fputs(exercise_source(&lab, find_exercise(&lab, exercise), STUB), stdout);
    } else if (strcmp(command, "start") == 0) {
        remember(&lab, find_exercise(&lab, exercise), "start", "");
    } else if (strcmp(command, "hint") == 0) {
        show_next_hint(&lab, find_exercise(&lab, exercise));
    } else if (strcmp(command, "solution") == 0) {
        command_solution(&lab, 1, &argv[2]);
    } else if (strcmp(command, "check") == 0) {
        exercise = find_exercise(&lab, exercise);
        struct checked checked = check_file(&lab, exercise, work_file(&lab, exercise), stdout);
        remember(&lab, exercise, checked.passed ? "pass" : "fail", checked.options);
        return checked.passed ? PASSED : NOT_PASSED;
    } else {
        die(USAGE, "no command '%s'", command);
    }
    return PASSED;
}
