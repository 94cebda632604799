/* SPDX-License-Identifier: MIT */
#include "kept.h"

#include <glob.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/measure/json.h"

enum { MAX_FILES = 32 };

/* A file as it was read, line by line; without lines if it is not there. */
struct kept_file {
    char name[64];
    char path[128]; /* from the results folder */
    char **lines;
    int count;
};
static struct kept_file files[MAX_FILES];
static int files_read;
static const char *results_folder = "docs/results";
static bool latest_counts;

void kept_in(const char *folder, bool latest)
{
    results_folder = folder;
    latest_counts = latest;
    files_read = 0;
}

static FILE *open_results(struct kept_file *kept)
{
    char path[4096];
    glob_t found;
    int length = (int)strcspn(kept->name, ":");
    snprintf(path, sizeof path, "%s/%.*s.jsonl", results_folder, length, kept->name);
    FILE *file = fopen(path, "r");
    snprintf(kept->path, sizeof kept->path, "%.*s.jsonl", length, kept->name);
    if (file)
        return file;
    snprintf(path, sizeof path, "%s/*/%.*s.jsonl", results_folder, length,
             kept->name); /* a folder a machine */
    if (glob(path, 0, NULL, &found) == 0) {
        file = fopen(found.gl_pathv[0], "r");
        snprintf(kept->path, sizeof kept->path, "%s",
                 found.gl_pathv[0] + strlen(results_folder) + 1);
        globfree(&found);
    }
    return file;
}

static const struct kept_file *file_of(const char *name)
{
    for (int i = 0; i < files_read; i++)
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    if (files_read == MAX_FILES) {
        fputs("paper: too many results files\n", stderr);
        exit(3);
    }
    struct kept_file *file = &files[files_read++];
    *file = (struct kept_file){0};
    snprintf(file->name, sizeof file->name, "%s", name);
    FILE *from = open_results(file);
    const char *step = strchr(name, ':');
    bool wanted = true;
    char *line = NULL;
    size_t size = 0;
    while (from && getline(&line, &size, from) > 0) {
        if (step && json_find(line, "conditions"))
            wanted = strstr(line, text("\"%s ", step + 1)) ||
                     strstr(line, text("\"part\":\"%s\"", step + 1));
        if (!wanted)
            continue;
        char **more = realloc(file->lines, (size_t)(file->count + 1) * sizeof *more);
        if (!more)
            exit(3);
        file->lines = more;
        file->lines[file->count++] = line;
        line = NULL;
        size = 0;
    }
    free(line);
    if (from)
        fclose(from);
    return file;
}

/* Whether a line has "NAME=VALUE", VALUE a number or a text. */
static bool has_field(const char *line, const char *field)
{
    char name[64], text[128];
    const char *value = strchr(field, '=');
    if (!value)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(value - field), field);
    value++;
    if (json_get_text(line, name, text, sizeof text))
        return strcmp(text, value) == 0;
    double number = json_get_number(line, name);
    return !isnan(number) && number == strtod(value, NULL);
}

const char *kept_line(const char *file, int number)
{
    const struct kept_file *from = file_of(file);
    return number < from->count ? from->lines[number] : NULL;
}

double kept_number(const char *file, const char *field, const char *fields, ...)
{
    char wanted[512], copy[512], *rest;
    va_list arguments;
    va_start(arguments, fields);
    vsnprintf(wanted, sizeof wanted, fields, arguments);
    va_end(arguments);
    const struct kept_file *from = file_of(file);
    double found = NAN;
    for (int i = 0; i < from->count && (latest_counts || isnan(found)); i++) {
        const char *line = from->lines[i], *passed = json_find(line, "passed");
        bool all = !passed || *passed != 'f';
        memcpy(copy, wanted, sizeof copy);
        for (char *one = strtok_r(copy, " ", &rest); one && all;
             one = strtok_r(NULL, " ", &rest))
            all = has_field(line, one);
        double number = all ? json_get_number(line, field) : NAN;
        found = isnan(number) ? found : number;
    }
    return found;
}

