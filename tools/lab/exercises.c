/* SPDX-License-Identifier: MIT */
#include "lab.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

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
            exists(text("%s/%s/goals", lab->exercises, name)))
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
    const char *one = NULL;
    int hits = 0;
    for (int i = 0; i < lab->count; i++) {
        const char *name = lab->names[i];
        if (strcmp(name, words) == 0)
            return name;
        if (is_number ? atol(name) == number : strstr(name, words) != NULL) {
            one = name;
            hits++;
            found = text("%s%s ", found, name);
        }
    }
    if (!*words)
        die(USAGE, "which exercise? See ./ladder lab list");
    if (!hits)
        die(USAGE, "no exercise '%s'; ./ladder lab list names them", words);
    if (hits > 1)
        die(USAGE, "'%s' may mean: %s", words, found);
    return one;
}

const char *exercise_file(const struct lab *lab, const char *exercise, const char *name)
{
    return text("%s/%s/%s", lab->exercises, exercise, name);
}

const char *exercise_suffix(const struct lab *lab, const char *exercise)
{
    return exists(exercise_file(lab, exercise, "source.cu")) ? "cu" : "c";
}

const char *work_file(const struct lab *lab, const char *exercise)
{
    return text("%s/%s/exercise.%s", lab->folder, exercise, exercise_suffix(lab, exercise));
}

const char *exercise_title(const struct lab *lab, const char *exercise)
{
    char *readme = read_file(exercise_file(lab, exercise, "README.md"), NULL);
    if (!readme)
        return "";
    char *line = next_line(&readme);
    line += strspn(line, "# 0123456789");
    static const char dash[] = "–";
    if (strncmp(line, dash, strlen(dash)) == 0)
        line += strlen(dash);
    return line + strspn(line, " -");
}

const char *goal_words(const struct lab *lab, const char *exercise, const char *keyword)
{
    char *goals = read_file(exercise_file(lab, exercise, "goals"), NULL);
    size_t length = strlen(keyword);
    for (char *line; (line = next_line(&goals));)
        if (strncmp(line, keyword, length) == 0 && strchr(" ", line[length]))
            return line + length + strspn(line + length, " ");
    return NULL;
}

bool counts_workspace(const struct lab *lab, const char *exercise)
{
    const char *goals = read_file(exercise_file(lab, exercise, "goals"), NULL);
    return goals && (strstr(goals, "at-most workspace_bytes") ||
                     strstr(goals, "exactly workspace_bytes"));
}

const char *class_file(const struct lab *lab) { return text("%s/class", lab->exercises); }

int quick_track(const struct lab *lab, const char *names[], int minutes[], int most)
{
    char *list = read_file(text("%s/fast-track", lab->exercises), NULL), *words[3];
    int count = 0;
    for (char *line; (line = next_line(&list)) && count < most;) {
        if (*line == '#' || split_words(line, words, 3) < 2)
            continue;
        names[count] = find_exercise(lab, words[0]);
        minutes[count++] = atoi(words[1]);
    }
    return count;
}
