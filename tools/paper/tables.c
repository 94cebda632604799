/* SPDX-License-Identifier: MIT */
/** @file tables.c
 * The measured tables of Li et al. (2011), each number beside the document's.
 *
 *     paper-tables RESULTS
 *
 * RESULTS is a folder with some of paper-times.jsonl, paper-choices.jsonl, paper-accuracy.jsonl
 * and paper-double.jsonl, which tools/paper/measure makes.
 *
 * What was not measured is "-". The exit status is 1 if a result was wrong.
 */
#include "cells.h"
#include "tools/paper/numbers.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USAGE = 2, RESOURCE = 3, LARGEST = 16384 };

/* ---- what the document has ---- */

/* The cell of a row of an item, counted from 0; "" if the document has none. */
static const char *in_document(const char *item, const char *row, int column)
{
    for (const struct paper_number *n = paper_numbers; n->item; n++)
        if (strcmp(n->item, item) == 0 && strcmp(n->row, row) == 0 && column-- == 0)
            return n->value;
    return "";
}

/* The document's columns are n = 2048, 4096, 8192, 16384. */
static int column_of(int n) { return n <= 2048 ? 0 : n <= 4096 ? 1 : n <= 8192 ? 2 : 3; }

/* ---- cells of the tables ---- */

/* Several may be used in one call of printf. */
static const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static const char *text(const char *format, ...)
{
    static char buffers[16][512];
    static int next;
    char *buffer = buffers[next++ % 16];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer, sizeof buffers[0], format, arguments);
    va_end(arguments);
    return buffer;
}
static const char *seconds(double ms) { return isnan(ms) ? "-" : text("%.4f", ms / 1000); }
static const char *ms_of(const char *method, int n, int levels)
{
    double ms = find_cell(method, n, levels)->ms;
    return isnan(ms) ? "-" : text("%.2f", ms);
}
/* How many percent x is less than y. */
static const char *less(double x, double y)
{
    return isnan(x) || isnan(y) ? "-" : text("%.1f", 100 * (1 - x / y));
}

static int compared, far;

/* "ours (document)", with a mark where ours is further from it than the tolerance. */
static const char *beside(double ours, const char *theirs, double tolerance)
{
    double other = atof(theirs);
    if (isnan(ours))
        return text("- (%s)", theirs);
    bool is_far = ours > other * (1 + tolerance) || ours < other * (1 - tolerance);
    compared++;
    far += is_far;
    return text("%.1e (%s)%s", ours, theirs, is_far ? "*" : "");
}

/* ---- the tables ---- */

static const char *const methods[] = {"sgemm",     "GPU8",     "Strassen",
                                      "tStrassen", "Winograd", "tWinograd"};

/* The fastest number of levels at the largest size; 0 if none was measured. */
static int best_levels(const char *method)
{
    int best = 0;
    for (int l = 1; l <= 4; l++) {
        double ms = find_cell(method, LARGEST, l)->ms;
        if (!isnan(ms) && (best == 0 || ms < find_cell(method, LARGEST, best)->ms))
            best = l;
    }
    return best;
}

/* The levels at n with the tau2 that means `levels` at the largest size. */
static int levels_at(int n, int levels)
{
    for (int m = LARGEST; m > n && levels > 0; m /= 2)
        levels--;
    return levels;
}

/* Without levels every recursive method is GPU8, with a texture if it has one. */
static double time_of(const char *method, int n, int levels)
{
    if (levels == 0 && strcmp(method, "sgemm") != 0)
        method = method[0] == 't' ? "tWinograd" : "GPU8";
    return find_cell(method, n, levels)->ms;
}

static void print_times(void)
{
    puts("Figure 24: run time in seconds with each method's best tau2 (beside it the "
         "document's, C1060)\n");
    printf("%-14s %6s  %-18s %-18s %-18s %-18s\n", "", "tau2", "2048", "4096", "8192", "16384");
    printf("%-14s %6s ", "cuBLAS today", "-");
    for (int n = 2048; n <= LARGEST; n *= 2)
        printf(" %-18s", seconds(find_cell("GPU8", n, 0)->vendor_ms));
    puts("");
    for (int i = 0; i < 6; i++) {
        const char *tau2_there = i < 2 ? "-" : methods[i][0] == 't' ? "2048" : "4096";
        int levels = i < 2 ? 0 : best_levels(methods[i]);
        printf("%-14s %6s ", methods[i], levels ? text("%d", LARGEST >> (levels - 1)) : "-");
        for (int n = 2048; n <= LARGEST; n *= 2)
            printf(" %-18s",
                   text("%s (%s)", seconds(time_of(methods[i], n, levels_at(n, levels))),
                        in_document("24",
                                    i < 2 ? methods[i] : text("%s %s", methods[i], tau2_there),
                                    column_of(n))));
        puts("");
    }
}

