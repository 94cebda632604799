/* SPDX-License-Identifier: MIT */
/** @file show.c
 * Prints an item: what it shows, the document's numbers beside ours, what to see, the code.
 */
#include "show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"

const char *const answer_names[] = {"exact", "measured here", "measured on a GPU", "a drawing"};

/* A row of a table, the document's cells or ours. */
static void print_row(const struct item *item, const struct cells *cells, int row, bool ours,
                      int width)
{
    printf("%-30s %-9s", ours ? "" : cells->rows[row], ours ? "ours" : "document");
    for (int j = 0; j < cells->column_count; j++) {
        const char *cell =
            (ours ? our_cell : their_cell)(item, cells->rows[row], cells->columns[j]);
        printf(" %-*s", width, *cell ? cell : "-");
    }
    putchar('\n');
}

/* Whether the document has a number in this row, or we have. */
static bool has_cells(const struct item *item, const struct cells *cells, int row, bool ours)
{
    for (int j = 0; j < cells->column_count; j++)
        if (*(ours ? our_cell : their_cell)(item, cells->rows[row], cells->columns[j]))
            return true;
    return false;
}

static int widest_of(const struct item *item, const struct cells *cells)
{
    size_t widest = 10;
    for (int j = 0; j < cells->column_count; j++) {
        size_t length = strlen(cells->columns[j]);
        widest = length > widest ? length : widest;
        for (int i = 0; i < cells->row_count; i++) {
            length = strlen(their_cell(item, cells->rows[i], cells->columns[j]));
            widest = length > widest ? length : widest;
        }
    }
    return (int)widest;
}

static int print_table(const struct item *item)
{
    struct cells cells = cells_of(item);
    int width = widest_of(item, &cells), different = 0;
    bool any = item->grid.ours || item->grid.our_text;
    printf("\n%-30s %-9s", "", "");
    for (int j = 0; j < cells.column_count; j++)
        printf(" %-*s", width, cells.columns[j]);
    putchar('\n');
    for (int i = 0; i < cells.row_count; i++) {
        print_row(item, &cells, i, false, width);
        if (any && has_cells(item, &cells, i, true))
            print_row(item, &cells, i, true, width);
        for (int j = 0; j < cells.column_count && item->grid.our_text; j++)
            different += strcmp(their_cell(item, cells.rows[i], cells.columns[j]),
                                our_cell(item, cells.rows[i], cells.columns[j])) != 0;
    }
    if (item->grid.our_text)
        printf("\n%d of %d cells are the document's\n",
               cells.row_count * cells.column_count - different,
               cells.row_count * cells.column_count);
    cells_free(&cells);
    return different;
}

/* A file's region, or only its name when it has none. */
static void print_code(const char *source, const char *code)
{
    char file[256], region[64] = "", path[4352], mark[80], line[1024];
    bool inside = false;
    if (sscanf(code, "%255s [%63[^]]]", file, region) < 2) {
        printf("\nSee %s\n", file);
        return;
    }
    snprintf(path, sizeof path, "%s/%s", source, file);
    snprintf(mark, sizeof mark, "/// [%s]\n", region);
    FILE *from = fopen(path, "r");
    printf("\nThe code, from %s:\n", file);
    while (from && fgets(line, sizeof line, from)) {
        if (strcmp(line, mark) == 0)
            inside = !inside;
        else if (inside)
            printf("    %s", line);
    }
    if (from)
        fclose(from);
}

/* Where our numbers come from, a line a file. */
static void print_origin(const struct item *item)
{
    char names[256], *rest;
    if (!item->from)
        return;
    snprintf(names, sizeof names, "%s", item->from);
    for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        const char *conditions = kept_conditions(name);
        if (*conditions)
            printf("  %s.jsonl: %s\n", name, conditions);
    }
}

int print_item(const struct document *document, const struct item *item, const char *source)
{
    int different = 0;
    printf("%s, %s (%s): %s\nAnswered: %s\n", document->name, item->title, item->place,
           item->shows, answer_names[item->answer]);
    print_origin(item);
    if (item->grid.numbers || item->grid.rows)
        different = print_table(item);
    printf("\nWhat to see: %s\n", item->see);
    if (item->code)
        print_code(source, item->code);
    return different;
}

void print_list(void)
{
    for (const struct document *d = documents; d->name; d++) {
        printf("%s%s\n", d == documents ? "" : "\n", d->name);
        for (const struct item *i = d->items; i->id; i++)
            printf("  %-20s %-20s %-24s %s\n", i->id, answer_names[i->answer], i->title,
                   i->shows);
    }
}

/* ---- The page ---- */

static void page_row(FILE *to, const struct item *item, const struct cells *cells, int row,
                     bool ours)
{
    fprintf(to, "| %s | %s |", cells->rows[row], ours ? "ours" : "document");
    for (int j = 0; j < cells->column_count; j++) {
        const char *cell =
            (ours ? our_cell : their_cell)(item, cells->rows[row], cells->columns[j]);
        fprintf(to, " %s |", *cell ? cell : "–");
    }
    fputc('\n', to);
}

static void page_table(FILE *to, const struct item *item)
{
    struct cells cells = cells_of(item);
    fputs("\n| | |", to);
    for (int j = 0; j < cells.column_count; j++)
        fprintf(to, " %s |", cells.columns[j]);
    fputs("\n| --- | --- |", to);
    for (int j = 0; j < cells.column_count; j++)
        fputs(" --- |", to);
    fputc('\n', to);
    for (int i = 0; i < cells.row_count; i++) {
        page_row(to, item, &cells, i, false);
        if ((item->grid.ours || item->grid.our_text) && has_cells(item, &cells, i, true))
            page_row(to, item, &cells, i, true);
    }
    cells_free(&cells);
}

/* A picture, or a link to the source; the page stands in docs/. */
static void page_source(FILE *to, const struct item *item)
{
    char file[256];
    sscanf(item->code, "%255s", file);
    const char *ending = strrchr(file, '.'),
               *inside = strncmp(file, "docs/", 5) == 0 ? file + 5 : NULL;
    if (ending && strcmp(ending, ".svg") == 0)
        fprintf(to, "\n![%s](%s%s)\n", item->shows, inside ? "" : "../",
                inside ? inside : file);
    else
        fprintf(to, "\nSource: [%s](%s%s)\n", file, inside ? "" : "../",
                inside ? inside : file);
}

void write_page(FILE *to)
{
    fputs("# Every figure and table\n\n"
          "What the four documents show, and how this repository answers it. `./ladder paper` "
          "prints the list, `./ladder paper 24` one of them with its plot, and `./ladder paper "
          "24 --measure` makes its numbers again on your computer. This page is made by the "
          "same program (`./ladder paper --page docs`).\n",
          to);
    for (const struct document *d = documents; d->name; d++) {
        fprintf(to, "\n## %s\n", d->name);
        for (const struct item *i = d->items; i->id; i++) {
            fprintf(to, "\n### %s: %s\n\n%s, %s. Answered: *%s*. `./ladder paper %s`\n\n%s\n",
                    i->title, i->shows, d->name, i->place, answer_names[i->answer], i->id,
                    i->see);
            if (i->code)
                page_source(to, i);
            if (i->grid.numbers || i->grid.rows)
                page_table(to, i);
            if (i->grid.x)
                fprintf(
                    to,
                    "\n![%s, %s: the document's numbers dashed, ours solid](figures/%s.svg)\n",
                    d->name, i->title, i->id);
        }
    }
}
