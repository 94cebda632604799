/* SPDX-License-Identifier: MIT */
#include "kept.h"

#include <glob.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/measure/json_read.h"

enum { MAX_FILES = 32 };

/* A file as it was read, line by line; without lines if it is not there. */
struct kept_file {
    char name[64];
    char **lines;
    int count;
};
static struct kept_file files[MAX_FILES];
static int files_read;
static const char *results_folder = "docs/results";

void kept_in(const char *folder)
{
    results_folder = folder;
    files_read = 0;
}

static FILE *open_results(const char *name)
{
    char path[4096];
    glob_t found;
    snprintf(path, sizeof path, "%s/%s.jsonl", results_folder, name);
    FILE *file = fopen(path, "r");
    if (file)
        return file;
    snprintf(path, sizeof path, "%s/*/%s.jsonl", results_folder, name); /* a folder a machine */
    if (glob(path, 0, NULL, &found) == 0) {
        file = fopen(found.gl_pathv[0], "r");
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
    FILE *from = open_results(name);
    char *line = NULL;
    size_t size = 0;
    while (from && getline(&line, &size, from) > 0) {
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
    for (int i = 0; i < from->count; i++) {
        bool all = true;
        memcpy(copy, wanted, sizeof copy);
        for (char *one = strtok_r(copy, " ", &rest); one && all;
             one = strtok_r(NULL, " ", &rest))
            all = has_field(from->lines[i], one);
        double number = all ? json_get_number(from->lines[i], field) : NAN;
        if (!isnan(number))
            return number;
    }
    return NAN;
}

const char *kept_conditions(const char *file)
{
    static char text[512];
    const struct kept_file *from = file_of(file);
    const char *conditions = from->count ? json_find(from->lines[0], "conditions") : NULL;
    char device[128], driver[64], toolkit[64], date[64];
    if (!conditions)
        return "";
    json_get_text(conditions, "device", device, sizeof device);
    json_get_text(conditions, "date", date, sizeof date);
    bool gpu = json_get_text(conditions, "driver", driver, sizeof driver) &&
               json_get_text(conditions, "toolkit", toolkit, sizeof toolkit);
    if (gpu)
        snprintf(text, sizeof text, "%s, driver %s, CUDA %s, %s", device, driver, toolkit,
                 date);
    else
        snprintf(text, sizeof text, "%s, %s", device, date);
    return text;
}