static void print_reductions(void)
{
    puts("\nFigures 26 to 29: percent less than GPU8 with tau2 = 4096 and 2048, and the best "
         "where it is another (run time | arithmetic, transactions, volume of the model)\n");
    printf("%-10s %6s", "", "tau2");
    for (int n = 2048; n <= LARGEST; n *= 2)
        printf("  %-29d", n);
    puts("");
    for (int j = 0; j <= 2; j++)
        for (int i = 2; i <= 4; i += 2) {
            int best = best_levels(methods[i]), levels = j == 0 ? 3 : j == 1 ? 4 : best;
            if (j == 2 && (best == 0 || best == 3 || best == 4))
                continue;
            printf("%-10s %6d", methods[i], LARGEST >> (levels - 1));
            for (int n = 2048; n <= LARGEST; n *= 2) {
                const struct cell *ours = find_cell(methods[i], n, levels_at(n, levels));
                const struct cell *gpu8 = find_cell("GPU8", n, 0);
                printf("  %-29s", levels_at(n, levels) == 0
                                      ? "0: GPU8 itself"
                                      : text("%s | %s, %s, %s", less(ours->ms, gpu8->ms),
                                             less(ours->flops, gpu8->flops),
                                             less(ours->transactions, gpu8->transactions),
                                             less(ours->volume, gpu8->volume)));
            }
            puts("");
        }
}

static void print_levels(void)
{
    puts("\nFigure 36: seconds at n = 16384 by number of levels (document)\n");
    printf("%-14s %-18d %-18d %-18d %-18d %-18d\n", "", 0, 1, 2, 3, 4);
    for (int i = 2; i < 6; i++) {
        printf("%-14s", methods[i]);
        for (int l = 0; l <= 4; l++)
            printf(" %-18s", text("%s (%s)", seconds(time_of(methods[i], LARGEST, l)),
                                  in_document("36", methods[i], l)));
        puts("");
    }
    puts("\nFigure 37: percent less time at n = 16384 than sgemm / GPU8 / cuBLAS today "
         "(document: sgemm/GPU8)\n");
    printf("%-14s %-32d %-32d %-32d %-32d\n", "", 1, 2, 3, 4);
    for (int i = 2; i < 6; i++) {
        printf("%-14s", methods[i]);
        for (int l = 1; l <= 4; l++) {
            const struct cell *ours = find_cell(methods[i], LARGEST, l);
            printf(
                " %-32s",
                text("%s/%s/%s (%s)", less(ours->ms, find_cell("sgemm", LARGEST, 0)->ms),
                     less(ours->ms, find_cell("GPU8", LARGEST, 0)->ms),
                     less(ours->ms, ours->vendor_ms),
                     text("%s/%s", in_document("37", text("%s over sgemm", methods[i]), l - 1),
                          in_document("37", text("%s over GPU8", methods[i]), l - 1))));
        }
        puts("");
    }
}

/* The number of levels that is fastest at n; -1 if not all were measured. */
static int fastest(const char *method, int n)
{
    int best = 0;
    for (int l = 1; l <= 4; l++) {
        if (isnan(time_of(method, n, l)))
            return -1;
        if (time_of(method, n, l) < time_of(method, n, best))
            best = l;
    }
    return best;
}

static void print_all_levels(void)
{
    puts("\nAll levels: milliseconds by n and number of levels, the best marked * (no levels: "
         "GPU8, step 10; with t: with a texture, step 16)\n");
    printf("%-14s %6s %10d %10d %10d %10d %10d\n", "", "n", 0, 1, 2, 3, 4);
    for (int i = 2; i < 6; i++)
        for (int n = 2048; n <= LARGEST; n *= 2) {
            printf("%-14s %6d", methods[i], n);
            for (int l = 0; l <= 4; l++) {
                double ms = time_of(methods[i], n, l);
                printf(" %10s", text("%s%s", isnan(ms) ? "-" : text("%.3f", ms),
                                     l == fastest(methods[i], n) ? "*" : ""));
            }
            puts("");
        }
}

