/* SPDX-License-Identifier: MIT */
/** @file show.c
 * Prints items: what each shows, the document's numbers beside ours, what to see, the code.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "paper.h"

/* ---- Tables ---- */

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

/* A row, the document's cells or ours; `width` is that of a cell. */
static void print_row(FILE *to, const struct item *item, int row, bool ours, int width)
{
    const char *who = ours ? "ours" : "document", *ran = ours ? what_ran(item, row) : NULL;
    fprintf(to, "%-30s %-9s", ran ? text("  (%s)", ran) : ours ? "" : item->rows[row], who);
    for (int j = 0; j < item->column_count; j++) {
        const char *cell = (ours ? our_cell : their_cell)(item, row, j);
        fprintf(to, " %-*s", width, *cell ? cell : "-");
    }
    fputc('\n', to);
}

static void print_rows(FILE *to, const struct item *item, int width)
{
    for (int i = 0; i < item->row_count; i++) {
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
 * command stands for all. */
static void print_commands(FILE *to, const struct item *item)
{
    char names[256], *rest;
    snprintf(names, sizeof names, "%s", item->from ? item->from : "");
    for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        int commands = 0;
        while (kept_command(name, commands))
            commands++;
        if (commands)
            fprintf(to, "  %.*s.jsonl: %s\n    %s%s\n", (int)strcspn(name, ":"), name,
                    kept_conditions(name), kept_command(name, 0),
                    commands > 1 ? text(" and %d more", commands - 1) : "");
    }
    if (item->from || !item->measure)
        return;
    const char *command = strchr(item->measure, ' ') + 1; /* behind the name of the results */
    const char *end = strstr(command, " -- ");
    fprintf(to, "  checked by %.*s%s\n", (int)(end ? end - command : (long)strlen(command)),
            command, end ? " and more" : "");
}

int print_item(const struct item *item, const char *source)
{
    int different = 0;
    printf("%s, %s (%s): %s\nAnswered: %s\nAgrees: %s\n", item->document, item->title,
           item->place, item->shows, item->answered, item->agree);
    print_commands(stdout, item);
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

/* The last cell of an item's table that both have; false: there is none. */
static bool find_cell(const struct item *item, int *row, int *column)
{
    for (*row = item->row_count - 1; *row >= 0; --*row)
        for (*column = item->column_count - 1; *column >= 0; --*column)
            if (*their_cell(item, *row, *column) && *our_cell(item, *row, *column))
                return true;
    return false;
}

/* Text in a cell of a Markdown table. */
static void print_cell(FILE *to, const char *words)
{
    for (; *words; words++)
        fprintf(to, *words == '|' ? "\\|" : "%c", *words);
    fputs(" |", to);
}

/* Where our numbers stand; the page stands in docs/. */
static const char *kept_link(const struct item *item, const char *words)
{
    char name[256] = "";
    if (item->from)
        sscanf(item->from, "%255s", name);
    return *name && kept_command(name, 0) ? text("[%s](results/%s)", words, kept_path(name))
                                          : words;
}

/* The program and the command of our side: of the kept results, of what an exact item is
 * checked with, or the file that has the code or the drawing. */
static const char *page_command(const struct item *item)
{
    char name[256] = "";
    if (item->from)
        sscanf(item->from, "%255s", name);
    if (*name && kept_command(name, 0))
        return text(kept_command(name, 1) ? "`%s`, …" : "`%s`", kept_command(name, 0));
    if (item->measure) {
        const char *command = strchr(item->measure, ' ') + 1, *end = strstr(command, " -- ");
        return text("`%.*s`", (int)(end ? end - command : (long)strlen(command)), command);
    }
    if (!item->code || sscanf(item->code, "%255s", name) != 1)
        return "–";
    return text("[%s](../%s)", strrchr(name, '/') + 1, name);
}

static void page_row(FILE *to, const struct item *item)
{
    int row, column;
    fprintf(to, "| `%s` | %s: ", item->id, item->title);
    print_cell(to, item->shows);
    if (find_cell(item, &row, &column)) {
        const char *ran = what_ran(item, row);
        fprintf(to, " %s, %s: ", item->rows[row], item->columns[column]);
        print_cell(to, their_cell(item, row, column));
        fprintf(to, " %s%s%s |", kept_link(item, our_cell(item, row, column)), ran ? ", " : "",
                ran ? ran : "");
    } else {
        fprintf(to, " – | %s |", kept_link(item, item->from ? "rows" : "–"));
    }
    fprintf(to, " *%s.* ", item->agree);
    print_cell(to, item->see);
    fprintf(to, " %s |", page_command(item));
    fputc('\n', to);
}

/* How many items of the list agree with their document. */
static void print_agreement(FILE *to, const struct item *items)
{
    static const char *const answers[] = {"yes", "in part", "no", "no numbers"};
    int counts[4] = {0}, all = 0, figures = 0, tables = 0;
    for (const struct item *i = items; i->id; i++, all++) {
        figures += strncmp(i->title, "Figure ", 7) == 0;
        tables +=
            strncmp(i->title, "Table ", 6) == 0 || strncmp(i->title, "the table ", 10) == 0;
        for (int a = 0; a < 4; a++)
            counts[a] += strcmp(i->agree, answers[a]) == 0;
    }
    fprintf(to,
            "These are all %d figures and %d tables of the documents, and %d of their "
            "statements that "
            "numbers can test. Of the %d, %d agree with their document, %d agree in part and "
            "%d do not; %d are "
            "drawings without numbers.\n",
            figures, tables, all - figures - tables, all, counts[0], counts[1], counts[2],
            counts[3]);
}

void write_page(FILE *to, const struct item *items)
{
    fputs(
        "# Every figure and table\n\n"
        "What the four documents show, and how this repository answers it. Of each table here "
        "stands one number, the last that both have. `./ladder paper 24` shows all of Figure "
        "24, what ran, and its plot. `./ladder paper 24 --measure` makes its numbers again on "
        "your computer. This page is made by the same program (`./ladder paper --page "
        "docs`).\n\n",
        to);
    print_agreement(to, items);
    for (const struct item *i = items; i->id; i++) {
        if (is_first(items, i))
            fprintf(
                to,
                "\n## %s\n\n| item | what | the document's number | ours | agrees, and why | "
                "program and command |\n| --- | --- | --- | --- | --- | --- |\n",
                i->document);
        page_row(to, i);
    }
    fputs("\n## Plots that teach something\n\nThe document's numbers are dashed, ours solid.\n",
          to);
    for (const struct item *i = items; i->id; i++)
        if (i->picture)
            fprintf(to, "\n![%s, %s: %s](figures/%s.svg)\n\n%s\n", i->document, i->title,
                    i->shows, i->id, i->see);
}
