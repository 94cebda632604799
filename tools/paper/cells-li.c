/* SPDX-License-Identifier: MIT */
/** @file cells-li.c
 * The cells of the measured figures of Li et al. (2011), from kept results.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "common/documents/numbers.h"
#include "paper.h"

static bool starts_with(const char *word, const char *start)
{
    return strncmp(word, start, strlen(start)) == 0;
}

/* The n that a column is for. */
static long n_of(const struct place *at) { return strtol(at->column, NULL, 10); }

/* The levels at the n of a column with the tau2 in the row's name, if there is one. */
static int levels_at(const struct place *at)
{
    const char *blank = strchr(at->row, ' ');
    return levels_of(n_of(at), blank ? strtol(blank, NULL, 10) : 0);
}

/* ---- Run time (Figures 24 to 29, 36 to 39) ---- */

/* The vendor's product of today, timed in turn with GPU8. */
static double vendor_ms(long n)
{
    return method_number("GPU8", n, 0, "reference_ms_median", NULL, NULL);
}

static double time_cell(const struct place *at)
{
    if (starts_with(at->row, "cuBLAS"))
        return vendor_ms(n_of(at)) / 1000;
    return method_ms(at->row, n_of(at), levels_at(at)) / 1000;
}

static double time_by_levels(const struct place *at)
{
    if (starts_with(at->row, "cuBLAS"))
        return atoi(at->column) ? NAN : vendor_ms(16384) / 1000;
    return method_ms(at->row, 16384, atoi(at->column)) / 1000;
}

/* Over cuBLAS: the one that was timed in turn with the method. */
static double less_by_levels(const struct place *at)
{
    int levels = atoi(at->column);
    const char *against = strstr(at->row, "over sgemm") ? "sgemm" : "GPU8";
    return percent_less(
        method_ms(at->row, 16384, levels),
        strstr(at->row, "over cuBLAS")
            ? method_number(at->row, 16384, levels, "reference_ms_median", NULL, NULL)
            : method_ms(against, 16384, 0));
}

/* The document's statement on the run time with this tau2. */
static double their_reduction(const char *method, long n, long tau2)
{
    const char *column = text("%ld", n);
    double seconds = paper_value("24", text("%s %ld", method, tau2), column);
    /* with tau2 = 2048 the document times these levels alone */
    if (isnan(seconds) && n == 16384)
        seconds = paper_value("36", method, text("%d", levels_of(n, tau2)));
    return percent_less(seconds, paper_value("24", "GPU8", column));
}

/* How many percent less a method takes than GPU8: of the measured "run time", or of a quantity
 * of the model. Figures 26 to 29: of one method with one tau2. */
static double reduction(const struct place *at)
{
    char method[16] = "";
    long tau2 = 0, n = n_of(at);
    sscanf(at->with, "%15s %ld", method, &tau2);
    int levels = levels_of(n, tau2);
    if (strcmp(at->row, "run time") != 0)
        return model_reduction(method, levels, n, at->row);
    return at->ours ? percent_less(method_ms(method, n, levels), method_ms("GPU8", n, 0))
                    : their_reduction(method, n, tau2);
}

/* ---- Accuracy (Figures 30 to 35, 43, 44) ---- */

/* An error on Kaporin's matrices: on the GPU, otherwise on the simulated one; as the document
   made them (single precision at each operation) where that was measured. */
static double kaporin_error(const struct place *at, long n, int levels)
{
    static const char *const inputs[] = {"input=kaporin-f32", "input=kaporin"};
    static const char *const files[] = {"paper-single", "paper-levels", "14-kaporin",
                                        "paper-accuracy"};
    bool mean = strcmp(at->with, "mean") == 0;
    double error = NAN;
    if (strstr(at->row, "CPU"))
        return kept_number("01-kaporin", mean ? "mean_error_f32" : "max_error",
                           "input=kaporin-f32 precision=f32 n=%ld", n);
    const char *method = levels || starts_with(at->row, "sgemm") ? at->row : "GPU8";
    for (int i = 0; i < 2 && isnan(error); i++)
        for (int f = 0; f < 4 && isnan(error); f++) {
            const char *average = i == 0 ? "mean_error_f32" : "mean_error";
            error = method_number(method, n, levels, mean ? average : "max_error", files[f],
                                  inputs[i]);
        }
    return error;
}

static double error_cell(const struct place *at)
{
    return kaporin_error(at, n_of(at), levels_at(at));
}

static double error_by_levels(const struct place *at)
{
    return kaporin_error(at, 16384, atoi(at->column));
}

