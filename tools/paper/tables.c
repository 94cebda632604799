/* SPDX-License-Identifier: MIT */
/** @file tables.c
 * The measured tables of Li et al. (2011), each number beside the document's.
 *
 *     paper-tables RESULTS
 *
 * RESULTS is a folder with some of paper-times.jsonl, paper-choices.jsonl,
 * paper-accuracy.jsonl, paper-double.jsonl and 17-figure40.jsonl, which tools/paper/measure
 * makes.
 *
 * What was not measured is "-". The exit status is 1 if a result was wrong.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/measure/json.h"
#include "kept.h"
#include "common/documents/numbers.h"

enum { USAGE = 2, RESOURCE = 3, LARGEST = 16384 };

static const char *const methods[] = {"sgemm",     "GPU8",     "Strassen",
                                      "tStrassen", "Winograd", "tWinograd"};

/* ---- Numbers, and cells made of them ---- */

/* The document's cell of a row of an item, counted from 0; "" if it has none. */
static const char *in_document(const char *item, const char *row, int column)
{
    for (const struct paper_number *n = paper_numbers; n->item; n++)
        if (strcmp(n->item, item) == 0 && strcmp(n->row, row) == 0 && column-- == 0)
            return n->value;
    return "";
}

static double ours(const char *method, int n, int levels, const char *field)
{
    return method_number(method, n, levels, field, NULL, NULL);
}
static double ms_of(const char *method, int n, int levels)
{
    return ours(method, n, levels, "ms_median");
}
static double vendor_ms(const char *method, int n, int levels)
{
    return ours(method, n, levels, "reference_ms_median");
}

/* The fastest number of levels from the first on; 0: not all of them, or not even one where
 * `all` is false, was measured. */
static int fastest(const char *method, int n, int first, bool all)
{
    int best = first;
    for (int l = 1; l <= 4; l++) {
        double ms = method_ms(method, n, l);
        if (isnan(ms) && all)
            return -1;
        if (ms < method_ms(method, n, best) ||
            (isnan(method_ms(method, n, best)) && !isnan(ms)))
            best = l;
    }
    return isnan(method_ms(method, n, best)) ? 0 : best;
}
static int best_levels(const char *method) { return fastest(method, LARGEST, 1, false); }

/* The levels at n with the tau2 that means `levels` at the largest size. */
static int levels_at(int n, int levels)
{
    for (int m = LARGEST; m > n && levels > 0; m /= 2)
        levels--;
    return levels;
}

static const char *seconds(double ms) { return isnan(ms) ? "-" : text("%.4f", ms / 1000); }
static const char *less(double x, double y)
{
    return isnan(percent_less(x, y)) ? "-" : text("%.1f", percent_less(x, y));
}

static int compared, far;

/* "ours (document)", with a mark where ours is further from it than a quarter, or a half of an
 * average. */
static const char *beside(double x, const char *theirs, bool average)
{
    double other = atof(theirs), tolerance = average ? 0.5 : 0.25;
    if (isnan(x))
        return text("- (%s)", theirs);
    bool is_far = x > other * (1 + tolerance) || x < other * (1 - tolerance);
    compared++;
    far += is_far;
    return text("%.1e (%s)%s", x, theirs, is_far ? "*" : "");
}

/* An error on Kaporin's matrices, beside the document's. */
static const char *error_beside(bool average, const char *method, int n, int levels,
                                const char *theirs)
{
    return beside(method_number(method, n, levels, average ? "mean_error" : "max_error",
                                "paper-accuracy", "input=kaporin"),
                  theirs, average);
}

/* ---- The tables: each has its cells by row and column ---- */

/* The sizes of most tables are their columns. */
static const char *const sizes[] = {"2048", "4096", "8192", "16384"};
static const char *const levels_from_0[] = {"0", "1", "2", "3", "4"};
static int size_of(int column) { return 2048 << column; }

/* Column -1 is the row's name, row -1 the names of the columns. */
static const char *time_cell(int row, int column)
{
    int n = size_of(column), i = row - 1;
    if (row < 0)
        return text("%-14s %6s", "", "tau2");
    if (row == 0)
        return column < 0 ? text("%-14s %6s", "cuBLAS today", "-")
                          : seconds(vendor_ms("GPU8", n, 0));
    int levels = i < 2 ? 0 : best_levels(methods[i]);
    if (column < 0)
        return text("%-14s %6s", methods[i],
                    levels ? text("%d", LARGEST >> (levels - 1)) : "-");
    const char *there =
        i < 2 ? methods[i] : text("%s %d", methods[i], methods[i][0] == 't' ? 2048 : 4096);
    return text("%s (%s)", seconds(method_ms(methods[i], n, levels_at(n, levels))),
                in_document("24", there, column));
}

