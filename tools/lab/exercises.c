/* SPDX-License-Identifier: MIT */
#include "lab.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

void find_exercises(struct lab *lab)
{
    DIR *folder = opendir(lab->exercises);
    if (!folder)
        die(RESOURCE, "there is no folder %s", lab->exercises);
    for (struct dirent *entry; (entry = readdir(folder)) && lab->count < MAX_EXERCISES;) {
        const char *name = entry->d_name;
        if (isdigit((unsigned char)name[0]) && isdigit((unsigned char)name[1]) &&
            name[2] == '-' && strlen(name) < NAME &&
            exists(text("%s/%s/source.%s", lab->exercises, name, exercise_suffix(lab, name))))
            strcpy(lab->names[lab->count++], name);
    }
    closedir(folder);
    qsort(lab->names, (size_t)lab->count, NAME, by_name);
}

const char *find_exercise(const struct lab *lab, const char *words)
{
    char *end, *found = text("%s", "");
    long number = strtol(words, &end, 10);
    bool is_number = *words && !*end;
    const char *one = NULL, *started = NULL;
    int hits = 0, begun = 0;
    for (int i = 0; i < lab->count; i++) {
        const char *name = lab->names[i];
        if (strcmp(name, words) == 0)
            return name;
        if (is_number ? atol(name) == number : strstr(name, words) != NULL) {
            one = name;
            hits++;
            found = text("%s%s%s", found, *found ? " " : "", name);
            if (access(work_file(lab, name), F_OK) == 0)
                started = name, begun++;
        }
    }
    if (!*words)
        die(USAGE, "which exercise? See ./ladder lab list");
    if (!hits)
        die(USAGE, "no exercise '%s'; ./ladder lab list names them", words);
    if (hits > 1 && begun == 1)
        return started;
    if (hits > 1)
        die(USAGE, "'%s' may mean: %s", words, found);
    return one;
}

const char *exercise_file(const struct lab *lab, const char *exercise, const char *name)
{
    return text("%s/%s/%s", lab->exercises, exercise, name);
}

/* ---- variants ---- */

enum { MOST_CHANGES = 64, MOST_VARIANTS = 8 };

/* A line `vary OLD NEW NEW ...` of the goals: what a variant has in the place of OLD. */
struct change {
    const char *before, *after;
    size_t length;
};

/* ~ in a goal is a blank here. */
static char *with_blanks(char *word)
{
    for (char *c = word; (c = strchr(c, '~'));)
        *c = ' ';
    return word;
}