static double double_error(const struct place *at)
{
    const char *field = strcmp(at->column, "maximum") == 0 ? "max_error" : "mean_error";
    bool dgemm = strcmp(at->row, "dgemm") == 0;
    if (strcmp(at->row, "CPU") == 0)
        return kept_number("01-kaporin", field, "input=kaporin precision=f64 n=8192");
    return method_number(dgemm ? "dStrassen" : at->row, 8192, dgemm ? 0 : 2, field,
                         "paper-accuracy", "input=kaporin");
}

/* All pairs, where they were measured: as many in one file as in the other. */
static double error_over_mean(const struct place *at)
{
    const char *variant = strcmp(at->row, "dStrassen") == 0   ? "dstrassen"
                          : strcmp(at->row, "dWinograd") == 0 ? "dwinograd"
                                                              : "dgemm";
    double all = kept_number("17-figure44", at->column, "input=positive variant=%s", variant);
    double more =
        kept_number("17-figure44-more", at->column, "input=positive variant=%s", variant);
    if (isnan(all))
        return kept_number("17-elements", at->column, "input=positive variant=%s", variant);
    if (isnan(more))
        return all;
    return strcmp(at->column, "maximum") == 0 ? fmax(all, more) : (all + more) / 2;
}

/* ---- Double precision (Figures 40 to 42), and sgemm with A as a texture (section 8.1) ---- */

/* Measured in turn: a method and its percentage beside the dgemm of the same row. The row of
 * dgemm is the one beside dStrassen. */
static double double_cell(const struct place *at)
{
    int levels = levels_of(n_of(at), 4096);
    const char *method = starts_with(at->row, "dgemm") ? "dStrassen" : at->row;
    double dgemm = method_number(method, n_of(at), levels, "reference_ms_median", NULL, NULL);
    if (method != at->row)
        return dgemm / 1000;
    double ms = method_number(method, n_of(at), levels, "ms_median", NULL, NULL);
    return strstr(at->row, "less") ? percent_less(ms, dgemm) : ms / 1000;
}

static double textured(const struct place *at)
{
    return percent_less(
        kept_number("16-texture", "ms_median", "variant=tsgemm n=%s", at->column),
        kept_number("16-texture", "ms_median", "variant=sgemm n=%s", at->column));
}

/* ---- "Speedup most closely follows volume" (sections 8.1.1 and 9) ---- */

/* One method at one size, as reduction(). */
static double reduction_at(const char *method, long n, int levels, const char *quantity,
                           bool ours)
{
    if (strcmp(quantity, "run time") != 0)
        return model_reduction(method, levels, n, quantity);
    if (ours)
        return percent_less(method_ms(method, n, levels), method_ms("GPU8", n, 0));
    if (n == 16384)
        return paper_value("37", text("%s over GPU8", method), text("%d", levels));
    /* smaller sizes: with tau2 = 4096 alone */
    return levels_of(n, 4096) == levels ? their_reduction(method, n, 4096) : NAN;
}

/* The mean distance of a quantity from the run time, over both methods and up to this many
 * levels. */
static double mean_distance(long n, int most_levels, const char *quantity, bool ours)
{
    static const char *const both[] = {"Strassen", "Winograd"};
    double sum = 0;
    int count = 0;
    for (int i = 0; i < 2 * most_levels; i++) {
        double time = reduction_at(both[i % 2], n, i / 2 + 1, "run time", ours);
        if (isnan(time))
            continue;
        sum += fabs(reduction_at(both[i % 2], n, i / 2 + 1, quantity, ours) - time);
        count++;
    }
    return count && strcmp(quantity, "run time") != 0 ? sum / count : NAN;
}

/* Rows: "Strassen 8192 2" is two levels at n = 8192, "distance 8192 2" the mean up to two
 * levels. */
static double conclusion(const struct place *at)
{
    char method[16];
    long n;
    int levels;
    if (sscanf(at->row, "%15s %ld %d", method, &n, &levels) != 3)
        return NAN;
    return strcmp(method, "distance") == 0
               ? mean_distance(n, levels, at->column, at->ours)
               : reduction_at(method, n, levels, at->column, at->ours);
}

const struct cell_function li_functions[] = {
    {"model", .formula = model_cell},
    {"time", time_cell},
    {"time-by-levels", time_by_levels},
    {"less-by-levels", less_by_levels},
    {"reduction", reduction},
    {"error", error_cell},
    {"error-by-levels", error_by_levels},
    {"double", double_cell},
    {"double-error", double_error},
    {"error-over-mean", error_over_mean},
    {"textured", textured},
    {"conclusion", conclusion},
    {0},
};