/* Rows: both methods with 3 levels at the largest size, with 4, and with the best number. */
static const char *reduction_cell(int row, int column)
{
    static const char *const fields[] = {"ms_median", "model_flops", "model_transactions",
                                         "model_volume_bytes"};
    const char *of[4], *method = methods[2 + 2 * (row & 1)];
    int n = size_of(column), best = best_levels(method);
    int levels = row < 2 ? 3 : row < 4 ? 4 : best;
    if (row < 0)
        return column < 0 ? text("%-10s %6s", "", "tau2") : text(" %d", n);
    if (row >= 4 && (best == 0 || best == 3 || best == 4))
        return NULL;
    if (column < 0)
        return text("%-10s %6d", method, LARGEST >> (levels - 1));
    levels = levels_at(n, levels);
    for (int f = 0; f < 4; f++)
        of[f] = less(ours(method, n, levels, fields[f]), ours("GPU8", n, 0, fields[f]));
    return levels == 0 ? " 0: GPU8 itself"
                       : text(" %s | %s, %s, %s", of[0], of[1], of[2], of[3]);
}

static const char *level_cell(int row, int levels)
{
    const char *method = methods[2 + row];
    return text("%s (%s)", seconds(method_ms(method, LARGEST, levels)),
                in_document("36", method, levels));
}

static const char *gain_cell(int row, int column)
{
    const char *method = methods[2 + row];
    double ms = ms_of(method, LARGEST, column + 1);
    return text("%s/%s/%s (%s/%s)", less(ms, ms_of("sgemm", LARGEST, 0)),
                less(ms, ms_of("GPU8", LARGEST, 0)),
                less(ms, vendor_ms(method, LARGEST, column + 1)),
                in_document("37", text("%s over sgemm", method), column),
                in_document("37", text("%s over GPU8", method), column));
}

static const char *all_levels_cell(int row, int levels)
{
    int n = size_of(row % 4);
    if (row < 0)
        return text("%-14s %6s", "", "n");
    const char *method = methods[2 + row / 4];
    if (levels < 0)
        return text("%-14s %6d", method, n);
    double ms = method_ms(method, n, levels);
    return text("%s%s", isnan(ms) ? "-" : text("%.3f", ms),
                levels == fastest(method, n, 0, true) ? "*" : "");
}

/* The last two rows: step 10 compiles GPU8 without the fetches, step 16 with them: two machine
 * codes. */
static const char *const textured[] = {"tStrassen", "tWinograd", "GPU8, step 16",
                                       "GPU8, step 10"};
static const char *texture_cell(int row, int column)
{
    int n = size_of(column);
    if (row < 0)
        return column < 0 ? "" : text("n = %d", n);
    if (row >= 2)
        return less(ms_of("tWinograd", n, 0), ms_of(row == 2 ? "Winograd" : "GPU8", n, 0));
    const char *all = "";
    for (int l = 1; l <= 4; l++)
        all = text("%s%s%s", all, l > 1 ? ", " : "",
                   less(ms_of(textured[row], n, l), ms_of(textured[row] + 1, n, l)));
    return all;
}

static const char *choice_cell(int row, int column)
{
    static const char *const names[] = {"none", "the left", "the right", "both"};
    double ms = ms_of(names[column + 1], 8192, 2);
    return row < 0 ? names[column + 1] : isnan(ms) ? "-" : text("%.2f", ms);
}

static const char *const hybrids[] = {"11 document", "11 no-copies", "14 over cuBLAS",
                                      "15 over cuBLAS"};
static const char *hybrid_cell(int row, int column)
{
    int n = size_of(column);
    const char *both[2];
    for (int l = 1; l <= 2; l++) {
        double times = vendor_ms(hybrids[row], n, l) / ms_of(hybrids[row], n, l);
        both[l - 1] = isnan(times) ? "-" : text("%.3f", times);
    }
    return text("%s, %s", both[0], both[1]);
}

static const char *const by_tau2[] = {"sgemm -",       "GPU8 -",        "Strassen 2048",
                                      "Strassen 4096", "Winograd 2048", "Winograd 4096"};
