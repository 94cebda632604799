/* SPDX-License-Identifier: MIT */
/** @file show.c
 * Prints items: what each shows, the document's numbers beside ours, what to see, the code.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "paper.h"

/* ---- Tables, as text and as Markdown ---- */

static int widest_of(const struct item *item)
{
    size_t widest = 10;
    for (int j = 0; j < item->column_count; j++)
        for (int i = -1; i < item->row_count; i++) {
            size_t length = strlen(i < 0 ? item->columns[j] : their_cell(item, i, j));
            widest = length > widest ? length : widest;
        }
    return (int)widest;
}

/* A row, the document's cells or ours; `width` is that of a cell, 0 for Markdown. */
static void print_row(FILE *to, const struct item *item, int row, bool ours, int width)
{
    const char *who = ours ? "ours" : "document", *ran = ours ? what_ran(item, row) : NULL;
    if (width)
        fprintf(to, "%-30s %-9s", ran ? text("  (%s)", ran) : ours ? "" : item->rows[row], who);
    else
        fprintf(to, "| %s | %s%s%s |", item->rows[row], who, ran ? ": " : "", ran ? ran : "");
    for (int j = 0; j < item->column_count; j++) {
        const char *cell = (ours ? our_cell : their_cell)(item, row, j);
        fprintf(to, width ? " %-*s" : " %*s |", width, *cell ? cell : width ? "-" : "–");
    }
    fputc('\n', to);
}

static void print_rows(FILE *to, const struct item *item, int width)
{
    for (int i = 0; i < item->row_count; i++) {
        if (width || has_cells(item, i, their_cell) || !has_cells(item, i, our_cell))
            print_row(to, item, i, false, width);
        if (has_cells(item, i, our_cell))
            print_row(to, item, i, true, width);
    }
}

/* Returns how many measured cells are further than a tenth from the document's. */
static int print_far(const struct item *item)
{
    int far = 0;
    for (int i = 0; i < item->row_count; i++)
        for (int j = 0; j < item->column_count; j++) {
            double theirs = strtod(their_cell(item, i, j), NULL),
                   ours = strtod(our_cell(item, i, j), NULL);
            far += theirs != 0 && ours != 0 && fabs(ours - theirs) > fabs(theirs) / 10;
        }
    if (far)
        printf("\n%d cells are further than a tenth from the document's\n", far);
    return far;
}

/* Returns how many cells are not the document's, where they should be. */
static int print_table(const struct item *item)
{
    int width = widest_of(item), different = 0, all = item->row_count * item->column_count;
    printf("\n%-30s %-9s", "", "");
    for (int j = 0; j < item->column_count; j++)
        printf(" %-*s", width, item->columns[j]);
    putchar('\n');
    print_rows(stdout, item, width);
    if (!item->exact && strcmp(item->agree, "yes") == 0)
        return print_far(item);
    if (!item->exact)
        return 0;
    for (int i = 0; i < item->row_count; i++)
        for (int j = 0; j < item->column_count; j++)
            different += strcmp(their_cell(item, i, j), our_cell(item, i, j)) != 0;
    printf("\n%d of %d cells are the document's\n", all - different, all);
    return different;
}

static void page_table(FILE *to, const struct item *item)
{
    fputs("\n| | |", to);
    for (int j = 0; j < item->column_count; j++)
        fprintf(to, " %s |", item->columns[j]);
    fputs("\n| --- | --- |", to);
    for (int j = 0; j < item->column_count; j++)
        fputs(" --- |", to);
    fputc('\n', to);
    print_rows(to, item, 0);
}

/* ---- One item ---- */

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
        if (strcmp(line + strspn(line, " "), mark) == 0)
            inside = !inside;
        else if (inside)
            printf("    %s", line);
    }
    if (from)
        fclose(from);
}

/* What ran: a line a results file, or what an item that needs none is checked with. Its first
 * command stands for all. `page`: as Markdown. */
