/* SPDX-License-Identifier: MIT */
/** @file paper.h
 * Every figure and table of the four documents, and how this repository answers it.
 */
#ifndef TOOLS_PAPER_PAPER_H
#define TOOLS_PAPER_PAPER_H

#include <stdbool.h>
#include <stdio.h>

/** Where a cell stands in an item's table. */
struct place {
    const char *row, *column;
    const char *with; /**< what items.txt says behind the function's name; "" for nothing */
    bool ours;        /**< our cell, not the document's */
};

/** A function that answers cells, by the name that items.txt has: as a number (NAN where there
 * is none) or as a formula (NULL where there is none). */
struct cell_function {
    const char *name;
    double (*number)(const struct place *at);
    const char *(*formula)(const struct place *at);
};
/** Both end with an empty one. */
extern const struct cell_function li_functions[], other_functions[];

/** A figure or a table: the fields of items.txt, which explains them; NULL where it has none.
 */
struct item {
    const char *id, *title, *place, *shows, *answered, *agree, *see, *from, *ran, *code,
        *measure;
    const char *numbers, *row_list, *column_list, *theirs, *ours, *exact, *x, *y, *scale,
        *picture;
    const char *document; /**< "Li et al. (2011)" */
    const char *rows[64]; /**< ends with NULL, like the columns */
    const char *columns[16];
    int row_count, column_count;
};

/** Reads SOURCE/tools/paper/items.txt and ends the program where it cannot.
 *  @return all items in its order; the last has no id */
const struct item *read_items(const char *source);

/** A cell as the document prints it, and as ours; "" where there is none. Valid until some
 * further calls. */
const char *their_cell(const struct item *item, int row, int column);
const char *our_cell(const struct item *item, int row, int column);
typedef const char *cell_text(const struct item *item, int row, int column);

/** What ran for our cells of a row, as items.txt says: "step 09"; NULL where it does not. */
const char *what_ran(const struct item *item, int row);

/** Whether there is a number in this row. */
bool has_cells(const struct item *item, int row, cell_text *cell);

/** One line an item, under its document. */
void print_list(const struct item *items);

/** One item; `source` is the repository, whose code it shows.
 *  @return how many cells are not the document's, where the item is exact or agrees */
int print_item(const struct item *item, const char *source);

/** All items as a Markdown page, whose plots are figures/ID.svg beside it. */
void write_page(FILE *to, const struct item *items);

/** Draws an item's cells with gnuplot into an SVG file.
 *  @return NULL when it is drawn, or why it is not */
const char *draw_item(const struct item *item, const char *svg);

/**
 * Builds and runs an item's programs, whose results go into the folder `results`, and prints
 * what an exact item's programs counted.
 * @param source the repository, whose tools/build and tools/measure/programs are used, this
 * with $BIN
 * @param build  the build folder
 * @return the exit status: 1 when a result is wrong, 3 when there is no GPU for it
 */
int measure_again(const struct item *item, const char *source, const char *build,
                  const char *results);

/** A cell of the figures of Li et al. (2011) that come from their cost model, as the document
 * writes it: 11, 14, 15 and 17 to 22 (`with`). NULL where there is none. */
const char *model_cell(const struct place *at);

/** How many percent less than GPU8 a method does with `levels` levels: "arithmetics",
 * "transactions" or "volume". */
double model_reduction(const char *method, int levels, long n, const char *quantity);

#endif
