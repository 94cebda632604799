/* SPDX-License-Identifier: MIT */
/** @file draw.c
 * An item's cells as a plot: gnuplot draws the document's lines dashed and ours solid.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "paper.h"

/* A line a row: its points, "x y"; gnuplot tells rows apart by two empty lines. */
static void write_points(FILE *to, const struct item *item, const struct cells *cells,
                         const char *(*cell)(const struct item *, const char *, const char *))
{
    for (int i = 0; i < cells->row_count; i++) {
        int points = 0;
        for (int j = 0; j < cells->column_count; j++) {
            const char *y = cell(item, cells->rows[i], cells->columns[j]);
            if (*y) {
                fprintf(to, "%s %s\n", cells->columns[j], y);
                points++;
            }
        }
        fputs(points ? "\n\n" : "0 NaN\n\n\n", to);
    }
}

static bool has_points(const struct item *item, const struct cells *cells, int row,
                       const char *(*cell)(const struct item *, const char *, const char *))
{
    for (int j = 0; j < cells->column_count; j++)
        if (*cell(item, cells->rows[row], cells->columns[j]))
            return true;
    return false;
}

static void write_lines(FILE *to, const struct item *item, const struct cells *cells)
{
    static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                         "#e69f00", "#56b4e9", "#000000", "#999933"};
    const char *between = "plot ";
    for (int i = 0; i < cells->row_count; i++)
        for (int ours = 0; ours < 2; ours++) {
            if (!has_points(item, cells, i, ours ? our_cell : their_cell))
                continue;
            fprintf(to,
                    "%s$%s index %d with linespoints linecolor rgb '%s' dashtype %d pointtype "
                    "%d pointsize 0.7 linewidth %d title \"%s%s\"",
                    between, ours ? "ours" : "theirs", i, colors[i % 8], ours ? 1 : 3,
                    ours ? 7 : 6, ours ? 2 : 1, cells->rows[i], ours ? ", ours" : ", document");
            between = ", \\\n     ";
        }
    fputc('\n', to);
}

/* Where the columns' names stand on the x axis, and where it begins and ends. */
static void write_axis(FILE *to, const struct item *item, const struct cells *cells)
{
    double first = strtod(cells->columns[0], NULL),
           last = strtod(cells->columns[cells->column_count - 1], NULL),
           edge = (last - first) / 25;
    bool by_levels = strcmp(item->grid.x, "levels") == 0;
    fprintf(to, "set xrange [%g:%g]\n",
            by_levels || !item->grid.logarithmic ? first - edge : first * 0.88,
            by_levels || !item->grid.logarithmic ? last + edge : last * 1.14);
    for (int j = 0; j < cells->column_count; j++)
        fprintf(to, "%s'%s' %s", j ? ", " : "set xtics (", cells->columns[j],
                cells->columns[j]);
    fputs(")\n", to);
}

/* The first column over column j, a point a row. */
static int write_scatter(FILE *to, const struct item *item, const struct cells *cells, int j,
                         bool ours)
{
    int points = 0;
    for (int i = 0; i < cells->row_count; i++) {
        char x[32], y[32];
        snprintf(x, sizeof x, "%s",
                 (ours ? our_cell : their_cell)(item, cells->rows[i], cells->columns[j]));
        snprintf(y, sizeof y, "%s",
                 (ours ? our_cell : their_cell)(item, cells->rows[i], cells->columns[0]));
        if (*x && *y) {
            fprintf(to, "%s %s\n", x, y);
            points++;
        }
    }
    fputs(points ? "\n\n" : "0 NaN\n\n\n", to);
    return points;
}

/* Points that lie on the diagonal have equal columns. What is far below it is left out. */
static void draw_scatter(FILE *to, const struct item *item, const struct cells *cells)
{
    static const char *const colors[] = {"", "#d55e00", "#0072b2", "#009e73"};
    fputs("$points << END\n", to);
    for (int j = 1; j < cells->column_count; j++)
        for (int ours = 0; ours < 2; ours++)
            write_scatter(to, item, cells, j, ours);
    fputs("END\nset xrange [0:50]\nset yrange [0:50]\nplot x with lines linecolor rgb "
          "'#888888' title 'equal'",
          to);
    for (int j = 1; j < cells->column_count; j++)
        for (int ours = 0; ours < 2; ours++)
            fprintf(to,
                    ", \\\n $points index %d with points linecolor rgb '%s' pointtype %d "
                    "pointsize 0.9 title \"%s%s\"",
                    2 * (j - 1) + ours, colors[j % 4], ours ? 7 : 6, cells->columns[j],
                    ours ? ", ours" : ", document");
    fputc('\n', to);
}

const char *draw_item(const struct document *document, const struct item *item, const char *svg)
{
    const struct grid *g = &item->grid;
    if (!g->x)
        return "its columns are no axis";
    if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        return "gnuplot is not installed";
    FILE *to = popen("gnuplot -d", "w");
    if (!to)
        return "gnuplot does not start";
    struct cells cells = cells_of(item);
    fprintf(
        to,
        "set terminal svg size 820,440 noenhanced font 'sans-serif,13' background '#ffffff'\n"
        "set output \"%s\"\n",
        svg);
    if (!g->scatter) {
        fputs("$theirs << END\n", to);
        write_points(to, item, &cells, their_cell);
        fputs("END\n$ours << END\n", to);
        write_points(to, item, &cells, our_cell);
        fputs("END\n", to);
        write_axis(to, item, &cells);
    }
    fprintf(to,
            "set title \"%s, %s\" textcolor '#222222'\nset xlabel '%s'\nset ylabel '%s'\n%sset "
            "border 3 linecolor '#888888'\nset tics nomirror\n"
            "set grid linetype 1 linecolor '#e8e8e8'\nset key outside right top\n"
            "%s",
            document->name, item->title, g->x, g->y,
            g->logarithmic ? strcmp(g->x, "levels") == 0
                                 ? "set logscale y\nset format y '%.0e'\n"
                                 : "set logscale xy\nset format y '%g'\n"
                           : "",
            strstr(g->columns ? g->columns : "", "1000;1024") ? "set xtics rotate by 60 right\n"
                                                              : "");
    if (g->scatter)
        draw_scatter(to, item, &cells);
    else
        write_lines(to, item, &cells);
    cells_free(&cells);
    int status = pclose(to);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "gnuplot failed";
}
