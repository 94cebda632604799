/* SPDX-License-Identifier: MIT */
/** @file print.c
 * The ladder as a table, its legend, and the data of its plot.
 */
#include "tour.h"

#include "common/device/host.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const char TIMED_ROW[] = "  %-20s %6s %10s %9s %9s %10s  %s\n";
static const char COUNTED_ROW[] = "  %-20s %6s %12s %12s %8s %9s %10s  %s\n";
enum { TABLE_COLUMNS = 93 }; /* width of a row */

static bool is(const char *text, const char *other) { return strcmp(text, other) == 0; }
static bool did_not_run(const struct row *row)
{
    return is(row->verdict, "skipped") || is(row->verdict, "failed");
}

/* ---- texts ---- */

struct cell {
    char text[32];
};
static struct cell cell(const char *format, double x)
{
    struct cell c = {"-"};
    if (!isnan(x))
        snprintf(c.text, sizeof c.text, format, x);
    return c;
}
static struct cell time_cell(double ms)
{
    return ms >= 1000 ? cell("%.2f s", ms / 1000) : cell(ms < 1 ? "%.4f ms" : "%.2f ms", ms);
}

static void append(char *list, size_t size, const char *word)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", word);
}

/* ---- the table ---- */

static bool is_counted(const struct row *row) { return is(row->backend, "sim"); }

/* The row's transactions relative to step 06's, if step 06 was counted at the same size. Rows
 * that fetch through textures, which are not transactions, have no such number. */
static double times_step_06(const struct row *rows, int count, const struct row *row)
{
    for (int i = 0; i < count; i++)
        if (strncmp(rows[i].step, "06-", 3) == 0 && is_counted(&rows[i]) &&
            rows[i].n == row->n && !(row->fetches > 0))
            return row->transactions / rows[i].transactions;
    return NAN;
}

static void print_counted(FILE *out, const struct row *row, double times, int columns)
{
    const char *model = row->model[0] == '\0' ? "-" : row->model;
    struct cell n = cell("%.0f", row->n), transactions = cell("%.0f", row->transactions),
                bytes = cell("%.0f", row->bytes), ratio = cell("%.3f", times),
                error = cell("%.1e", row->error);
    if (isnan(row->transactions))
        snprintf(transactions.text, sizeof transactions.text, "not counted");
    if (columns > 0)
        say_within(out, columns,
                   "  %s, n = %s: %s transactions, %s bytes, model: %s, %s x step 06, max "
                   "error %s, %s",
                   row->variant, n.text, transactions.text, bytes.text, model, ratio.text,
                   error.text, row->verdict);
    else
        fprintf(out, COUNTED_ROW, row->variant, n.text, transactions.text, bytes.text, model,
                ratio.text, error.text, row->verdict);
}

static void print_timed(FILE *out, const struct row *row, int columns)
{
    struct cell n = cell("%.0f", row->n), time = time_cell(row->ms),
                speed = cell("%.2f", row->gflops), ratio = cell("%.3f", row->ratio),
                error = cell("%.1e", row->error);
    if (columns > 0)
        say_within(out, columns, "  %s, n = %s: %s, %s GFLOP/s, %s x vendor, max error %s, %s",
                   row->variant, n.text, time.text, speed.text, ratio.text, error.text,
                   row->verdict);
    else
        fprintf(out, TIMED_ROW, row->variant, n.text, time.text, speed.text, ratio.text,
                error.text, row->verdict);
}

/* Explains and names the columns of the following rows. */
static void print_heading(FILE *out, bool counted, int columns)
{
    if (counted)
        fputs("Counted: memory traffic of the variant that moves least. model: the step's\n"
              "formula, equal or not; x step 06: transactions relative to step 06's at the "
              "same n\n(not for steps that read textures: fetches are not transactions).\n",
              out);
    else
        fputs(
            "Timed: the fastest variant. GFLOP/s: 2mnk / time; x vendor: speed relative to the "
            "vendor\n"
            "library's on the same problem, timed in turn.\n",
            out);
    if (columns <= 0 && counted)
        fprintf(out, COUNTED_ROW, "variant", "n", "transactions", "bytes", "model", "x step 06",
                "max error", "verdict");
    else if (columns <= 0)
        fprintf(out, TIMED_ROW, "variant", "n", "time", "GFLOP/s", "x vendor", "max error",
                "verdict");
}

