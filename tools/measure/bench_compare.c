/* SPDX-License-Identifier: MIT */
/** @file bench_compare.c
 * Compares two results files and lists all results files in a folder.
 */
#include "bench.h"
#include "common/measure/json.h"

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 1024 };

/** A timed result. */
struct result {
    char key[256]; /**< step, variant, precision, sizes, levels and leaf: what is compared with
                    * what
                    */
    double median, least, most, reps;
    double ratio; /**< the vendor's time over ours, NAN where it was not measured */
};

struct results {
    struct result *at;
    size_t count, room;
    char machine[256], dates[64], steps[1024];
};

/* ---- files ---- */

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* The .jsonl files in a folder and its folders, or the file itself; how many. */
static int find_files(const char *place, char (*files)[4096], int count)
{
    struct stat what;
    struct dirent **entries;
    if (stat(place, &what) != 0)
        return count;
    if (!S_ISDIR(what.st_mode)) {
        size_t length = strlen(place);
        if (count < MOST_FILES && length > 6 && strcmp(place + length - 6, ".jsonl") == 0)
            snprintf(files[count++], sizeof *files, "%s", place);
        return count;
    }
    int found = scandir(place, &entries, NULL, by_name);
    for (int i = 0; i < found; i++) {
        char path[4096];
        if (entries[i]->d_name[0] != '.' &&
            snprintf(path, sizeof path, "%s/%s", place, entries[i]->d_name) < (int)sizeof path)
            count = find_files(path, files, count);
        free(entries[i]);
    }
    if (found >= 0)
        free(entries);
    return count;
}

/* Adds a word to a list of words, once. */
static void add_word(char *list, size_t size, const char *word)
{
    for (const char *at = list; (at = strstr(at, word)); at++)
        if ((at == list || at[-1] == ' ') &&
            (at[strlen(word)] == '\0' || at[strlen(word)] == ','))
            return;
    snprintf(list + strlen(list), size - strlen(list), "%s%s", *list ? ", " : "", word);
}

static double number_or(const char *line, const char *name, double other)
{
    double value = json_get_number(line, name);
    return isnan(value) ? other : value;
}

/* A line with a time; later lines replace earlier ones of the same key. */
static bool add_result(struct results *r, const char *line)
{
    struct result new = {.median = json_get_number(line, "ms_median")};
    char step[64], variant[64], precision[16], leaf[64], backend[16], passed[8] = "";
    if (isnan(new.median) || !json_get_text(line, "step", step, sizeof step) ||
        !json_get_text(line, "variant", variant, sizeof variant))
        return true;
    const char *verdict = json_find(line, "passed");
    snprintf(passed, sizeof passed, "%.5s", verdict ? verdict : "");
    json_get_text(line, "precision", precision, sizeof precision);
    json_get_text(line, "leaf", leaf, sizeof leaf);
    json_get_text(line, "backend", backend, sizeof backend);
    if (strcmp(passed, "false") == 0 || strcmp(backend, "sim") == 0)
        return true; /* a wrong result has no speed, and neither has a simulated GPU */
    double n = json_get_number(line, "n");
    snprintf(new.key, sizeof new.key, "%-26.26s %-14.14s %-4.4s %6.0f%s%.0f", step, variant,
             precision, n, number_or(line, "levels", 0) > 0 ? " L" : "  ",
             number_or(line, "levels", 0));
    if (number_or(line, "m", n) != n || number_or(line, "k", n) != n)
        snprintf(new.key + strlen(new.key), sizeof new.key - strlen(new.key), " m %.0f k %.0f",
                 number_or(line, "m", n), number_or(line, "k", n));
    if (strcmp(backend, "cpu") == 0 && leaf[0])
        snprintf(new.key + strlen(new.key), sizeof new.key - strlen(new.key), " %s", leaf);
    new.least = number_or(line, "ms_min", new.median),
    new.most = number_or(line, "ms_max", new.median);
    new.reps = number_or(line, "reps", 1), new.ratio = json_get_number(line, "ratio");
    json_get_text(line, "device", step, sizeof step);
    add_word(r->machine, sizeof r->machine, step);
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->at[i].key, new.key) == 0) {
            r->at[i] = new;
            return true;
        }
    if (r->count == r->room) {
        struct result *more = realloc(r->at, (r->room * 2 + 64) * sizeof *more);
        if (!more)
            return false;
        r->at = more, r->room = r->room * 2 + 64;
    }
    r->at[r->count++] = new;
    return true;
}