static void print_commands(FILE *to, const struct item *item, bool page)
{
    char names[256], *rest;
    const char *link = page ? "\n* [%s](results/%s), %s: `%s`%s\n" : "  %s%.0s: %s\n    %s%s\n";
    snprintf(names, sizeof names, "%s", item->from ? item->from : "");
    for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        int commands = 0;
        while (kept_command(name, commands))
            commands++;
        if (commands)
            fprintf(to, name == names || !page ? link : link + 1, text("%s.jsonl", name),
                    kept_path(name), kept_conditions(name), kept_command(name, 0),
                    commands > 1 ? text(" and %d more", commands - 1) : "");
    }
    if (item->from || !item->measure)
        return;
    const char *command = strchr(item->measure, ' ') + 1; /* behind the name of the results */
    const char *end = strstr(command, " -- ");
    fprintf(to, page ? "\nChecked by `%.*s`%s.\n" : "  checked by %.*s%s\n",
            (int)(end ? end - command : (long)strlen(command)), command,
            end ? " and more" : "");
}

int print_item(const struct item *item, const char *source)
{
    int different = 0;
    printf("%s, %s (%s): %s\nAnswered: %s\nAgrees: %s\n", item->document, item->title,
           item->place, item->shows, item->answered, item->agree);
    print_commands(stdout, item, false);
    if (item->row_count)
        different = print_table(item);
    printf("\nWhat to see: %s\n", item->see);
    if (item->code)
        print_code(source, item->code);
    return different;
}

/* ---- All items ---- */

/* Whether an item is its document's first. */
static bool is_first(const struct item *items, const struct item *item)
{
    return item == items || strcmp(item->document, item[-1].document) != 0;
}

void print_list(const struct item *items)
{
    for (const struct item *i = items; i->id; i++) {
        if (is_first(items, i))
            printf("%s%s\n", i == items ? "" : "\n", i->document);
        printf("  %-20s %-20s %-24s %s\n", i->id, i->answered, i->title, i->shows);
    }
}

/* A picture, or a link to the source; the page stands in docs/. */
static void page_source(FILE *to, const struct item *item)
{
    char file[256];
    sscanf(item->code, "%255s", file);
    const char *ending = strrchr(file, '.');
    const char *link =
        strncmp(file, "docs/", 5) == 0 ? text("%s", file + 5) : text("../%s", file);
    if (ending && strcmp(ending, ".svg") == 0)
        fprintf(to, "\n![%s](%s)\n", item->shows, link);
    else
        fprintf(to, "\nSource: [%s](%s)\n", file, link);
}

/* How many items of the list agree with their document. */
static void print_agreement(FILE *to, const struct item *items)
{
    static const char *const answers[] = {"yes", "in part", "no", "no numbers"};
    int counts[4] = {0}, all = 0;
    for (const struct item *i = items; i->id; i++, all++)
        for (int a = 0; a < 4; a++)
            counts[a] += strcmp(i->agree, answers[a]) == 0;
    fprintf(to,
            "Of these %d, %d agree with their document, %d agree in part and %d do not; %d are "
            "drawings without numbers. Under each stands what ran, and why it agrees or not.\n",
            all, counts[0], counts[1], counts[2], counts[3]);
}

void write_page(FILE *to, const struct item *items)
{
    fputs("# Every figure and table\n\n"
          "What the four documents show, and how this repository answers it. `./ladder paper` "
          "prints the list, `./ladder paper 24` one of them with its plot, and `./ladder paper "
          "24 --measure` makes its numbers again on your computer. This page is made by the "
          "same program (`./ladder paper --page docs`).\n\n",
          to);
    print_agreement(to, items);
    for (const struct item *i = items; i->id; i++) {
        if (is_first(items, i))
            fprintf(to, "\n## %s\n", i->document);
        fprintf(
            to,
            "\n### %s: %s\n\n%s, %s. Answered: *%s*. Agrees: *%s*. `./ladder paper %s`\n\n%s\n",
            i->title, i->shows, i->document, i->place, i->answered, i->agree, i->id, i->see);
        print_commands(to, i, true);
        if (i->code)
            page_source(to, i);
        if (i->row_count)
            page_table(to, i);
        if (i->x)
            fprintf(to,
                    "\n![%s, %s: the document's numbers dashed, ours solid](figures/%s.svg)\n",
                    i->document, i->title, i->id);
    }
}