/* Two lines per step. */
static void print_table(FILE *out, const struct row *rows, int count, int columns)
{
    const struct row *before = NULL; /* the last that ran */
    for (int i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        if (!did_not_run(row)) {
            if (!before || is_counted(before) != is_counted(row)) {
                fputs(i > 0 ? "\n" : "", out);
                print_heading(out, is_counted(row), columns);
            }
            before = row;
        }
        say_within(out, columns, "%s  %s", row->step, row->idea);
        if (did_not_run(row)) {
            say_within(out, columns, "  %s: %s", row->verdict, row->note);
            continue;
        }
        if (is_counted(row))
            print_counted(out, row, times_step_06(rows, count, row), columns);
        else
            print_timed(out, row, columns);
        if (row->note[0] != '\0')
            say_within(out, columns, "    %s", row->note);
    }
}

/* ---- the legend ---- */

/* ", 2 threads" if a row has more than one, otherwise "". */
static const char *threads_of(const struct row *row, char text[32])
{
    text[0] = '\0';
    if (row->threads > 1)
        snprintf(text, 32, ", %.0f threads", row->threads);
    return text;
}

static bool same_place(const struct row *x, const struct row *y)
{
    char of_x[32], of_y[32];
    return is(x->backend, "sim") == is(y->backend, "sim") && is(x->device, y->device) &&
           is(threads_of(x, of_x), threads_of(y, of_y));
}

/* "Ran on PLACE: steps 01, 02" for the place of row `first`, if no earlier row has it. */
static void print_place(FILE *out, const struct row *rows, int first, int count, int columns)
{
    char steps[1024] = "", number[3], threads[32];
    const char *device = is(rows[first].backend, "sim")
                             ? "the simulated GPU (no GPU was found; counts, no times)"
                             : rows[first].device;
    for (int i = 0; i < count; i++) {
        if (did_not_run(&rows[i]) || !same_place(&rows[i], &rows[first]))
            continue;
        if (i < first)
            return;
        snprintf(number, sizeof number, "%.2s", rows[i].step);
        append(steps, sizeof steps, number);
    }
    say_within(out, columns, "Ran on %s%s: steps %s", device, threads_of(&rows[first], threads),
               steps);
}

static bool is_first_with_vendor(const struct row *rows, int i)
{
    for (int j = 0; j < i; j++)
        if (is(rows[j].vendor, rows[i].vendor))
            return false;
    return rows[i].vendor[0] != '\0';
}

/* What the numbers mean, where each step ran, which were skipped, and why. */
static void print_legend(FILE *out, const struct row *rows, int count, int columns)
{
    char vendors[1024] = "", alone[1024] = "", number[3];
    int left_out = 0;
    for (int i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        if (is_first_with_vendor(rows, i))
            append(vendors, sizeof vendors, row->vendor);
        if (!did_not_run(row) && !isnan(row->gflops) && row->vendor[0] == '\0') {
            snprintf(number, sizeof number, "%.2s", row->step);
            append(alone, sizeof alone, number);
        }
    }
    if (vendors[0] != '\0')
        say_within(out, columns, "The vendor's library: %s.", vendors);
    if (alone[0] != '\0')
        say_within(out, columns, "No vendor library was found to compare with on steps %s.",
                   alone);
    for (int i = 0; i < count; i++)
        if (!did_not_run(&rows[i]))
            print_place(out, rows, i, count, columns);
    for (int i = 0; i < count; i++)
        if (did_not_run(&rows[i])) {
            say_within(out, columns, "%s: %s: %s", rows[i].verdict, rows[i].step, rows[i].note);
            left_out++;
        }
    if (left_out == 0)
        fputs("Nothing was skipped.\n", out);
}

void tour_print(FILE *out, const struct row *rows, int count, int columns)
{
    columns = columns < TABLE_COLUMNS ? columns : 0;
    print_table(out, rows, count, columns);
    fputc('\n', out);
    print_legend(out, rows, count, columns);
}

/* ---- the plot ---- */

int tour_write_plot_data(const struct row *rows, int count)
{
    FILE *bars = fopen("bars", "w"), *vendor = fopen("vendor", "w");
    int y = 0;
    for (int i = 0; bars && vendor && i < count; i++) {
        double ours = rows[i].gflops, theirs = rows[i].vendor_gflops;
        if (!(ours > 0))
            continue;
        y++;
        /* A label that would cross the vendor's line begins after it. */
        double label = theirs > ours && theirs < 2.5 * ours ? theirs : ours;
        char threads[32];
        fprintf(bars, "%d\t%s\t%.10g\t%.3g  %s%s\t%.10g\n", y, rows[i].step, ours, ours,
                rows[i].variant, threads_of(&rows[i], threads), label);
        if (theirs > 0)
            fprintf(vendor, "%.10g\t%g\n%.10g\t%g\n", theirs, y - 0.5, theirs, y + 0.5);
    }
    bool written = bars && vendor;
    if (bars && fclose(bars) != 0)
        written = false;
    if (vendor && fclose(vendor) != 0)
        written = false;
    return written ? y : -1;
}
