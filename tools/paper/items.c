/* SPDX-License-Identifier: MIT */
/** @file items.c
 * Reads items.txt, and what stands in an item's cells.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/step.h"
#include "kept.h"
#include "common/documents/numbers.h"
#include "paper.h"

enum { MOST_ITEMS = 99, MOST_NAMED = 16, MOST_ROWS = 63, MOST_COLUMNS = 15, LONGEST = 4096 };

static void fail(const char *what, const char *word)
{
    fprintf(stderr, "paper: %s '%s'\n", what, word);
    exit(EXIT_RESOURCE);
}

static char *copy_of(const char *part)
{
    char *copy = strdup(part);
    if (!copy)
        fail("not enough memory for", part);
    return copy;
}

/* ---- The file ---- */

static const struct {
    const char *key;
    size_t field;
} keys[] = {
#define KEY(name, field)                                                                       \
    {                                                                                          \
        name, offsetof(struct item, field)                                                     \
    }
    KEY("item", id),
    KEY("title", title),
    KEY("place", place),
    KEY("shows", shows),
    KEY("answered", answered),
    KEY("agree", agree),
    KEY("see", see),
    KEY("from", from),
    KEY("ran", ran),
    KEY("code", code),
    KEY("measure", measure),
    KEY("numbers", numbers),
    KEY("rows", row_list),
    KEY("columns", column_list),
    KEY("theirs", theirs),
    KEY("ours", ours),
    KEY("exact", exact),
    KEY("x", x),
    KEY("y", y),
    KEY("scale", scale),
    KEY("document", document),
    KEY("picture", picture),
};

static struct {
    char *name, *value;
} named[MOST_NAMED];
static int named_count;

/* The value with each $NAME in it replaced. */
static char *resolved(const char *value)
{
    char whole[LONGEST] = "";
    for (size_t used = 0; *value && used < sizeof whole - 1; used = strlen(whole)) {
        int i = *value == '$' ? 0 : named_count;
        while (i < named_count && strncmp(value, named[i].name, strlen(named[i].name)) != 0)
            i++;
        snprintf(whole + used, sizeof whole - used, "%.*s", i < named_count ? LONGEST : 1,
                 i < named_count ? named[i].value : value);
        value += i < named_count ? strlen(named[i].name) : 1;
    }
    return copy_of(whole);
}

/* A whole line, "KEY: VALUE". */
static void take(struct item *item, char *line)
{
    char *value = strchr(line, ':');
    if (!value)
        fail("items.txt has a line without a key:", line);
    *value++ = '\0';
    value += strspn(value, " ");
    if (*line == '$' && named_count < MOST_NAMED) {
        named[named_count].name = copy_of(line);
        named[named_count++].value = copy_of(value);
        return;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(line, keys[i].key) == 0) {
            *(const char **)(void *)((char *)item + keys[i].field) = resolved(value);
            return;
        }
    fail("items.txt has no key", line);
}

/* ---- Rows and columns ---- */

static void add_name(const char *names[], int *count, int most, const char *name)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return;
    if (*count == most)
        fail("too many rows or columns behind", name);
    names[(*count)++] = name;
}

static void add_list(const char *names[], int *count, int most, const char *list)
{
    char *copy = list ? copy_of(list) : NULL, *rest; /* which the names are parts of */
    for (char *name = copy ? strtok_r(copy, ";", &rest) : NULL; name;
         name = strtok_r(NULL, ";", &rest))
        add_name(names, count, most, name);
}

static void complete(struct item *item)
{
    if (!item->place || !item->shows || !item->answered || !item->agree || !item->see)
        fail("items.txt: place, shows, answered, agree or see is missing for", item->id);
    if (!item->title)
        item->title = copy_of(text("Figure %s", item->id));
    add_list(item->rows, &item->row_count, MOST_ROWS, item->row_list);
    add_list(item->columns, &item->column_count, MOST_COLUMNS, item->column_list);
    for (const struct paper_number *n = paper_numbers; item->numbers && n->item; n++) {
        if (strcmp(n->item, item->numbers) != 0)
            continue;
        if (!item->row_list)
            add_name(item->rows, &item->row_count, MOST_ROWS, n->row);
        if (!item->column_list)
            add_name(item->columns, &item->column_count, MOST_COLUMNS, n->column);
    }
}

const struct item *read_items(const char *source)
{
    static struct item items[MOST_ITEMS + 1];
    char path[4352], line[LONGEST], whole[LONGEST] = "";
    struct item next = {0};
    int count = 0;
    snprintf(path, sizeof path, "%s/tools/paper/items.txt", source);
    FILE *file = fopen(path, "r");
    if (!file)
        fail("cannot read", path);
    for (bool more = true; more;) {
        more = fgets(line, sizeof line, file) != NULL;
        line[more ? strcspn(line, "\n") : 0] = '\0';
        if (*line == '#')
            continue;
        if (*line == ' ') { /* what is above goes on */
            size_t used = strlen(whole);
            snprintf(whole + used, sizeof whole - used, " %s", line + strspn(line, " "));
            continue;
        }
        if (*whole)
            take(&next, whole);
        snprintf(whole, sizeof whole, "%s", line);
        if (*line || !next.id || count == MOST_ITEMS)
            continue;
        complete(&next); /* the item's end */
        items[count++] = next;
        next = (struct item){.document = next.document};
    }
    fclose(file);
    return items;
}

/* ---- Cells ---- */

static const char *rounded(double value)
{
    return isnan(value) ? "" : fabs(value) >= 100 ? text("%.0f", value) : text("%.3g", value);
}

/* A cell by "FUNCTION WITH". */
static const char *cell_by(const char *call, const struct item *item, int row, int column,
                           bool ours)
{
    size_t length = strcspn(call, " ");
    struct place at = {item->rows[row], item->columns[column], call + length, ours};
    at.with += *at.with == ' ';
    for (int i = 0; i < 2; i++)
        for (const struct cell_function *f = i ? other_functions : li_functions; f->name; f++) {
            if (strncmp(f->name, call, length) != 0 || f->name[length])
                continue;
            if (f->formula) {
                const char *formula = f->formula(&at);
                return formula ? formula : "";
            }
            double value = f->number(&at);
            return !item->exact ? rounded(value) : isnan(value) ? "" : text("%.10g", value);
        }
    fail("items.txt: there is no function", call);
    return NULL;
}

const char *their_cell(const struct item *item, int row, int column)
{
    if (item->theirs)
        return cell_by(item->theirs, item, row, column, false);
    const char *printed =
        item->numbers ? paper_text(item->numbers, item->rows[row], item->columns[column])
                      : NULL;
    return printed ? printed : "";
}

const char *our_cell(const struct item *item, int row, int column)
{
    const char *call = item->exact ? item->exact : item->ours;
    return call ? cell_by(call, item, row, column, true) : "";
}

const char *what_ran(const struct item *item, int row)
{
    char list[1024], *rest;
    snprintf(list, sizeof list, "%s", item->ran ? item->ran : "");
    for (char *one = strtok_r(list, ";", &rest); one; one = strtok_r(NULL, ";", &rest)) {
        char *ran = strstr(one, " = ");
        if (!ran)
            fail("items.txt: there is no ' = ' in", one);
        *ran = '\0';
        one += strspn(one, " ");
        if (*one == '*' || strstr(item->rows[row], one))
            return text("%s", ran + 3);
    }
    return NULL;
}

bool has_cells(const struct item *item, int row, cell_text *cell)
{
    for (int j = 0; j < item->column_count; j++)
        if (*cell(item, row, j))
            return true;
    return false;
}