static const char *accuracy(bool average, int row, int column)
{
    const char *name = row < 2 ? methods[row] : by_tau2[row];
    int n = size_of(column), levels = row < 2 ? 0 : levels_of(n, row % 2 ? 4096 : 2048);
    return error_beside(average, name, n, levels,
                        in_document(average ? "31" : "30", name, column));
}
static const char *largest_cell(int row, int column) { return accuracy(false, row, column); }
static const char *average_cell(int row, int column) { return accuracy(true, row, column); }

static const char *const both[] = {"Strassen", "Winograd"};
static const char *by_levels(bool average, int row, int levels)
{
    return error_beside(average, levels ? both[row] : "GPU8", LARGEST, levels,
                        in_document(average ? "34" : "32", both[row], levels));
}
static const char *largest_by_levels(int row, int levels)
{
    return by_levels(false, row, levels);
}
static const char *average_by_levels(int row, int levels)
{
    return by_levels(true, row, levels);
}

/* Columns: seconds at two sizes, then how many percent less than dgemm that is. */
static const char *const doubles[] = {"dgemm", "dStrassen", "dWinograd",
                                      "dStrassen, fused GPU8", "dWinograd, fused GPU8"};
static const char *double_cell(int row, int column)
{
    int l = column % 2 + 1, n = 4096 * l, width = column < 2 ? 20 : 16;
    if (row < 0)
        return column < 0 ? "" : text("%-*d", width, n);
    double ms = row ? ms_of(doubles[row], n, l) : vendor_ms("dStrassen", n, l);
    const char *theirs = in_document("40", doubles[row], l - 1);
    const char *less_there =
        text("%.1f", percent_less(atof(theirs), atof(in_document("40", "dgemm", l - 1))));
    if (column >= 2 && row == 0)
        return NULL;
    return text("%-*s", width,
                text(row < 3 ? "%s (%s)" : "%s",
                     column < 2 ? seconds(ms) : less(ms, vendor_ms(doubles[row], n, l)),
                     column < 2 ? theirs : less_there));
}

static const char *large_double_cell(int row, int column)
{
    const char *method = doubles[1 + row];
    double ms = ms_of(method, LARGEST, column + 1),
           dgemm = vendor_ms(method, LARGEST, column + 1);
    return text("%s  %s  %s  %s", seconds(ms),
                seconds(ours(method, LARGEST, column + 1, "ms_max")), seconds(dgemm),
                less(ms, dgemm));
}

static const char *double_error_cell(int row, int column)
{
    return error_beside(column, doubles[row ? row : 1], 8192, row ? 2 : 0,
                        in_document("43", doubles[row], column));
}

/* Errors over the mean of |C|, over all seeds: the largest, and the mean of the averages. */
static const char *random_error_cell(int row, int column)
{
    double largest = 0, sum = 0;
    const char *line;
    char variant[32], input[32];
    int runs = 0;
    if (row < 0)
        return column < 0 ? "" : column ? "mean average" : "largest maximum";
    for (int i = 1; (line = kept_line("paper-accuracy", i)); i++) {
        json_get_text(line, "variant", variant, sizeof variant);
        json_get_text(line, "input", input, sizeof input);
        if (strcmp(variant, row ? "dwinograd" : "dstrassen") != 0 ||
            strcmp(input, "kaporin") == 0 || !json_get_bool(line, "passed"))
            continue;
        double magnitude = json_get_number(line, "mean_magnitude");
        largest = fmax(largest, json_get_number(line, "max_error") / magnitude);
        sum += json_get_number(line, "mean_error") / magnitude;
        runs++;
    }
    if (column < 0)
        return runs ? doubles[1 + row] : NULL;
    return beside(column ? sum / runs : largest, in_document("44", doubles[1 + row], column),
                  column);
}

static const char *const counted[] = {"1 level", "2 levels"};
static const char *const kinds[] = {"maximum", "average"};

