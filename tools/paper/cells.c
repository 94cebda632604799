/* SPDX-License-Identifier: MIT */
/** @file cells.c
 * What tools/paper/measure measured, by method, size and levels.
 */
#include "cells.h"

#include "common/measure/json_read.h"
#include "kept.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RESOURCE = 3, MAX_CELLS = 1024 };

static struct cell measured[MAX_CELLS];
static int measured_cells;

static struct normal normal[2]; /* dStrassen, dWinograd */
static int wrong;

const struct cell *find_cell(const char *method, int n, int levels)
{
    static const struct cell none = {"", 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    for (int i = 0; i < measured_cells; i++)
        if (strcmp(measured[i].method, method) == 0 && measured[i].n == n &&
            measured[i].levels == levels)
            return &measured[i];
    return &none;
}

static struct cell *find_or_add(const char *method, int n, int levels)
{
    const struct cell *known = find_cell(method, n, levels);
    if (known->n)
        return (struct cell *)known;
    if (measured_cells == MAX_CELLS) {
        fputs("paper-tables: too many results\n", stderr);
        exit(RESOURCE);
    }
    struct cell *cell = &measured[measured_cells++];
    *cell = *known;
    snprintf(cell->method, sizeof cell->method, "%s", method);
    cell->n = n;
    cell->levels = levels;
    return cell;
}

/* The name that the document has for a step's variant, ours for what it has not; "" for
 * neither. */
static void name_method(char *method, size_t size, int step, const char *variant,
                        const char *leaf, bool choices)
{
    static const char *const names[][2] = {
        {"strassen", "Strassen"},   {"winograd", "Winograd"},   {"tstrassen", "tStrassen"},
        {"twinograd", "tWinograd"}, {"dstrassen", "dStrassen"}, {"dwinograd", "dWinograd"}};
    const char *name = "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(variant, names[i][0]) == 0)
            name = names[i][1];
    bool fused = strcmp(leaf, "gpu8") == 0;
    if (step == 9 || step == 10)
        name = step == 9 ? "sgemm" : "GPU8";
    else if (step == 14 || step == 15)
        name = fused        ? step == 14 ? "Strassen" : "Winograd"
               : step == 14 ? "14 over cuBLAS"
                            : "15 over cuBLAS";
    if (step == 16 && choices)
        snprintf(method, size, "choice of %s", variant);
    else if (step == 11)
        snprintf(method, size, "11 %s", variant);
    else
        snprintf(method, size, "%s%s", name,
                 step == 17 && strcmp(leaf, "dgemm") != 0 ? ", fused GPU8" : "");
}

static void take(const char *line, bool choices)
{
    char step[64], variant[64], leaf[64], input[32], method[96];
    json_get_text(line, "step", step, sizeof step);
    json_get_text(line, "variant", variant, sizeof variant);
    json_get_text(line, "leaf", leaf, sizeof leaf);
    json_get_text(line, "input", input, sizeof input);
    name_method(method, sizeof method, atoi(step), variant, leaf, choices);
    struct cell *cell = find_or_add(method, (int)json_get_number(line, "n"),
                                    (int)json_get_number(line, "levels"));
    double max = json_get_number(line, "max_error"), mean = json_get_number(line, "mean_error");
    if (strcmp(input, "kaporin") == 0) {
        cell->max_error = max;
        cell->mean_error = mean;
    } else if (atoi(step) == 17 && isnan(json_get_number(line, "reps"))) { /* ten seeds */
        struct normal *figure = &normal[strcmp(method, "dWinograd") == 0];
        double magnitude = json_get_number(line, "mean_magnitude");
        figure->largest = fmax(figure->largest, max / magnitude);
        figure->sum += mean / magnitude;
        figure->runs++;
    } else {
        cell->ms = json_get_number(line, "ms_median");
        cell->slowest = json_get_number(line, "ms_max");
        cell->vendor_ms = json_get_number(line, "reference_ms_median");
        cell->flops = json_get_number(line, "model_flops");
        cell->transactions = json_get_number(line, "model_transactions");
        cell->volume = json_get_number(line, "model_volume_bytes");
    }
}

bool read_cells(const char *folder, const char *name)
{
    char file[32], path[4096];
    snprintf(file, sizeof file, "paper-%s", name);
    snprintf(path, sizeof path, "%s/%s.jsonl", folder, file);
    if (access(path, R_OK) != 0)
        return false;
    kept_in(folder);
    printf("# %s.jsonl: %s\n", file, kept_conditions(file));
    const char *line;
    for (int i = 1; (line = kept_line(file, i)); i++)
        if (json_get_bool(line, "passed"))
            take(line, strcmp(name, "choices") == 0);
        else
            wrong++;
    return true;
}

struct normal normal_errors(int method) { return normal[method]; }

int wrong_results(void) { return wrong; }
