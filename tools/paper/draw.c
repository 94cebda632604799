/**
 * @file draw.c
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
                    "%s$%s index %d with linespoints linecolor rgb '%s' dashtype %d pointtype %d "
                    "pointsize 0.7 linewidth %d title \"%s%s\"",
                    between, ours ? "ours" : "theirs", i, colors[i % 8], ours ? 1 : 3,
                    ours ? 7 : 6, ours ? 2 : 1, cells->rows[i], ours ? ", ours" : ", document");
            between = ", \\\n     ";
        }
    fputc('\n', to);
}

/* Where the columns' names stand on the x axis. */
static void write_tics(FILE *to, const struct cells *cells)
{
    for (int j = 0; j < cells->column_count; j++)
        fprintf(to, "%s'%s' %s", j ? ", " : "set xtics (", cells->columns[j], cells->columns[j]);
    fputs(")\n", to);
}

const char *draw_item(const struct document *document, const struct item *item, const char *svg)
{
    const struct grid *g = &item->grid;
    struct cells cells = cells_of(item);
    if (!g->x)
        return "its columns are no axis";
    if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        return "gnuplot is not installed";
    FILE *to = popen("gnuplot", "w");
    if (!to)
        return "gnuplot does not start";
    fprintf(to, "set terminal svg size 820,440 noenhanced font 'sans-serif,13' background '#ffffff'\n"
                "set output \"%s\"\n", svg);
    fputs("$theirs << END\n", to);
    write_points(to, item, &cells, their_cell);
    fputs("END\n$ours << END\n", to);
    write_points(to, item, &cells, our_cell);
    fputs("END\n", to);
    write_tics(to, &cells);
    fprintf(to,
            "set title \"%s, %s\" textcolor '#222222'\nset xlabel '%s'\nset ylabel '%s'\n%s"
            "set border 3 linecolor '#888888'\nset tics nomirror\n"
            "set grid linetype 1 linecolor '#e8e8e8'\nset key outside right top\n"
            "set offsets graph 0.03, graph 0.03, graph 0.03, graph 0.03\n",
            document->name, item->title, g->x, g->y,
            g->logarithmic ? strcmp(g->x, "levels") == 0 ? "set logscale y\nset format y '%.0e'\n"
                                                         : "set logscale xy\nset format y '%g'\n"
                           : "");
    write_lines(to, item, &cells);
    int status = pclose(to);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "gnuplot failed";
}