/* Reads FILE, FOLDER or FILE@REVISION; false after a message. */
static bool read_results(struct results *r, const char *place)
{
    static char files[MOST_FILES][4096];
    char path[4096], made_by[64] = "", *line = NULL;
    size_t size = 0;
    struct stat what;
    const char *at = strrchr(place, '@'), *revision = "";
    snprintf(path, sizeof path, "%s", place);
    if (stat(path, &what) != 0 && at && (size_t)(at - place) < sizeof path) {
        path[at - place] = '\0';
        revision = at + 1;
    }
    int count = find_files(path, files, 0);
    for (int i = 0; i < count; i++) {
        FILE *file = fopen(files[i], "r");
        while (file && getline(&line, &size, file) > 0) {
            const char *conditions = json_find(line, "conditions");
            if (conditions)
                json_get_text(conditions, "revision", made_by, sizeof made_by);
            else if (!*revision || strcmp(revision, made_by) == 0)
                if (!add_result(r, line))
                    break;
        }
        if (file)
            fclose(file);
    }
    free(line);
    if (r->count == 0)
        fprintf(stderr, "ladder: no times in '%s'%s%s\n", path,
                *revision ? " of revision " : "", revision);
    return r->count > 0;
}

/* ---- comparing ---- */

/* The probability that all runs of one set are shorter than all of the other although both
 * programs are equally fast. */
static double chance(double a, double b)
{
    double choices = 1;
    for (int i = 1; i <= (int)a; i++)
        choices *= (b + i) / i;
    return 2 / choices;
}

static bool differ(const struct result *a, const struct result *b)
{
    return (a->most < b->least || b->most < a->least) && chance(a->reps, b->reps) < 0.05;
}

static void print_ratio(double ratio)
{
    if (isnan(ratio))
        printf(" %8s", "-");
    else
        printf(" %8.3f", ratio);
}

int bench_compare(const char *place_a, const char *place_b)
{
    struct results a = {0}, b = {0};
    int both = 0, faster = 0, slower = 0;
    if (!read_results(&a, place_a) || !read_results(&b, place_b))
        return BENCH_RESOURCE;
    printf("A: %s (%s)\nB: %s (%s)\n\n%-26s %-14s %-4s %6s %2s %10s %10s %8s   %8s %8s\n",
           place_a, a.machine, place_b, b.machine, "step", "variant", "", "n", "", "A ms",
           "B ms", "A/B", "A/vendor", "B/vendor");
    for (size_t i = 0; i < a.count; i++)
        for (size_t j = 0; j < b.count; j++) {
            const struct result *x = &a.at[i], *y = &b.at[j];
            if (strcmp(x->key, y->key) != 0)
                continue;
            bool significant = differ(x, y);
            both++;
            faster += significant && y->median < x->median,
                slower += significant && y->median > x->median;
            printf("%s %10.3f %10.3f %8.3f %s", x->key, x->median, y->median,
                   x->median / y->median, significant ? "*" : " ");
            print_ratio(x->ratio);
            print_ratio(y->ratio);
            putchar('\n');
        }
    if (both == 0) {
        fprintf(stderr, "ladder: '%s' and '%s' have no measurement in common\n", place_a,
                place_b);
        return BENCH_RESOURCE;
    }
    printf("\n%d measurements in common: B is faster in %d, slower in %d, and in %d the runs "
           "do not tell.\n"
           "A/B above 1: B is faster. A * marks a difference that the runs show: all runs of "
           "one are\n"
           "shorter than all runs of the other. For equal speeds the chance of that is below 5 "
           "%%.\n"
           "(Two sets of three runs are too few for a mark; two sets of five are enough.)\n",
           both, faster, slower, both - faster - slower);
    free(a.at);
    free(b.at);
    return 0;
}

/* ---- the list of results files ---- */

static void index_file(const char *folder, const char *path)
{
    struct results r = {0};
    char *line = NULL, text[128];
    size_t size = 0;
    int lines = 0;
    FILE *file = fopen(path, "r");
    while (file && getline(&line, &size, file) > 0) {
        const char *conditions = json_find(line, "conditions");
        if (conditions && json_get_text(conditions, "date", text, sizeof text))
            add_word(r.dates, sizeof r.dates, text);
        if (json_get_text(conditions ? conditions : line, "device", text, sizeof text) &&
            text[0])
            add_word(r.machine, sizeof r.machine, text);
        if (json_get_text(line, "step", text, sizeof text))
            add_word(r.steps, sizeof r.steps, text);
        lines += !conditions;
    }
    free(line);
    if (file)
        fclose(file);
    printf("| [%s](%s) | %s | %s | %s | %d |\n", path + strlen(folder) + 1,
           path + strlen(folder) + 1, r.machine[0] ? r.machine : "–",
           r.dates[0] ? r.dates : "–", r.steps[0] ? r.steps : "–", lines);
}

int bench_index(const char *folder)
{
    static char files[MOST_FILES][4096];
    int count = find_files(folder, files, 0);
    if (count == 0) {
        fprintf(stderr, "ladder: no results in '%s'\n", folder);
        return BENCH_RESOURCE;
    }
    puts("| file | machine | measured | steps | lines |\n| --- | --- | --- | --- | --- |");
    for (int i = 0; i < count; i++)
        index_file(folder, files[i]);
    return 0;
}
