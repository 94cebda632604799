/* SPDX-License-Identifier: MIT */
/** @file watch.c
 * ./ladder lab watch: checks at once and after each save, and reacts to a few keys.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "lab.h"
#include "process.h"

enum { LOOK_MS = 300, BAR = 40 };

static struct termios before; /* the terminal as it was */
static bool keys;             /* the terminal is set to hand over single keys */

static void restore_terminal(void)
{
    if (keys)
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
    keys = false;
}

/* From here on a key is read at once, without Enter; Ctrl-C works as before. */
static void take_keys(void)
{
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0)
        return;
    struct termios single = before;
    single.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    single.c_cc[VMIN] = 1;
    single.c_cc[VTIME] = 0;
    keys = tcsetattr(STDIN_FILENO, TCSANOW, &single) == 0;
    atexit(restore_terminal);
}

static void print_progress(const struct lab *lab)
{
    struct state_of states[MAX_EXERCISES];
    const char *names[MAX_EXERCISES];
    int minutes[MAX_EXERCISES], done = 0;
    bool quick = on_quick_track(lab) && track(lab, true, names, minutes);
    int total = track(lab, quick, names, minutes);
    read_states(lab, states);
    for (int i = 0; i < total; i++)
        done += states[exercise_index(lab, names[i])].state == DONE;
    int filled = total ? BAR * done / total : 0;
    printf("%s: [%s", quick ? "Fast track" : "Progress", colour(GREEN));
    for (int i = 0; i < BAR; i++)
        fputs(i < filled ? "#" : i == filled ? ">" : "-", stdout);
    printf("%s] %d/%d\n", colour(PLAIN), done, total);
}

static void check_now(const struct lab *lab, const char *exercise)
{
    if (isatty(STDOUT_FILENO))
        fputs("\033[H\033[2J", stdout);
    bool passed = check_and_remember(lab, exercise);
    print_progress(lab);
    if (keys)
        printf("%s%s\n",
               passed ? "n next exercise, h hint, l list, q quit"
                      : "h hint, n next exercise, l list, q quit",
               passed ? "" : " (waiting for the next save)");
    else
        puts("(waiting for the next save; Ctrl-C ends)");
    fflush(stdout);
}

/* A number that changes with the file's content; 0: it cannot be read just now. */
static unsigned long content_number(const char *path)
{
    size_t size;
    const char *content = read_file(path, &size);
    unsigned long number = 5381;
    for (size_t i = 0; content && i < size; i++)
        number = number * 33 ^ (unsigned char)content[i];
    return content ? number | 1 : 0;
}

/* Starts the next exercise, if there is one, and returns it. */
static const char *go_on(const struct lab *lab, const char *exercise)
{
    const char *next = next_exercise(lab, exercise);
    if (!next) {
        puts("That was the last one: all exercises are passed.");
        return exercise;
    }
    start_exercise(lab, next);
    prepare(lab, next);
    return next;
}

/* Handles one key; returns the exercise to go on with, NULL to end. */
static const char *on_key(const struct lab *lab, const char *exercise, char key)
{
    switch (key) {
    case 'h':
        show_next_hint(lab, exercise);
        break;
    case 'l':
        print_list(lab);
        break;
    case 'n':
        exercise = go_on(lab, exercise);
        break;
    case 'q':
        return NULL;
    default:
        puts("h hint, n next exercise, l list, q quit");
    }
    fflush(stdout);
    return exercise;
}

void command_watch(struct lab *lab, int count, char **words)
{
    if (lab->quick && !count)
        start_exercise(lab,
                       next_exercise(lab, NULL) ? next_exercise(lab, NULL) : lab->names[0]);
    char name[NAME]; /* a copy: texts are released meanwhile */
    snprintf(name, sizeof name, "%s", exercise_or_last(lab, count, words));
    started_work(lab, name);
    prepare(lab, name);
    take_keys();
    bool listening = keys;
    for (unsigned long seen = 0;;) {
        unsigned long number = content_number(work_file(lab, name));
        if (number && number != seen) {
            seen = number;
            check_now(lab, name);
        }
        struct pollfd input = {listening ? STDIN_FILENO : -1, POLLIN, 0};
        char key;
        if (poll(&input, 1, LOOK_MS) > 0) {
            if (read(STDIN_FILENO, &key, 1) != 1)
                listening = false;
            const char *next = listening ? on_key(lab, name, key) : name;
            if (!next)
                return;
            seen = strcmp(next, name) == 0 ? seen : 0;
            snprintf(name, sizeof name, "%s", next);
        }
        die_if_interrupted();
        texts_release(NULL);
    }
}
