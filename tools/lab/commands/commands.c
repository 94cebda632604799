/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lab/lab.h"
#include "tools/lab/process/process.h"

const char *exercise_or_last(const struct lab *lab, int count, char **words)
{
    return count > 0 ? find_exercise(lab, words[0]) : last_started(lab);
}

const char *started_work(const struct lab *lab, const char *exercise)
{
    const char *work = work_file(lab, exercise);
    if (!exists(work))
        die(USAGE, "not started yet: ./ladder lab start %s", exercise);
    return work;
}

/* ---- list ---- */

static char mark_of(enum state state) { return " .x"[state]; }

static void print_list(const struct lab *lab)
{
    struct state_of states[MAX_EXERCISES];
    const char *names[MAX_EXERCISES], *begun = NULL;
    int minutes[MAX_EXERCISES], count = track(lab, lab->quick, names, minutes), total = 0,
                                done = 0;
    read_states(lab, states);
    for (int i = lab->count; i-- > 0;)
        begun = states[i].state == STARTED ? lab->names[i] : begun;
    for (int i = 0; i < count; i++) {
        enum state state = states[exercise_index(lab, names[i])].state;
        const char *title = exercise_title(lab, names[i]);
        if (lab->quick)
            printf("[%c] %-24s %3d min  %s\n", mark_of(state), names[i], minutes[i], title);
        else
            printf("%s[%c]%s %-24s %s\n", colour(state == DONE ? GREEN : PLAIN), mark_of(state),
                   colour(PLAIN), names[i], title);
        total += minutes[i];
        done += state == DONE;
    }
    printf("\n%d of %d passed", done, count);
    if (lab->quick)
        printf(" on the fast track, which takes about %d minutes in all.", total);
    else
        printf(" ([x]; [.] is started).");
    const char *next = next_exercise(lab, NULL);
    if (begun)
        printf(" Go on: ./ladder lab check %s", begun);
    else if (next)
        printf(" Next: ./ladder lab start %s%s", lab->quick ? "--fast " : "", next);
    putchar('\n');
}

/* "08-two-barriers 9: it compiles 1, right on squares 3, ..." */
static void print_points(const struct lab *lab)
{
    for (int i = 0; i < lab->count; i++) {
        struct points points = exercise_points(lab, lab->names[i], false);
        printf("%s %d:", lab->names[i], points_sum(&points, false));
        for (int p = 0; p < points.count; p++)
            printf("%s %s %d", p ? "," : "", points.parts[p].what, points.parts[p].most);
        putchar('\n');
    }
}

void command_list(struct lab *lab, int count, char **words)
{
    if (count)
        die(USAGE, "list takes nothing, not '%s'", words[0]);
    lab->points ? print_points(lab) : print_list(lab);
}

/* ---- start, reset ---- */

/* Copies the stub into the learner's folder unless there is a file already. */
static void start_exercise(const struct lab *lab, const char *exercise)
{
    const char *work = work_file(lab, exercise);
    if (exists(work)) {
        fprintf(stderr, "You have begun this already: %s stays as it is.\n",
                shown_path(lab, work));
        fprintf(stderr, "To begin again: ./ladder lab reset %s\n", exercise);
        const char *next = next_exercise(lab, exercise);
        if (lab->quick && next)
            fprintf(stderr, "To go on to the next one: ./ladder lab start %s\n", next);
    } else {
        make_folders(text("%s/%s", lab->folder, exercise));
        write_file(work, exercise_source(lab, exercise, STUB));
    }
    if (lab->quick && !on_quick_track(&(struct lab){.folder = lab->folder}))
        remember(lab, exercise, "quick", "");
    remember(lab, exercise, "start", "");
    printf("Read     %s\n", shown_path(lab, exercise_file(lab, exercise, "README.md")));
    printf("Edit     %s\n", shown_path(lab, work));
    printf("Then     ./ladder lab check\n");
    printf("Stuck?   ./ladder lab hint\n");
}

void command_start(struct lab *lab, int count, char **words)
{
    if (count > 1)
        die(USAGE, "start takes one exercise, not '%s' too", words[1]);
    const char *next = !count && lab->quick ? next_exercise(lab, NULL) : NULL;
    start_exercise(lab, next ? next : find_exercise(lab, count ? words[0] : ""));
}

