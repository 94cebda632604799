/* SPDX-License-Identifier: MIT */
/** @file paper.h
 * Every figure and table of the four documents, and how this repository answers it.
 */
#ifndef TOOLS_PAPER_PAPER_H
#define TOOLS_PAPER_PAPER_H

#include <stdbool.h>

/** How an item is answered. */
enum answer {
    EXACT,         /**< every cell or line comes out, with no measurement */
    MEASURED_HERE, /**< on a processor or on the simulated GPU: any computer can */
    MEASURED_H100, /**< on an NVIDIA H100 (or H200); it takes such a GPU to measure it again */
    DRAWING        /**< the document's picture shows no numbers and no code */
};
extern const char *const answer_names[];

/** A cell of an item as a number; NAN where there is none. */
typedef double cell_value(const char *row, const char *column);

/** A cell of an item as a text, for formulas; NULL where there is none. */
typedef const char *cell_text(const char *row, const char *column);

/** What an item's cells are and how they are drawn. */
struct grid {
    const char *numbers; /**< item of tools/paper/numbers.csv whose rows and columns it has */
    const char *rows;    /**< only these, separated by ';'; without `numbers`: all of them */
    const char *columns; /**< likewise */
    cell_value *theirs;  /**< NULL: the cells of `numbers` */
    cell_value *ours;    /**< NULL: none, or texts */
    cell_text *our_text; /**< of an exact item */
    const char *x, *y;   /**< names of the axes; x NULL: no plot */
    bool logarithmic;    /**< both axes */
    bool scatter;        /**< a point a row: the first column over each of the others */
};

/** A figure or a table. */
struct item {
    const char *id;    /**< what `./ladder paper` takes */
    const char *title; /**< "Figure 24" */
    const char *place; /**< "section 8.1.1" */
    const char *shows; /**< what it shows */
    enum answer answer;
    const char *see;  /**< a sentence: what to see when both stand side by side */
    const char *from; /**< results files of our numbers, separated by blanks; NULL: computed */
    const char *code; /**< "FILE" or "FILE [REGION]", shown below; several separated by ';' */
    /** Makes it again: NAME COMMAND [-- COMMAND ...] ; ... for tools/measure/programs, or
     * `paper/measure PART`, which takes a GPU. */
    const char *measure;
    struct grid grid;
};

/** Rows of the tables in items-*.c: what every item has, then what only some have. */
#define ITEM(id, title, place, shows, answer, see, ...)                                        \
    {                                                                                          \
        id, title, place, shows, answer, see, __VA_ARGS__                                      \
    }
#define FIGURE(number, section, shows, answer, see, ...)                                       \
    ITEM(number, "Figure " number, "section " section, shows, answer, see, __VA_ARGS__)
#define CELLS(item, function)    .grid.numbers = item, .grid.ours = function
#define AXES(x_name, y_name)     .grid.x = x_name, .grid.y = y_name
#define LOG_AXES(x_name, y_name) AXES(x_name, y_name), .grid.logarithmic = true

/** The documents with their items, in the order of `./ladder paper`. */
struct document {
    const char *name;         /**< "Li et al. (2011)" */
    const struct item *items; /**< ends with an empty one */
};
extern const struct document documents[];
extern const struct item li_items[], fatahalian_items[], study_items[], musella_items[];

/** Rows and columns of an item, as texts, which cells_free() ends. */
struct cells {
    const char *rows[64], *columns[16];
    int row_count, column_count;
    char *row_text, *column_text; /**< what the names are parts of; NULL if they are not ours */
};
struct cells cells_of(const struct item *item);
void cells_free(struct cells *cells);

/** A cell as the document prints it, "" where it has none, and as ours; valid until some
 * further calls. */
const char *their_cell(const struct item *item, const char *row, const char *column);
const char *our_cell(const struct item *item, const char *row, const char *column);

/** Draws an item's cells with gnuplot into an SVG file.
 *  @return NULL when it is drawn, or why it is not */
const char *draw_item(const struct document *document, const struct item *item,
                      const char *svg);

#endif