const char *kept_conditions(const char *file)
{
    const struct kept_file *from = file_of(file);
    const char *conditions = from->count ? json_find(from->lines[0], "conditions") : NULL;
    char device[128], driver[64], toolkit[64], date[64];
    if (!conditions)
        return "";
    json_get_text(conditions, "device", device, sizeof device);
    json_get_text(conditions, "date", date, sizeof date);
    if (json_get_text(conditions, "driver", driver, sizeof driver) &&
        json_get_text(conditions, "toolkit", toolkit, sizeof toolkit))
        return text("%s, driver %s, CUDA %s, %s", device, driver, toolkit, date);
    return text("%s, %s", device, date);
}

const char *kept_command(const char *file, int number)
{
    const struct kept_file *from = file_of(file);
    const char *at = from->count ? strstr(from->lines[0], "\"command\":[") : NULL;
    at = at ? strchr(at, '[') : NULL;
    for (; at && (at[0] == '[' || at[0] == ',') && at[1] == '"'; number--) {
        size_t length = strcspn(at + 2, "\"");
        if (number == 0)
            return text("%.*s", (int)length, at + 2);
        at += 2 + length + 1;
    }
    return NULL;
}

const char *kept_path(const char *file) { return file_of(file)->path; }

/* Where each method's times are kept, and what its lines have. */
static const struct {
    const char *name, *file, *fields;
} methods[] = {
    {"sgemm", "paper-times", "variant=volkov"},
    {"GPU8", "paper-times", "variant=gpu8"},
    {"Strassen", "paper-times", "variant=strassen"},
    {"tStrassen", "paper-times", "variant=tstrassen"},
    {"Winograd", "paper-times", "variant=winograd"},
    {"tWinograd", "paper-times", "variant=twinograd"},
    {"dStrassen", "paper-double", "leaf=dgemm variant=dstrassen"},
    {"dWinograd", "paper-double", "leaf=dgemm variant=dwinograd"},
    {"dStrassen, fused GPU8", "paper-double", "leaf=gpu8 variant=dstrassen"},
    {"dWinograd, fused GPU8", "paper-double", "leaf=gpu8 variant=dwinograd"},
    {"none", "paper-choices", "leaf=gpu8 variant=winograd"},
    {"the left", "paper-choices", "leaf=gpu8 variant=twinograd"},
    {"the right", "paper-choices", "leaf=gpu8 variant=twinograd-b"},
    {"both", "paper-choices", "leaf=gpu8 variant=twinograd-ab"},
    {"11 document", "paper-choices", "step=11-strassen-over-cublas variant=document"},
    {"11 no-copies", "paper-choices", "step=11-strassen-over-cublas variant=no-copies"},
    {"14 over cuBLAS", "paper-choices", "step=14-strassen-multilevel leaf=cublas"},
    {"15 over cuBLAS", "paper-choices", "step=15-winograd-multilevel leaf=cublas"},
};

double method_number(const char *method, long n, int levels, const char *field,
                     const char *file, const char *more)
{
    int found = -1;
    size_t longest = 0;
    for (int i = 0; i < (int)(sizeof methods / sizeof *methods); i++) {
        size_t length = strlen(methods[i].name);
        if (length > longest && strncmp(method, methods[i].name, length) == 0)
            found = i, longest = length;
    }
    if (found < 0)
        return NAN;
    if (!file && strcmp(methods[found].file, "paper-double") == 0) { /* Figure 40's own */
        double number = kept_number("17-figure40", field, "%s n=%ld levels=%d",
                                    methods[found].fields, n, levels);
        if (!isnan(number))
            return number;
    }
    return kept_number(file ? file : methods[found].file, field, "%s n=%ld levels=%d%s%s",
                       methods[found].fields, n, levels, more ? " " : "", more ? more : "");
}

double method_ms(const char *method, long n, int levels)
{
    if (levels == 0 && strncmp(method, "sgemm", 5) != 0)
        method = *method == 't' ? "tWinograd" : "GPU8";
    return method_number(method, n, levels, "ms_median", NULL, NULL);
}

double percent_less(double x, double y) { return 100 * (1 - x / y); }

int levels_of(long n, long tau2)
{
    int levels = 0;
    for (; tau2 && n > tau2 / 2; n /= 2)
        levels++;
    return levels;
}

const char *text(const char *format, ...)
{
    static char texts[32][512];
    static int next;
    char *to = texts[next++ % 32];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to, sizeof texts[0], format, arguments);
    va_end(arguments);
    return to;
}
