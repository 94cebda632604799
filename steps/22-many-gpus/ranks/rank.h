/* SPDX-License-Identifier: MIT */
/** @file rank.h
 * The plan of a product on several ranks, and one rank: what the ways to multiply (summa.c,
 * cannon.c and dealt.c) work with.
 */
#ifndef STEPS_22_MANY_GPUS_RANKS_RANK_H
#define STEPS_22_MANY_GPUS_RANKS_RANK_H

#include "steps/22-many-gpus/messages/comm.h"
#include "common/command/options.h"
#include "steps/22-many-gpus/places/place.h"
#include "share.h"

struct rank_plan;

/** A way to multiply on all ranks, below the levels that they do together. The functions get
 * the plan and a rank's number, so that --model can ask about any number of ranks. */
struct bottom {
    /** Completes the plan's grid. */
    void (*prepare)(struct rank_plan *plan);
    struct shares (*shares)(const struct rank_plan *plan, int rank);
    /** Elements of workspace that multiply() uses. */
    size_t (*workspace)(const struct rank_plan *plan, int rank);
    multiplication *multiply;
    /** What the rank sends and receives, by the formulas. */
    struct moved (*traffic)(const struct rank_plan *plan, int rank);
};

/* summa.c, cannon.c, dealt.c */
extern const struct bottom bottom_summa, bottom_cannon, bottom_dealt;
multiplication multiply_summa, multiply_cannon, multiply_dealt;

/** The width of SUMMA's widest panel, at least LEAST_PANEL if k is, and the largest product of
 * a rank's panels, without pointers. */
enum { LEAST_PANEL = 64 };
long summa_widest(const struct rank_plan *plan);
struct product summa_leaf_product(const struct rank_plan *plan, int rank);

/** How a variant multiplies m x k by k x n on `ranks` ranks. */
struct rank_plan {
    const struct bottom *bottom;
    int ranks;
    long m, n, k; /**< rounded up to multiples of 2^(above + dealt) */
    int above;    /**< levels whose seven products all ranks do together, one after another */
    int dealt;    /**< levels below whose products are dealt out to the ranks */
    int down, across, layers; /**< the grid of ranks */
    long panels; /**< SUMMA cuts k into this many panels; into more where the owner changes, or
                    to save memory */
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

/** One rank, and its parts of the matrices. */
struct rank {
    const struct options *options;
    struct comm *comm;
    double needed, free; /**< bytes: what the smallest variant that did not fit needs, or 0;
                            and what is free */
    char why[200];       /**< why a variant does not run */

    /* Of the variant that runs: */
    struct rank_plan plan;
    struct shares shares;
    struct group row, column, layers; /**< of the grid, in its three directions */
    void *block;                      /**< its memory: A, B, C and the workspace, in which */
    struct block held[4];             /**< with guard cells between them */
    struct source a, b;               /**< what A and B were filled with */
    double bound;                     /**< of an element's error; 0: every element is exact */
    bool has_run;
    double begun;

    /* The results, on all ranks: */
    double rms;                  /**< root mean square of the elements' errors */
    struct traffic most, model;  /**< received by the rank with the most; by formulas */
    double leaf_gflops, link_gb; /**< measured before: a rank's product, and its link */
    double predicted;            /**< milliseconds from these two */
    struct leaf_work leaf;       /**< of the last run: rank 0's method, the most of any rank */
};

/** C = A * B, or C + A * B, on blocks of this rank, with the leaf; they may be empty. */
static inline void multiply_here(const struct context *ctx, struct product p)
{
    const struct source zeros = {.input = INPUT_ZEROS, .rows = p.c.rows, .cols = p.c.cols};
    if (p.c.rows == 0 || p.c.cols == 0)
        return;
    if (p.a.cols > 0)
        multiply_leaf(ctx, p);
    else if (!p.accumulate) /* this rank has no part of k */
        ctx->rank->comm->place->fill(p.c, &zeros, 0, 0);
}

#endif
