/* SPDX-License-Identifier: MIT */
/** @file rank_plan.c
 * Makes a variant's plan from its name, and runs the recursion above the bottoms.
 */
#include "rank_plan.h"

#include <math.h>

/* ---- The recursion ---- */

/// [above]
/* A level that all ranks do together (a depth-first step): every rank adds parts of its own
   share (in `place`: its GPU's memory or the host's), and the seven products run one after
   another. A factor that is one quadrant is used without a copy. */
void multiply_together(const struct context *ctx, struct product p, int levels, real *workspace)
{
    const struct rank_plan *plan = &ctx->rank->plan;
    const struct place *place = ctx->rank->comm->place;
    if (levels == plan->dealt) {
        plan->bottom->multiply(ctx, p, levels, workspace);
        return;
    }
    real *sum_a = take_elements(&workspace, block_elements(p.a) / 4);
    real *sum_b = take_elements(&workspace, block_elements(p.b) / 4);
    struct block m = take_block(&workspace, p.c.rows / 4, p.c.cols);
    for (int i = 0; i < PRODUCTS; i++) {
        const struct scheme_product *product = &strassen_scheme.product[i];
        struct block A = quadrant_or_sum(place, p.a, product->a, sum_a);
        struct block B = quadrant_or_sum(place, p.b, product->b, sum_b);
        multiply_together(ctx, product_on(A, B, m), levels - 1, workspace);
        add_product(place, p.c, i, m.at);
    }
}
/// [above]

/* Each level that all ranks do together takes one sum of A, one of B and one product. */
size_t plan_workspace(const struct rank_plan *p, int rank)
{
    struct shares s = p->bottom->shares(p, rank);
    size_t elements = p->bottom->workspace(p, rank), level = (size_t)shares_elements(&s) / 4;
    for (int i = 0; i < p->above; i++, level /= 4)
        elements += level;
    return elements;
}

static double most_bytes(const struct rank_plan *p, bool workspace)
{
    double most = 0;
    for (int rank = 0; rank < p->ranks; rank++) {
        struct shares s = p->bottom->shares(p, rank);
        double elements = (double)shares_elements(&s);
        elements += workspace ? (double)plan_workspace(p, rank) : 0;
        most = fmax(most, elements * sizeof(real));
    }
    return most;
}

double plan_share_bytes(const struct rank_plan *p) { return most_bytes(p, false); }

double plan_bytes(const struct rank_plan *p) { return most_bytes(p, true); }

struct moved plan_traffic(const struct rank_plan *p, int rank)
{
    double products = pow(PRODUCTS, p->above);
    struct moved moved = p->bottom->traffic(p, rank);
    moved.sent.words *= products, moved.sent.messages *= products;
    moved.received.words *= products, moved.received.messages *= products;
    return moved;
}

struct traffic plan_most_received(const struct rank_plan *p)
{
    struct traffic most = {0, 0};
    for (int rank = 0; rank < p->ranks; rank++) {
        struct traffic received = plan_traffic(p, rank).received;
        most.words = fmax(most.words, received.words);
        most.messages = fmax(most.messages, received.messages);
    }
    return most;
}

double plan_flops(const struct rank_plan *p)
{
    double scale = pow(2, p->above + p->dealt), products = pow(PRODUCTS, p->above + p->dealt);
    double m = (double)p->m / scale, n = (double)p->n / scale, k = (double)p->k / scale;
    double dealt = pow(PRODUCTS, p->dealt);
    double share = p->dealt ? ceil(dealt / p->ranks) / dealt : 1.0 / p->ranks;
    return products * 2 * m * n * k * share;
}

struct sides plan_leaf(const struct rank_plan *p)
{
    struct sides below = bottom_sides(p);
    if (p->dealt)
        return dealt_sides(p);
    if (p->bottom == &bottom_cannon)
        return (struct sides){pieces_of(below.m, p->down), pieces_of(below.n, p->across),
                              pieces_of(below.k, p->layers * p->down)};
    struct product leaf = summa_leaf_product(p, 0);
    return (struct sides){leaf.c.rows, leaf.c.cols, leaf.a.cols};
}