static void print_textures(void)
{
    puts("\nTextures: percent less time than without, by n and levels\n");
    printf("%-14s", "");
    for (int n = 2048; n <= LARGEST; n *= 2)
        printf(" n = %-24d", n);
    puts("");
    for (int i = 3; i < 6; i += 2) {
        printf("%-14s", methods[i]);
        for (int n = 2048; n <= LARGEST; n *= 2) {
            const char *all = "";
            for (int l = 1; l <= 4; l++)
                all = text(
                    "%s%s%s", all, l > 1 ? ", " : "",
                    less(find_cell(methods[i], n, l)->ms, find_cell(methods[i - 1], n, l)->ms));
            printf(" %-28s", all);
        }
        puts("");
    }
    /* Step 10 compiles GPU8 without the fetches, step 16 with them: two machine codes. */
    printf("%-14s", "GPU8, step 16");
    for (int n = 2048; n <= LARGEST; n *= 2)
        printf(" %-28s",
               less(find_cell("tWinograd", n, 0)->ms, find_cell("Winograd", n, 0)->ms));
    printf("\n%-14s", "GPU8, step 10");
    for (int n = 2048; n <= LARGEST; n *= 2)
        printf(" %-28s", less(find_cell("tWinograd", n, 0)->ms, find_cell("GPU8", n, 0)->ms));
    puts("\n\nWhich factor is the texture: milliseconds, Winograd with two levels at n = "
         "8192\n");
    printf("%-10s %-10s %-10s %-10s\n", "none", "the left", "the right", "both");
    printf("%-10s %-10s %-10s %-10s\n", ms_of("choice of winograd", 8192, 2),
           ms_of("choice of twinograd", 8192, 2), ms_of("choice of twinograd-b", 8192, 2),
           ms_of("choice of twinograd-ab", 8192, 2));
}

static void print_hybrids(void)
{
    static const char *const hybrids[] = {"11 document", "11 no-copies", "14 over cuBLAS",
                                          "15 over cuBLAS"};
    puts("\nHybrids over cuBLAS: speed relative to cublasSgemm, one and two levels\n");
    printf("%-18s", "");
    for (int n = 2048; n <= LARGEST; n *= 2)
        printf(" %-14d", n);
    puts("");
    for (int i = 0; i < 4; i++) {
        printf("%-18s", hybrids[i]);
        for (int n = 2048; n <= LARGEST; n *= 2) {
            const char *both = "";
            for (int l = 1; l <= 2; l++) {
                const struct cell *ours = find_cell(hybrids[i], n, l);
                both = text("%s%s%s", both, l > 1 ? ", " : "",
                            isnan(ours->ms) ? "-" : text("%.3f", ours->vendor_ms / ours->ms));
            }
            printf(" %-14s", both);
        }
        puts("");
    }
}

static const char *error_beside(bool average, const struct cell *ours, const char *theirs)
{
    return average ? beside(ours->mean_error, theirs, 0.5)
                   : beside(ours->max_error, theirs, 0.25);
}

static void print_accuracy(void)
{
    static const struct {
        const char *method;
        int tau2;
    } rows[] = {{"sgemm", 0},       {"GPU8", 0},        {"Strassen", 2048},
                {"Strassen", 4096}, {"Winograd", 2048}, {"Winograd", 4096}};
    for (int average = 0; average <= 1; average++) {
        printf("\nFigure %d: %s errors against I, Kaporin's matrices, by tau2 and n "
               "(document)\n\n",
               30 + average, average ? "average" : "maximum");
        printf("%-16s %-20d %-20d %-20d %-20d\n", "", 2048, 4096, 8192, 16384);
        for (int i = 0; i < 6; i++) {
            const char *name =
                rows[i].tau2 ? text("%s %d", rows[i].method, rows[i].tau2) : rows[i].method;
            printf("%-16s", text("%s%s", name, rows[i].tau2 ? "" : " -"));
            for (int n = 2048; n <= LARGEST; n *= 2) {
                int levels = 0;
                for (int m = n; rows[i].tau2 && m > rows[i].tau2 / 2; m /= 2)
                    levels++;
                printf(" %-20s",
                       error_beside(average, find_cell(rows[i].method, n, levels),
                                    in_document(average ? "31" : "30", name, column_of(n))));
            }
            puts("");
        }
    }
    for (int average = 0; average <= 1; average++) {
        printf("\nFigure %d: %s errors at n = 16384 by number of levels (document)\n\n",
               32 + 2 * average, average ? "average" : "maximum");
        printf("%-16s %-20d %-20d %-20d %-20d %-20d\n", "", 0, 1, 2, 3, 4);
        for (int i = 2; i <= 4; i += 2) {
            printf("%-16s", methods[i]);
            for (int l = 0; l <= 4; l++)
                printf(" %-20s",
                       error_beside(average, find_cell(l ? methods[i] : "GPU8", LARGEST, l),
                                    in_document(average ? "34" : "32", methods[i], l)));
            puts("");
        }
    }
}