static const struct table {
    const char *caption;
    int rows, columns, name_width, width;
    const char *const *names, *const *heads;  /* NULL: cells in row and column -1 */
    const char *(*cell)(int row, int column); /* NULL: the row is shorter, or is not there */
} tables[] = {
    {"Figure 24: run time in seconds with each method's best tau2 (beside it the document's, "
     "C1060)",
     7, 4, 22, 18, NULL, sizes, time_cell},
    {"Figures 26 to 29: percent less than GPU8 with tau2 = 4096 and 2048, and the best where "
     "it "
     "is another (run time | arithmetic, transactions, volume of the model)",
     6, 4, 17, 30, NULL, NULL, reduction_cell},
    {"Figure 36: seconds at n = 16384 by number of levels (document)", 4, 5, 14, 18,
     methods + 2, levels_from_0, level_cell},
    {"Figure 37: percent less time at n = 16384 than sgemm / GPU8 / cuBLAS today (document: "
     "sgemm/GPU8)",
     4, 4, 14, 32, methods + 2, levels_from_0 + 1, gain_cell},
    {"All levels: milliseconds by n and number of levels, the best marked * (no levels: GPU8, "
     "step 10; with t: with a texture, step 16)",
     16, 5, 21, -10, NULL, levels_from_0, all_levels_cell},
    {"Textures: percent less time than without, by n and levels", 4, 4, 14, 28, textured, NULL,
     texture_cell},
    {"Which factor is the texture: milliseconds, Winograd with two levels at n = 8192", 1, 3,
     10, 10, NULL, NULL, choice_cell},
    {"Hybrids over cuBLAS: speed relative to cublasSgemm, one and two levels", 4, 4, 18, 14,
     hybrids, sizes, hybrid_cell},
    {"Figure 30: maximum errors against I, Kaporin's matrices, by tau2 and n (document)", 6, 4,
     16, 20, by_tau2, sizes, largest_cell},
    {"Figure 31: average errors against I, Kaporin's matrices, by tau2 and n (document)", 6, 4,
     16, 20, by_tau2, sizes, average_cell},
    {"Figure 32: maximum errors at n = 16384 by number of levels (document)", 2, 5, 16, 20,
     both, levels_from_0, largest_by_levels},
    {"Figure 34: average errors at n = 16384 by number of levels (document)", 2, 5, 16, 20,
     both, levels_from_0, average_by_levels},
    {"Figure 40: double precision, tau2 = 4096, seconds (document, C2050) and percent less "
     "than "
     "dgemm (document)",
     5, 4, 22, 0, doubles, NULL, double_cell},
    {"Double at n = 16384: seconds, the slowest run, dgemm in the same run, and percent less "
     "than it",
     2, 2, 14, 30, doubles + 1, counted, large_double_cell},
    {"Figure 43: errors against I, Kaporin's matrices, n = 8192, tau2 = 4096 (document)", 3, 2,
     14, 22, doubles, kinds, double_error_cell},
    {"Figure 44: errors against dgemm, over the mean of |C|, ten random pairs, n = 8192 "
     "(document: against a CPU's product)",
     2, 2, 14, 22, NULL, NULL, random_error_cell},
};

static void print_table(const struct table *t)
{
    printf("\n%s\n\n", t->caption);
    for (int i = -1; i < t->rows; i++) {
        const char *next = i < 0 && t->heads && t->names ? ""
                           : i >= 0 && t->names          ? t->names[i]
                                                         : t->cell(i, -1);
        if (!next)
            continue;
        printf("%-*s", t->name_width, next);
        for (int j = 0; j < t->columns; j++)
            if ((next = i < 0 && t->heads ? t->heads[j] : t->cell(i, j)))
                printf(" %*s", -t->width, next);
        puts("");
    }
}

int main(int argc, char **argv)
{
    static const char *const files[] = {"paper-times", "paper-choices", "paper-accuracy",
                                        "paper-double", "17-figure40"};
    int there = 0, wrong = 0;
    const char *line;
    if (argc != 2) {
        fputs("usage: paper-tables RESULTS, such as docs/results/h100\n", stderr);
        return USAGE;
    }
    kept_in(argv[1], true);
    for (int f = 0; f < 5; f++) {
        if (!kept_line(files[f], 0))
            continue;
        there++;
        printf("# %s.jsonl: %s\n", files[f], kept_conditions(files[f]));
        for (int i = 1; (line = kept_line(files[f], i)); i++)
            wrong += !json_get_bool(line, "passed");
    }
    if (there == 0) {
        fprintf(stderr, "paper-tables: no paper-*.jsonl in %s; see tools/paper/measure\n",
                argv[1]);
        return RESOURCE;
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        print_table(&tables[i]);
    printf("\n%d accuracy cells compared with the document; %d marked * are further away than "
           "25%% (maxima) or 50%% (means).\n",
           compared, far);
    if (wrong)
        printf("%d results were wrong and are left out.\n", wrong);
    return wrong > 0;
}