void command_reset(struct lab *lab, int count, char **words)
{
    if (count != 1)
        die(USAGE, "reset wants an exercise");
    const char *exercise = find_exercise(lab, words[0]), *work = started_work(lab, exercise);
    if (!lab->yes) {
        fprintf(stderr, "Begin %s again? Your file is kept. [y/N] ", exercise);
        char answer[16] = "";
        bool answered = fgets(answer, sizeof answer, stdin) != NULL;
        die_if_interrupted();
        answer[strcspn(answer, "\n")] = '\0';
        if (!answered)
            fputc('\n', stderr);
        for (char *c = answer; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        if (strcmp(answer, "y") != 0 && strcmp(answer, "yes") != 0)
            die(NOT_PASSED, "nothing was changed");
    }
    int number = 1;
    while (exists(text("%s.%d", work, number)))
        number++;
    const char *kept = text("%s.%d", work, number);
    if (rename(work, kept) != 0)
        die(RESOURCE, "cannot write into %s/%s", lab->folder, exercise);
    write_file(work, exercise_source(lab, exercise, STUB));
    remember(lab, exercise, "reset", "");
    printf("Kept: %s\n", shown_path(lab, kept));
    printf("New:  %s\n", shown_path(lab, work));
}

/* ---- check ---- */

void command_check(struct lab *lab, int count, char **words)
{
    if (count > 2)
        die(USAGE, "check takes an exercise and a file, not '%s'", words[2]);
    const char *exercise = exercise_or_last(lab, count, words);
    if (count == 2 && !exists(words[1]))
        die(USAGE, "there is no %s", shown_path(lab, words[1]));
    if (count < 2)
        started_work(lab, exercise);
    prepare(lab, exercise);
    if (count == 2)
        exit(check_file(lab, exercise, words[1], stdout).passed ? PASSED : NOT_PASSED);
    exit(check_and_remember(lab, exercise) ? PASSED : NOT_PASSED);
}

/* ---- hint, solution ---- */

/* Prints hint number `wanted` (from 1) and returns how many there are. */
static int print_hint(const struct lab *lab, const char *exercise, int wanted)
{
    char *rest = exercise_part(lab, exercise, "Hints"), *all = rest ? text("%s", rest) : NULL;
    int total = 0, at = 0;
    for (char *line; (line = next_line(&all));)
        total += begins_with(line, "### ");
    wanted = wanted < total ? wanted : total;
    printf("Hint %d of %d:\n", wanted, total);
    for (char *line; (line = next_line(&rest));) {
        if (begins_with(line, "### "))
            at++;
        else if (at == wanted)
            puts(line);
    }
    return total;
}

void show_next_hint(const struct lab *lab, const char *exercise)
{
    struct state_of states[MAX_EXERCISES];
    read_states(lab, states);
    int shown = states[exercise_index(lab, exercise)].hints;
    if (shown >= print_hint(lab, exercise, shown + 1))
        puts(exists(class_file(lab))
                 ? "That was the last one."
                 : "That was the last one. ./ladder lab solution --anyway shows the solution.");
    else
        remember(lab, exercise, "hint", "");
}

void command_hint(struct lab *lab, int count, char **words)
{
    show_next_hint(lab, exercise_or_last(lab, count, words));
}

void command_solution(struct lab *lab, int count, char **words)
{
    struct state_of states[MAX_EXERCISES];
    const char *exercise = exercise_or_last(lab, count, words);
    if (exists(class_file(lab)))
        die(USAGE, "this folder was handed out for a course: your teacher has the solutions");
    read_states(lab, states);
    if (!lab->anyway && states[exercise_index(lab, exercise)].state != DONE)
        die(NOT_PASSED,
            "%s is not passed yet. To see the solution all the same: ./ladder lab solution %s "
            "--anyway",
            exercise, exercise);
    fputs(exercise_source(lab, exercise, SOLUTION), stdout);
    remember(lab, exercise, "solution", "");
}

/* ---- export ---- */

/* Writes what export.py reads of an exercise, in the variant of the class. */
static void write_texts(const struct lab *lab, const char *exercise, const char *texts)
{
    const char *folder = text("%s/%s", texts, exercise);
    make_folders(folder);
    write_file(text("%s/README.md", folder), exercise_text(lab, exercise, "README.md"));
    write_file(text("%s/check.md", folder), exercise_text(lab, exercise, "check.md"));
    write_file(text("%s/source.%s", folder, exercise_suffix(lab, exercise)),
               exercise_source(lab, exercise, HANDOUT));
    write_file(text("%s/stub", folder), exercise_source(lab, exercise, STUB));
    write_file(text("%s/solution", folder), exercise_source(lab, exercise, SOLUTION));
}

void command_export(struct lab *lab, int count, char **words)
{
    const char *out = count ? words[0] : NULL, *texts = empty_folder("texts");
    if (!out)
        die(USAGE, "export wants a folder, or an archive that ends in .tar.gz or .zip");
    if (lab->grader && strcmp(lab->grader, "gradescope") != 0)
        die(USAGE, "--for takes gradescope, not '%s'", lab->grader);
    if (exists(out))
        die(USAGE, "%s is there already; nothing was changed", out);
    if (lab->seed)
        lab->class_seed = lab->seed;
    if (exists(class_file(lab)))
        die(USAGE, "this folder was handed out itself: its exercises have no answers");
    if (*out != '/')
        out = text("%s/%s", getcwd(buffer(PATH_MAX), PATH_MAX), out);
    char *argv[MAX_EXERCISES + 9] = {text("%s/tools/scripts/python", lab->root),
                                     text("%s/tools/lab/commands/export.py", lab->root),
                                     text("%s", lab->root),
                                     text("%s", texts),
                                     text("%s", out),
                                     text("%s", lab->grader ? lab->grader : ""),
                                     text("%s", lab->class_seed ? lab->class_seed : "")};
    for (int i = 0; i < (count < 2 ? lab->count : count - 1) && i < MAX_EXERCISES; i++) {
        const char *exercise = count < 2 ? lab->names[i] : find_exercise(lab, words[i + 1]);
        write_texts(lab, exercise, texts);
        argv[7 + i] = text("%s", exercise);
    }
    struct ended ended = process_run(argv, &(struct limits){0});
    fputs(ended.err, stderr);
    if (ended.status != 0)
        exit(RESOURCE);
}
