/* SPDX-License-Identifier: MIT */
/** @file rank_plan.h
 * What a variant does with a product on so many ranks: the tree of Strassen's products above,
 * the way to multiply on all ranks below, and what both will cost.
 */
#ifndef STEPS_22_MANY_GPUS_RANK_PLAN_H
#define STEPS_22_MANY_GPUS_RANK_PLAN_H

#include "comm.h"
#include "common/command/options.h"
#include "out_of_core.h"
#include "share.h"

struct rank_plan;
struct world;

/** A way to multiply on all ranks, below the levels that they do together. */
struct bottom {
    /** Completes the plan's grid for `ranks`; NULL, or why it cannot be. */
    const char *(*prepare)(struct rank_plan *plan);
    /** What the rank has of A, B and C, without memory. */
    struct shares (*shares)(const struct rank_plan *plan, int rank);
    /** Elements that multiply() works in. */
    size_t (*workspace)(const struct rank_plan *plan, int rank);
    void (*multiply)(const struct world *w, const struct shares *s, real *workspace);
    /** What one rank sends and receives, by formulas. */
    void (*traffic)(const struct rank_plan *plan, int rank, struct traffic *sent,
                    struct traffic *received);
};

/** How a variant multiplies m x k by k x n on `ranks` ranks. */
struct rank_plan {
    const struct bottom *bottom;
    int ranks;
    long m, n, k; /**< rounded up to multiples of 2^(above + dealt) */
    int above;    /**< levels whose seven products all ranks do together, one after another */
    int dealt;    /**< levels below whose products are dealt out to the ranks */
    int down, across, layers; /**< the grid of ranks */
    long panels; /**< of SUMMA: k is cut into so many, or into more where another rank owns what
                    follows */
    bool broken; /**< leaves something out, for who checks */
};

/** What a rank multiplies with. */
struct world {
    struct comm *comm;
    const struct rank_plan *plan;
    struct group row, column,
        layers; /**< of the grid: ranks side by side, above each other, behind */
    struct context leaf;
    struct out_of_core
        *device; /**< where operands are brought to be multiplied; NULL: they are there */
};

/** The bottom's own dimensions: of one of the products that all ranks do together. */
static inline long bottom_m(const struct rank_plan *p) { return p->m >> p->above; }
static inline long bottom_n(const struct rank_plan *p) { return p->n >> p->above; }
static inline long bottom_k(const struct rank_plan *p) { return p->k >> p->above; }

/** C = A * B, or C + A * B, on blocks of this rank, by the leaf; empty ones are right, too. */
static inline void multiply_here(const struct world *w, struct product p)
{
    const struct source zeros = {.input = INPUT_ZEROS, .rows = p.c.rows, .cols = p.c.cols};
    if (p.c.rows == 0 || p.c.cols == 0)
        return;
    if (p.a.cols > 0 && w->device)
        out_of_core_multiply(w->device, &w->leaf, p);
    else if (p.a.cols > 0)
        multiply_leaf(&w->leaf, p);
    else if (!p.accumulate) /* this rank has nothing of k */
        w->comm->place->fill(p.c, &zeros, 0, 0);
}

/** Takes a contiguous vector off the workspace. */
static inline real *take_elements(real **workspace, long count)
{
    real *at = *workspace;
    *workspace += count;
    return at;
}

/* ---- summa.c, cannon.c, dealt.c, nested.c ---- */

extern const struct bottom bottom_summa, bottom_cannon, bottom_dealt, bottom_nested;

/** What a rank has where every block of the recursion is cut by rows. */
struct shares rows_shares(const struct rank_plan *plan, int rank);

/* ---- rank_plan.c, above these ---- */

/** The plan of a variant; NULL, or why there is none on this number of ranks (with the numbers
 * that it takes). `memory`: bytes that a rank may use, 0: as many as it likes. caps takes
 * levels that need no more, and if there are none, those that need the fewest: the caller
 * compares plan_bytes() with it, as for every plan. */
const char *plan_for_variant(struct rank_plan *plan, const struct options *options, int variant,
                             int ranks, double memory);

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

/** Bytes of a rank's shares, and of the workspace beside them. */
double plan_share_bytes(const struct rank_plan *plan, int rank);
size_t plan_workspace(const struct rank_plan *plan, int rank);
double plan_bytes(const struct rank_plan *plan);

/** The whole product: every rank calls it with its shares. C's elements are all written. */
void plan_multiply(const struct world *world, const struct shares *shares, real *workspace);

/** What rank `rank` sends and receives in plan_multiply(). */
void plan_traffic(const struct rank_plan *plan, int rank, struct traffic *sent,
                  struct traffic *received);

/** Flops of the busiest rank's products and sums, for predictions. */
double plan_flops(const struct rank_plan *plan);

/** Words that some rank must move whatever it does, classically: Irony, Toledo and Tiskin
 * (2004) with `memory` words a rank, or Al Daas et al. (2022) for any memory, the larger of the
 * two. */
double bound_classical(double m, double n, double k, int ranks, double memory);

/** The same for Strassen's method without its unknown constant: Ballard et al. (2012). */
double bound_strassen(double m, double n, double k, int ranks, double memory);

#endif