/* ---- Which plan ---- */

/* The fewest levels whose products can be dealt out with less than a tenth of the time idle. */
static int levels_that_balance(int ranks)
{
    double products = PRODUCTS;
    for (int levels = 1;; levels++, products *= PRODUCTS)
        if (ceil(products / ranks) * ranks / products < 1.1 || levels == 4)
            return levels;
}

static void round_sizes(struct rank_plan *p, const struct options *o)
{
    long multiple = 1L << (p->above + p->dealt);
    p->m = round_up(o->m, multiple);
    p->n = round_up(o->n, multiple);
    p->k = round_up(o->k, multiple);
}

/* Adds levels one after another until a rank's bytes are below the limit, and no more: each of
   them costs 7/4 of the words. If no number of levels is enough, takes that which needs the
   fewest bytes. */
static void fit(struct rank_plan *p, const struct options *o, double memory)
{
    enum { MOST = 8 };
    double least = INFINITY;
    int best = 0;
    long smallest = smaller(o->m, smaller(o->n, o->k));
    for (p->above = 0; p->above <= MOST; p->above++) {
        if (p->above && 1L << (p->above + p->dealt) > smallest)
            break;
        round_sizes(p, o);
        double bytes = plan_bytes(p);
        if (memory <= 0 || bytes <= memory)
            return;
        if (bytes < least)
            least = bytes, best = p->above;
    }
    p->above = best;
    round_sizes(p, o);
}

void plan_for_variant(struct rank_plan *p, const struct options *o, int variant, int ranks,
                      double memory)
{
    int levels = o->levels;
    *p = (struct rank_plan){.bottom = &bottom_summa,
                            .ranks = ranks,
                            .layers = 1,
                            .panels = o->settings[SET_PANELS],
                            .broken = variant == SUMMA_BROKEN};
    switch (variant) {
    case SUMMA_BROKEN:
    case SUMMA:
        break;
    case CANNON:
        p->bottom = &bottom_cannon;
        break;
    case STRASSEN_DFS: /* its grid is one column */
        p->down = ranks, p->across = 1;
        p->above = levels < 0 ? 1 : levels;
        break;
    case STRASSEN_OVER_SUMMA:
        p->above = levels < 0 ? 1 : levels;
        break;
    default:
        p->bottom = &bottom_dealt, p->dealt = levels < 0 ? levels_that_balance(ranks) : levels;
        break;
    }
    round_sizes(p, o);
    p->bottom->prepare(p);
    if (variant == CAPS)
        fit(p, o, memory);
}

/* ---- Bounds ---- */

static double bound_classical(double m, double n, double k, int ranks, double memory)
{
    double by_memory = m * n * k / (2 * sqrt(2) * ranks * sqrt(memory)) - memory;
    /* Sorted, d1 >= d2 >= d3: with few ranks one matrix, or two, need not move. */
    double d1 = fmax(m, fmax(n, k)), d3 = fmin(m, fmin(n, k)), d2 = m * n * k / d1 / d3;
    double have = (m * n + m * k + k * n) / ranks, need;
    if (ranks <= d1 / d2)
        need = (d1 * d2 + d1 * d3) / ranks + d2 * d3;
    else if (ranks <= d1 * d2 / (d3 * d3))
        need = 2 * sqrt(d1 * d2 * d3 * d3 / ranks) + d1 * d2 / ranks;
    else
        need = 3 * pow(m * n * k / ranks, 2.0 / 3);
    return fmax(0, fmax(by_memory, need - have));
}

static double bound_strassen(double m, double n, double k, int ranks, double memory)
{
    double size = cbrt(m * n * k), exponent = log2(7);
    return fmax(pow(size / sqrt(memory), exponent) * memory / ranks,
                size * size / pow(ranks, 2 / exponent));
}

double plan_bound(const struct rank_plan *p, double m, double n, double k)
{
    double memory = plan_bytes(p) / sizeof(real);
    return p->above + p->dealt ? bound_strassen(m, n, k, p->ranks, memory)
                               : bound_classical(m, n, k, p->ranks, memory);
}
