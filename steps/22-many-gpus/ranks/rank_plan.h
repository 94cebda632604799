/* SPDX-License-Identifier: MIT */
/** @file rank_plan.h
 * How a variant multiplies on a number of ranks: the levels of Strassen's recursion that all
 * ranks do together, the way to multiply below them, and what both will cost.
 */
#ifndef STEPS_22_MANY_GPUS_RANKS_RANK_PLAN_H
#define STEPS_22_MANY_GPUS_RANKS_RANK_PLAN_H

#include "rank.h"

/** The variants, by their place in the step's table. */
enum {
    SUMMA,
    CANNON,
    STRASSEN_BFS,
    STRASSEN_DFS,
    CAPS,
    STRASSEN_OVER_SUMMA,
    SUMMA_BROKEN,
    VARIANTS
};

/** The step's own numbers, in the order of its table of settings. */
enum { SET_RANKS, SET_MEMORY, SET_LIMIT, SET_PANELS };

/** The plan of a variant. `memory`: bytes that a rank may use, 0: any number. caps takes levels
 * that fit, or if there are none, those that need the fewest bytes: the caller compares
 * plan_bytes() with the limit, as for every plan. */
void plan_for_variant(struct rank_plan *plan, const struct options *options, int variant,
                      int ranks, double memory);

/** Elements of a rank's workspace. */
size_t plan_workspace(const struct rank_plan *plan, int rank);

/** Bytes of the largest share, and of the largest share and workspace together. */
double plan_share_bytes(const struct rank_plan *plan);
double plan_bytes(const struct rank_plan *plan);

/** What a rank sends and receives in the whole product, and the most that a rank receives. */
struct moved plan_traffic(const struct rank_plan *plan, int rank);
struct traffic plan_most_received(const struct rank_plan *plan);

/** Flops of the busiest rank's products, for predictions, and the sides of one of them. */
double plan_flops(const struct rank_plan *plan);
struct sides plan_leaf(const struct rank_plan *plan);

/** Words that some rank must move by any method, with as much memory as the plan takes. For
 * classical plans: the larger of the bounds of Irony, Toledo and Tiskin (2004) and, for any
 * memory, of Al Daas et al. (2022); for Strassen's method: that of Ballard et al. (2012),
 * without its unknown constant. m, n, k are those asked for. */
double plan_bound(const struct rank_plan *plan, double m, double n, double k);

/** The levels that all ranks do together (depth first), down to the plan's bottom: the function
 * of all variants with such levels. */
multiplication multiply_together;

#endif
