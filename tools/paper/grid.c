/* SPDX-License-Identifier: MIT */
/** @file grid.c
 * The cells of an item: which rows and columns it has, and what stands in them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper.h"
#include "tools/paper/numbers.h"

enum { MOST_ROWS = 64, MOST_COLUMNS = 16 };

static void add_name(const char *names[], int *count, int most, const char *name)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return;
    if (*count == most) {
        fprintf(stderr, "paper: more than %d rows or columns\n", most);
        exit(3);
    }
    names[(*count)++] = name;
}

/* The parts of a list, in a copy that is returned. */
static char *add_names(const char *names[], int *count, int most, const char *list)
{
    char *copy = strdup(list), *rest;
    for (char *name = strtok_r(copy, ";", &rest); name; name = strtok_r(NULL, ";", &rest))
        add_name(names, count, most, name);
    return copy;
}

struct cells cells_of(const struct item *item)
{
    const struct grid *g = &item->grid;
    struct cells cells = {.row_count = 0};
    if (g->rows)
        cells.row_text = add_names(cells.rows, &cells.row_count, MOST_ROWS, g->rows);
    if (g->columns)
        cells.column_text =
            add_names(cells.columns, &cells.column_count, MOST_COLUMNS, g->columns);
    for (const struct paper_number *n = paper_numbers; g->numbers && n->item; n++) {
        if (strcmp(n->item, g->numbers) != 0)
            continue;
        if (!g->rows)
            add_name(cells.rows, &cells.row_count, MOST_ROWS, n->row);
        if (!g->columns)
            add_name(cells.columns, &cells.column_count, MOST_COLUMNS, n->column);
    }
    return cells;
}

void cells_free(struct cells *cells)
{
    free(cells->row_text);
    free(cells->column_text);
}

/* Several may be used in one call. */
static const char *text_of(double value)
{
    static char texts[8][32];
    static int next;
    char *text = texts[next++ % 8];
    if (isnan(value))
        return "";
    snprintf(text, sizeof texts[0], fabs(value) >= 1e5 ? "%.0f" : "%.3g", value);
    if (fabs(value) >= 100 && fabs(value) < 1e5)
        snprintf(text, sizeof texts[0], "%.0f", value);
    return text;
}

const char *their_cell(const struct item *item, const char *row, const char *column)
{
    const struct grid *g = &item->grid;
    if (g->theirs)
        return text_of(g->theirs(row, column));
    const char *text = g->numbers ? paper_text(g->numbers, row, column) : NULL;
    return text ? text : "";
}

const char *our_cell(const struct item *item, const char *row, const char *column)
{
    const struct grid *g = &item->grid;
    const char *text = g->our_text ? g->our_text(row, column) : NULL;
    if (g->our_text)
        return text ? text : "";
    return g->ours ? text_of(g->ours(row, column)) : "";
}
