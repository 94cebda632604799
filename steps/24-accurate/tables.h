/* SPDX-License-Identifier: MIT */
/** @file tables.h
 * One program for all tables.
 */
#ifndef STEPS_24_ACCURATE_TABLES_H
#define STEPS_24_ACCURATE_TABLES_H

#include "common/command/options.h"
#include "common/scheme.h"
#include "common/step.h"

/** Elements of workspace for `levels` levels and the leaf. */
size_t tables_workspace(const struct context *ctx, struct product p, int levels);

/** How many of `levels` levels the sizes allow: a block has at least one row and column. */
int tables_levels(const struct context *ctx, struct product p, int levels);

/** C = A * B with the table of ctx->variant. Exits with a message if it is wrong.
 * ctx->settings[0] chooses symmetric copies of the table: its lowest octal digit is that of the
 * outermost level. A digit says which block indices the level takes in reverse order: 1 rows of
 * A and C, 2 those between A and B, 4 columns of B and C. */
void multiply_by_tables(const struct context *ctx, struct product p, int levels,
                        real *workspace);

/** The same on one thread; adds the additions of elements in all sums to `additions`. */
void count_by_tables(const struct context *ctx, struct product p, int levels, real *workspace,
                     double *additions);

/** --errors, in actions.c: the mean error of each variant divided by the classical product's,
 * over several seeds. */
int measure_errors(const struct options *options);

/** --tables, in actions.c: each table, whether it is right, and what follows from it. */
int print_tables(const struct options *options);

#endif