/* The number of a class's variant: its seed and the exercise's name choose it. */
static unsigned chosen(const char *seed, const char *exercise, unsigned variants)
{
    unsigned hash = 2166136261u;
    for (const char *c = text("%s %s", seed, exercise); *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    return (hash ^ hash >> 16) % variants;
}

static int read_changes(const struct lab *lab, const char *exercise, struct change *changes)
{
    char *rest = read_file(exercise_file(lab, exercise, "check.md"), NULL),
         *words[MOST_VARIANTS];
    int count = 0;
    for (char *line; (line = next_line(&rest)) && count < MOST_CHANGES;) {
        int variants = split_words(line, words, MOST_VARIANTS) - 2;
        if (variants < 2 || strcmp(words[0], "vary") != 0)
            continue;
        unsigned variant = chosen(lab->class_seed, exercise, (unsigned)variants);
        const char *before = with_blanks(words[1]), *after = with_blanks(words[2 + variant]);
        changes[count++] =
            (struct change){before, strcmp(after, "=") == 0 ? before : after, strlen(before)};
    }
    return count;
}

/* Whether the change is for the text at `at`: whole words only. */
static bool fits(const struct change *change, const char *content, const char *at)
{
    const char *end = at + change->length;
    return strncmp(at, change->before, change->length) == 0 &&
           !(at > content && word_length(at - 1) > 1) && word_length(end - 1) < 2;
}

char *exercise_text(const struct lab *lab, const char *exercise, const char *name)
{
    struct change changes[MOST_CHANGES];
    char *content = read_file(exercise_file(lab, exercise, name), NULL);
    int count = content && lab->class_seed ? read_changes(lab, exercise, changes) : 0;
    struct stream made;
    if (!count)
        return content;
    stream_begin(&made);
    for (const char *at = content; *at;) {
        const struct change *best = NULL; /* the longest one */
        for (int i = 0; i < count; i++)
            if (fits(&changes[i], content, at) && (!best || best->length < changes[i].length))
                best = &changes[i];
        bool line_of_vary = (at == content || at[-1] == '\n') && begins_with(at, "vary ");
        if (line_of_vary) {
            at += strcspn(at, "\n");
            at += *at == '\n';
        } else if (best) {
            fputs(best->after, made.out);
            at += best->length;
        } else {
            fputc(*at++, made.out);
        }
    }
    return stream_end(&made);
}

char *exercise_part(const struct lab *lab, const char *exercise, const char *part)
{
    char *rest = exercise_text(lab, exercise, "check.md");
    struct stream made;
    bool inside = false;
    if (!rest)
        die(RESOURCE, "%s has no check.md with its goals; see docs/teachers.md", exercise);
    stream_begin(&made);
    for (char *line; (line = next_line(&rest));)
        if (begins_with(line, "## "))
            inside = strcmp(line + 3, part) == 0;
        else if (inside && !begins_with(line, "```"))
            fprintf(made.out, "%s\n", line);
    char *lines = stream_end(&made);
    return lines + strspn(lines, "\n");
}

bool is_for_gpu(const struct lab *lab, const char *exercise)
{
    return exists(exercise_file(lab, exercise, "source.cu"));
}

const char *exercise_suffix(const struct lab *lab, const char *exercise)
{
    return is_for_gpu(lab, exercise) ? "cu" : "c";
}

const char *work_file(const struct lab *lab, const char *exercise)
{
    return text("%s/%s/exercise.%s", lab->folder, exercise, exercise_suffix(lab, exercise));
}

const char *exercise_title(const struct lab *lab, const char *exercise)
{
    char *readme = exercise_text(lab, exercise, "README.md");
    if (!readme)
        return "";
    char *line = next_line(&readme);
    line += strspn(line, "# 0123456789");
    static const char dash[] = "–";
    if (begins_with(line, dash))
        line += strlen(dash);
    return line + strspn(line, " -");
}

const char *goal_words(const struct lab *lab, const char *exercise, const char *keyword)
{
    char *goals = exercise_part(lab, exercise, "Goals");
    size_t length = strlen(keyword);
    for (char *line; (line = next_line(&goals));)
        if (strncmp(line, keyword, length) == 0 && strchr(" ", line[length]))
            return line + length + strspn(line + length, " ");
    return NULL;
}

bool counts_workspace(const struct lab *lab, const char *exercise)
{
    const char *goals = exercise_part(lab, exercise, "Goals");
    return goals && (strstr(goals, "at-most workspace_bytes") ||
                     strstr(goals, "exactly workspace_bytes"));
}

const char *class_file(const struct lab *lab) { return text("%s/class", lab->exercises); }

int track(const struct lab *lab, bool quick, const char *names[MAX_EXERCISES],
          int minutes[MAX_EXERCISES])
{
    char *list = quick ? read_file(text("%s/fast-track", lab->exercises), NULL) : NULL,
         *words[3];
    int count = 0;
    for (; !quick && count < lab->count; count++)
        names[count] = lab->names[count], minutes[count] = 0;
    for (char *line; (line = next_line(&list)) && count < MAX_EXERCISES;) {
        if (*line == '#' || split_words(line, words, 3) < 2)
            continue;
        names[count] = find_exercise(lab, words[0]);
        minutes[count++] = atoi(words[1]);
    }
    return count;
}
