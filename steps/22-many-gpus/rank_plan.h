/* SPDX-License-Identifier: MIT */
/** @file rank_plan.h
 * How a variant multiplies on a number of ranks: the levels of Strassen's recursion that all
 * ranks do together, the way to multiply below them, and what both will cost.
 */
#ifndef STEPS_22_MANY_GPUS_RANK_PLAN_H
#define STEPS_22_MANY_GPUS_RANK_PLAN_H

#include "comm.h"
#include "common/command/options.h"
#include "share.h"

struct rank_plan;

/** A way to multiply on all ranks, below the levels that they do together. The functions get
 * the plan and a rank's number, so that --model can ask about any number of ranks. */
struct bottom {
    /** Completes the plan's grid; NULL, or why there is none. */
    const char *(*prepare)(struct rank_plan *plan);
    struct shares (*shares)(const struct rank_plan *plan, int rank);
    /** Elements of workspace that multiply() uses. */
    size_t (*workspace)(const struct rank_plan *plan, int rank);
    multiplication *multiply;
    /** What the rank sends and receives, by the formulas. */
    struct moved (*traffic)(const struct rank_plan *plan, int rank);
};

/* summa.c, cannon.c, dealt.c, nested.c */
extern const struct bottom bottom_summa, bottom_cannon, bottom_dealt, bottom_nested;
multiplication multiply_summa, multiply_cannon, multiply_dealt;

/** SUMMA's widest panel, which is at least LEAST_PANEL wide if k is, and the largest product of
 * a rank's panels: sizes alone. */
enum { LEAST_PANEL = 64 };
long summa_widest(const struct rank_plan *plan);
struct product summa_leaf_product(const struct rank_plan *plan, int rank);

/** A rank's shares where every block of the recursion is cut by rows. */
struct shares rows_shares(const struct rank_plan *plan, int rank);

/** The variants, by their place in the step's table. */
enum {
    SUMMA,
    CANNON,
    STRASSEN_BFS,
    STRASSEN_DFS,
    CAPS,
    STRASSEN_OVER_SUMMA,
    CAPS_GROUPS,
    SUMMA_BROKEN,
    VARIANTS
};

/** How a variant multiplies m x k by k x n on `ranks` ranks. */
struct rank_plan {
    const struct bottom *bottom;
    int ranks;
    long m, n, k; /**< rounded up to multiples of 2^(above + dealt) */
    int above;    /**< levels whose seven products all ranks do together, one after another */
    int dealt;    /**< levels below whose products are dealt out to the ranks */
    int down, across, layers; /**< the grid of ranks */
    long panels; /**< SUMMA cuts k into this many panels; into more where the owner changes, or
                    to save memory: see rank_plans() */
    bool broken; /**< leaves the last panel out, to test the checks */
};

/** The sides of a product below a number of levels. */
struct sides {
    long m, n, k;
};

static inline struct sides sides_below(const struct rank_plan *p, int levels)
{
    return (struct sides){p->m >> levels, p->n >> levels, p->k >> levels};
}

/** The sides of one product that all ranks do together. */
static inline struct sides bottom_sides(const struct rank_plan *p)
{
    return sides_below(p, p->above);
}

/** The sides of one product that is dealt out; there are 7^dealt for each of those above. */
static inline struct sides dealt_sides(const struct rank_plan *p)
{
    return sides_below(p, p->above + p->dealt);
}

static inline long dealt_products(const struct rank_plan *p)
{
    long products = 1;
    for (int level = 0; level < p->dealt; level++)
        products *= PRODUCTS;
    return products;
}

/** Takes a contiguous vector off the workspace. */
static inline real *take_elements(real **workspace, long count)
{
    real *at = *workspace;
    *workspace += count;
    return at;
}

/** The plan of a variant. Returns NULL, or why there is none on this number of ranks (with the
 * numbers that it takes). `memory`: bytes that a rank may use, 0: any number. caps takes levels
 * that fit, or if there are none, those that need the fewest bytes: the caller compares
 * plan_bytes() with the limit, as for every plan. */
const char *plan_for_variant(struct rank_plan *plan, const struct options *options, int variant,
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
