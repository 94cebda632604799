/* SPDX-License-Identifier: MIT */
/** @file show.h
 * Prints items.
 */
#ifndef TOOLS_PAPER_SHOW_H
#define TOOLS_PAPER_SHOW_H

#include <stdio.h>

#include "paper.h"

/** One line an item, under its document. */
void print_list(void);

/** One item; `source` is the repository, whose code it shows.
 *  @return how many cells of an exact item are not the document's */
int print_item(const struct document *document, const struct item *item, const char *source);

/** All items as a Markdown page, whose plots are figures/ID.svg beside it. */
void write_page(FILE *to);

#endif
