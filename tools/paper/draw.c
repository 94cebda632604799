/* SPDX-License-Identifier: MIT */
/** @file draw.c
 * An item's cells as a plot: gnuplot draws the document's lines dashed and ours solid.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "kept.h"
#include "paper.h"

static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000", "#999933"};
static cell_text *const cells[2] = {their_cell, our_cell};
static const char *const whose[2] = {", document", ", ours"};

/* A set of points, "x y"; gnuplot tells sets apart by two empty lines. An empty one has NaN. */
static int write_point(FILE *to, const char *x, const char *y)
{
    return *x && *y ? fprintf(to, "%s %s\n", x, y) : 0;
}
static void end_points(FILE *to, int points) { fputs(points ? "\n\n" : "0 NaN\n\n\n", to); }

/* A set for each row. */
static void write_points(FILE *to, const struct item *item, cell_text *cell)
{
    for (int i = 0; i < item->row_count; i++) {
        int points = 0;
        for (int j = 0; j < item->column_count; j++)
            points += write_point(to, item->columns[j], cell(item, i, j));
        end_points(to, points);
    }
}

/* Where the columns' names stand on the x axis, where it begins and ends, and the lines. */
static void draw_lines(FILE *to, const struct item *item, bool logarithmic)
{
    const char *between = "plot ";
    double first = strtod(item->columns[0], NULL),
           last = strtod(item->columns[item->column_count - 1], NULL),
           edge = (last - first) / 25;
    fprintf(to, "set xrange [%g:%g]\n", logarithmic ? first * 0.88 : first - edge,
            logarithmic ? last * 1.14 : last + edge);
    for (int j = 0; j < item->column_count; j++)
        fprintf(to, "%s'%s' %s", j ? ", " : "set xtics (", item->columns[j], item->columns[j]);
    fputs(")\n", to);
    for (int i = 0; i < item->row_count; i++)
        for (int ours = 0; ours < 2; ours++) {
            const char *ran = ours ? what_ran(item, i) : NULL;
            if (!has_cells(item, i, cells[ours]))
                continue;
            fprintf(to,
                    "%s$%s index %d with linespoints linecolor rgb '%s' dashtype %d pointtype "
                    "%d pointsize 0.7 linewidth %d title \"%s%s%s%s\"",
                    between, ours ? "ours" : "theirs", i, colors[i % 8], ours ? 1 : 3,
                    ours ? 7 : 6, ours ? 2 : 1, item->rows[i], whose[ours], ran ? ": " : "",
                    ran ? ran : "");
            between = ", \\\n     ";
        }
    fputc('\n', to);
}

/* The first column over each of the others, a point a row. Points that lie on the diagonal have
 * equal columns. What is far below it is left out. */
static void draw_scatter(FILE *to, const struct item *item)
{
    static const char *const in_turn[] = {"#009e73", "#d55e00", "#0072b2"};
    fputs("$points << END\n", to);
    for (int set = 0; set < 2 * (item->column_count - 1); set++) {
        int points = 0;
        cell_text *cell = cells[set % 2];
        for (int i = 0; i < item->row_count; i++)
            points += write_point(to, cell(item, i, set / 2 + 1), cell(item, i, 0));
        end_points(to, points);
    }
    fputs("END\nset xrange [0:50]\nset yrange [0:50]\nplot x with lines linecolor rgb "
          "'#888888' title 'equal'",
          to);
    for (int set = 0; set < 2 * (item->column_count - 1); set++)
        fprintf(to,
                ", \\\n $points index %d with points linecolor rgb '%s' pointtype %d "
                "pointsize 0.9 title \"%s%s\"",
                set, in_turn[(set / 2 + 1) % 3], set % 2 ? 7 : 6, item->columns[set / 2 + 1],
                whose[set % 2]);
    fputc('\n', to);
}

/* Breaks a text at blanks into lines of so many letters. */
static void write_lines(FILE *to, const char *text, size_t most)
{
    size_t column = 0;
    for (const char *c = text; *c; c++) {
        bool ends = *c == ' ' && column + strcspn(c + 1, " ") > most;
        fputs(ends ? "\\n" : (char[]){*c, 0}, to);
        column = ends ? 0 : column + 1;
    }
}

const char *draw_item(const struct item *item, const char *svg)
{
    if (!item->x)
        return "its columns are no axis";
    if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        return "gnuplot is not installed";
    FILE *to = popen("gnuplot -d", "w");
    if (!to)
        return "gnuplot does not start";
    bool by_levels = strcmp(item->x, "levels") == 0, scatter = false, logarithmic = false;
    if (item->scale) {
        scatter = strcmp(item->scale, "points") == 0;
        logarithmic = !scatter;
    }
    bool phone = getenv("LADDER_PHONE") != NULL; /* for a window of 390 pixels */
    fprintf(to,
            "set terminal svg size %s noenhanced font 'sans-serif,%s' background '#ffffff'\n"
            "set output \"%s\"\n",
            phone ? "390,720" : "820,440", phone ? "12.5" : "13", svg);
    for (int ours = 0; ours < 2 && !scatter; ours++) {
        fprintf(to, "$%s << END\n", ours ? "ours" : "theirs");
        write_points(to, item, cells[ours]);
        fputs("END\n", to);
    }
    char from[256] = "";
    if (item->from && sscanf(item->from, "%255s", from) == 1) {
        fputs("set label 1 \"ours: ", to);
        write_lines(to, kept_conditions(from), phone ? 44 : 999);
        fprintf(to, "\" at screen %s textcolor '#555555'\n",
                phone ? "0.02,0.06" : "0.99,0.03 right");
    }
    fputs("set title \"", to);
    write_lines(to, item->document, 99);
    fputs(", ", to);
    write_lines(to, item->title, phone ? 42 : 999);
    fprintf(to,
            "\" textcolor '#222222'\nset xlabel '%s'\nset ylabel '%s'\n%sset "
            "border 3 linecolor '#888888'\nset tics nomirror\n"
            "set grid linetype 1 linecolor '#e8e8e8'\n%s\n"
            "%s",
            item->x, item->y,
            !logarithmic ? ""
            : by_levels  ? "set logscale y\nset format y '%.0e'\n"
                         : "set logscale xy\nset format y '%g'\n",
            phone ? "set bmargin screen 0.53\nset key at screen 0.02,0.455 left top vertical "
                    "maxcols 1 Left reverse samplen 2\nset xtics rotate by 45 right"
                  : "set key outside right top",
            item->column_list && strstr(item->column_list, "1000;1024")
                ? "set xtics rotate by 60 right\n"
                : "");
    if (scatter)
        draw_scatter(to, item);
    else
        draw_lines(to, item, logarithmic && !by_levels);
    int status = pclose(to);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "gnuplot failed";
}
