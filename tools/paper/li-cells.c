/* SPDX-License-Identifier: MIT */
#include "li-cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "model.h"
#include "tools/paper/numbers.h"

static double percent_less(double x, double y) { return 100 * (1 - x / y); }

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Our name of a method: "Strassen 4096" is the variant strassen of step 16. */
static const char *variant_of(const char *row)
{
    static const char *const names[][2] = {
        {"tStrassen", "tstrassen"}, {"tWinograd", "twinograd"}, {"dStrassen", "dstrassen"},
        {"dWinograd", "dwinograd"}, {"Strassen", "strassen"},   {"Winograd", "winograd"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (starts_with(row, names[i][0]))
            return names[i][1];
    return "";
}

/* Levels that tau1 = tau2/2 leaves at n. */
static int levels_of(long n, long tau2)
{
    int levels = 0;
    for (; tau2 && n > tau2 / 2; n /= 2)
        levels++;
    return levels;
}

/* The tau2 in a row's name; 0: none. */
static long tau2_of(const char *row)
{
    const char *blank = strchr(row, ' ');
    return blank ? strtol(blank, NULL, 10) : 0;
}

/* Milliseconds of a method with so many levels. Without any, it is GPU8. */
static double ms_of(const char *row, long n, int levels)
{
    const char *variant = variant_of(row);
    if (starts_with(row, "sgemm"))
        return kept_number("paper-times", "ms_median", "step=09-gpu-volkov n=%ld", n);
    if (levels == 0 && *variant != 't')
        return kept_number("paper-times", "ms_median", "step=10-gpu8 n=%ld", n);
    return kept_number("paper-times", "ms_median", "step=16-texture variant=%s n=%ld levels=%d",
                       levels == 0 ? "twinograd" : variant, n, levels);
}

/* ---- Run time (Figures 24 to 29, 36 to 39) ---- */

double time_cell(const char *row, const char *column)
{
    long n = strtol(column, NULL, 10);
    return ms_of(row, n, levels_of(n, tau2_of(row))) / 1000;
}

double time_by_levels(const char *row, const char *column)
{
    return ms_of(row, 16384, atoi(column)) / 1000;
}

double speedup_by_levels(const char *row, const char *column)
{
    int levels = atoi(column);
    const char *against = strstr(row, "over sgemm") ? "sgemm" : "GPU8";
    return percent_less(ms_of(row, 16384, levels), ms_of(against, 16384, 0));
}

/* What a row of Figures 26 to 29 says of one method: "run time" or a quantity of the model. */
static double reduction(const char *quantity, const char *column, const char *method, long tau2,
                        bool ours)
{
    long n = strtol(column, NULL, 10);
    int levels = levels_of(n, tau2);
    char name[32];
    if (strcmp(quantity, "run time") != 0)
        return model_reduction(method, levels, n, quantity);
    if (ours)
        return percent_less(ms_of(method, n, levels), ms_of("GPU8", n, 0));
    snprintf(name, sizeof name, "%s %ld", method, tau2);
    double seconds = paper_value("24", name, column), gpu8 = paper_value("24", "GPU8", column);
    /* with tau2 = 2048 the document times these levels alone */
    if (isnan(seconds) && n == 16384) {
        snprintf(name, sizeof name, "%d", levels);
        seconds = paper_value("36", method, name);
    }
    return percent_less(seconds, gpu8);
}

#define REDUCTIONS(figure, method, tau2)                                                       \
    double their_reduction_##figure(const char *row, const char *column)                       \
    {                                                                                          \
        return reduction(row, column, method, tau2, false);                                    \
    }                                                                                          \
    double our_reduction_##figure(const char *row, const char *column)                         \
    {                                                                                          \
        return reduction(row, column, method, tau2, true);                                     \
    }
REDUCTIONS(26, "Strassen", 4096)
REDUCTIONS(27, "Winograd", 4096)
REDUCTIONS(28, "Strassen", 2048)
REDUCTIONS(29, "Winograd", 2048)

/* ---- Accuracy (Figures 30 to 35, 43, 44) ---- */

/* An error on Kaporin's matrices: on the GPU, otherwise on the simulated one; as the document
   made them (single precision at each operation) where that was measured. */
static double kaporin_error(const char *row, long n, int levels, bool mean)
{
    static const char *const inputs[] = {"kaporin-f32", "kaporin"};
    static const char *const files[] = {"paper-single", "14-kaporin", "paper-accuracy"};
    double error = NAN;
    const char *variant = starts_with(row, "sgemm")  ? "volkov"
                          : starts_with(row, "GPU8") ? "gpu8"
                                                     : variant_of(row);
    if (strstr(row, "CPU"))
        return kept_number("01-kaporin", mean ? "mean_error_f32" : "max_error",
                           "input=kaporin-f32 precision=f32 n=%ld", n);
    if (levels == 0)
        variant = starts_with(row, "sgemm") ? "volkov" : "gpu8";
    for (int i = 0; i < 2 && isnan(error); i++)
        for (int f = 0; f < 3 && isnan(error); f++)
            error = kept_number(files[f],
                                !mean    ? "max_error"
                                : i == 0 ? "mean_error_f32"
                                         : "mean_error",
                                "input=%s variant=%s n=%ld levels=%d", inputs[i], variant, n,
                                levels);
    return error;
}

double max_error_cell(const char *row, const char *column)
{
    long n = strtol(column, NULL, 10);
    return kaporin_error(row, n, levels_of(n, tau2_of(row)), false);
}

double mean_error_cell(const char *row, const char *column)
{
    long n = strtol(column, NULL, 10);
    return kaporin_error(row, n, levels_of(n, tau2_of(row)), true);
}

double max_error_by_levels(const char *row, const char *column)
{
    return kaporin_error(row, 16384, atoi(column), false);
}

double mean_error_by_levels(const char *row, const char *column)
{
    return kaporin_error(row, 16384, atoi(column), true);
}

double double_max_mean(const char *row, const char *column)
{
    const char *field = strcmp(column, "maximum") == 0 ? "max_error" : "mean_error";
    if (strcmp(row, "CPU") == 0)
        return kept_number("01-kaporin", field, "input=kaporin precision=f64 n=8192");
    if (strcmp(row, "dgemm") == 0)
        return kept_number("paper-accuracy", field,
                           "step=17-double input=kaporin n=8192 levels=0");
    return kept_number("paper-accuracy", field,
                       "step=17-double input=kaporin variant=%s n=8192 levels=2",
                       variant_of(row));
}

double normalised_cell(const char *row, const char *column)
{
    static const char *const files[] = {"17-figure44", "17-elements"};
    double error = NAN;
    for (int f = 0; f < 2 && isnan(error); f++)
        error = kept_number(files[f], column, "input=positive variant=%s",
                            strcmp(row, "dgemm") == 0 ? "dgemm" : variant_of(row));
    return error;
}

/* ---- Double precision (Figures 40 to 42) ---- */

double double_cell(const char *row, const char *column)
{
    long n = strtol(column, NULL, 10);
    const char *step = "step=17-double leaf=dgemm";
    double dgemm =
        kept_number("paper-double", "reference_ms_median", "%s n=%ld levels=0", step, n);
    if (strcmp(row, "dgemm") == 0)
        return dgemm / 1000;
    double ms = kept_number("paper-double", "ms_median", "%s variant=%s n=%ld levels=%d", step,
                            variant_of(row), n, levels_of(n, 4096));
    return strstr(row, "less") ? percent_less(ms, dgemm) : ms / 1000;
}

/* ---- sgemm with A as a texture (section 8.1) ---- */

double texture_sgemm_cell(const char *row, const char *column)
{
    (void)row;
    return percent_less(kept_number("16-sgemm", "ms_median", "variant=tsgemm n=%s", column),
                        kept_number("16-sgemm", "ms_median", "variant=sgemm n=%s", column));
}

/* ---- "Speedup most closely follows volume" (sections 8.1.1 and 9) ---- */

/* One method at one size: what less it does than GPU8, in percent; "run time" as measured, the
   other quantities by the model. */
static double reduction_at(const char *method, long n, int levels, const char *quantity,
                           bool ours)
{
    char row[32], column[16];
    if (strcmp(quantity, "run time") != 0)
        return model_reduction(method, levels, n, quantity);
    if (ours)
        return percent_less(ms_of(method, n, levels), ms_of("GPU8", n, 0));
    if (n == 16384) {
        snprintf(row, sizeof row, "%s over GPU8", method);
        snprintf(column, sizeof column, "%d", levels);
        return paper_value("37", row, column);
    }
    snprintf(column, sizeof column, "%ld", n); /* smaller sizes: with tau2 = 4096 alone */
    return levels_of(n, 4096) == levels ? reduction(quantity, column, method, 4096, false)
                                        : NAN;
}

/* The mean distance of a quantity from the run time, over both methods and up to so many
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
static double conclusion(const char *row, const char *quantity, bool ours)
{
    char method[16];
    long n;
    int levels;
    if (sscanf(row, "%15s %ld %d", method, &n, &levels) != 3)
        return NAN;
    return strcmp(method, "distance") == 0 ? mean_distance(n, levels, quantity, ours)
                                           : reduction_at(method, n, levels, quantity, ours);
}

double their_conclusion(const char *row, const char *column)
{
    return conclusion(row, column, false);
}

double our_conclusion(const char *row, const char *column)
{
    return conclusion(row, column, true);
}
