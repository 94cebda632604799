/* SPDX-License-Identifier: MIT */
/** @file model.h
 * The figures of Li et al. (2011) that come from their cost model: 11, 14, 15 and 17 to 22.
 */
#ifndef TOOLS_PAPER_MODEL_H
#define TOOLS_PAPER_MODEL_H

/** A cell of one of these figures, as the document writes it; NULL where there is none. Valid
 * until some further calls. */
const char *model_cell(const char *figure, const char *row, const char *column);

/** How many percent less than GPU8 a method does with so many levels: "arithmetics",
 *  "transactions" or "volume". */
double model_reduction(const char *method, int levels, long n, const char *quantity);

#endif
