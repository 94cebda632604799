/* SPDX-License-Identifier: MIT */
/** @file numbers.h
 * The numbers that the four documents print, from docs/documents/numbers.csv.
 */
#ifndef DOCS_DOCUMENTS_NUMBERS_H
#define DOCS_DOCUMENTS_NUMBERS_H

#ifdef __cplusplus
extern "C" {
#endif

/** One cell of a table or a figure, as it is printed. */
struct paper_number {
    const char
        *item; /**< "24" is Figure 24 of Li et al. (2011), "musella-table-1.2" one of Musella */
    const char *place; /**< where in the document: "Figure 24", "section 3" */
    const char *row, *column;
    const char *value; /**< a number, or a formula such as 3m^2/32 */
};

/** All numbers in the order of the file; in the last one, `item` is NULL. */
extern const struct paper_number paper_numbers[];

/** A cell as the document prints it.
 * @param item as in paper_number
 * @param row,column likewise
 * @return its text, or NULL if there is no such cell */
const char *paper_text(const char *item, const char *row, const char *column);

/** A cell as a number.
 * @param item as in paper_number
 * @param row,column likewise
 * @return its value, or NAN if there is no such cell */
double paper_value(const char *item, const char *row, const char *column);

#ifdef __cplusplus
}
#endif
#endif