static const char *const doubles[] = {"dStrassen", "dWinograd", "dStrassen, fused GPU8",
                                      "dWinograd, fused GPU8"};

static void print_double_times(void)
{
    puts("\nFigure 40: double precision, tau2 = 4096, seconds (document, C2050) and percent "
         "less than dgemm (document)\n");
    printf("%-22s %-20d %-20d %-16d %-16d\n", "", 4096, 8192, 4096, 8192);
    printf("%-22s", "dgemm");
    for (int l = 1; l <= 2; l++)
        printf(" %-20s",
               text("%s (%s)", seconds(find_cell("dStrassen", 4096 * l, 0)->vendor_ms),
                    in_document("40", "dgemm", l - 1)));
    puts("");
    for (int i = 0; i < 4; i++) {
        printf("%-22s", doubles[i]);
        for (int l = 1; l <= 2; l++)
            printf(" %-20s",
                   text("%s%s", seconds(find_cell(doubles[i], 4096 * l, l)->ms),
                        i < 2 ? text(" (%s)", in_document("40", doubles[i], l - 1)) : ""));
        for (int l = 1; l <= 2; l++) {
            const struct cell *ours = find_cell(doubles[i], 4096 * l, l);
            double there = atof(in_document("40", doubles[i], l - 1)) /
                           atof(in_document("40", "dgemm", l - 1));
            printf(" %-16s", text("%s%s", less(ours->ms, ours->vendor_ms),
                                  i < 2 ? text(" (%.1f)", 100 * (1 - there)) : ""));
        }
        puts("");
    }
    puts("\nDouble at n = 16384: seconds, the slowest run, dgemm in the same run, and percent "
         "less than it\n");
    printf("%-14s %-30s %-30s\n", "", "1 level", "2 levels");
    for (int i = 0; i < 2; i++) {
        printf("%-14s", doubles[i]);
        for (int l = 1; l <= 2; l++) {
            const struct cell *ours = find_cell(doubles[i], LARGEST, l);
            printf(" %-30s", text("%s  %s  %s  %s", seconds(ours->ms), seconds(ours->slowest),
                                  seconds(ours->vendor_ms), less(ours->ms, ours->vendor_ms)));
        }
        puts("");
    }
}

static void print_double_errors(void)
{
    puts("\nFigure 43: errors against I, Kaporin's matrices, n = 8192, tau2 = 4096 "
         "(document)\n");
    printf("%-14s %-22s %-22s\n", "", "maximum", "average");
    for (int i = -1; i < 2; i++) {
        const char *name = i < 0 ? "dgemm" : doubles[i];
        const struct cell *ours =
            i < 0 ? find_cell("dStrassen", 8192, 0) : find_cell(doubles[i], 8192, 2);
        printf("%-14s %-22s %-22s\n", name,
               beside(ours->max_error, in_document("43", name, 0), 0.25),
               beside(ours->mean_error, in_document("43", name, 1), 0.5));
    }
    puts("\nFigure 44: errors against dgemm, over the mean of |C|, ten random pairs, n = 8192 "
         "(document: against a CPU's product)\n");
    printf("%-14s %-22s %-22s\n", "", "largest maximum", "mean average");
    for (int i = 0; i < 2; i++)
        if (normal_errors(i).runs)
            printf("%-14s %-22s %-22s\n", doubles[i],
                   beside(normal_errors(i).largest, in_document("44", doubles[i], 0), 0.25),
                   beside(normal_errors(i).sum / normal_errors(i).runs,
                          in_document("44", doubles[i], 1), 0.5));
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"times", "choices", "accuracy", "double"};
    int there = 0;
    if (argc != 2) {
        fputs("usage: paper-tables RESULTS, such as docs/results/h100\n", stderr);
        return USAGE;
    }
    for (int i = 0; i < 4; i++)
        there += read_cells(argv[1], names[i]);
    if (there == 0) {
        fprintf(stderr, "paper-tables: no paper-*.jsonl in %s; see tools/paper/measure\n",
                argv[1]);
        return RESOURCE;
    }
    puts("");
    print_times();
    print_reductions();
    print_levels();
    print_all_levels();
    print_textures();
    print_hybrids();
    print_accuracy();
    print_double_times();
    print_double_errors();
    printf("\n%d accuracy cells compared with the document; %d marked * are further away than "
           "25%% (maxima) or 50%% (means).\n",
           compared, far);
    if (wrong_results())
        printf("%d results were wrong and are left out.\n", wrong_results());
    return wrong_results() > 0;
}
