/* SPDX-License-Identifier: MIT */
/** @file tables.h
 * One program for all tables: a product with any tables, a different one at each level if
 * wanted.
 */
#ifndef STEPS_24_ACCURATE_TABLES_H
#define STEPS_24_ACCURATE_TABLES_H

#include "common/command/options.h"
#include "common/scheme.h"
#include "common/step.h"

/** Which table each level uses, from the outermost level on; the last table repeats. */
struct tables {
    const struct scheme *level[4]; /**< NULL after the last one */
};

/** Elements of workspace for `levels` levels and the leaf. */
size_t tables_workspace(const struct context *ctx, struct product p, int levels,
                        const struct tables *tables);

/** C = A * B. Exits with a message if a table is wrong. ctx->settings[0] chooses symmetric
 * copies of the tables: its lowest octal digit is that of the outermost level. A digit says
 * which block indices the level takes in reverse order: 1 rows of A and C, 2 those between A
 * and B, 4 columns of B and C. */
void multiply_by_tables(const struct context *ctx, struct product p, int levels,
                        real *workspace, const struct tables *tables);

/** --errors, in errors.c: the mean error of each variant divided by the classical product's,
 * with 1 to 4 levels, over several seeds. */
int measure_errors(const struct options *options);

#endif
